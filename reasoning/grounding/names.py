"""Grounds names: spelled as the operator did, apart from capitals, accents and apostrophes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.contacts.spoken import spelled_names
from language.dates.resolution import Span
from language.extraction.booking_references import is_unknown_word
from language.extraction.mention import Assertion
from language.extraction.message import Message
from language.extraction.quotes import only_reported
from language.locales import in_all
from language.text.normalize import normalize_text
from reasoning.grounding.context import Accepted, GroundingContext, Ungrounded, ungrounded

_LONGEST = 6
"""Words that one name may be written in: "de la Cruz", "Mc Donald"."""
_FAMILY = tuple(in_all("grounding", "FAMILY"))


def ground_name(context: GroundingContext, parameter: ActionParameter, value: Json) -> Accepted | Ungrounded:
    """Ground a first or last name. A name that only identifies the booking is no new name."""
    wanted = _letters(str(value))
    if not wanted:
        return ungrounded(parameter)
    for message in context.evidence.messages:
        for span in _places(message, wanted):
            if _gives(context, message, span) and not _is_of_a_stranger(context, parameter, message, span):
                return Accepted(value)
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
