"""What a turn takes from what its chat remembers."""

import hashlib
from collections.abc import Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.drafting import DraftReply
    from contracts.effects import DraftedStep
    from contracts.enums import ServiceErrorType, ShortReply
    from contracts.errors import ServiceError
    from contracts.messages import ChatMemory, DonePlan, RememberedTurn, TurnReply, TurnRequest
    from contracts.model import PlanningContext, ToolCall
    from language.catalogue import say
    from language.replies import short_reply
    from reasoning.drafting import intent_of, planned
    from workflows import shown as showing


def served(memory: ChatMemory, request: TurnRequest) -> TurnReply | None:
    """What a message gets whose id is known: a retry the same turn, another message under that id a refusal. None for
    what is to be worked out."""
    known = next((t for t in memory.turns if t.request_key == request.request_key), None)
    shown = showing.said_under(memory.shown, request)
    # Restored from what the chat shows, a message has no edited values any more, and is cut where it was long.
    restored = shown is not None and shown.text == request.user_message and request.edit is None
    if known is not None:
        same = restored or known.said in ("", hash_of(request))
        return TurnReply(turn=known.turn) if same else _reused()
    # It came to nothing, so it may be tried again; what the chat shows under this id is what was said the first time.
    other = shown is not None and not showing.shows(shown, request)
    if other and workflow.patched("one-message-an-id"):
        return _reused()
    answered = showing.answered_under(memory.shown, request)
    return TurnReply(error=answered_before()) if answered and workflow.patched("answered-once") else None


def answered_before() -> ServiceError:
    """Why a message that has had its turn gets none again when that is not remembered any more: worked out anew, it
    would be another one, and take the place of a plan that waits."""
    message, ways = (say(f"refuse.answered_before{end}") for end in ("", "_next"))
    return ServiceError(error_type=ServiceErrorType.CONFLICT, message=message, suggestions=[ways])


def with_turn(memory: ChatMemory, request: TurnRequest, reply: TurnReply, kept: int) -> tuple[RememberedTurn, ...]:
    """The turns that are remembered, this one behind them."""
    assert reply.turn is not None
    turn = RememberedTurn(request_key=request.request_key, turn=reply.turn, said=hash_of(request))
    return (*memory.turns, turn)[-kept:]


def hash_of(request: TurnRequest) -> str:
    """By which two messages are told apart."""
    edit = request.edit.model_dump_json() if request.edit is not None else ""
    return hashlib.sha256(f"{request.user_message}\n{edit}".encode()).hexdigest()


def _reused() -> TurnReply:
    message, ways = (say(f"refuse.reused_id{end}") for end in ("", "_next"))
    error = ServiceError(error_type=ServiceErrorType.INVALID_REQUEST, message=message, suggestions=[ways])
    return TurnReply(error=error)


def open_request(memory: ChatMemory, points_back: bool) -> tuple[str, ...]:
    """What the operator said since the request that our last questions were about, latest first; where the words point
    back, at least what was said before them."""
    said = [m.content for m in memory.messages if m.role == "user"]
    open_for = max(memory.clarifications, 1 if points_back else 0)
    return tuple(reversed(said[len(said) - min(open_for, len(said)) :]))


def just_failed(memory: ChatMemory) -> bool:
    """Whether the last thing that happened was a plan that failed: what is said now may be about it."""
    done = memory.done
    return done is not None and done.failed and done.fresh and not memory.pending_steps


def tried_again(memory: ChatMemory) -> DonePlan | None:
    """What "try again" is said of: the plan that has just failed, or the one that nobody confirmed in time, if that was
    the last."""
    lapsed = memory.expired if memory.expired is not None and memory.expired.fresh else None
    if lapsed is not None and not memory.pending_steps and workflow.patched("expired-is-tried-again"):
        return lapsed
    return memory.done if just_failed(memory) else None


def expired_after(plan: DonePlan | None, settled: bool, answered: bool) -> DonePlan | None:
    """The plan that ran out of time, after a message: a question about some booking, asked in between, is no reason to
    forget it. What was spoken of otherwise is what "again" may be said of by now."""
    if plan is None or not settled:
        return plan
    if not workflow.patched("expired-outlives-a-question"):
        return None
    return plan if answered else plan.model_copy(update={"fresh": False})


def not_tried_again(memory: ChatMemory) -> str:
    """What is said where "try again" is of no plan: what is known of the one that may be meant. Said in two tabs at
    once, the second comes when the plan is made."""
    waits = DonePlan(plan_id="", steps=(), said=memory.pending_said) if memory.pending_steps else memory.done
    if waits is not None and waits.fresh and waits.said and short_reply(waits.said[0]) is ShortReply.RETRY:
        return say("plan.tried_already")
    if memory.expired is not None and not memory.pending_steps:
        return say("plan.other_since", intent=intent_of(memory.expired.steps))
    return say("plan.nothing_to_retry")


def spoken_of(memory: ChatMemory) -> tuple[str, ...]:
    """The bookings that the plan at hand is about: the one that waits, else the one carried out last."""
    done = memory.done
    if memory.taken_back and not memory.pending_steps:
        return memory.taken_back
    steps = memory.pending_steps or (done.steps if done is not None and done.fresh else ())
    return tuple({s.booking.booking_id: None for s in steps if s.booking is not None})


def planning_context(memory: ChatMemory) -> PlanningContext:
    """What a planner is told of the chat, beside what was said in it."""
    failed = memory.done if just_failed(memory) else None
    return PlanningContext(
        known=memory.known,
        offered=memory.offered,
        pending=tuple(planned(memory.pending_steps)) if memory.pending_steps else (),
        failed=tuple(planned(failed.steps)) if failed is not None else (),
        taken_back=memory.taken_back,
        open=memory.clarifications,
    )


def with_bookings(
    reply: DraftReply, writes: Sequence[ToolCall], settled: Sequence[BookingSummary]
) -> tuple[DraftedStep, ...]:
    """The drafted steps, each with the booking that its call names."""
    labelled = {b.booking_id: b for b in settled} | {b.reference: b for b in settled if b.reference}
    calls = [call for place, call in enumerate(writes) if place not in reply.left_out]
    return tuple(
        step.model_copy(update={"booking": step.booking or _booking_of(step, call, labelled)})
        for step, call in zip(reply.steps, calls, strict=True)
    )


def _booking_of(step: DraftedStep, call: ToolCall, labelled: dict[str, BookingSummary]) -> BookingSummary | None:
    return next((labelled[str(v)] for n in call.bookings if str(v := step.parameters.get(n)) in labelled), None)


def bookings_of(steps: Sequence[DraftedStep]) -> list[BookingSummary]:
    """The bookings of a plan that was drafted: they are singled out already."""
    return list({s.booking.booking_id: s.booking for s in steps if s.booking is not None}.values())
