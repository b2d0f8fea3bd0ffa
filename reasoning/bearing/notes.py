"""Notes and other free values: the operator's own words, in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.alike import same_but_a_slip
from language.cues import function_words
from language.plain import Word, plain, words
from language.replies import read_reply
from language.verbs import said_of
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence import Kind, Standing
from reasoning.evidence.message import Message
from reasoning.evidence.quotes import inside
from reasoning.evidence.subjects import marks_of


def text(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A note or any other text: each of its content words was said, in its order, and not only as another value."""
    if read_reply(str(value)) is not None:
        # "Ok" answers a question of ours, and is nothing to write down.
        return doubt(parameter, (), parameter.role if parameter.role is ParameterRole.NOTE else None)
    small = function_words(context.evidence.setting.locale)
    wanted = [w.text for w in words(plain(str(value))) if w.text not in small] or [
        w.text for w in words(plain(str(value)))
    ]
    for message in context.evidence.messages:
        found = _in_order(wanted, message.words)
        if found and _is_own(context, message, found) and _is_meant(context, message, found):
            return Held(value)
    oldest_first = [w for m in reversed(context.evidence.messages) for w in m.words]
    if wanted and len(context.evidence.messages) > 1 and _in_order(wanted, oldest_first):
        return Held(value)
    return doubt(parameter, (), parameter.role if parameter.role is ParameterRole.NOTE else None)


def number(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A number without a role: one that was said and that nothing else has claimed, or that is of a thing."""
    for claim in context.evidence.claims:
        figures = re.findall(r"\d+(?:[.,]\d+)?", claim.text)
        said = [*claim.values, *figures] if claim.kind in (Kind.NUMBER, Kind.OTHER) else []
        if claim.stands and any(_same_number(value, one) for one in said):
            return Held(value)
    return doubt(parameter)


def _same_number(value: Json, said: str) -> bool:
    try:
        return float(str(value)) == float(said.replace(",", "."))
    except ValueError:
        return False


def _in_order(wanted: Sequence[str], said: Sequence[Word]) -> list[Word]:
    """The words said that match, one for each wanted; [] where one is missing."""
    found: list[Word] = []
    rest = iter(said)
    for want in wanted:
        match = next((word for word in rest if same_but_a_slip(want, word.text)), None)
        if match is None:
            return []
        found.append(match)
    return found


def _is_own(context: Context, message: Message, found: Sequence[Word]) -> bool:
    """Whether some word is no more than another value's: "Saturday 4pm" is a day and a time, not a note."""
    taken = [c.span for c in context.evidence.claims if c.message == message.number and c.kind is not Kind.OTHER]
    names = marks_of(context.booking) if context.booking else set()
    free = [w for w in found if w.text not in names and not any(s <= w.start < e for s, e in taken)]
    return bool(free) or message.plain[: found[0].start].rstrip().endswith((":", "note", "nota"))


def _only_quoted(context: Context, message: Message, found: Sequence[Word]) -> bool:
    """Whether the words stand in a quote of somebody else, which the operator neither asks to write down nor gives as
    the text that was asked for."""
    if not all(inside((word.start, word.end), message.quotes) for word in found):
        return False
    noted = any(not inside(verb, message.quotes) for verb in said_of("note", message.text))
    return not noted and not (message.number == 0 and context.expected is ParameterRole.NOTE)


def _is_meant(context: Context, message: Message, found: Sequence[Word]) -> bool:
    span = (found[0].start, found[-1].end)
    if _only_quoted(context, message, found):
        return False
    if not context.evidence.speaks_of(message, span, context.booking):
        return False
    return (
        context.evidence.meant(message, span) is not Standing.NEGATED and message.cue_before(span, ("NO",), 0) is None
    )
