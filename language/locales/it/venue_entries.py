"""Italian words of questions and statements about a venue, see `reasoning.venue_facts.entries` and
`reasoning.venue_facts.quoting`."""

OF_TIME = frozenset(("prima", "dopo"))
"""Words of nearly every amount or duration."""
HOW_MANY = "quant[ei]"
AND = "e|ma|quindi|allora"
"""In front of the question behind a statement."""
