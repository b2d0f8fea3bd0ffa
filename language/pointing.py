"""Words that point at a day or an hour that was spoken of before: "put her in then", "mettila a quell'ora"."""

from __future__ import annotations

import re

_BACK = re.compile(
    r"\b(?:to|for|at|in|into|on) (?:then|there)\b|\b(?:then|there)\W*$|"
    r"\bthat (?:time|hour|slot|day|date|spot|space|one)\b|"
    r"\b(?:put|move|bring|shift|stick|pop|squeeze|fit|book|slot|get|have)\b.*\bthere\b|"
    r"\bquel(?:l['’ ]ora| giorno| posto| orario| buco| momento|la data|lo slot|lo spazio)\b|\b(?:lì|là)(?!\w)|"
    r"\b(?:ci|la|lo) (?:mett|spost|port)\w+|\b(?:mett|spost|port|far)\w*(?:ci|cela|celo)\b|\ballora\W*$",
    re.IGNORECASE,
)


def points_back(text: str) -> bool:
    """Whether a message may lean on a day or an hour of the message before. Errs towards yes: what was said before
    bears out a value, and makes none."""
    return _BACK.search(text) is not None
