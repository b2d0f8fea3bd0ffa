"""The tools for plans. None accepts an approval as an argument, because a model writes arguments.

A person approves changes in a form of the client:

    confirm_plan     asks a person; after a yes runs the plan
    answer_question  asks a person the question of a running plan
    undo_plan        asks a person; after a yes undoes a completed plan
    cancel_plan, skip_step   only reduce what is done, so no person is asked
    get_plan         reads
"""

import asyncio

from mcp_types import CallToolResult

from api.mcp.context import McpToolContext
from api.mcp.forms import answer_in, answering, confirmation, says_yes, undoing, waits_for_confirmation
from api.mcp.progress import ProgressCursor, follow, heard_of
from api.mcp.results import result, tell
from api.mcp.schemas import Bookings, FindArguments, LookUpArguments, PlanArguments, SkipArguments
from api.routes.plans import plan_id_of
from api.shutdown import shielded
from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.venue.search import find
from contracts.chat_messages import PlanView
from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.plan import ExecutionPlan
from infra.stores.command_store import CommandResult, idempotency_key
from language.messages.catalogue import translate
from reasoning import error_messages
from reasoning.drafting import booking_list

_LOOKS_AGAIN = (0.5, 1.0)
"""Seconds."""
_ASKS = 3
"""Times that a form is shown again in one call because the plan changed in the meantime."""


async def get_plan(call: McpToolContext, args: LookUpArguments) -> CallToolResult:
    """Return the current plan; with a wait, the plan once it rests or the wait is over."""
    plan = (await _own(call, args)).plan
    if args.wait_seconds and not plan.settled and not waits_for_confirmation(plan) and plan.blocking_prompt is None:
        call.timeout = float(args.wait_seconds)
        plan = await follow(call, ProgressCursor(plan.plan_id, await heard_of(call, plan.plan_id)))
    return tell(call, plan)


async def confirm_plan(call: McpToolContext, args: PlanArguments) -> CallToolResult:
    """Ask a person to confirm the plan, and return the result."""
    command, asked = ConfirmPlan(**_origin(call, args)), 0
    view = await _own(call, args, command)
    while waits_for_confirmation(view.plan):
        if not call.elicitor.possible:
            return tell(call, view.plan)
        if asked == _ASKS:
            raise api_error(
                E.CONFLICT, translate("mcp.changed_under"), translate("mcp.changed_under_next"), plan=view.plan
            )
        question, asked = confirmation(view.plan), asked + 1
        reply = await call.elicitor.elicit(question)
        view = await _own(call, args, command)
        if not says_yes(reply):
            return tell(
                call, view.plan, translate("mcp.nobody_answered" if reply.action == "none" else "mcp.not_confirmed")
            )
        if waits_for_confirmation(view.plan) and confirmation(view.plan).key == question.key:
            after = await heard_of(call, view.plan.plan_id, command)
            result = await shielded(call.parts.services.commands.execute(view, command, call.caller.token))
            return await _goes_on(call, result, ProgressCursor(view.plan.plan_id, after))
    if view.plan.confirmed_at is None:
        raise _too_late(view.plan)
    return await _follow_on(call, ProgressCursor(view.plan.plan_id, await heard_of(call, view.plan.plan_id)))


async def answer_question(call: McpToolContext, args: PlanArguments) -> CallToolResult:
    """Ask a person the question of a running plan, and return the result."""
    plan = (await _own(call, args, AnswerPrompt(**_origin(call, args), text=""))).plan
    if plan.blocking_prompt is None and not call.elicitor.resumed:
        raise api_error(E.CONFLICT, translate("refuse.nothing_asked"), error_messages.next_action_text(plan), plan=plan)
    return await _follow_on(call, ProgressCursor(plan.plan_id, await heard_of(call, plan.plan_id)))


async def cancel_plan(call: McpToolContext, args: PlanArguments) -> CallToolResult:
    """Cancel a plan, or stop it before its next step and undo its changes."""
    command = CancelPlan(**_origin(call, args))
    view = await _own(call, args, command)
    after = await heard_of(call, view.plan.plan_id, command)
    result = await shielded(call.parts.services.commands.execute(view, command))
    return await _goes_on(call, result, ProgressCursor(view.plan.plan_id, after))


async def skip_step(call: McpToolContext, args: SkipArguments) -> CallToolResult:
    """Skip an optional step, until it starts."""
    command = SkipStep(**_origin(call, args), step=args.step)
    view = await _own(call, args, command)
    try:
        result = await shielded(call.parts.services.commands.execute(view, command))
    except ApiError as refused:
        if not refused.answer.suggestions and refused.kind in (E.CONFLICT, E.NOT_FOUND):
            refused.answer.suggestions = [error_messages.next_action_text(refused.answer.plan or view.plan)]
        raise
    return tell(call, await call.parts.last_shown.put(result.plan))


