"""English words in the names of tools and parameters and in what a venue answers, see `offline_planner.tools` and
`offline_planner.execute`."""

ENDINGS = ("ing", "ed", "es", "s", "e")
"""The commonest endings of words, the longest first."""
HELPING = ("issue", "is", "has", "do", "with", "send", "make", "the", "for", "should", "to")
"""Words in the name of a flag that say nothing by themselves."""
NEEDED = r"required|missing|must be (?:given|set|provided)|needed|wants to know"
"""Says in an error that a value is missing."""
INTERNATIONAL = "international|country code"
"""Asks in an error for a number with its country."""
