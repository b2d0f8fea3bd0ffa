"""English words around days in plain letters, see `language.dates.relative_to_booking`, `recurrence` and
`disambiguation`."""

# relative_to_booking
_DAY = r"(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:s|rs?|nes|urs?)?(?:day|sday|nesday|rsday|urday)?\b"
_ENDS = r"(?=\s*(?:$|[,.;!?)]|(?:at|pls|please|instead|same|and|but|with|for)\b))"
WEEKDAYS = tuple("mon tue wed thu fri sat sun".split())
FROM_BOOKING = (
    (rf"(?:the\s+)?(?:following|subsequent)\s+{_DAY}", 0, 1),
    (rf"(?:the\s+)?(?:preceding|previous|prior)\s+{_DAY}", 0, -1),
    (rf"(?:the\s+)?{_DAY}\s+(?:the\s+)?(?:wk|week)\s+after{_ENDS}", 1, 0),
    (rf"(?:the\s+)?{_DAY}\s+(?:the\s+)?(?:wk|week)\s+before{_ENDS}", -1, 0),
    (rf"(?:the\s+)?{_DAY}\s+after{_ENDS}", 0, 1),
    (rf"(?:the\s+)?{_DAY}\s+before{_ENDS}", 0, -1),
)
"""Patterns of weekdays that count from the booking's own (`day` is one of WEEKDAYS), with the `weeks` and the `step` of
their anchor."""

# recurrence
EVERY = r"every|each"
EVERY_OTHER = r"other|second"
AGAIN = (
    r"(?:once|twice)\s+a\s+\w+|(?:bi)?weekly|daily|fortnightly|(?:bi)?monthly|recurring|repeating|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days"
)
NOT_AGAIN = r"(?:every|each)\s+(?:one|thing|body|time|reason|chance)"

# disambiguation
WISHES = (
    r"wants?|wanted|prefers?|preferred|make it|made it|say|says|suits|meant|means|not|instead of|rather than|than|"
    r"it['’]?s|do"
)
"""In front of a day that is wished."""
GIVES_WAY = r"instead|not|rather|please|pls|works|suits|same"
"""Behind a day that is wished or gives way."""
