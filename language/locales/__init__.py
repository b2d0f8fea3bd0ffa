"""The languages: one package each, data only. A new language is a new package here that defines the same names.

A locale defines
    LEXICON      symbols -> words and phrases, separated by "|" (accents and case are folded)
    RULES        (kind, pattern) pairs over symbols, in the fragments of `language.when.rules`
    COUNT_RULES  the same for head counts, see `language.counts`
    LABELS       what `language.labels` needs to write days, times and lists
    SUGGESTIONS  error code -> sayings an operator can use instead
    ELISION      whether words run together at an apostrophe ("un'ora")
    VAGUE_SUFFIXES endings that make a number vague ("eightish")
    SOUNDS       figures and the sounds that they stand for inside a word ("2moro")
    NO_SLIPS     ordinary words and names that lie a letter away from a day word (see `language.slips`)
    CAPITAL_DAYS whether the names of days and months are written with a capital letter
    DAY_MARKERS  rows of symbols behind which a day stands, so that an unknown word there is a day we do not know

Symbols of the lexicon (a rule may use any; a new language needs those that its RULES name)
    days     W0-W6 Monday to Sunday, M1-M12, R-2 to R2 (R0 today), H<name> a holiday of `when.holidays`, WE weekend
    parts    Pm morning, Pa afternoon, Pe evening, Pn night, Pl lunch, Pd dinner, Pb breakfast
    times    NOON MIDNIGHT am pm OCLOCK HALF QUARTER 3QUARTER PAST LESS NOW ZONE (a time zone: never read)
    numbers  <n>w a number word, <n>wo an ordinal word, A an article
    units    Us Umi Uh Ud Uw Uf (fortnight) Umo Uy
    glue     AT ON IN OF THE FOR TO FROM UNTIL BY BEFORE AFTER SINCE WITHIN BETWEEN AND OR NOT
    which    SAMETIME SAMEDAY THIS NEXT THEN (beside NEXT: next to what was spoken of) LAST AFTERNEXT CLOSEST
             EVERY RECUR HENCE AGO LATER EARLIER POSTPONE ADVANCE ONWARDS
    vague    ABOUT AROUND ISH FEW ANY VAGUE SOMEDAY Lh Lmi (an hour, minutes, more or less: "un'oretta")
    people   PEOPLE MORE FEWER ANOTHER ADD PLUS MINUS REMOVE RESIZE HEADS DROPPED DOUBLE TRIPLE HALVE WEARE MAKEIT
    others   PLACE and MONEY (the number beside them is no time), TIME LONG IT THAT
A lower-case w, m or now marks a word that mostly means something else ("sat", "may", "now").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from language.slips import Near, correctable

SUPPORTED = tuple(sorted(module.name for module in iter_modules(__path__)))
"""The languages with a package here."""


@dataclass(frozen=True, slots=True, eq=False)
class Locale:
    """A language ready for the lexer: single words and multi-word phrases by their first word, longest first."""

    code: str
    words: Mapping[str, str]
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
    phrase_words: frozenset[str]
    rules: Sequence[tuple[str, str]]
    count_rules: Sequence[tuple[str, str]]
    labels: Mapping[str, Any]
    suggestions: Mapping[str, tuple[str, ...]]
    elision: bool
    vague_suffixes: tuple[str, ...]
    sounds: Mapping[str, Sequence[str]]
    slips: Mapping[str, Sequence[Near]]
    no_slips: frozenset[str]
    capital_days: bool
    day_markers: tuple[tuple[str, ...], ...]


class UnsupportedLocaleError(ValueError):
    """No grammar is written for this language."""


def get_locale(code: str) -> Locale:
    """The locale for a tag such as "en", "en-GB" or "it_IT"."""
    language = code.replace("_", "-").partition("-")[0].lower()
    if language not in SUPPORTED:
        raise UnsupportedLocaleError(f"No grammar for {code!r}; there are {', '.join(SUPPORTED)}.")
    return _load(language)


@cache
def _load(language: str) -> Locale:
    data = import_module(f"language.locales.{language}")
    words: dict[str, str] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for symbols, entries in data.LEXICON.items():
        for entry in entries.split("|"):
            first, *rest = entry.split()
            if rest:
                phrases.setdefault(first, []).append((tuple(rest), symbols))
            else:
                words[first] = symbols
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))
    return Locale(
        code=language,
        words=words,
        phrases=phrases,
        phrase_words=frozenset(
            word for first, options in phrases.items() for tail, _ in options for word in (first, *tail)
        ),
        rules=data.RULES,
        count_rules=data.COUNT_RULES,
        labels=data.LABELS,
        suggestions=data.SUGGESTIONS,
        elision=data.ELISION,
        vague_suffixes=data.VAGUE_SUFFIXES,
        sounds=data.SOUNDS,
        slips=correctable(words),
        no_slips=frozenset(data.NO_SLIPS.split()),
        capital_days=data.CAPITAL_DAYS,
        day_markers=tuple(tuple(marker.split()) for marker in data.DAY_MARKERS),
    )
