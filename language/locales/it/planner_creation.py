"""Italian words of something new, see `offline_planner.bookings.creation` and
`offline_planner.bookings.creation_details`."""

WITH = "con"
ALSO_WITH = (r"\btra me e\s+", "with ")
"""Other ways of saying with whom, and what they are read as: the word of the tools' examples, which are English."""
FREE = r"liber[oa]|disponibil\w+"
NO_NAMES = frozenset("chi qualcuno tutti noi".split())
"""Behind the question when a person is free, and no name."""
GLUE = "in|da|dal|il|alle|alla|ore|e|grazie|ok"
"""Ends a text."""
TO = "a|al|fino a|fino al"
"""Between two days: a stretch of days."""
CLOCK = r"\bora (?:di|del|della) ([a-z]+(?: [a-z]+)?)\b"
"""A clock; the group is its name."""
ZONES = {"londra": "Europe/London", "roma": "Europe/Rome", "gerusalemme": "Asia/Jerusalem"}
"""What people call a clock, where it is not by the city that the zone is named after."""
HOW_LONG = "or[ae]|minut[oi]|giorn[oi]"
"""A stretch of time."""
ARTICLE = r"(?:il|lo|la|i|le|un|una)\s+|l'"
ARTICLE_BEHIND = "il|lo|la|questa"
"""Leads to a day and is no part of its mention: "con Aviad la settimana prossima"."""
