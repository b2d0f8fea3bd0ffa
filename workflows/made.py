"""What the last plan of a chat made anew is a booking that the chat knows: "schedule with Emma", then "move it"."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.booking import BookingSummary
    from contracts.drafting import LookUpRequest
    from contracts.effects import DraftedStep
    from contracts.messages import TurnRequest
    from contracts.model import ToolCall
    from workflows.chat import Chat
    from workflows.turn_trace import TurnTrace

_LOOK = timedelta(seconds=3)
"""An operator waits, and the booking is looked at again before it is changed."""


async def know_what_was_made(chat: Chat, request: TurnRequest, trace: TurnTrace) -> None:
    """Look once at what the last plan made, when its end is seen."""
    done = chat.memory.done
    if done is None:
        return
    steps = list(done.steps)
    for made in done.made:
        step = steps[made.step - 1] if 1 <= made.step <= len(steps) else None
        if step is None or step.booking is not None:
            continue
        shown = ", ".join(line.after for line in step.preview if line.after)
        plain = BookingSummary(booking_id=made.booking_id, label=shown, thing=step.action.thing)
        booking = await _seen(chat, request, trace, step, plain)
        steps[made.step - 1] = step.model_copy(update={"booking": booking})
        others = tuple(b for b in chat.memory.known if b.booking_id != booking.booking_id)
        # What has been spoken of since is what "it" means by now.
        chat.remember(known=(*others, booking) if done.fresh else (booking, *others))
    if steps != list(done.steps):
        chat.remember(done=done.model_copy(update={"steps": tuple(steps)}))


async def _seen(
    chat: Chat, request: TurnRequest, trace: TurnTrace, step: DraftedStep, plain: BookingSummary
) -> BookingSummary:
    """The booking as it is there; as it was shown in the plan, where that cannot be looked at."""
    if step.shown_by is None:
        return plain
    name, parameter = step.shown_by
    look = LookUpRequest(
        venue_id=chat.start.venue_id,
        token_ref=request.token_ref,
        call=ToolCall(id="made", name=name, arguments={parameter: plain.booking_id}, kind="read"),
        now=workflow.now(),
        trace_id=trace.id,
        place=trace.whole(),
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
