"""Italian words around the name of a booking, see `offline_planner.orders.mentions`, and of two parties, see
`offline_planner.orders.clauses`."""

LINKS = frozenset("per x di del della dei degli dello d dell delle con da".split())
"""In front of a name."""
ARTICLES = frozenset("i gli la lo il le l".split())
TITLES = frozenset("dr signora signor sig sigra dott dottor dottoressa professor nonna nonno".split())
WHOSE = frozenset("sua suo loro mia mio nostra nostro tua tuo a un una uno".split())
"""What follows is somebody's."""
BESIDE_VERBS = r"\b(?:hanno|ha|abbiamo|avete|hai|ho)"
"""In front of a verb."""
PARTICLES = frozenset("de di della del da la le o e".split())
"""Small words inside a family name."""
AND = frozenset(("e", "ed"))
