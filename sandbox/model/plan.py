"""Planning: the operator's last message becomes look-ups, then every changing call in one reply, or one question."""

from dataclasses import dataclass, replace

from contracts.enums import ParameterRole as Role
from sandbox.model import wording
from sandbox.model.amend import amended
from sandbox.model.arguments import UnclearError, arguments_of, needs_booking_state
from sandbox.model.availability import as_move, checker, room_reply
from sandbox.model.bookings import LookUp, SeveralError, Transcript, refreshed, settle
from sandbox.model.clauses import Ref, clauses_of
from sandbox.model.conversation import Understood, understand
from sandbox.model.kinds import Kind
from sandbox.model.prompt import Brief, Row
from sandbox.model.protocol import ASK, REFUSE, Call, Message, Reply
from sandbox.model.sentence import Marked
from sandbox.model.tools import Toolbox
from sandbox.model.wants import Want


@dataclass(frozen=True, slots=True)
class AskError(Exception):
    """Planning cannot go on without an answer."""

    question: str


def plan(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """The next reply of a planning turn."""
    understood = understand(messages, brief, toolbox)
    if understood.room is not None:
        return _room(understood.room, messages, brief, toolbox)
    question = _question(understood, brief)
    nothing = not understood.wants and understood.dropped is None
    if question is None and nothing and understood.tells:
        question = wording.gap(Kind.REF)
    if understood.foreign or (nothing and question is None):
        return Reply(calls=(Call(REFUSE, {"message": wording.cannot(brief.can, toolbox)}),))
    try:
        if question is not None:
            raise AskError(question)
        if understood.amends:
            left = amended(brief, toolbox, understood.wants, understood.dropped)
            if not left:
                raise AskError(wording.say("all_dropped"))
            return Reply(calls=tuple(left))
        return _calls(understood.wants, messages, brief, toolbox)
    except AskError as ask:
        return _asking(ask.question)
    except UnclearError as fault:
        return _asking(wording.unclear(fault.code, fault.said))


def _room(asked: Marked, messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """What is free, or the look-up that tells."""
    tool = checker(toolbox)
    named = any(r.explicit for c in clauses_of(as_move(asked)) for r in c.refs)
    try:
        reply = room_reply(asked, named, messages, brief, tool) if tool is not None else None
    except UnclearError as fault:
        return _asking(wording.unclear(fault.code, fault.said))
    return reply or _asking(wording.gap(Kind.WHEN))


def _asking(question: str) -> Reply:
    return Reply(calls=(Call(ASK, {"question": question}),))


def _question(understood: Understood, brief: Brief) -> str | None:
    if understood.unsure is not None:
        key, said = understood.unsure
        return wording.say(key, said=said)
    if understood.puzzles:
        return wording.say("unclear", said=understood.puzzles[0])
    if understood.missing:
        return wording.gap(understood.missing[0])
    return None


def _calls(wants: list[Want], messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """Every look-up still needed, together; else every changing call, together."""
    transcript = Transcript.of(messages)
    look_ups: list[Call] = []
    calls: list[Call] = []
    for want in wants:
        for row in _rows(want, brief, toolbox, transcript):
            if isinstance(row, LookUp):
                look_ups += [row.call] if row.call not in look_ups else []
                continue
            _add(calls, Call(want.tool.name, arguments_of(want, row, brief)), want, brief)
    return Reply(calls=tuple(look_ups or calls))


def _add(calls: list[Call], call: Call, want: Want, brief: Brief) -> None:
    """One call a tool and booking: a phone and an e-mail for the same guest go together. Raises `AskError`."""
    booking = want.tool.with_role(Role.BOOKING)
    for n, other in enumerate(calls):
        old, new = other.arguments, call.arguments
        if booking is None or other.name != call.name or old.get(booking.name) != new.get(booking.name):
            continue
        clash = next((v for k, v in new.items() if old.get(k, v) != v), None)
        if clash is not None:
            raise AskError(wording.say("unclear", said=str(clash)))
        calls[n] = Call(call.name, {**old, **new})
        return
    calls.append(call)


def _rows(want: Want, brief: Brief, toolbox: Toolbox, transcript: Transcript) -> list[Row | LookUp | None]:
    """The bookings that a want is for. Raises `AskError`."""
    if want.tool.with_role(Role.BOOKING) is None:
        return [None]
    explicit = [r for r in want.refs if r.explicit]
    if not explicit:
        if not brief.known:
            raise AskError(wording.say("no_ref"))
        return [_current(want, brief.known[-1], toolbox, transcript)]
    rows: list[Row | LookUp | None] = []
    for ref in explicit:
        found = _found(ref, brief, toolbox, transcript)
        rows.append(found if isinstance(found, LookUp) else _current(want, found, toolbox, transcript))
    return rows


def _current(want: Want, row: Row, toolbox: Toolbox, transcript: Transcript) -> Row | LookUp:
    if not needs_booking_state(want) or transcript.shows(row):
        return row
    fresh = refreshed(row, toolbox, transcript)
    if isinstance(fresh, LookUp):
        return fresh
    return replace(
        row,
        guest_count=fresh.guest_count if fresh.guest_count is not None else row.guest_count,
        date=fresh.date or row.date,
        start_time=fresh.start_time or row.start_time,
    )


def _found(ref: Ref, brief: Brief, toolbox: Toolbox, transcript: Transcript) -> Row | LookUp:
    try:
        return settle(ref, brief, toolbox, transcript)
    except SeveralError as several:
        raise AskError(wording.which_of([_label(r) for r in several.rows])) from None


def _label(row: Row) -> str:
    return row.label or " ".join(x for x in (row.name, row.reference, row.date, row.start_time) if x)
