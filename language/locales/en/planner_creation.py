"""English words of something new, see `offline_planner.bookings.creation` and
`offline_planner.bookings.creation_details`."""

WITH = "with"
ALSO_WITH = (r"\bw/\s*|\bbetween (?:me|us) and\s+", "with ")
"""Other ways of saying with whom, and what they are read as."""
FREE = "free|available|availability"
NO_NAMES = frozenset("who anyone anybody someone somebody everyone everybody we".split())
"""Behind the question when a person is free, and no name."""
GLUE = "on|at|in|by|to|from|and|my|please|pls|thanks|ok"
"""Ends a text."""
TO = "to|through|thru|until|till"
"""Between two days: a stretch of days."""
CLOCK = r"\b([a-z]+(?: [a-z]+)?) time\b"
"""A clock; the group is its name."""
ZONES = {
    "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
    "pacific": "America/Los_Angeles", "uk": "Europe/London", "israel": "Asia/Jerusalem", "italian": "Europe/Rome",
}  # fmt: skip
"""What people call a clock, where it is not by the city that the zone is named after."""
HOW_LONG = "hours?|minutes?|mins?|while|bit|days?|weeks?"
"""A stretch of time."""
ARTICLE = r"(?:the|a|an|my|our)\s+"
ARTICLE_BEHIND = "the|this"
"""Leads to a day and is no part of its mention."""
LEADS_ON = frozenset(("to",))
"""Leads to a text together with the word before it."""
