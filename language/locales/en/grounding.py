"""English words by which a value is found in a message, see `reasoning.grounding.choices`,
`reasoning.grounding.free_text` and `reasoning.grounding.names`."""

HELPING = frozenset("is has with issue send set include use allow enable do make apply give should".split())
"""Words in the name of a flag that say nothing by themselves."""
NOTE = "note"
"""Right in front of the text of a note."""
FAMILY = "the"
"""In front of a family's name: "the Smiths"."""
