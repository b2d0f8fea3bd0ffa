"""English words by which a plan is held against the request, see `reasoning.drafting.completeness`."""

DROPPED = frozenset("forget scrap drop delete remove skip lose without leave no".split())
"""Words in front of a thing that exclude it: "forget the note"."""
ARTICLES = frozenset("the that".split())
ONLY = frozenset("just only".split())
LED = "and|plus|also"
"""In front of a step."""
JOINS = "and|plus|also"
"""What may join a step to the words of a note."""
ON = "on|of|from"
THE = "the"
"""Between a name and the day that identifies its booking."""
AND = "and"
"""Joins another such day to it."""
POINTING = frozenset(("that", "it", "this"))
"""Words behind a verb that may point at the change that is being talked about: "cancel that"."""
NO_LETTER = "n"
"""The first letter of a word that opens with a no: a correction has another."""
NOTE = frozenset(("note", "notes"))
"""Writes a note, whatever value stands behind it."""
NOT_THE_NOUN = frozenset(("do",))
"""A word for a booking that is mostly a verb."""
