"""Follows a plan during a call: sends its events as progress, until the plan ends or asks, or the call must answer."""

import asyncio
import contextlib
from dataclasses import dataclass

from api.mcp.context import McpToolContext
from api.sse import patiently
from clients.commands import not_sent_key
from clients.errors import ApiError
from contracts.chat_messages import PlanView
from contracts.commands import PlanCommand
from contracts.enums import RollbackState, ServiceErrorType
from contracts.events import EventKind, PlanEvent
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate


@dataclass(frozen=True)
class ProgressCursor:
    """The part of a plan to send: behind event `after`. `reopened`: the plan has ended before, and continues.
    `answered`: the question that it no longer waits for."""

    plan_id: str
    after: int
    reopened: bool = False
    answered: str | None = None


async def heard_of(call: McpToolContext, plan_id: str, sends: PlanCommand | None = None) -> int:
    """Return the number of the plan's last event. `sends`: the command that follows; it is not sent if this call fails.
    Raises `ApiError`."""
    try:
        return len((await call.parts.services.plans.events(plan_id, 0)).events)
    except ApiError as error:
        if sends is not None and error.kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            error.answer.message = f"{error.answer.message} {translate(not_sent_key(sends))}"
        raise


async def follow(call: McpToolContext, part: ProgressCursor) -> ExecutionPlan:
    """Return the plan once it has ended, asks something, or the call's time is up. Raises `ApiError`."""
    events, watching = list[PlanEvent](), call.parts.services.plan_streams
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.left), contextlib.aclosing(watching.batches(part.plan_id)) as batches:
            async for fresh in batches:
                events += fresh
                for event in fresh:
                    if event.number > part.after:
                        await call.progress(event.text)
                plan = await _look(call, part.plan_id)
                if _at_rest(part, plan, events):
                    return plan
    return await _look(call, part.plan_id)


def _at_rest(part: ProgressCursor, plan: ExecutionPlan, events: list[PlanEvent]) -> bool:
    """Return whether the plan does nothing more by itself, and all its events were sent."""
    closing = [event.number for event in events if event.kind is EventKind.SEPARATE_MESSAGE]
    if any(number > part.after for number in closing):
        return True
    if any(event.kind is EventKind.SIGN_IN_NEEDED and event.number > part.after for event in events):
        # It has only just begun to wait: a call with a new token receives no event about that.
        return plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
    if part.reopened:
        return False
    if plan.settled and closing:
        return True
    prompt = plan.blocking_prompt
    if prompt is None or prompt.prompt_id == part.answered:
        return False
    return any(event.prompt_id == prompt.prompt_id for event in events)


async def _look(call: McpToolContext, plan_id: str) -> ExecutionPlan:
    view = await patiently(lambda: call.parts.services.plans.plan(plan_id), _is_live)
    return await call.parts.last_shown.put(view.plan)


def _is_live(view: PlanView) -> bool:
    return not view.plan.stale or view.plan.notice is not None
