"""Qualifiers of a short reply (`language.replies.short_replies`): unlisted words that are a cheer, a name, or an order.

An unlisted cheer ("yes gorgeous") leaves a yes valid. A word with a function in a request ("yes and move it") does not,
unless it repeats what the plan does: the chat compares it with the plan.
"""

from collections.abc import Sequence
from itertools import pairwise

from contracts.enums import CANCEL, ReplyQualifiers
from contracts.enums import ParameterRole as Role
from language.locales import SUPPORTED
from language.replies.phrases import BARS, DEGREES, GLUE, JOINS, TOWARDS, reply_words
from language.requests.parts import request_words, tag_words

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
