"""Italian words by which a value is found in a message, see `reasoning.grounding.free_text`."""

NOTE = "nota"
"""Right in front of the text of a note."""
