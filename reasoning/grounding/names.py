"""Grounds names: spelled as the operator did, apart from capitals, accents and apostrophes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.contacts.contacts import spelled_names
from language.dates.resolution import Span
from language.extraction.mention import Assertion
from language.extraction.message import Message
from language.extraction.quotes import only_reported
from language.locales import alternatives, in_all
from language.requests.cues import ordinary_words
from language.requests.parts import is_unknown_word
from language.text.normalize import normalize_text
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded

_LONGEST = 6
"""Words that one name may be written in: "de la Cruz", "Mc Donald"."""
_FAMILY = tuple(in_all("grounding", "FAMILY"))
_NAME_ALONE = 4
"""Words of a message that is a name and little else."""
_of = partial(alternatives, "grounding")
_GIVES = re.compile(rf"(?:\b(?:{_of('GIVES_NAME')})|->|=>|[=:>→])$")
_IS = re.compile(rf"\b(?:{_of('IS_NAME')})$")
_NOUN = re.compile(rf"\b(?:{_of('NAME_NOUN')})\b")
_NOUN_ENDS = re.compile(rf"\b(?:{_of('NAME_NOUN')})$")
_TAKES_OVER = re.compile(rf"\W+(?:{_of('TAKES_OVER')})\b")


def ground_name(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a first or last name. A name that only identifies the booking is no new name."""
    wanted = _letters(str(value))
    if not wanted:
        return ungrounded(parameter)
    for message in context.evidence.messages:
        for span in _places(message, wanted):
            stranger = _is_of_a_stranger(context, parameter, message, span)
            if not stranger and _gives(context, message, span) and _is_named(context, message, span):
                return value
    return ungrounded(parameter)


def _places(message: Message, wanted: str) -> Iterator[Span]:
    """Return where the letters are whole words, including a family plural ("the Smiths") and a spelled-out name."""
    row = message.words
    for first in range(len(row)):
        letters = ""
        for last in range(first, min(first + _LONGEST, len(row))):
            letters += _letters(row[last].text)
            if letters == wanted or (first == last and _is_family(message, row[first].start, letters, wanted)):
                yield row[first].start, row[last].end
            if len(letters) > len(wanted) + 1:
                break
    for spoken in spelled_names(message.text):
        if spoken.written == wanted:
            yield spoken.span


def _is_family(message: Message, index: int, letters: str, wanted: str) -> bool:
    return letters == f"{wanted}s" and (message.plain[:index].rstrip().endswith(_FAMILY) or "'" not in letters)


def _gives(context: GroundingContext, message: Message, span: Span) -> bool:
    if only_reported(message, span):
        return False
    if not context.evidence.refers_to(message, span, context.booking):
        return False
    if message.plain[span[1] :].startswith(("@", ".")) and message.plain[span[1] + 1 : span[1] + 2].isalnum():
        return False
    if message.plain[: span[0]].endswith(("@", ".")) and message.plain[: span[0] - 1][-1:].isalnum():
        return False
    owner = message.plain[span[1] :].startswith("'s ") or message.plain[slice(*span)].endswith("'s")
    return (
        not owner
        and context.evidence.assertion_of(message, span) is Assertion.ASSERTED
        and not taken_back(context, message, span)
    )


def _is_named(context: GroundingContext, message: Message, span: Span) -> bool:
    """Return whether the words make this the new name: a word that gives it is in front ("to", "now", "surname"), it
    takes over from another, the message has little else, or our question asked for it. A new booking has any name. A
    word of the language ("Please", "Wrong", a weekday) needs a word that gives it, or a capital."""
    asked = message.number == 0 and context.expected in (ParameterRole.FIRST_NAME, ParameterRole.LAST_NAME)
    if context.booking is None or asked or len(message.words) <= _NAME_ALONE:
        return True
    front = message.plain[: span[0]].rstrip(" ,'\"")
    front = next((front.removesuffix(f" {word}") for word in _FAMILY if front.endswith(f" {word}")), front)
    own = "|".join(sorted(map(re.escape, _words_of_names(context)), key=len, reverse=True))
    while own and (skipped := re.search(rf"\b(?:{own})\W*$", front)):
        front = front[: skipped.start()].rstrip(" ,'\"")
    if _GIVES.search(front) or _TAKES_OVER.match(message.plain, span[1]):
        return not _is_counted(context, message, span) or _NOUN.search(front) is not None
    if not (_IS.search(front) or _NOUN_ENDS.search(front)):
        return False
    ordinary = all(w.text in ordinary_words(message.locale) for w in message.words if span[0] <= w.start < span[1])
    return not ordinary or (_IS.search(front) is not None and message.text[span[0] : span[0] + 1].isupper())


def _words_of_names(context: GroundingContext) -> set[str]:
    own = context.booking.guest_name if context.booking else ""
    return {word for text in (own, *context.proposed) for word in normalize_text(text).split() if word.isalpha()}


def _is_counted(context: GroundingContext, message: Message, span: Span) -> bool:
    """Return whether a day, an hour or a number is read at the place."""
    return any(
        m.message == message.number and m.span[0] < span[1] and span[0] < m.span[1] for m in context.evidence.mentions
    )


def _is_of_a_stranger(context: GroundingContext, parameter: ActionParameter, message: Message, span: Span) -> bool:
    """Return whether the name is another person's: "John Smith" does not give the name Smith, unless John is given too,
    or is the guest's own first name."""
    if parameter.role is not ParameterRole.LAST_NAME:
        return False
    locale = context.evidence.setting.locale
    front = [w for w in message.words if w.end == span[0] - 1 and is_unknown_word(w.text, locale)]
    own = context.booking.guest_name if context.booking else ""
    known = {_letters(word) for name in (own, *context.proposed) for word in name.split()}
    return bool(front) and _letters(front[0].text) not in known


def taken_back(context: GroundingContext, message: Message, span: Span) -> bool:
    """Return whether later words correct these: "Smith, sorry, Smyth", or a next message that begins with a no."""
    if any(cue.span[0] >= span[1] for cue in message.of_kind("CORRECT")):
        return True
    newer = [m for m in context.evidence.messages if m.number < message.number]
    return any(cue.span[0] <= 1 for m in newer for cue in m.of_kind("CORRECT", "NO"))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", normalize_text(text.removesuffix("'s")))
