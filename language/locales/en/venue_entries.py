"""English words of questions and statements about a venue, see `reasoning.venue_facts.entries` and
`reasoning.venue_facts.quoting`."""

OF_TIME = frozenset(("long", "much", "does", "hour", "minute", "day", "week", "half", "before", "after"))
"""Words of nearly every amount or duration."""
HOW_MANY = "how many"
AND = "so|and|but"
"""In front of the question behind a statement."""
