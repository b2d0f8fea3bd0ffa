"""Grounds notes and other free values: the operator's own words, in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.extraction import Assertion, MentionKind
from language.extraction.booking_references import name_words
from language.extraction.message import Message
from language.extraction.quotes import inside
from language.locales import in_all
from language.replies.short_replies import match_short_reply
from language.requests.cues import function_words
from language.requests.parts import find_verb
from language.text.normalize import WordToken, normalize_text, tokenize
from language.text.spelling import same_but_a_slip
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded

_NOTE = (":", *in_all("grounding", "NOTE"))


def ground_text(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a note or any other text: each content word was written by the operator, in this order, and not only as
    another value."""
    if match_short_reply(str(value)) is not None:
        # "Ok" answers a question of ours, and is no text for a note.
        return ungrounded(parameter, (), parameter.role if parameter.role is ParameterRole.NOTE else None)
    small = function_words(context.evidence.setting.locale)
    wanted = [w.text for w in tokenize(normalize_text(str(value))) if w.text not in small] or [
        w.text for w in tokenize(normalize_text(str(value)))
    ]
    for message in context.evidence.messages:
        found = _in_order(wanted, message.words)
        if found and _is_own(context, message, found) and _is_meant(context, message, found):
            return value
    oldest_first = [w for m in reversed(context.evidence.messages) for w in m.words]
    if wanted and len(context.evidence.messages) > 1 and _in_order(wanted, oldest_first):
        return value
    return ungrounded(parameter, (), parameter.role if parameter.role is ParameterRole.NOTE else None)


def number(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a number without a role: a number that no other mention uses, or that belongs to an object."""
    for mention in context.evidence.mentions:
        figures = re.findall(r"\d+(?:[.,]\d+)?", mention.text)
        numbers = [*mention.values, *figures] if mention.kind in (MentionKind.NUMBER, MentionKind.OTHER) else []
        if mention.is_asserted and any(_same_number(value, one) for one in numbers):
            return value
    return ungrounded(parameter)


def _same_number(value: Json, text: str) -> bool:
    try:
        return float(str(value)) == float(text.replace(",", "."))
    except ValueError:
        return False


def _in_order(wanted: Sequence[str], spoken: Sequence[WordToken]) -> list[WordToken]:
    """Return the matching words, one for each wanted; [] if one is missing."""
    found: list[WordToken] = []
    rest = iter(spoken)
    for want in wanted:
        match = next((word for word in rest if same_but_a_slip(want, word.text)), None)
        if match is None:
            return []
        found.append(match)
    return found


def _is_own(context: GroundingContext, message: Message, found: Sequence[WordToken]) -> bool:
    """Return whether some word is more than another value's: "Saturday 4pm" is a day and a time, not a note."""
    taken = [
        c.span for c in context.evidence.mentions if c.message == message.number and c.kind is not MentionKind.OTHER
    ]
    names = name_words(context.booking) if context.booking else set()
    free = [w for w in found if w.text not in names and not any(s <= w.start < e for s, e in taken)]
    return bool(free) or message.plain[: found[0].start].rstrip().endswith(_NOTE)


def _only_quoted(context: GroundingContext, message: Message, found: Sequence[WordToken]) -> bool:
    """Return whether the words are only in a quote of another person, which the operator neither asks to write down nor
    gives as the requested text."""
    if not all(inside((word.start, word.end), message.quotes) for word in found):
        return False
    noted = any(not inside(verb, message.quotes) for verb in find_verb("note", message.text))
    return not noted and not (message.number == 0 and context.expected is ParameterRole.NOTE)


def _is_meant(context: GroundingContext, message: Message, found: Sequence[WordToken]) -> bool:
    span = (found[0].start, found[-1].end)
    if _only_quoted(context, message, found):
        return False
    if not context.evidence.refers_to(message, span, context.booking):
        return False
    return (
        context.evidence.assertion_of(message, span) is not Assertion.NEGATED
        and message.cue_before(span, ("NO",), 0) is None
    )
