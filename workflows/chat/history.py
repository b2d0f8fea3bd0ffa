"""What a turn reads from its chat's memory."""

import hashlib
from collections.abc import Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.chat_completion import ChatMessage, PlanningContext, ToolCall
    from contracts.chat_messages import ChatMemory, PreviousPlan, RememberedTurn, TurnReply, TurnRequest
    from contracts.drafting import DraftReply
    from contracts.enums import ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.message_reading import MessageTrait
    from contracts.step_activities import DraftedStep
    from language.messages.catalogue import translate
    from reasoning.drafting.plan import intent_of, planned
    from workflows.chat import transcript as showing


def replay_turn(memory: ChatMemory, request: TurnRequest) -> TurnReply | None:
    """Return the reply for a message with a known id: the same turn for a retry, an error for another message. None for
    a new message."""
    known = next((t for t in memory.turns if t.request_key == request.request_key), None)
    shown = showing.message_entry(memory.transcript, request)
    # A message restored from the transcript has lost its edited values, and long text is cut.
    restored = shown is not None and shown.text == request.user_message and request.edit is None
    if known is not None:
        same = restored or known.message_hash == hash_of(request)
        return TurnReply(turn=known.turn) if same else _reused()
    # The first attempt failed, so it may be tried again. The transcript has the text of the first attempt under this
    # id.
    other = shown is not None and not showing.shows(shown, request)
    if other:
        return _reused()
    return TurnReply(error=answered_before()) if showing.answered_under(memory.transcript, request) else None


def answered_before() -> ServiceError:
    """Return the error for a message that was answered but whose turn is no longer remembered. A second turn would
    differ, and could replace a pending plan."""
    message, ways = (translate(f"refuse.answered_before{end}") for end in ("", "_next"))
    return ServiceError(error_type=ServiceErrorType.CONFLICT, message=message, suggestions=[ways])


def append_turn(memory: ChatMemory, request: TurnRequest, reply: TurnReply, limit: int) -> tuple[RememberedTurn, ...]:
    """Return the remembered turns with this one appended."""
    assert reply.turn is not None
    turn = RememberedTurn(request_key=request.request_key, turn=reply.turn, message_hash=hash_of(request))
    return (*memory.turns, turn)[-limit:]


def hash_of(request: TurnRequest) -> str:
    """Return a hash that identifies the content of a message."""
    edit = request.edit.model_dump_json() if request.edit is not None else ""
    return hashlib.sha256(f"{request.user_message}\n{edit}".encode()).hexdigest()


def _reused() -> TurnReply:
    message, ways = (translate(f"refuse.reused_id{end}") for end in ("", "_next"))
    error = ServiceError(error_type=ServiceErrorType.INVALID_REQUEST, message=message, suggestions=[ways])
    return TurnReply(error=error)


def open_request(memory: ChatMemory, request: TurnRequest) -> tuple[str, ...]:
    """Return the operator's messages since the request that our last questions were about, latest first; for a message
    with an anaphor, at least the one before it."""
    messages = [m.content for m in memory.messages if m.role == "user"]
    open_for = max(memory.clarifications, 1 if request.reading.has(MessageTrait.HAS_ANAPHORA) else 0)
    return tuple(reversed(messages[len(messages) - min(open_for, len(messages)) :]))


def last_plan_failed(memory: ChatMemory) -> bool:
    """Return whether the last event was a failed plan, which the next message may be about."""
    done = memory.done
    return done is not None and done.failed and done.fresh and not memory.pending_steps


def retry_target(memory: ChatMemory) -> PreviousPlan | None:
    """Return the plan that "try again" refers to: the plan that has just failed, or the one that expired unconfirmed,
    if it was the last."""
    lapsed = memory.expired if memory.expired is not None and memory.expired.fresh else None
    if lapsed is not None and not memory.pending_steps:
        return lapsed
    return memory.done if last_plan_failed(memory) else None


def expired_after(plan: PreviousPlan | None, settled: bool, answered: bool) -> PreviousPlan | None:
    """Return the expired plan after a message. A question about a booking in between does not discard it; any other
    subject does, because "again" may then refer to that."""
    if plan is None or not settled:
        return plan
    return plan if answered else plan.model_copy(update={"fresh": False})


def not_tried_again(memory: ChatMemory) -> str:
    """Return the message for a "try again" that refers to no plan, with what is known of the likely one. If it is sent
    in two tabs at once, the second arrives after the plan was created."""
    done = memory.done
    last = memory.pending_plan_id if memory.pending_steps else done.plan_id if done is not None and done.fresh else None
    if last is not None and last == memory.retry_plan_id:
        return translate("plan.tried_already")
    if memory.expired is not None and not memory.pending_steps:
        return translate("plan.other_since", intent=intent_of(memory.expired.steps))
    return translate("plan.nothing_to_retry")


def current_bookings(memory: ChatMemory) -> tuple[str, ...]:
    """Return the bookings of the current plan: the pending one, else the last one executed."""
    done = memory.done
    if memory.undone_bookings and not memory.pending_steps:
        return memory.undone_bookings
    steps = memory.pending_steps or (done.steps if done is not None and done.fresh else ())
    return tuple({s.booking.booking_id: None for s in steps if s.booking is not None})


def planning_context(memory: ChatMemory, looked_up: Sequence[ChatMessage]) -> PlanningContext:
    """Return the planner's context of the chat, besides its messages. `looked_up`: what it announced in this turn."""
    failed = memory.done if last_plan_failed(memory) else None
    return PlanningContext(
        known=memory.known_bookings,
        offered=memory.offered_bookings,
        pending=tuple(planned(memory.pending_steps)) if memory.pending_steps else (),
        failed=tuple(planned(failed.steps)) if failed is not None else (),
        undone_bookings=memory.undone_bookings,
        open=memory.clarifications,
        looked_up=tuple(looked_up),
    )


def with_bookings(
    reply: DraftReply, writes: Sequence[ToolCall], settled: Sequence[BookingSummary]
) -> tuple[DraftedStep, ...]:
    """Return the drafted steps, each with the booking that its call names."""
    labelled = {b.booking_id: b for b in settled} | {b.reference: b for b in settled if b.reference}
    calls = [call for index, call in enumerate(writes) if index not in reply.dropped_calls]
    return tuple(
        step.model_copy(update={"booking": step.booking or _booking_of(step, call, labelled)})
        for step, call in zip(reply.steps, calls, strict=True)
    )


def _booking_of(step: DraftedStep, call: ToolCall, labelled: dict[str, BookingSummary]) -> BookingSummary | None:
    return next((labelled[str(v)] for n in call.bookings if str(v := step.parameters.get(n)) in labelled), None)


def bookings_of(steps: Sequence[DraftedStep]) -> list[BookingSummary]:
    """Return the bookings of a drafted plan, which are already resolved."""
    return list({s.booking.booking_id: s.booking for s in steps if s.booking is not None}.values())
