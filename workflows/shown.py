"""What a chat keeps of what its operator saw, so that a page can show it as it happens, and again after a reload.

Which entries are made, and in what order, is compatibility data like a plan's events (`contracts.events`): a chat that
is replayed must give every entry the number that it had.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.drafting import DraftReply, MadeLook
    from contracts.enums import StepStatus
    from contracts.errors import ServiceError
    from contracts.messages import NamedPlan, Phase, ShownEntry, TurnRequest
    from contracts.turn import ClarificationTurn, EscalationTurn, PlanTurn, Turn
    from infra.wakes import ThisProcessWakes
    from language.catalogue import say

_LONGEST = timedelta(days=7)
"""As long as a closed chat is kept, too."""
_TEXT = 2000
"""Characters: the whole of it travels with the chat when its history starts afresh."""
_WATCHED = 20
"""Messages: what went on while older ones were worked out is nobody's news any more."""

_NAMED = 250
"""Plans, the latest: a cursor may have to hold a place in each."""

Entries = tuple[ShownEntry, ...]


def said(entries: Entries, request: TurnRequest, kept: int) -> Entries:
    """The entries with a message behind them, unless it is there: a retry is not said again."""
    if said_under(entries, request) is not None:
        return entries
    return _with(entries, request, kept, kind="said", text=request.user_message)


def said_under(entries: Entries, request: TurnRequest) -> ShownEntry | None:
    """What was said under a message's id."""
    return next((e for e in entries if e.kind == "said" and e.request_id == request.request_id), None)


def answered_under(entries: Entries, request: TurnRequest) -> bool:
    """Whether a message of this id has had its turn."""
    turns = ("plan", "clarification", "answer", "escalation")
    return any(e.kind in turns and e.request_id == request.request_id for e in entries)


def shows(entry: ShownEntry, request: TurnRequest) -> bool:
    """Whether an entry has a message's words, as far as they are kept."""
    return entry.text == request.user_message[:_TEXT]


def phase(entries: Entries, request: TurnRequest, kept: int, now: Phase) -> Entries:
    """The entries with what goes on behind them."""
    return _with(entries, request, kept, kind="progress", text=say(f"turn.{now}"), phase=now)


def begun(entries: Entries, request: TurnRequest, kept: int, draft: DraftReply, intent: str) -> Entries:
    """The entries with the beginning of a run behind them: why, and each look that is made now. A run that has begun
    already goes on."""
    run = _open_run(entries, request)
    if not run:
        why: dict[str, Any] = {"reasoning": draft.reasoning or intent, "confidence": draft.confidence}
        entries = _with(entries, request, kept, kind="initiated", text=intent, **why)
    started = {entry.step for entry in run if entry.kind == "step_started"}
    for number, look in enumerate(draft.looks, 1):
        if number not in started:
            entries = _with(entries, request, kept, kind="step_started", text=look.title, step=number, name=look.title)
    return entries


def looked(entries: Entries, request: TurnRequest, kept: int, looks: Iterable[MadeLook]) -> Entries:
    """The entries with what the looks came to behind them."""
    known = {entry.step for entry in _open_run(entries, request) if entry.kind == "step_result"}
    for number, look in enumerate(looks, 1):
        if number not in known:
            status = StepStatus.COMPLETED if look.error_type is None else StepStatus.FAILED
            told: dict[str, Any] = {"step": number, "name": look.title, "step_status": status}
            entries = _with(entries, request, kept, kind="step_result", text=look.result or look.title, **told)
    return entries


def over(entries: Entries, request: TurnRequest, kept: int) -> Entries:
    """The entries with the end of a run behind them, where one has begun that no plan goes on with: each look that
    was begun has a result, then the run is complete."""
    run = _open_run(entries, request)
    settled = {entry.step for entry in run if entry.kind == "step_result"}
    for entry in run:
        if entry.kind == "step_started" and entry.step not in settled:
            told: dict[str, Any] = {"step": entry.step, "name": entry.name, "step_status": StepStatus.FAILED}
            text = say("event.look_failed", title=entry.text)
            entries = _with(entries, request, kept, kind="step_result", text=text, **told)
    return _with(entries, request, kept, kind="complete", text=say("status.failed")) if run else entries


def _open_run(entries: Entries, request: TurnRequest) -> list[ShownEntry]:
    """The run that this message has begun and that has neither ended nor become a plan's; the same message may have
    been tried before."""
    run: list[ShownEntry] = []
    for entry in entries:
        if entry.request_id != request.request_id:
            continue
        if entry.kind == "initiated" or run:
            run.append(entry)
        if entry.kind in ("complete", "plan"):
            run = []
    return run


def answered(entries: Entries, request: TurnRequest, kept: int, turn: Turn, text: str) -> Entries:
    """The entries with a turn behind them, and `text` for what is read of it."""
    labels = [c.label for c in turn.candidates] if isinstance(turn, ClarificationTurn) else []
    actions = tuple(turn.quick_actions)
    return _with(
        entries,
        request,
        kept,
        kind=turn.type,
        text=text,
        plan_id=turn.plan.plan_id if isinstance(turn, PlanTurn) else None,
        reference=turn.reference or None if isinstance(turn, EscalationTurn) else None,
        choices=tuple(dict.fromkeys([*labels, *(action.label for action in actions)])),
        actions=actions,
    )


def failed(entries: Entries, request: TurnRequest, kept: int, error: ServiceError) -> Entries:
    """The entries with why a message came to nothing behind them."""
    return _with(entries, request, kept, kind="error", text=" ".join([error.message, *error.suggestions]))


def from_person(entries: Entries, kept: int, text: str, reference: str) -> Entries:
    """The entries with a person's answer behind them: it belongs to no message, and answers none."""
    return _with(entries, None, kept, kind="person", text=text, reference=reference)


def from_nobody(entries: Entries, kept: int, text: str, reference: str) -> Entries:
    """The entries with word behind them that no person answered in time; it belongs to no message either."""
    return _with(entries, None, kept, kind="lapsed", text=text, reference=reference)


def named(entries: Iterable[ShownEntry], known: tuple[NamedPlan, ...]) -> tuple[NamedPlan, ...]:
    """The plans that a chat has named and still may hear of, each by the entry that named it first, which may have
    fallen off since."""
    found = {plan.plan_id: plan for plan in known}
    for entry in entries:
        if entry.plan_id is not None:
            found.setdefault(entry.plan_id, NamedPlan(plan_id=entry.plan_id, number=entry.number, at=entry.at))
    return tuple(found.values())[-_NAMED:]


def _with(entries: Entries, request: TurnRequest | None, kept: int, *, text: str, **fields: Any) -> Entries:
    number = entries[-1].number + 1 if entries else 1
    now = workflow.now()
    asked_by = request.request_id if request is not None else None
    entry = ShownEntry(number=number, at=now, text=text[:_TEXT], request_id=asked_by, **fields)
    if not workflow.unsafe.is_replaying():
        ThisProcessWakes.wake(workflow.info().workflow_id)
    fresh = [e for e in (*entries, entry) if e.at > now - _LONGEST]
    lasting = [e.number for e in fresh if e.kind != "progress"]
    messages = [e.number for e in fresh if e.kind == "said"]
    first = lasting[-kept] if len(lasting) > kept else 0
    watched = messages[-_WATCHED] if len(messages) > _WATCHED else first
    return tuple(e for e in fresh if e.number >= (watched if e.kind == "progress" else first))
