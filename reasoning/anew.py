"""Something new that was asked for, and no step makes: "new booking for Emma at 4pm", planned as a change of Emma's."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from language.catalogue import say
from language.durations import find_durations
from language.lexer import lex
from language.locales import get_locale
from language.making import VAGUE, asked_anew, makes
from language.plain import plain
from language.recurring import recurs
from language.requests import parts_of
from language.resolution import Span
from reasoning.evidence import Evidence, Kind, Standing
from reasoning.evidence.message import Message
from reasoning.evidence.subjects import is_no_word


class _Step(Protocol):
    @property
    def action(self) -> AtomicAction: ...
    @property
    def arguments(self) -> Mapping[str, Json]: ...
    @property
    def booking(self) -> BookingSummary | None: ...


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


def narrowed_anew(evidence: Evidence, steps: Sequence[_Step]) -> str:
    """The words about a new thing that no step carries, where the steps make one: that it recurs, a stretch of
    days ("Monday to Wednesday"), how long, whose clock; "" where there are none. What is new has no day before."""
    making = [s for s in steps if makes_anew(s.action)]
    if not making or not evidence.messages:
        return ""
    message = evidence.messages[0]
    if again := recurs(message.text):
        return message.text[slice(*again)]
    stretch = [c for c in evidence.of(Kind.DAY) if c.message == 0 and c.standing is Standing.FORMER]
    if stretch:
        return stretch[0].text
    if _unfilled(making, ParameterRole.DURATION):
        said = [span for _, span in find_durations(message.text) if evidence.meant(message, span) is Standing.SAID]
        if said:
            return message.text[slice(*said[0])]
    for parameter in _unfilled(making, ParameterRole.TIME_ZONE):
        ways = [plain(way) for phrases in parameter.said.values() for way in phrases]
        found = next((m for way in ways if (m := re.search(rf"(?<!\w){re.escape(way)}(?!\w)", message.plain))), None)
        if found is not None:
            return message.text[slice(*found.span())]
        tokens = lex(message.text, get_locale(message.locale)).tokens
        if zone := next((t for t in tokens if t.symbol == "ZONE"), None):
            return message.text[zone.start : zone.end]
    return _unnamed(message, making) if len(making) == len(steps) else ""


def two_hours(evidence: Evidence, steps: Sequence[_Step]) -> str:
    """The question which hour is meant, where the steps make something new and two hours are said of it; "" where one
    is, or something takes the first back. "Alle 21 … alle 22" leads from hour to hour in a move alone: what is new has
    none before."""
    if not any(makes_anew(s.action) for s in steps) or not evidence.messages:
        return ""
    takes_back = [cue.span[0] for cue in evidence.messages[0].of_kind("CORRECT", "NO", "INSTEAD")]
    hours = [c for c in evidence.of(Kind.TIME) if c.message == 0 and c.standing in (Standing.FORMER, Standing.SAID)]
    for before in hours:
        later = hours[-1]
        kept = not any(before.span[1] <= place for place in takes_back)
        if before.standing is Standing.FORMER and later.stands and kept:
            return say("coverage.two_hours", first=before.text, last=later.text)
    return ""


def _unnamed(message: Message, steps: Sequence[_Step]) -> str:
    """Somebody behind a "with" or a verb of meeting whom no step is about: "meet Aviad and meet Marco"."""
    said = " ".join(plain(str(v)) for s in steps for v in s.arguments.values() if isinstance(v, str))
    met = [w for w in message.words if is_no_word(w.text.removesuffix("'s"), message.locale)]
    missed = (w for w in met if _MEETS.search(message.plain, 0, w.start) and w.text.removesuffix("'s") not in said)
    found = next(missed, None)
    return message.text[found.start : found.end] if found is not None else ""


_MEETS = re.compile(r"\b(?:with|con|meet|see|and|e|incontrare|vedere)\s+$")


def makes_anew(action: AtomicAction) -> bool:
    """Whether an action makes something, on a day of its own."""
    return bool(action.with_role(ParameterRole.DATE)) and not action.with_role(ParameterRole.BOOKING)


def made_by(action: AtomicAction, output: Json) -> str | None:
    """The id of what a step has made anew, by what it puts out: the venue's, by which the chat speaks of it next."""
    if action.read_only or action.with_role(ParameterRole.BOOKING) or not isinstance(output, dict):
        return None
    found = output.get("booking_id")
    return str(found) if isinstance(found, str | int) and found and not isinstance(found, bool) else None


S = TypeVar("S", bound=_Step)


def moved_unasked(evidence: Evidence, steps: Sequence[S], pending: Sequence[str], makers: Collection[str]) -> S | None:
    """What is moved though nobody asked for it to be moved: something new may be meant, or that which waits to be made
    (`pending` are the actions of the plan that waits, `makers` those that make something). A plan that waits to move
    something says what is meant, and so do words before the latest."""
    making = any(name in makers for name in pending)
    open_before = len(evidence.messages) > 1 if not pending else not making
    moved = next((s for s in steps if s.booking is not None and _sets_when(s)), None)
    return None if not makers or open_before or moved is None or not new_or_moved(evidence) else moved


def _sets_when(step: _Step) -> bool:
    whens = (*step.action.with_role(ParameterRole.DATE), *step.action.with_role(ParameterRole.TIME))
    return any(step.arguments.get(p.name) is not None for p in whens)


_MOVES = frozenset(("move", "now", "pronoun", "booking"))


def new_or_moved(evidence: Evidence) -> bool:
    """Whether words do not say that something is to be moved, nor point at what is there ("Tuesday 3pm with Aviad",
    "can we do Priya at 11"): where something new can be made, that may be meant as well."""
    message = evidence.messages[0]
    whens = [c for c in evidence.of(Kind.DAY, Kind.TIME, Kind.SHIFT, Kind.NUMBER) if c.message == 0]
    stretch = any(c.standing is Standing.FORMER for c in whens)
    target = any(message.cue_before(c.span, ("TO",), 0) for c in whens) and not stretch
    moves = any(part.does(*_MOVES) for part in parts_of(message.text, message.locale))
    points = message.of_kind("INSTEAD", "CORRECT", "NOT")
    return not (moves or target or points or any(c.kind is Kind.SHIFT for c in whens))


def _unfilled(steps: Sequence[_Step], role: ParameterRole) -> list[ActionParameter]:
    """The parameters of a role that no step has a value for."""
    found = [(s, p) for s in steps for p in s.action.with_role(role)]
    return [] if any(s.arguments.get(p.name) is not None for s, p in found) else [p for _, p in found]


def _nouns(message: Message) -> list[Span]:
    """Where a thing is said that may be booked; "another booking" is one by its last word."""
    found = [c.span for c in message.of_kind("BOOKING")]
    for other in message.of_kind("OTHER"):
        found += [(w.start, w.end) for w in message.words if w.end == other.span[1] and w.start > other.span[0]]
    return sorted(s for s in set(found) if message.plain[slice(*s)] not in VAGUE)
