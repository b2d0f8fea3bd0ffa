"""English words by which a message's values are read, see the modules of `language.extraction`. Letters are plain; the
words of `language.extraction.numbers` stand in `numbers`."""

# assertion
OF_NOUN = r"on|of|from"
"""Between a booking and its day."""
OF_THE = r"the"
PUTS = (
    r"put|book|have|get|do|make|place|slot|squeeze|fit|schedule|stick|pop|want\w*|need\w*|like|prefer\w*|move\w*|"
    r"shift\w*|bring|push|chang\w+|switch\w*|to"
)
"""Puts a booking on a day."""
AND = ("and",)
LESS_LIKED = ("to",)
"""Between what is preferred and what is not: "prefer 11 to 3"."""
WERE = r"were"
AND_ALSO = r"and|also|then|plus"
PLEASE = r"please|pls|just"

# corrections
NO_SORRY = r"no|nah|sorry|soz"
WAIT = r"wait"
TO_OR_AT = r"to|at"
BECAUSE = r"because|as|cos|since|and|but"
HAVE = r"(?:they|she|he|we|i)(?:'?ve|'?s| have| has| had)?\s+(?:got|have|has|had|already)"
COMPARED = r"than"

# booking_references
CHANGED = r"to|at|on|for|is|are|has|have|needs|moved|comes?|starts?|booked|books"
"""Behind the name of a booking that is changed."""
NO_NAME = r"to|at|on|for|is|are|has"
AND_NEXT = r"and|n"
THE = r"the"
BESIDE_VERBS = r"\b(?:they|we|she|he|you|have|has|had|been)|'(?:ve|ll|d|re)|\b(?:they|we|you|i)(?:ve|ll|re)"
"""In front of a verb, where no name is possible: "they've picked"."""
OPENS = r"and|move|put|push|shift|change"
"""In front of what a change is made to."""
ASKS = r"how|what|when|who|where|which|has|have|is|are"
ONE = r"one"

# dates
SPLITS = r"and|or|to|until|not|no|from|between"
"""Between the points of a phrase."""
MEAL = r"lunch|dinner|tea|breakfast|midday|school|work"
MEAL_ON = r"on"
COUNTED_FROM = r"tomorrow|next\b"
"""Behind "a week after": the day it counts from."""
TO = r"to"
AFTER_OR_BEFORE = r"after|before"

# quotes
MY_OWN = r"i|i've|i have|we|we've|we have|i'd|we'd|and i|just"
"""In front of a verb of speech: the operator's own."""
FIRST_PERSON = r"i|i'm|i've|i'd|i'll|my|mine|me|we|we're|we've|we'd|we'll|our|ours|us"
HELPERS = frozenset("has have had just also now all both already is are".split())
OBJECT = r"it|them|her|his|their|hers|theirs|the|this|that|for"
WANTED = r"wants?|wanted|would like"

# extraction
RANGE_TO = r"to"
ADDS = ("and", "plus", "also")
"""How a message begins that adds to what was asked before."""
