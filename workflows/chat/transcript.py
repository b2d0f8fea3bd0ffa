"""The transcript: what a chat has shown to its operator, so that a page can show it live and after a reload.

Which entries are made, and in what order, is compatibility data like a plan's events (`contracts.events`): a replayed
chat must give every entry its original number.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import Phase, PlanReference, TranscriptEntry, TurnRequest
    from contracts.drafting import CompletedRead, DraftBegun
    from contracts.enums import StepStatus
    from contracts.errors import ServiceError
    from contracts.turn import ClarificationTurn, EscalationTurn, PlanTurn, Turn
    from infra.stores.process_notifications import ProcessNotifications
    from language.messages.catalogue import translate

_LONGEST = timedelta(days=7)
"""As long as a closed chat is kept."""
_TEXT = 2000
"""Characters. All of it is copied when the chat continues as new."""
_WATCHED = 20
"""Messages whose progress entries are kept. Progress of older ones is no longer of interest."""

_NAMED = 250
"""The latest plans. A cursor may need a position for each."""

Entries = tuple[TranscriptEntry, ...]


def message(entries: Entries, request: TurnRequest, limit: int) -> Entries:
    """Return the entries with a message appended, unless it is there: a retry is not added again."""
    if message_entry(entries, request) is not None:
        return entries
    return _with(entries, request, limit, kind="message", text=request.user_message)


def message_entry(entries: Entries, request: TurnRequest) -> TranscriptEntry | None:
    """Return the entry of a message id."""
    return next((e for e in entries if e.kind == "message" and e.request_id == request.request_id), None)


def answered_under(entries: Entries, request: TurnRequest) -> bool:
    """Return whether the message with this id was answered."""
    turns = ("plan", "clarification", "answer", "escalation")
    return any(e.kind in turns and e.request_id == request.request_id for e in entries)


def shows(entry: TranscriptEntry, request: TurnRequest) -> bool:
    """Return whether an entry has the text of a message, as far as it is kept."""
    return entry.text == request.user_message[:_TEXT]


def phase(entries: Entries, request: TurnRequest, limit: int, now: Phase) -> Entries:
    """Return the entries with a progress phase appended."""
    return _with(entries, request, limit, kind="progress", text=translate(f"turn.{now}"), phase=now)


def begun(entries: Entries, request: TurnRequest, limit: int, draft: DraftBegun) -> Entries:
    """Return the entries with the start of a run appended: its reason, and each read that starts now. A run that has
    already started continues."""
    run = _open_run(entries, request)
    if not run:
        why: dict[str, Any] = {"reasoning": draft.reasoning or draft.intent, "confidence": draft.confidence}
        entries = _with(entries, request, limit, kind="initiated", text=draft.intent, **why)
    started = {entry.step for entry in run if entry.kind == "step_started"}
    for number, title in enumerate(draft.reads, 1):
        if number not in started:
            entries = _with(entries, request, limit, kind="step_started", text=title, step=number, name=title)
    return entries


def looked(entries: Entries, request: TurnRequest, limit: int, reads: Iterable[CompletedRead]) -> Entries:
    """Return the entries with the results of those reads appended that were shown as begun."""
    run = _open_run(entries, request)
    begun, known = ({entry.step for entry in run if entry.kind == f"step_{way}"} for way in ("started", "result"))
    for number, read in enumerate(reads, 1):
        if number in begun and number not in known:
            status = StepStatus.COMPLETED if read.error_type is None else StepStatus.FAILED
            fields: dict[str, Any] = {"step": number, "name": read.title, "step_status": status}
            entries = _with(entries, request, limit, kind="step_result", text=read.result or read.title, **fields)
    return entries


def over(entries: Entries, request: TurnRequest, limit: int) -> Entries:
    """Return the entries with the end of a run appended, if one has started that no plan continues. Each started read
    gets a result, then the run is complete."""
    run = _open_run(entries, request)
    settled = {entry.step for entry in run if entry.kind == "step_result"}
    for entry in run:
        if entry.kind == "step_started" and entry.step not in settled:
            fields: dict[str, Any] = {"step": entry.step, "name": entry.name, "step_status": StepStatus.FAILED}
            text = translate("event.look_failed", title=entry.text)
            entries = _with(entries, request, limit, kind="step_result", text=text, **fields)
    return _with(entries, request, limit, kind="complete", text=translate("status.failed")) if run else entries


def _open_run(entries: Entries, request: TurnRequest) -> list[TranscriptEntry]:
    """Return the run that this message has started and that neither ended nor passed to a plan. The same message may
    have been tried before."""
    run: list[TranscriptEntry] = []
    for entry in entries:
        if entry.request_id != request.request_id:
            continue
        if entry.kind == "initiated" or run:
            run.append(entry)
        if entry.kind in ("complete", "plan"):
            run = []
    return run


def answered(entries: Entries, request: TurnRequest, limit: int, turn: Turn, text: str) -> Entries:
    """Return the entries with a turn appended; `text` is its displayed text."""
    labels = [c.label for c in turn.candidates] if isinstance(turn, ClarificationTurn) else []
    actions = tuple(turn.quick_actions)
    return _with(
        entries,
        request,
        limit,
        kind=turn.type,
        text=text,
        plan_id=turn.plan.plan_id if isinstance(turn, PlanTurn) else None,
        reference=turn.reference or None if isinstance(turn, EscalationTurn) else None,
        choices=tuple(dict.fromkeys([*labels, *(action.label for action in actions)])),
        actions=actions,
    )


def failed(entries: Entries, request: TurnRequest, limit: int, error: ServiceError) -> Entries:
    """Return the entries with a message's error appended."""
    return _with(entries, request, limit, kind="error", text=" ".join([error.message, *error.suggestions]))


def from_person(entries: Entries, limit: int, text: str, reference: str) -> Entries:
    """Return the entries with a staff reply appended. It belongs to no message and answers none."""
    return _with(entries, None, limit, kind="person", text=text, reference=reference)


def lapsed(entries: Entries, limit: int, text: str, reference: str) -> Entries:
    """Return the entries with a staff timeout appended. It belongs to no message either."""
    return _with(entries, None, limit, kind="lapsed", text=text, reference=reference)


def named(entries: Iterable[TranscriptEntry], known: tuple[PlanReference, ...]) -> tuple[PlanReference, ...]:
    """Return the plans that a chat has mentioned and that may still have events, each by the entry that first mentioned
    it, which may be gone since."""
    found = {plan.plan_id: plan for plan in known}
    for entry in entries:
        if entry.plan_id is not None:
            found.setdefault(entry.plan_id, PlanReference(plan_id=entry.plan_id, number=entry.number, at=entry.at))
    return tuple(found.values())[-_NAMED:]


def _with(entries: Entries, request: TurnRequest | None, limit: int, *, text: str, **fields: Any) -> Entries:
    number = entries[-1].number + 1 if entries else 1
    now = workflow.now()
    asked_by = request.request_id if request is not None else None
    entry = TranscriptEntry(number=number, at=now, text=text[:_TEXT], request_id=asked_by, **fields)
    if not workflow.unsafe.is_replaying():
        ProcessNotifications.notify(workflow.info().workflow_id)
    fresh = [e for e in (*entries, entry) if e.at > now - _LONGEST]
    lasting = [e.number for e in fresh if e.kind != "progress"]
    messages = [e.number for e in fresh if e.kind == "message"]
    first = lasting[-limit] if len(lasting) > limit else 0
    watched = messages[-_WATCHED] if len(messages) > _WATCHED else first
    return tuple(e for e in fresh if e.number >= (watched if e.kind == "progress" else first))
