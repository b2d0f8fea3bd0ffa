"""Italian words in what a venue answers, see `offline_planner.execute`."""

NEEDED = "obbligatori|mancante"
"""Says in an error that a value is missing."""
