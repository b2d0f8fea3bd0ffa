"""Names: said in their own letters; capitals, accents and apostrophes are a matter of form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.plain import plain
from language.resolution import Span
from language.spoken import spelled_names
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence.claims import Standing
from reasoning.evidence.message import Message
from reasoning.evidence.quotes import only_reported
from reasoning.evidence.subjects import is_no_word

_LONGEST = 6
"""Words that one name may be written in: "de la Cruz", "Mc Donald"."""


def name(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A first or last name. A name that only tells whose booking it is gives nobody a new one."""
    wanted = _letters(str(value))
    if not wanted:
        return doubt(parameter)
    for message in context.evidence.messages:
        for span in _places(message, wanted):
            if _gives(context, message, span) and not _is_of_a_stranger(context, parameter, message, span):
                return Held(value)
    return doubt(parameter)


def _places(message: Message, wanted: str) -> Iterator[Span]:
    """Where the letters stand as whole words, plural of a family ("the Smiths") and spelling included."""
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


def _is_family(message: Message, place: int, letters: str, wanted: str) -> bool:
    return letters == f"{wanted}s" and (message.plain[:place].rstrip().endswith("the") or "'" not in letters)


def _gives(context: Context, message: Message, span: Span) -> bool:
    if only_reported(message, span):
        return False
    if not context.evidence.speaks_of(message, span, context.booking):
        return False
    if message.plain[span[1] :].startswith(("@", ".")) and message.plain[span[1] + 1 : span[1] + 2].isalnum():
        return False
    if message.plain[: span[0]].endswith(("@", ".")) and message.plain[: span[0] - 1][-1:].isalnum():
        return False
    owner = message.plain[span[1] :].startswith("'s ") or message.plain[slice(*span)].endswith("'s")
    return (
        not owner and context.evidence.meant(message, span) is Standing.SAID and not taken_back(context, message, span)
    )


def _is_of_a_stranger(context: Context, parameter: ActionParameter, message: Message, span: Span) -> bool:
    """ "John Smith" gives nobody the name Smith, unless John is given too, or is the guest's own first name."""
    if parameter.role is not ParameterRole.LAST_NAME:
        return False
    locale = context.evidence.setting.locale
    front = [w for w in message.words if w.end == span[0] - 1 and is_no_word(w.text, locale)]
    own = context.booking.guest_name if context.booking else ""
    known = {_letters(word) for name in (own, *context.proposed) for word in name.split()}
    return bool(front) and _letters(front[0].text) not in known


def taken_back(context: Context, message: Message, span: Span) -> bool:
    """Whether later words correct these: "Smith, sorry, Smyth", or a next message that begins with a no."""
    if any(cue.span[0] >= span[1] for cue in message.of_kind("CORRECT")):
        return True
    newer = [m for m in context.evidence.messages if m.number < message.number]
    return any(cue.span[0] <= 1 for m in newer for cue in m.of_kind("CORRECT", "NO"))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", plain(text.removesuffix("'s")))
