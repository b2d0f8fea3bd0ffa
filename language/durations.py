"""How long something takes: "for an hour", "45 minutes", "un'ora e mezza". In whole minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from language.plain import plain
from language.resolution import Span

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30,
    "forty": 40, "forty-five": 45, "sixty": 60, "ninety": 90,
    "un": 1, "un'": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "dieci": 10, "quindici": 15, "venti": 20,
    "trenta": 30, "quaranta": 40, "quarantacinque": 45, "sessanta": 60, "novanta": 90,
}  # fmt: skip
_NUMBER = rf"(?:\d{{1,3}}(?:[.,]5)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_HOURS = r"(?:hours?|hrs?|h|or[ae])(?:-long)?"
_MINUTES = r"(?:minutes?|mins?|min|minut[oi])(?:-long)?"
_LONG = re.compile(
    rf"(?<![\w:.,])(?:(?P<half>(?:half an hour|half[- ]hour|mezz'? ?ora))"
    rf"|(?P<hours>(?:un'|una|1)(?=\s?ora\b)|{_NUMBER}(?!\s?ora\b))\s?-?\s?{_HOURS}"
    rf"(?P<more>\s(?:(?:and )?a half|e mezz[ao])|\s?(?:and |e )?(?P<rest>{_NUMBER})\s?{_MINUTES})?"
    rf"|(?P<minutes>{_NUMBER})\s?-?\s?{_MINUTES})(?!\w)"
)
_STEPS = re.compile(r"\s*(?:later|earlier|sooner|before|after|ago|from now|dopo|prima|fa|piu tardi|in anticipo)\b")
_COUNTED_FROM_NOW = re.compile(r"\b(?:in|within|by|tra|fra|di|entro|every|ogni)\s*$")


def find_durations(text: str) -> Iterator[tuple[int, Span]]:
    """(minutes, place) of each duration, left to right. "An hour later" and "in two hours" are none."""
    letters = plain(text)
    for match in _LONG.finditer(letters):
        if _STEPS.match(letters, match.end()) or _COUNTED_FROM_NOW.search(letters[: match.start()]):
            continue
        minutes = _minutes(match)
        if minutes:
            yield minutes, match.span()


def _minutes(match: re.Match[str]) -> int:
    if match["half"]:
        return 30
    if match["minutes"]:
        return round(_number(match["minutes"]))
    more = 0.0 if not match["more"] else _number(match["rest"]) if match["rest"] else 30.0
    return round(_number(match["hours"]) * 60 + more)


def _number(said: str) -> float:
    return float(_NUMBERS[said]) if said in _NUMBERS else float(said.replace(",", "."))
