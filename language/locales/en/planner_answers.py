"""English words around what a question asks, see `offline_planner.answers.questions`, and around names that a look-up
decides on, see `offline_planner.answers.unknown_words`."""

TELL = (
    r"(?:tell|remind|let|inform|show|advise) (?:me|us)(?: know)?|(?:check|confirm|find out|look up)(?: for (?:me|us))?"
)
COURTESY = (
    # "Could you possibly tell me", "would you be good enough to remind me", "do you know", "I was wondering"
    r"(?:can|could|would|will|might|may) (?:you|i|we) (?:[a-z]+ ){0,7}?(?:{tell}|ask)|"
    r"(?:please |kindly |just )*(?:{tell})|"
    r"do you (?:happen to )?know|(?:i was|i am|i'm|we were|just) wondering|"
    r"i(?: would|'d) (?:like|love|need) to know|i (?:need|want) to know|remind me|any idea"
)
"""In front of a question; `{tell}` is `TELL` of every language."""
POLITELY = "please"
IF = "if"
"""Between a courtesy and its question."""
AT = "at|on|for|by|in|from|under|with|a"
ASKS = "what|which|who|whose|whom|when|where|how"
"""What a question begins with, behind a preposition or without one."""
AND = "but|and|so"
"""Between the words to a person and a question."""
REASON = "because|cos|so|since|as i|i need"
"""Gives a reason for a question."""
OPENS = "open|opens|opening|close[sd]?"
DATED = r"(?:on |for )?the"
"""In front of a bare number: a day of the month."""
NAMES = frozenset("for under per".split())
"""In front of a name."""
JOINED = "and"
TO = frozenset(("to", "in"))
"""Between a name and a value."""