async def undo_plan(call: McpToolContext, args: PlanArguments) -> CallToolResult:
    """Ask a person to confirm the undo of a completed plan, and return the result."""
    command = UndoPlan(**_origin(call, args))
    plan = (await _own(call, args, command)).plan
    after = await heard_of(call, plan.plan_id, command)
    if plan.rollback is not None:
        return await _goes_on(call, CommandResult(plan), ProgressCursor(plan.plan_id, after))
    if plan.status is not PlanStatus.COMPLETED or plan.undo_until is None:
        raise api_error(E.CONFLICT, error_messages.cannot_undo(plan), error_messages.next_action_text(plan), plan=plan)
    if not call.elicitor.possible:
        return tell(call, plan, translate("mcp.undo_asks", where=call.where(plan, "undo")))
    reply = await call.elicitor.elicit(undoing(plan))
    view = await _own(call, args, command)
    if not says_yes(reply):
        return tell(call, view.plan, translate("mcp.nobody_answered" if reply.action == "none" else "mcp.not_undone"))
    result = await shielded(call.parts.services.commands.execute(view, command, call.caller.token))
    return await _goes_on(call, result, ProgressCursor(plan.plan_id, after, reopened=True))


async def _goes_on(call: McpToolContext, result: CommandResult, part: ProgressCursor) -> CallToolResult:
    """Return the result of a command, if its outcome is known."""
    plan = await call.parts.last_shown.put(result.plan)
    return await _follow_on(call, part, plan) if result.certain else tell(call, plan)


async def _follow_on(call: McpToolContext, part: ProgressCursor, taken: ExecutionPlan | None = None) -> CallToolResult:
    """Follow a plan until it rests. If it asks a question, ask a person and continue. `taken`: the plan after a command
    that took effect, which is the result if the plan cannot be followed."""
    while True:
        try:
            plan = await follow(call, part)
        except ServiceUnavailableError:
            if taken is None:
                raise
            return tell(call, taken.model_copy(update={"stale": True}))
        prompt = plan.blocking_prompt
        if prompt is None or prompt.prompt_id == part.answered or not call.elicitor.possible:
            return tell(call, plan)
        reply = await call.elicitor.elicit(answering(plan, prompt))
        text = answer_in(reply, prompt)
        request_id = _same(plan.plan_id, f"{prompt.prompt_id} {text}", call)
        command = AnswerPrompt(
            user_id=call.caller.user_id, request_id=request_id, text=text or "", prompt_id=prompt.prompt_id
        )
        view = await _looked(call, plan.plan_id, command)
        if text is None:
            return tell(call, view.plan, _unanswered(reply.action))
        after = await heard_of(call, plan.plan_id, command)
        result = await shielded(call.parts.services.commands.execute(view, command))
        if not result.certain:
            return tell(call, result.plan)
        taken, part = result.plan, ProgressCursor(plan.plan_id, after, answered=prompt.prompt_id)


def _unanswered(action: str) -> str:
    if action == "accept":
        return translate("mcp.no_such_answer")
    return translate("mcp.nobody_answered" if action == "none" else "mcp.not_answered")


def _too_late(plan: ExecutionPlan) -> ApiError:
    """Return why a plan no longer accepts a yes."""
    if plan.superseded_by is not None:
        return api_error(
            E.CONFLICT, translate("event.superseded"), translate("mcp.newer", plan_id=plan.superseded_by), plan=plan
        )
    status = PlanStatus.EXPIRED if plan.status is PlanStatus.PENDING_CONFIRMATION else plan.status
    return api_error(E.CONFLICT, error_messages.already_text(status), translate("next.again"), plan=plan)


async def _own(call: McpToolContext, args: PlanArguments, command: PlanCommand | None = None) -> PlanView:
    """Return the caller's own plan, at the caller's venue. Raises `ApiError`."""
    view = await _looked(call, plan_id_of(args.plan_id), command)
    if view.plan.venue_id != call.caller.pack.profile.venue_id:
        raise api_error(E.NOT_FOUND, translate("refuse.no_plan"), translate("refuse.no_plan_next"))
    return view


async def _looked(call: McpToolContext, plan_id: str, command: PlanCommand | None) -> PlanView:
    """Return the caller's own plan. Retries if a dependency did not answer at once, because a call has time. Raises
    `ApiError`."""
    for pause in _LOOKS_AGAIN:
        try:
            return await call.by.get_own(plan_id, call.caller.user_id, command)
        except ApiError as error:
            if error.kind is not E.SERVICE_UNAVAILABLE:
                raise
        await asyncio.sleep(pause)
    return await call.by.get_own(plan_id, call.caller.user_id, command)


def _origin(call: McpToolContext, args: PlanArguments) -> dict[str, str]:
    """Return the user and the request id of a command: the same id every time, because a plan is confirmed, cancelled
    or undone once."""
    same = _same(plan_id_of(args.plan_id), args.model_dump_json(exclude={"plan_id"}), call)
    return {"user_id": call.caller.user_id, "request_id": same}


def _same(plan_id: str, of: str, call: McpToolContext) -> str:
    return idempotency_key(f"mcp {plan_id} {of}", "once", call.caller.user_id, "once")


async def find_bookings(call: McpToolContext, args: FindArguments) -> CallToolResult:
    """Return the venue's bookings that match. Counts as a message, because the venue has a rate limit, too. Raises
    `ApiError`."""
    caller, parts = call.caller, call.parts
    await parts.tokens.verify(caller.pack, caller.token)
    await parts.limits.count(venue=caller.pack.profile.venue_id, user=caller.user_id)
    try:
        found = await find(parts.services.venues, caller.pack, caller.token, args.query)
    except ApiError as refused:
        if refused.kind is E.UNAUTHORIZED:
            parts.tokens.evict(caller.pack, caller.token)
        raise
    message, more = (
        booking_list.list_text(found.rows, more=found.more),
        found.more or booking_list.may_be_truncated(found.rows),
    )
    return result(Bookings(message=message, bookings=list(found.rows), more=more), message)
