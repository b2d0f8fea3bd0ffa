"""Something new that was asked for, and no step makes: "new booking for Emma at 4pm", planned as a change of Emma's."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from contracts.action import AtomicAction
from contracts.base import Json
from language.making import VAGUE, asked_anew, makes
from language.plain import plain
from language.resolution import Span
from reasoning.evidence import Evidence, Standing
from reasoning.evidence.message import Message


class _Step(Protocol):
    @property
    def action(self) -> AtomicAction: ...
    @property
    def arguments(self) -> Mapping[str, Json]: ...


def anew_left_out(evidence: Evidence, steps: Sequence[_Step], *, latest_only: bool) -> str:
    """The words for the new thing; "" where there are none, or a step may make it."""
    if any(s.action.operation.method == "POST" or makes(plain(f"{s.action.title} {s.action.name}")) for s in steps):
        return ""
    texts = [plain(str(v)) for step in steps for v in step.arguments.values() if isinstance(v, str)]
    for message in evidence.messages[: 1 if latest_only else None]:
        place = asked_anew(message.plain, _nouns(message))
        asked = place is not None and evidence.meant(message, place) is Standing.SAID
        if place and asked and not any(message.plain[slice(*place)] in text for text in texts):
            return message.text[slice(*place)]
    return ""


def _nouns(message: Message) -> list[Span]:
    """Where a thing is said that may be booked; "another booking" is one by its last word."""
    found = [c.span for c in message.of_kind("BOOKING")]
    for other in message.of_kind("OTHER"):
        found += [(w.start, w.end) for w in message.words if w.end == other.span[1] and w.start > other.span[0]]
    return sorted(s for s in set(found) if message.plain[slice(*s)] not in VAGUE)
