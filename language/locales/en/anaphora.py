"""English words that refer to a day or an hour mentioned before, see `language.requests.cues`."""

BACK = (
    r"\b(?:to|for|at|in|into|on) (?:then|there)\b|\b(?:then|there)\W*$|"
    r"\bthat (?:time|hour|slot|day|date|spot|space|one)\b|"
    r"\b(?:put|move|bring|shift|stick|pop|squeeze|fit|book|slot|get|have)\b.*\bthere\b"
)
