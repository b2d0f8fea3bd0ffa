"""Italian words by which a message's values are read, see the modules of `language.extraction`. Letters are plain; the
words of `language.extraction.numbers` stand in `numbers`."""

# assertion
PRONOUNS = ("ne",)
"""What looks like a "not" without its accent, and is none."""
OF_NOUN = r"del|dell'|di|dal|dall'"
"""Between a booking and its day."""
PUTS = r"met\w+|fai\w*|fiss\w+|port\w+|spost\w+|vorr\w+|vuole|vogliono|preferi\w+|\w+rebbe(?:ro)?"
"""Puts a booking on a day."""
DEMONSTRATIVE = r"quell"
AND = ("e", "ed")
LESS_LIKED = ("a", "alle", "al")
"""Between what is preferred and what is not: "11 a 3"."""
AND_ALSO = r"e|anche|poi"

# corrections
NO_SORRY = r"no|anzi"
TO_OR_AT = r"alle"
BECAUSE = r"perche|e|ma"
HAVE = r"(?:hanno|ha|abbiamo)\s+(?:gia|da|la|il|lo|un|una)"
COMPARED = r"di "

# booking_references
CHANGED = r"a|ad|al|alle|il|per|ore|sono|ha|hanno|viene|vengono"
"""Behind the name of a booking that is changed."""
IS = r"è"
NO_NAME = r"a|al|alle|per"
AND_NEXT = r"ed?"
THE = r"la|il|lo"
BESIDE_VERBS = r"\b(?:hanno|ha|abbiamo|avete|hai|ho)"
"""In front of a verb, where no name is possible."""
OPENS = r"e|ed|sposta|porta|metti|rimanda"
"""In front of what a change is made to."""
ASKS = r"chi|quando|quanti|quante|ha|a che"
ONE = r"un[oa]?"

# dates
SPLITS = r"e|ed|o|oppure|a|ad|al|non|no|dal|dalle|tra"
"""Between the points of a phrase."""
MEAL = r"pranzo|cena"
MEAL_ON = r"di|del"
COUNTED_FROM = r"domani"
TO = r"a|ad|al"
AFTER_OR_BEFORE = r"dopo|prima"

# quotes
MY_OWN = r"ho|abbiamo|avevo"
"""In front of a verb of speech: the operator's own."""
FIRST_PERSON = r"io|mi|mio|mia|miei|mie|noi|ci|nostr[oaie]|vorrei|vorremmo|posso|possiamo|dobbiamo|devo"
HELPERS = frozenset("ha hanno appena gia e sono".split())
OBJECT = r"la|il|lo|le|i|gli|quella|quello|per"
WANTED = r"vuole|vogliono|vorrebbe\w*"

# extraction
RANGE_TO = r"a"
ADDS = ("e", "piu", "anche")
"""How a message begins that adds to what was asked before."""
