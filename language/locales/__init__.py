"""The languages: one package each, data only. A new language is a new package here that defines the same names.

A topic of a language is a table in one of its `words/*.toml`, or a module where expressions share parts. Each says who
reads it. In a TOML string a line break is no part of the value.

A locale defines
    LEXICON      symbols -> words and phrases, separated by "|" (accents and case are folded)
    RULES        (kind, pattern) pairs over symbols, in the fragments of `language.dates.rules`
    COUNT_RULES  the same for head counts, see `language.numbers.counts`
    LABELS       what `language.messages.formatting` needs to write days, times and lists
    SUGGESTIONS  error code -> sayings an operator can use instead
    ELISION      whether words run together at an apostrophe ("un'ora")
    VAGUE_SUFFIXES endings that make a number vague ("eightish")
    SOUNDS       figures and the sounds that they stand for inside a word ("2moro")
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

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from language.text.spelling import Near, correctable

SUPPORTED = tuple(sorted(module.name for module in iter_modules(__path__)))
"""The languages with a package here."""
_MODULES = {code: {m.name for m in iter_modules([f"{folder}/{code}" for folder in __path__])} for code in SUPPORTED}


def _value(found: Any) -> Any:
    if isinstance(found, str):
        return found.replace("\n", "")
    if isinstance(found, list):
        return tuple(map(_value, found))
    return {key: _value(one) for key, one in found.items()} if isinstance(found, dict) else found


# Listed and read when imported: workflows may not read files.
_WORDS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    code: {
        topic: _value(names)
        for folder in __path__
        for file in sorted(Path(folder, code, "words").glob("*.toml"))
        for topic, names in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }
    for code in SUPPORTED
}
_FALLBACK = "en"
"""The language whose labels a language without labels has."""
_NOTHING = "(?!)"
"""A regular expression that matches nothing."""


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
    """Return the locale for a tag such as "en", "en-GB" or "it_IT"."""
    language = code.replace("_", "-").partition("-")[0].lower()
    if language not in SUPPORTED:
        raise UnsupportedLocaleError(f"No grammar for {code!r}; there are {', '.join(SUPPORTED)}.")
    return _load(language)


class LanguageData:
    """The names that a language defines for a topic. A name that it leaves out and another language defines is neutral:
    an expression that matches nothing, an empty table, a flag that is not set."""

    def __init__(self, code: str, topic: str = "") -> None:
        self._topic, self._own = topic, defined(code, topic)

    def __getattr__(self, name: str) -> Any:
        """Return the value of a name, and keep it. Raises AttributeError if no language defines it."""
        try:
            value = self._own[name] if name in self._own else _neutral(in_all(self._topic, name)[0])
        except LookupError as error:
            raise AttributeError(str(error)) from None
        setattr(self, name, value)
        return value


def _neutral(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _neutral(one) for key, one in value.items()}
    if isinstance(value, re.Pattern):
        return re.compile(_NOTHING)
    if isinstance(value, str):
        return _NOTHING
    if isinstance(value, bool | int | tuple | frozenset | set | list):
        return type(value)()
    return (lambda *_: ()) if callable(value) else value


@cache
def data_of(code: str, topic: str) -> LanguageData:
    """Return what a language defines for a topic, such as "cues"."""
    return LanguageData(code, topic)


@cache
def defined(code: str, topic: str) -> Mapping[str, Any]:
    """Return the names that a language itself defines for a topic, "" for its package; none without such a topic."""
    if topic in _WORDS[code]:
        return _WORDS[code][topic]
    if topic and topic not in _MODULES[code]:
        return {}
    return vars(import_module(f"language.locales.{code}.{topic}".rstrip(".")))


@cache
def load_all() -> None:
    """Import every module of every language: a workflow, which may not read files, then only looks names up."""
    for code, modules in _MODULES.items():
        for module in modules:
            defined(code, module)


def in_all(topic: str, name: str) -> list[Any]:
    """Return what each language defines as `name` for a topic, in the order of `SUPPORTED`. A language may leave out a
    topic or a name: it then adds nothing. Raises LookupError if no language defines it."""
    found = [defined(code, topic)[name] for code in SUPPORTED if name in defined(code, topic)]
    if not found:
        raise LookupError(f"no language defines {name} for {topic}")
    return found


def words_in_all(topic: str, name: str) -> frozenset[str]:
    """Return the words that the languages list as `name` for a topic. Raises LookupError if none does."""
    return frozenset[str]().union(*in_all(topic, name))


def alternatives(topic: str, name: str) -> str:
    """Return one regular expression, not in a group, of those that the languages define as `name` for a topic. Raises
    LookupError if no language defines it."""
    return "|".join(in_all(topic, name))


@cache
def _load(language: str) -> Locale:
    data = LanguageData(language)
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
        labels=defined(language, "").get("LABELS") or defined(_FALLBACK, "")["LABELS"],
        suggestions=data.SUGGESTIONS,
        elision=data.ELISION,
        vague_suffixes=data.VAGUE_SUFFIXES,
        sounds=data.SOUNDS,
        slips=correctable(words),
        no_slips=frozenset(data_of(language, "typo_exceptions").NO_SLIPS.split()),
        capital_days=data.CAPITAL_DAYS,
        day_markers=tuple(tuple(marker.split()) for marker in data.DAY_MARKERS),
    )
