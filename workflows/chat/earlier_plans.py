"""The earlier plans of a chat. Any of them may be undone by a command that bypasses the chat (`POST
/v1/plans/{id}/undo`); just after that, "it" refers to that plan's bookings. What the last plan created is added to the
known bookings: "schedule with Emma", then "move it"."""

import asyncio
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PreviousPlan
    from contracts.step_activities import PlanState
    from workflows.chat.history import bookings_of
    from workflows.chat.session import ChatSession


async def refresh_earlier_plans(chat: ChatSession) -> None:
    """Detect which of them was undone since the last message. If two were and the order is unknown, their bookings are
    offered as candidates, so that the chat asks what "it" is."""
    earlier, done = chat.memory.earlier_plans, chat.memory.done
    if not earlier:
        return
    states = await asyncio.gather(*(chat.state(plan.plan_id) for plan in earlier))
    for plan, state in zip(earlier, states, strict=True):
        chat.note_flux(plan, state)
    gone = [(plan, state) for plan, state in zip(earlier, states, strict=True) if _goes_back(state)]
    kept = [plan for plan, state in zip(earlier, states, strict=True) if state.open and not _goes_back(state)]
    if not gone:
        chat.remember(earlier_plans=tuple(kept))
        return
    if done is not None and chat.undone is not None:
        gone.append((done, chat.undone))
    last = latest_undone(gone)
    if len(last) > 1:
        # Both have ended by the next message, and their end times then give the order.
        kept = [plan for plan in earlier if plan in (*kept, *last)]
    _is_it(chat, last)
    chat.remember(earlier_plans=tuple(kept))


def _goes_back(state: PlanState) -> bool:
    return state.undone or state.going_back


def latest_undone(gone: list[tuple[PreviousPlan, PlanState]]) -> list[PreviousPlan]:
    """Return the plan that was undone last, or all candidates if that is unknown."""
    open_ = [plan for plan, state in gone if state.ended is None]
    ended = [(state.ended, plan) for plan, state in gone if state.ended is not None]
    return open_ or [max(ended, key=lambda one: one[0])[1]]


def _is_it(chat: ChatSession, last: list[PreviousPlan]) -> None:
    """Make "it" refer to the bookings of these plans, and no longer to those of the last one."""
    memory = chat.memory
    if memory.done in last and len(last) == 1:
        return
    about = bookings_of([step for plan in last for step in plan.steps])
    if not about:
        return
    known = {b.booking_id: b for b in memory.known_bookings}
    rows = [known.pop(b.booking_id, b) for b in about]
    chat.remember(
        known_bookings=(*known.values(), *rows),
        undone_bookings=tuple(b.booking_id for b in rows),
        offered_bookings=tuple(rows) if len(last) > 1 and len(rows) > 1 else memory.offered_bookings,
        done=memory.done.model_copy(update={"fresh": False}) if memory.done is not None else None,
    )


with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.booking import BookingSummary
    from contracts.chat_completion import ToolCall
    from contracts.chat_messages import TurnRequest
    from contracts.drafting import LookUpRequest
    from contracts.step_activities import DraftedStep
    from workflows.chat.session import ChatSession
    from workflows.chat.tracing import TurnTrace

_LOOK = timedelta(seconds=3)
"""It is short because an operator waits, and the booking is read again before it is changed."""


async def learn_created_bookings(chat: ChatSession, request: TurnRequest, trace: TurnTrace) -> None:
    """Read what the last plan created, once, when its end is first seen."""
    done = chat.memory.done
    if done is None:
        return
    steps = list(done.steps)
    for made in done.created:
        step = steps[made.step - 1] if 1 <= made.step <= len(steps) else None
        if step is None or step.booking is not None:
            continue
        shown = ", ".join(line.after for line in step.preview if line.after)
        plain = BookingSummary(booking_id=made.booking_id, label=shown, thing=step.action.thing)
        booking = await _seen(chat, request, trace, step, plain)
        steps[made.step - 1] = step.model_copy(update={"booking": booking})
        others = tuple(b for b in chat.memory.known_bookings if b.booking_id != booking.booking_id)
        # "It" now refers to what was mentioned since.
        chat.remember(known_bookings=(*others, booking) if done.fresh else (booking, *others))
    if steps != list(done.steps):
        chat.remember(done=done.model_copy(update={"steps": tuple(steps)}))


async def _seen(
    chat: ChatSession, request: TurnRequest, trace: TurnTrace, step: DraftedStep, plain: BookingSummary
) -> BookingSummary:
    """Return the booking as the venue has it; as the plan showed it, if it cannot be read."""
    if step.read_by is None:
        return plain
    name, parameter = step.read_by
    look = LookUpRequest(
        venue_id=chat.start.venue_id,
        token_ref=request.token_ref,
        call=ToolCall(id="made", name=name, arguments={parameter: plain.booking_id}, kind="read"),
        now=workflow.now(),
        trace_id=trace.id,
        trace_context=trace.whole(),
    )
    try:
        reply = await workflow.execute_activity(
            signatures.look_up,
            look,
            task_queue=chat.start.policy.plan.venue_queue or None,
            schedule_to_close_timeout=_LOOK,
            heartbeat_timeout=timedelta(seconds=chat.start.policy.plan.heartbeat),
            retry_policy=RetryPolicy(maximum_attempts=1),
            summary=name,
        )
    except ActivityError:
        return plain
    return next((b for b in reply.candidates or () if b.booking_id == plain.booking_id), plain)
