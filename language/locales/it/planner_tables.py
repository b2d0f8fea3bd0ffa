"""Italian words of a table that is asked for, see `offline_planner.bookings.table_creation`."""

LED = r"a nome(?: di)?|intestat[oa] a|si chiama|il nome e|nome"
"""In front of a name however it is written."""
FOR = "per"
"""In front of heads, or of a name with a capital."""
NO_NAME = frozenset("e ed in il la lo alle tel telefono numero cell cellulare con".split())
PARTICLES = frozenset("de di del della la lo dal".split())
"""Small words inside a family name."""
