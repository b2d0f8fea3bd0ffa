"""Read places in a list, counted from 0 and from the end: "the second one", "l'ultima"."""

import re
from collections.abc import Sequence
from typing import Any

from language.locales import alternatives, in_all, words_in_all


def _all(name: str) -> frozenset[str]:
    return words_in_all("ordinals", name)


def _by_word(place: int, name: str) -> dict[str, int]:
    return dict.fromkeys(" ".join(in_all("ordinals", name)).split(), place)


PLACES = {
    word: int(place) for rows in in_all("ordinals", "PLACES") for place, words in rows.items() for word in words.split()
}
"""Places by word; -1 is the last one."""
LAST = -1
OTHER = _all("OTHER")
"""Words for the second of two, which the message has not named yet."""

IN_TIME = _by_word(0, "EARLY") | _by_word(-1, "LATE")
"""Places by the clock and the calendar, whatever the order of the list: "the later one"."""

_IN_SIZE = _by_word(0, "SMALL") | _by_word(-1, "LARGE")
_PARTS: dict[str, tuple[str, str]] = {
    part: edges for parts in in_all("ordinals", "PARTS") for part, edges in parts.items()
}
"""Parts of a day that distinguish bookings, by first and last start."""
_MONTHS = {
    name: number
    for rows in in_all("ordinals", "MONTHS")
    for names in rows
    for number, name in enumerate(names.split(), 1)
}
_ORDINAL = re.compile(rf"(\d{{1,2}})(?:{alternatives('ordinals', 'ORDINAL')})")
_ELIDED = re.compile(rf"\A(?:{alternatives('ordinals', 'ELIDED')})")
_ALONE = _all("ALONE")
BESIDE = _all("BESIDE")
"""Words of an answer that only picks."""


def _dated(messages: Sequence[str], days: Sequence[str]) -> int | None:
    """Return the index of the only row in a month, or on a day of a month: "the December one", "the 16th one"."""
    months = [_MONTHS[word] for word in messages if word in _MONTHS]
    ordinals = [int(match[1]) for word in messages if (match := _ORDINAL.fullmatch(word)) and int(match[1]) > len(days)]
    others = {word for word in messages if word not in _MONTHS and not _ORDINAL.fullmatch(word)}
    if not (months or ordinals) or not BESIDE.issuperset(others) or len(days) < _FEWEST:
        return None
    fit = [
        n
        for n, day in enumerate(days)
        if day and all(int(day[5:7]) == month for month in months) and all(int(day[8:10]) == one for one in ordinals)
    ]
    return fit[0] if len(fit) == 1 else None


_FEWEST, _ODD = 2, 3


def is_selector(word: str) -> bool:
    """Return whether a word in front of "one" picks: "last one", "the earlier one", "the bigger one"."""
    picks = any(word in words for words in (PLACES, OTHER, IN_TIME, _IN_SIZE, _PARTS, _MONTHS))
    return picks or _ORDINAL.fullmatch(word) is not None


_MIDDLE = _all("MIDDLE")


def counts_from_the_end(messages: Sequence[str]) -> bool:
    """Return whether an answer picks by the end of a list: "the last one", "the middle one"."""
    return place_in(messages) == LAST or bool(_MIDDLE & set(messages))


def place_in(messages: Sequence[str]) -> int | None:
    """Return the place in a list that an answer names; None if it names none."""
    bare = (_ELIDED.sub("", word) for word in messages)
    return next((PLACES[word] for word in bare if word in PLACES), None)


def select_by_comparison(messages: Sequence[str], rows: Sequence[tuple[str, str, int | None]]) -> int | None:
    """Return which of the rows shown (day, start time, guests) an answer picks by comparing them: "the earlier of the
    two", "the afternoon one", "la più grande". None if the answer does more than pick, or if several rows fit."""
    messages = [word.removesuffix("'s") for word in messages]
    if (dated := _dated(messages, [day for day, _, _ in rows])) is not None:
        return dated
    if _MIDDLE & set(messages) and len(rows) == _ODD and BESIDE.issuperset(set(messages) - _MIDDLE):
        return 1
    telling = [word for word in messages if word in IN_TIME or word in _IN_SIZE or word in _PARTS]
    # "Later" alone postpones something, "morning" is a greeting.
    if (
        len(telling) != 1
        or (messages[0] in _ALONE and len(messages) == 1)
        or len(rows) < 2
        or not BESIDE.issuperset(set(messages) - set(telling))
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
