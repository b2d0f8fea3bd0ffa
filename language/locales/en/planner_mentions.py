"""English words around the name of a booking, see `offline_planner.orders.mentions`, and of two parties, see
`offline_planner.orders.clauses`."""

LINKS = frozenset("for of under per x with by from".split())
"""In front of a name."""
ARTICLES = frozenset("the i".split())
TITLES = frozenset("mr mrs ms miss dr mister sir madam professor".split())
WHOSE = frozenset("her his their my our its a an".split())
"""What follows is somebody's."""
BESIDE_VERBS = (
    r"\b(?:his|her|their|they|we|she|he|you|have|has|had|been|gonna)|['’](?:ve|ll|d|re)|\b(?:they|we|you|i)(?:ve|ll|re)"
)
"""In front of a verb."""
PARTICLES = frozenset("van von de da der den la le el al bin dos du".split())
"""Small words inside a family name."""
CAPITAL = frozenset(("i",))
"""Is written with a capital, and is no name."""
ONE = frozenset(("one", "ones"))
"""Behind the words that tell which: "the scouts one"."""
FEASTS = "en"
"""The language whose holidays bookings are called after: "the Christmas party"."""
AND = frozenset(("and",))
TOGETHER = frozenset(("and",))
"""Between two owners of one party: "Emma and Jack's"."""
