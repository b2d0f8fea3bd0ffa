"""Italian words by which a plan is held against the request, see `reasoning.drafting.completeness`."""

DROPPED = frozenset("no lascia togli senza dimentica niente salta".split())
"""Words in front of a thing that exclude it: "togli la nota"."""
ARTICLES = frozenset("il lo la le i gli quella quel".split())
ONLY = frozenset("solo soltanto solamente".split())
LED = "e|piu|poi"
"""In front of a step."""
JOINS = "e|poi"
"""What may join a step to the words of a note."""
ON = "del|dell|di|il"
"""Between a name and the day that identifies its booking."""
AND = "ed?"
AND_ON = "quella"
"""Joins another such day to it."""
NO_LETTER = "n"
"""The first letter of a word that opens with a no: a correction has another."""
ENTERS = "segn"
"""The beginning of a verb that enters a day, an hour or heads: "segna Rossi a mercoledì"."""
NOTE = frozenset(("note", "nota"))
"""Writes a note, whatever value stands behind it."""
