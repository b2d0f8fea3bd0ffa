"""The phrases of short replies (`language.replies.short_replies`), by what they do, in all languages at once: without
apostrophes, accents and capitals. Patterns of phrases are spelled out when read: each row of words goes with each of
the next.

Qualifiers are unlisted words beside a phrase: a cheer, a name, or an order. An unlisted cheer ("yes gorgeous") leaves
a yes valid. A word with a function in a request ("yes and move it") does not, unless it repeats what the plan does:
the chat compares it with the plan.
"""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise, product
from typing import Any

from contracts.enums import CANCEL
from contracts.enums import ParameterRole as Role
from contracts.message_reading import ReplyQualifiers
from language.locales import SUPPORTED, in_all, words_in_all
from language.requests.parts import request_words, tag_words

_TABLES = {name: in_all("reply_phrases", name) for name in ("PHRASES", "PATTERNS", "SOFTENED")}
"""Read when imported: a workflow may not read files."""
reply_words = partial(words_in_all, "reply_phrases")
DEGREES = reply_words("DEGREES")
"""How much so: with or without them a phrase is the same."""
BARS = reply_words("BARS")
"""Words that may reverse a yes, restrict it, or attribute it to another person."""
JOINS = reply_words("JOINS")
"""Words that join something to a yes, or single it out: beside a word of no list they may order more, or less."""
TOWARDS = reply_words("TOWARDS")
"""Words that make what follows more than a cheer: "send it to Jane"."""
GLUE = reply_words("GLUE")
"""Words that carry nothing beside a yes."""
SIGNS = {"yes": "\U0001f44d\U0001f44c\u2705\u2714\U0001f4af", "no": "\U0001f44e\u274c\U0001f6d1\u270b"}
"""Signs by their kind, whose name is also a phrase of that kind: a sign alone is read as it."""


@cache
def kinds() -> dict[str, str]:
    """Return the kind of each phrase, by phrase."""
    found = {kind: kind for kind in SIGNS}
    for kind, text in _rows("PHRASES"):
        found |= {" ".join(phrase.split()): kind for phrase in text.split("|") if phrase.strip()}
    for kind, patterns in _rows("PATTERNS"):
        for phrase in (one for rows in patterns for one in _spelled(rows)):
            found.setdefault(phrase, kind)
    softened = {
        f"{word} {phrase}": kind
        for word, beginnings in _rows("SOFTENED")
        for phrase, kind in found.items()
        if phrase.startswith(beginnings)
    }
    return found | softened


def _rows(name: str) -> Iterator[tuple[str, Any]]:
    for table in _TABLES[name]:
        yield from table.items()


def _spelled(rows: tuple[str, ...]) -> Iterator[str]:
    for words in product(*(row.split("|") for row in rows)):
        yield " ".join(" ".join(words).split())


_DOES = {
    "move": (Role.DATE, Role.TIME),
    "time": (Role.DATE, Role.TIME),
    "day": (Role.DATE, Role.TIME),
    "resize": (Role.COUNT,),
    "count": (Role.COUNT,),
    "note": (Role.NOTE,),
    "add": (Role.NOTE, Role.COUNT),
    "phone": (Role.PHONE,),
    "email": (Role.EMAIL,),
    "contact": (Role.EMAIL, Role.PHONE),
    "rename": (Role.FIRST_NAME, Role.LAST_NAME),
    "surname": (Role.LAST_NAME,),
    "name": (Role.FIRST_NAME, Role.LAST_NAME),
    "cancel": (CANCEL,),
}
_NOTHING = frozenset(("polite", "pronoun", "function", "change", "booking"))
"""The functions of a word that leave a yes valid."""
_PASSES_ON = reply_words("PASSES_ON")
"""Words in front of a person who must see the plan first: "run it by the boss"."""
_US = reply_words("US")
_POINTS = reply_words("POINTS")
_UNFINISHED = reply_words("UNFINISHED")
_UNLESS_LAST = reply_words("JOINS_UNLESS_LAST")
_BEFORE_A_NAME = reply_words("JOINS_BEFORE_A_NAME")
_MOST = 2
"""Words of no list beside a yes."""


def qualifiers_of(rest: Sequence[str], words: Sequence[str], capitals: frozenset[str]) -> ReplyQualifiers | None:
    """Return the qualifiers among the unlisted words (`rest`) of `words`; None if they may order or restrict something.
    `capitals` are those that are written like names."""
    vocabulary = set(words)
    if BARS & vocabulary or words[-1] in _UNFINISHED or any(char.isdigit() for word in vocabulary for char in word):
        return None
    # "Sure, the Smith one": what is pointed at is no cheer.
    pointed = {after for before, after in pairwise(words) if before in _POINTS}
    names, strange, does, about = list[str](), list[str](), set[str](), False
    for word in rest:
        if word in GLUE or word in DEGREES:
            continue
        senses, known = _senses(word)
        roles = {str(role) for sense in senses for role in _DOES.get(sense, ())}
        if "event" in senses and "cancel" not in senses:
            names += [] if _is_generic(word) else [word]
        elif not roles and (senses - _NOTHING or (known and not senses)):
            return None
        elif not senses:
            (names if word in capitals or word in pointed else strange).append(word)
        does |= roles
        about = about or bool(roles or senses & {"event", "booking", "change"})
    joined = JOINS & vocabulary - (_UNLESS_LAST & {words[-1]})
    if len(strange) > _MOST or (strange and not about and joined):
        return None
    if TOWARDS & set(rest) and not about and (strange or (_PASSES_ON & set(rest) and not _US & vocabulary)):
        return None
    if about:
        names, strange = names + strange, []
    if (names or does) and joined - _BEFORE_A_NAME:
        return None
    return ReplyQualifiers(names=tuple(names), strange=tuple(strange), does=tuple(sorted(does)))


def is_a_thing(word: str) -> bool:
    """Return whether a word is what a step may set: "time", "numero"."""
    return bool(_senses(word)[0] & {"time", "day", "count", "phone", "email", "name", "note"})


_ORDERS = frozenset("move cancel change resize rename add keep want hedge vague refuse undo".split())


def orders(word: str) -> bool:
    """Return whether a word may ask for something, or take it back, in any language."""
    return bool(_senses(word)[0] & _ORDERS)


def action_of(word: str) -> tuple[str, ...]:
    """Return the action of a plan that a noun or verb means."""
    senses = {sense for code in SUPPORTED for p in tag_words(word, code) if not p.slip for sense in p.senses}
    return tuple(sorted({str(role) for sense in senses for role in _DOES.get(sense, ())}))


def _senses(word: str) -> tuple[set[str], bool]:
    """Return what a word may do in a request, in any language, and whether it is an ordinary word."""
    parts = [part for code in SUPPORTED for part in tag_words(word, code)]
    return {sense for part in parts for sense in part.senses}, any(part.ordinary or part.slip for part in parts)


def _is_generic(word: str) -> bool:
    return any(word in request_words(code).GENERIC for code in SUPPORTED)
