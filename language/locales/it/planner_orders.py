"""Italian words by which an order's clauses and values are read, see `offline_planner.orders.order_parser`,
`offline_planner.orders.values` and `offline_planner.orders.conditions`."""

# `order_parser`
COUNTED = "un[oa]?"
"""A number in front of people, beside figures."""
PREPOSITION = "d[a-z]+"
"""What a day or an hour begins with that tells which booking it is."""
NOT = "non"
CORRECTED = "no|anzi|scusa|cioè"
"""Behind what gives way."""
BY_CONTACT = "di|del|per|prenotazione"
"""In front of a contact detail that tells whose booking it is."""

# `values`
AT = "alle|ore"
"""In front of an hour, whatever else is changed."""
TO_AN_HOUR_OR_HEADS = r"\ba\s*$"
"""In front of a number that may be an hour as well as heads: "porta Esposito a 9"."""

# `conditions`
TRY = (r"^\W*(?:(?:pls|please)\s+)?prova\s+(?!to\b|a\b)", "move ")
"""An order to try something, and what it is read as: English for now, “sposta ” would find more bookings."""
HOUR = "alle {}"
"""A bare number as an hour."""
