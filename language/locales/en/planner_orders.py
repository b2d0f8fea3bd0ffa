"""English words by which an order's clauses and values are read, see `offline_planner.orders.order_parser`,
`offline_planner.orders.values`, `offline_planner.orders.conditions`, `offline_planner.orders.removals` and
`offline_planner.clarity`."""

# `order_parser`
NOW = frozenset(("now",))
"""Does something else beside being a time."""
COUNTED = "one"
"""A number in front of people, beside figures."""
ALLOWS = frozenset(("can", "may", "might", "could"))
"""Only allow, in front of a verb."""
ASKED_ALL_THE_SAME = "instead|now"
"""What makes an order of what is only allowed."""
PREPOSITION = "of"
"""What a day or an hour begins with that tells which booking it is."""
NOT = "not"
CORRECTED = "no|sorry|actually|wait"
"""Behind what gives way."""
BY_CONTACT = "under|for|of|from|booking"
"""In front of a contact detail that tells whose booking it is."""

# `values`
AT = "at"
"""In front of an hour, whatever else is changed."""
TO_MAY_BE_AN_HOUR = True
"""Whether an early number that a booking goes to is an hour of the afternoon: "Lindqvist to 5"."""
CLOCK = 12
"""The last hour of a clock as it is spoken."""

# `conditions`
TRY = (r"^\W*(?:(?:pls|please)\s+)?try\s+(?!to\b|a\b)", "move ")
"""An order to try something, and what it is read as."""
HOUR = "at {}"
"""A bare number as an hour."""

# `removals`
TAKEN_OUT = ((r"\btake", r"\s+(?:off|out)\b"),)
"""Around a part of a plan: it is left out."""

# `clarity`
ADDED_AS = r"\bas\b"
"""With a verb of adding: it is a change."""
