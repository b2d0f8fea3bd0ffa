"""Cues: the small words that say how another word is meant, such as "not", "instead of", "no wait", "used to be".

The words stand in `language/locales/<language>/cues.py`, by kind. Kinds of one layer compete for a place, and the
longer cue wins: "no wait" is no "no". Layers do not see each other: "the party" is an article, a noun and a subject.

Words that refer to a day or an hour mentioned before: "put her in then", "mettila a quell'ora". They stand in
`language/locales/<language>/words/replies.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from language.dates.resolution import Span
from language.locales import alternatives, data_of, get_locale
from language.text.lexer import expand_abbreviation

LAYERS: tuple[tuple[str, ...], ...] = (
    ("NOT", "NO", "NOT_AT_ALL", "SPOILT", "INSTEAD_OF", "INSTEAD", "CORRECT", "REPORT"),
    ("WAS", "OLD", "FROM", "TO", "HENCEFORTH", "OR", "BUT", "RESET", "SAID_BEFORE"),
    ("NUMBERED", "AGE", "AGED", "THINGS", "DURATION_OF", "ALSO", "GOING", "COMING"),
    ("BOOKING", "DEFINITE", "OTHER"),
    ("IT",),
    ("MOVE", "DATED", "PERSON", "TWO_PERSONS", "PREFER", "INTO"),
    ("WITHDRAWN", "ANOTHER_DAY", "ANOTHER_TIME", "OPENING", "AS_SAID", "LEAVE_DAY", "LEAVE_TIME", "LEAVE_COUNT",
     "LEAVE_NOTE", "AFTER_THAT", "RETRACT", "UNSURE", "BRINGS"),
    ("LATER", "EARLIER"),
    ("FAMILY", "FAMILY_OF", "ASKS"),
    ("ALIKE",),
    ("TITLE",),
    ("SAYS", "ADVICE", "ENDORSED", "WHETHER"),
    ("SPEAKS_FOR",),
    ("SAME_DAY", "SAME_TIME", "HALF_PAST", "QUARTER_PAST", "QUARTER_TO", "ON_THE_HOUR", "DAY_LATER", "DAY_EARLIER",
     "WEEK_LATER", "WEEK_EARLIER", "FORTNIGHT_LATER", "HOUR_LATER", "HOUR_EARLIER", "HALF_HOUR_LATER",
     "HALF_HOUR_EARLIER"),
)  # fmt: skip


_PIECE = re.compile(r"[^\W_]+|->|=>|→")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue in a text: its kind (a key of the locale's CUES) and its place."""

    kind: str
    span: Span


_Layer = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
"""The phrases of a layer with their kinds, by first word, longest first."""


def find_cues(plain_text: str, locale: str, things: tuple[str, ...] = ()) -> list[Cue]:
    """Return every cue of a plain text (`language.text.normalize`), by place; none over another of its layer. `things`
    are a venue's own words for what is booked there, plain too. A small cousin is a cousin: where a language makes
    words smaller, the word behind it counts."""
    code = get_locale(locale).code
    pieces = [(expand_abbreviation(m.group(), code), m.start(), m.end()) for m in _PIECE.finditer(plain_text)]
    found: list[Cue] = []
    for layer in _layers(code, things):
        index = 0
        while index < len(pieces):
            length, kind = _cue_at(pieces, index, layer, plain_text)
            if not length and (kind := _small_person(pieces[index][0], code, layer)):
                length = 1
            if length:
                found.append(Cue(kind, (pieces[index][1], pieces[index + length - 1][2])))
            index += length or 1
    return sorted(found, key=lambda cue: cue.span)


def _cue_at(pieces: list[tuple[str, int, int]], index: int, layer: _Layer, text: str) -> tuple[int, str]:
    """Return how many pieces the longest phrase of a layer takes here, and its kind."""
    for phrase, kind in layer.get(pieces[index][0], ()):
        last = index + len(phrase)
        here = tuple(piece for piece, _, _ in pieces[index:last])
        if here == phrase and all(
            not text[left[2] : right[1]].strip(" '") for left, right in pairwise(pieces[index:last])
        ):
            return len(phrase), kind
    return 0, ""


def _small_person(word: str, code: str, layer: _Layer) -> str:
    """Return the kind of a person that a word is a small one of: "cuginetta"."""
    small = _diminutive(code)
    match = small.fullmatch(word) if small else None
    known = layer.get(match[1] + match[2], ()) if match else ()
    return next((kind for phrase, kind in known if len(phrase) == 1 and kind in _PERSONS), "")


_PERSONS = frozenset(("PERSON", "TWO_PERSONS"))


@cache
def _diminutive(code: str) -> re.Pattern[str] | None:
    endings = data_of(code, "cues").DIMINUTIVES.split()
    return re.compile(rf"(\w{{3,}}?)(?:{'|'.join(endings)})(\w)") if endings else None


def number_words(locale: str) -> Mapping[str, int]:
    """Words for a number of people that the grammar of days and times does not need: "a hundred", "una ventina"."""
    found: Mapping[str, int] = data_of(get_locale(locale).code, "cues").NUMBERS
    return found


@cache
def ordinary_words(locale: str) -> frozenset[str]:
    """Return words of the language that are not names."""
    data = data_of(get_locale(locale).code, "cues")
    return frozenset(data.ORDINARY.split())


@cache
def function_words(locale: str) -> frozenset[str]:
    """Small words that carry nothing by themselves."""
    data = data_of(get_locale(locale).code, "cues")
    return frozenset(data.FUNCTION.split())


@lru_cache(maxsize=256)
def _layers(code: str, things: tuple[str, ...]) -> tuple[_Layer, ...]:
    cues = dict(data_of(code, "cues").CUES)
    cues["BOOKING"] = "|".join(filter(None, (cues.get("BOOKING"), *things)))
    layers: list[_Layer] = []
    for kinds in LAYERS:
        by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for kind in kinds:
            for phrase in cues[kind].split("|") if cues.get(kind) else ():
                # Apostrophes may be left out: "can't", "cant".
                for written in {phrase, phrase.replace("'", "")}:
                    pieces = tuple(_PIECE.findall(written))
                    by_word.setdefault(pieces[0], []).append((pieces, kind))
        for phrases in by_word.values():
            phrases.sort(key=lambda known: -len(known[0]))
        layers.append(by_word)
    return tuple(layers)


_BACK = re.compile(alternatives("anaphora", "BACK"), re.IGNORECASE)


def has_anaphora(text: str) -> bool:
    """Return whether a message may depend on a day or an hour of the previous message. Errs towards yes, because an
    earlier mention only grounds a value and sets none."""
    return _BACK.search(text) is not None
