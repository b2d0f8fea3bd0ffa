"""Adds bookings created by the last plan to the chat's known bookings: "schedule with Emma", then "move it"."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

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
