"""A plan followed while a call lasts: its events as progress, until it ends, asks, or the call must answer."""

import asyncio
import contextlib
from dataclasses import dataclass

from api.mcp.call import Call
from api.patience import patiently
from clients.errors import RequestError
from clients.words import Word, not_sent
from contracts.enums import RollbackState, ServiceErrorType
from contracts.events import EventKind, PlanEvent
from contracts.messages import PlanView
from contracts.plan import ExecutionPlan
from language.catalogue import say


@dataclass(frozen=True)
class Part:
    """What of a plan is told: behind event `after`. `anew`: it has ended before, and goes on. `answered`: the question
    that it does not wait with any more."""

    plan_id: str
    after: int
    anew: bool = False
    answered: str | None = None


async def heard_of(call: Call, plan_id: str, sends: Word | None = None) -> int:
    """The number of the plan's last event. `sends`: the command that is to follow, which is not sent when this fails.
    Raises `RequestError`."""
    try:
        return len((await call.parts.services.plans.events(plan_id, 0)).events)
    except RequestError as error:
        if sends is not None and error.kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            error.answer.message = f"{error.answer.message} {say(not_sent(sends))}"
        raise


async def follow(call: Call, part: Part) -> ExecutionPlan:
    """The plan once it has ended, asks something, or the call's time is up. Raises `RequestError`."""
    seen, watching = list[PlanEvent](), call.parts.services.watching
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.left), contextlib.aclosing(watching.batches(part.plan_id)) as batches:
            async for fresh in batches:
                seen += fresh
                for event in fresh:
                    if event.number > part.after:
                        await call.progress(event.text)
                plan = await _look(call, part.plan_id)
                if _at_rest(part, plan, seen):
                    return plan
    return await _look(call, part.plan_id)


def _at_rest(part: Part, plan: ExecutionPlan, seen: list[PlanEvent]) -> bool:
    """Whether nothing more happens by itself, and all of it was heard."""
    closing = [event.number for event in seen if event.kind is EventKind.SEPARATE_MESSAGE]
    if any(number > part.after for number in closing):
        return True
    if any(event.kind is EventKind.SIGN_IN_NEEDED and event.number > part.after for event in seen):
        # It has only just begun to wait: a call that came with a new token hears of no such event.
        return plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
    if part.anew:
        return False
    if plan.settled and closing:
        return True
    prompt = plan.blocking_prompt
    if prompt is None or prompt.prompt_id == part.answered:
        return False
    return any(event.prompt_id == prompt.prompt_id for event in seen)


async def _look(call: Call, plan_id: str) -> ExecutionPlan:
    view = await patiently(lambda: call.parts.services.plans.plan(plan_id), _is_live)
    return await call.parts.shown.keep(view.plan)


def _is_live(view: PlanView) -> bool:
    return not view.plan.stale or view.plan.notice is not None
