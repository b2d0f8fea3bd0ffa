"""English words around the phrases of short replies, see `language.replies.short_replies`: without apostrophes, accents
and capitals."""

CONTRACTED = "s|t|m|re|ve|ll|d"
"""What may stand behind an apostrophe that is left out."""
AND = ("and",)
CONFIRMS = ("confirm",)
NOT = ("dont", "do not", "please dont", "please do not", "not", "never")
"""Phrases right in front of another that deny it."""
DENIES = "dont not never cant wont shouldnt".split()
DOUBTS = "if unless whether or should shall when why who how until before".split()
CONTRASTS = "but only just except instead".split()
PART = "the that those to for at on in of her his their my about with".split()
"""Words before a thing: "forget the note", "no need to ring her"."""
DROPS_IN_FRONT = ("not that", "not this", "cancel that", "cancel this")
ENDS_A_BOOKING = ("scrap", "drop", "bin", "ditch", "discard", "dump", "scratch")
HOW_IT_WAS = "as how the way it was before were to back what they where".split()
"""Words of phrases that describe the state to restore, without asking for it."""

FIRST = "undo undone undoing change first former".split()
SECOND = "booking party reservation second latter both".split()
"""Words for either answer to "undo the change, or cancel the booking?"."""

REASONS = r"please|wants?|wanted|needs?|changed|moved|booked|cancelled"
LAST = "the|that|this|my|last"
PLAN = "change|move|update|booking"
"""Words about others, or about the plan, in a reason."""

RESTORES = (
    r"(?:put|change|set|switch|bring|go|restore|reinstate)(?: it| that)?(?: back)?(?: to)? "
    r"the (?:old|previous|original|former) "
)
RESTORED = r"number|time|date|day|email|e ?mail|phone|note|name|hour"
"""An undo that names what to restore."""

JOINS = "and|but|just|only|instead"
"""Between words that drop a request and the request that replaces it."""
LEADS_ON = r"and|but|so|just|only|instead|please|actually|i meant?|what i meant was"
"""In front of the request that replaces one."""

ASKS_FOR_CHANGES = (
    r"\bwhat (?:exactly )?(?:did|have|ve|do) (?:you|u|we) (?:just |actually )?(?:chang|do\b|done|alter|edit)|"
    r"\bwhat(?:s| is| was| has| have)? (?:just |been )+(?:chang|happen|done)|\bwhat did (?:that|it) (?:just )?change\b|"
    r"\bwhat (?:changed|was changed|got changed|has changed)\b|"
    r"^(?:so |and |but |ok )*(?:did|has|have) (?:it|that|this|they|everything|all) (?:all )?(?:actually |really )?"
    r"(?:work|go through|gone through|worked|succeed|succeeded|happen|been (?:done|saved))(?: now| yet| ok| okay)?$|"
    r"^(?:so |and |but |ok )*(?:is|was) (?:it|that|this|everything|all) (?:all )?(?:done|saved|changed)(?: now| yet)?$"
)
