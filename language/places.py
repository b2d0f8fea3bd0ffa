"""Places in a list that was just read out, counted from 0 and from the end: "the second one", "l'ultima"."""

import re
from collections.abc import Sequence
from typing import Any

_ROWS = {
    0: "first 1st former prima primo",
    1: "second 2nd seconda secondo",
    2: "third 3rd terza terzo",
    3: "fourth 4th quarta quarto",
    4: "fifth 5th quinta quinto",
    -1: "last latter ultima ultimo",
}
PLACES = {word: place for place, words in _ROWS.items() for word in words.split()}
"""By word; -1 is the last one."""
LAST = -1
OTHER = frozenset("other altra altro".split())
"""Of two, the one that was not spoken of: the second."""

_EARLY = "earlier earliest sooner soonest presto"
_LATE = "later latest tardi"
IN_TIME = dict.fromkeys(_EARLY.split(), 0) | dict.fromkeys(_LATE.split(), -1)
"""Places by the clock and the calendar, whatever the order in which they were read out: "the later one"."""

_MORE, _LESS = "bigger biggest larger largest grande", "smaller smallest piccola piccolo"
_IN_SIZE = dict.fromkeys(_LESS.split(), 0) | dict.fromkeys(_MORE.split(), -1)
_PARTS = {
    "morning": ("00:00", "11:59"), "am": ("00:00", "11:59"), "mattina": ("00:00", "11:59"),
    "mattino": ("00:00", "11:59"), "mattutina": ("00:00", "11:59"), "afternoon": ("12:00", "17:29"),
    "arvo": ("12:00", "17:29"), "pm": ("12:00", "23:59"), "pomeriggio": ("12:00", "18:29"),
    "pomeridiana": ("12:00", "18:29"), "evening": ("17:00", "23:59"), "sera": ("17:30", "23:59"),
    "serale": ("17:30", "23:59"),
}  # fmt: skip
"""Parts of a day as they tell one booking from another, by first and last start."""
_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    )
    for number, name in enumerate(names.split(), 1)
}
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_ALONE = frozenset("later earlier sooner soonest presto tardi morning evening sera mattina grande".split())
BESIDE = frozenset(
    "the one ones of two both that this its it is s i mean meant booking party please if you pls ta thanks sorry in on "
    "for ah oh um yes ok group lot um quella quello la il le delle dei due di del della per favore piu e "
    "intendo intendevo prenotazione festa grazie scusa si a al alla".split()
)
"""Words of an answer that only picks."""


def _dated(said: Sequence[str], days: Sequence[str]) -> int | None:
    """ "The December one", "the 16th one": the only row in that month, or on that day of a month."""
    months = [_MONTHS[word] for word in said if word in _MONTHS]
    ordinals = [int(match[1]) for word in said if (match := _ORDINAL.fullmatch(word)) and int(match[1]) > len(days)]
    others = {word for word in said if word not in _MONTHS and not _ORDINAL.fullmatch(word)}
    if not (months or ordinals) or not BESIDE.issuperset(others) or len(days) < _FEWEST:
        return None
    fit = [
        n
        for n, day in enumerate(days)
        if day and all(int(day[5:7]) == month for month in months) and all(int(day[8:10]) == one for one in ordinals)
    ]
    return fit[0] if len(fit) == 1 else None


_FEWEST, _ODD = 2, 3


def tells_which(word: str) -> bool:
    """Whether a word in front of "one" picks: "last one", "the earlier one", "the bigger one"."""
    picks = any(word in words for words in (PLACES, OTHER, IN_TIME, _IN_SIZE, _PARTS, _MONTHS))
    return picks or _ORDINAL.fullmatch(word) is not None


_MIDDLE = frozenset(("middle", "mezzo", "centrale"))


def counts_from_the_end(said: Sequence[str]) -> bool:
    """Whether an answer picks by where a list ends: "the last one", "the middle one"."""
    return place_in(said) == LAST or bool(_MIDDLE & set(said))


def place_in(said: Sequence[str]) -> int | None:
    """The place in a list that an answer names; None where it names none."""
    bare = (word.removeprefix("l'") for word in said)
    return next((PLACES[word] for word in bare if word in PLACES), None)


def picked_by(said: Sequence[str], rows: Sequence[tuple[str, str, int | None]]) -> int | None:
    """Which of the rows shown (day, start time, guests) an answer picks by comparing them: "the earlier of the two",
    "the afternoon one", "la pi\u00f9 grande". None where it does more than pick, or what it says fits several."""
    said = [word.removesuffix("'s") for word in said]
    if (dated := _dated(said, [day for day, _, _ in rows])) is not None:
        return dated
    if _MIDDLE & set(said) and len(rows) == _ODD and BESIDE.issuperset(set(said) - _MIDDLE):
        return 1
    telling = [word for word in said if word in IN_TIME or word in _IN_SIZE or word in _PARTS]
    # "Later" alone puts something off, "morning" greets.
    if (
        len(telling) != 1
        or (said[0] in _ALONE and len(said) == 1)
        or len(rows) < 2
        or not BESIDE.issuperset(set(said) - set(telling))
    ):
        return None
    word, order = telling[0], range(len(rows))
    if word in _PARTS:
        first, last = _PARTS[word]
        fit = [n for n in order if rows[n][1] and first <= rows[n][1] <= last]
        return fit[0] if len(fit) == 1 else None
    if word in _IN_SIZE:
        keys: list[Any] = [guests for _, _, guests in rows]
        end = _IN_SIZE[word]
    else:
        keys, end = [(day, at) for day, at, _ in rows], IN_TIME[word]
    if any(key is None or key == ("", "") for key in keys):
        return None
    wanted = sorted(keys)[end]
    return keys.index(wanted) if keys.count(wanted) == 1 else None
