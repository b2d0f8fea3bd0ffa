"""What a turn takes from what its chat remembers."""

import hashlib

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.enums import ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.messages import ChatMemory, DonePlan, RememberedTurn, TurnReply, TurnRequest
    from contracts.model import PlanningContext
    from language.catalogue import say
    from reasoning.drafting import planned
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
    return _reused() if other and workflow.patched("one-message-an-id") else None


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
    if memory.expired is not None and not memory.pending_steps and workflow.patched("expired-is-tried-again"):
        return memory.expired
    return memory.done if just_failed(memory) else None


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
    )


def bookings_at_hand(memory: ChatMemory) -> list[BookingSummary]:
    """The bookings of the plan that waits: they are singled out already."""
    return list({s.booking.booking_id: s.booking for s in memory.pending_steps if s.booking is not None}.values())
