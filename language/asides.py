"""What stands beside a short reply (`language.replies`): words of no list, which are a cheer, a name, or an order.

A cheerful word that nobody listed ("yes gorgeous") leaves a yes what it is; a word that does something in a request
("yes and move it") does not, but for those that say again what the plan does: the chat holds them against it.
"""

from collections.abc import Sequence
from itertools import pairwise

from contracts.aside import CANCEL, Aside
from contracts.enums import ParameterRole as Role
from language.locales import SUPPORTED
from language.reply_words import BARS, DEGREES, GLUE, JOINS, TOWARDS
from language.requests import data_of, parts_of

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
"""What a word may do and leave a yes a yes."""
_PASSES_ON = frozenset(("by", "past", "to", "into"))
"""In front of somebody who is to see it first: "run it by the boss"."""
_POINTS = frozenset("the that this il lo la i gli le quella quello questa questo".split())
_UNFINISHED = frozenset("also plus anche inoltre and e ed".split())
_MOST = 2
"""Words of no list beside a yes."""


def aside_of(rest: Sequence[str], words: Sequence[str], capitals: frozenset[str]) -> Aside | None:
    """What the words of no list (`rest`) among `words` come to; None where they may order or restrict something.
    `capitals` are those that are written as names are."""
    said = set(words)
    if BARS & said or words[-1] in _UNFINISHED or any(char.isdigit() for word in said for char in word):
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
    joined = JOINS & said - ({"pure"} if words[-1] == "pure" else set())
    if len(strange) > _MOST or (strange and not about and joined):
        return None
    if TOWARDS & set(rest) and not about and (strange or (_PASSES_ON & set(rest) and not {"me", "us"} & said)):
        return None
    if about:
        names, strange = names + strange, []
    if (names or does) and joined - {"with", "con"}:
        return None
    return Aside(names=tuple(names), strange=tuple(strange), does=tuple(sorted(does)))


def is_a_thing(word: str) -> bool:
    """Whether a word is what a step may set: "time", "numero"."""
    return bool(_senses(word)[0] & {"time", "day", "count", "phone", "email", "name", "note"})


def doing(word: str) -> tuple[str, ...]:
    """What a noun or verb says of a plan."""
    senses = {sense for code in SUPPORTED for p in parts_of(word, code) if not p.slip for sense in p.senses}
    return tuple(sorted({str(role) for sense in senses for role in _DOES.get(sense, ())}))


def _senses(word: str) -> tuple[set[str], bool]:
    """What a word may do in a request, in any language, and whether it is an ordinary word."""
    parts = [part for code in SUPPORTED for part in parts_of(word, code)]
    return {sense for part in parts for sense in part.senses}, any(part.ordinary or part.slip for part in parts)


def _is_generic(word: str) -> bool:
    return any(word in data_of(code).GENERIC for code in SUPPORTED)
