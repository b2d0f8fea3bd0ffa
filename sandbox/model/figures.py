"""Bare figures that are head counts: "headcount for O'Brien = 22", "the Chan party is 18 now", "… and 8232 to 15"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from language import Count
from sandbox.model.kinds import Item, Kind, has
from sandbox.model.phrases import phrase_set
from sandbox.model.words import all_words, fold, is_slip

BREAKS = frozenset({Kind.STOP, Kind.CONJ})
_SUMMED_UP = frozenset({Kind.REF, Kind.NUMBER, Kind.PREP, Kind.FILL, Kind.DET, Kind.BOOK, Kind.UNKNOWN})
_SPOKEN_NUMBER = re.compile(r"\d{1,3}")


def segments(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Where the stretches between stops and conjunctions begin and end."""
    found: list[tuple[int, int]] = []
    start = 0
    for n, item in enumerate(items):
        if item.kind in BREAKS:
            found.append((start, n))
            start = n + 1
    found.append((start, len(items)))
    return [(a, b) for a, b in found if a < b]


def with_totals(items: Sequence[Item]) -> list[Item]:
    """ "headcount for O'Brien = 22", "il numero di invitati della … deve essere 18": the one figure is the count."""
    kept = list(items)
    topics = [n for n, i in enumerate(items) if i.is_a(Kind.TOPIC, "count")]
    figures = [n for n, i in enumerate(items) if i.kind is Kind.NUMBER]
    if has(items, Kind.COUNT) or len(topics) != 1 or len(figures) != 1 or figures[0] < topics[0]:
        return kept
    between = items[topics[0] : figures[0]]
    if _is_plain(items[figures[0]]) and not has(between, Kind.WHEN, Kind.OTHER, Kind.VAGUE):
        kept[figures[0]] = counted(items[figures[0]])
    return kept


def with_echoed_counts(items: Sequence[Item]) -> list[Item]:
    """ "Set 8231 to 12 guests and 8232 to 15": a figure with another booking counts what the one before counted."""
    kept = list(items)
    for (a, b), (start, end) in pairwise(segments(items)):
        counts = [i.value for i in kept[a:b] if i.kind is Kind.COUNT and isinstance(i.value, Count)]
        echoed = len(counts) == 1 and counts[0].kind == "absolute" and not has(kept[a:b], Kind.WHEN)
        part = items[start:end]
        figures = [n for n in range(start, end) if items[n].kind is Kind.NUMBER]
        alone = len(figures) == 1 and _is_plain(items[figures[0]]) and all(i.kind in _SUMMED_UP for i in part)
        if echoed and alone and has(part, Kind.REF, Kind.UNKNOWN):
            kept[figures[0]] = counted(items[figures[0]])
    return kept


def with_misspelt_people(items: Sequence[Item]) -> list[Item]:
    """ "17 gests": behind a figure a slip of a word for people counts them."""
    kept = list(items)
    people = [w for w, e in all_words().items() if (e.kind, e.sense) == (Kind.TOPIC, "count")]
    for n, (item, behind) in enumerate(pairwise(items)):
        if item.kind is not Kind.NUMBER or not _is_plain(item) or behind.capital:
            continue
        slip = behind.kind is Kind.UNKNOWN and any(is_slip(fold(behind.text), w) for w in people)
        if slip or behind.is_a(Kind.TOPIC, "count"):
            kept[n], kept[n + 1] = counted(item), behind.as_(Kind.TOPIC, sense="count")
    return kept


def _is_plain(item: Item) -> bool:
    return _SPOKEN_NUMBER.fullmatch(item.text) is not None


def counted(item: Item) -> Item:
    """A figure as a head count."""
    count = Count("absolute", float(item.text), (item.start, item.end))
    return item.as_(Kind.COUNT, value=count)


_PARTIES = phrase_set("party|booking|reservation|group|session|event|celebration|festa|prenotazione|gruppo|evento")
_CONFIRMING = phrase_set("confirmed|confirms|expecting|now expecting|ha confermato|hanno confermato")
_SURE_COUNT = 13
"""From here a bare figure is no hour on a 12-hour clock; below it "the party is 4 now" could be either."""


def with_party_size(items: Sequence[Item]) -> list[Item]:
    """ "the Chan party is 18 now", "Max Power confirmed 15": said of a party, a bare figure is its size."""
    kept = list(items)
    for start, end in segments(items):
        figures = [n for n in range(start, end) if items[n].kind is Kind.NUMBER]
        others = has(items[start:end], Kind.COUNT, Kind.WHEN, Kind.VERB, Kind.OTHER, Kind.NEG)
        if len(figures) != 1 or others or not _is_plain(items[figures[0]]) or int(items[figures[0]].text) < _SURE_COUNT:
            continue
        before = items[start : figures[0]]
        party = any(i.kind is Kind.BOOK and fold(i.text) in _PARTIES for i in before) and before[-1].kind is Kind.FILL
        if party or (before and fold(before[-1].text) in _CONFIRMING):
            kept[figures[0]] = counted(items[figures[0]])
    return kept
