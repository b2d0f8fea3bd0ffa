"""English words of a table that is asked for, see `offline_planner.bookings.table_creation`."""

LED = r"under(?: the name(?: of)?)?|in the name of|the name is|name is|name|called"
"""In front of a name however it is written."""
FOR = "for"
"""In front of heads, or of a name with a capital."""
NO_NAME = frozenset("and ed at on in tel phone number cell with".split())
PARTICLES = frozenset("de van von der la".split())
"""Small words inside a family name."""
