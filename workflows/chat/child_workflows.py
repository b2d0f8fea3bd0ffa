"""Starts what a chat begins, a plan or an escalation, as workflows of their own that outlive the chat."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.chat_completion import ChatMessage
    from contracts.chat_messages import PlanStart, TurnRequest
    from contracts.commands import CancelPlan
    from contracts.enums import PlanStatus, ShortReply
    from contracts.errors import ServiceError
    from contracts.escalation import EscalationStart
    from contracts.plan import ExecutionPlan
    from contracts.step_activities import OwnerLabel, OwnerLabelRequest
    from contracts.turn import AnswerTurn, PlanTurn, Turn
    from infra.temporal.search_attributes import PHASE, SINCE, STATUS, USER, VENUE
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from reasoning.drafting.plan import plan_of
    from workflows.chat.history import answered_before
    from workflows.chat.session import ChatSession
    from workflows.chat.short_replies import was_dropped
    from workflows.chat.tracing import TurnTrace
    from workflows.chat.turn_result import TurnRejectedError, TurnResult
    from workflows.plan.activities import WORKFLOW_TASK
    from workflows.plan.workflow import PlanWorkflow
    from workflows.workflow_ids import plan_workflow

_NAMESPACE = UUID("6f1c7a52-6d0b-4c0e-9a53-0a0a4f2f7a10")

_MARK = timedelta(seconds=2)
"""Computing a hash takes no time, and an operator waits."""


async def start_detached(
    run: Callable[[Any, Any], Awaitable[Any]],
    start: PlanStart | EscalationStart,
    workflow_id: str,
    labels: Sequence[SearchAttributePair[Any]],
    summary: str,
    *,
    memo: Mapping[str, Any] | None = None,
) -> None:
    """Start a workflow that goes on when the chat ends. Raises `WorkflowAlreadyStartedError` if it exists."""
    child = await workflow.start_child_workflow(
        run,
        start,
        id=workflow_id,
        id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        parent_close_policy=workflow.ParentClosePolicy.ABANDON,
        task_timeout=WORKFLOW_TASK,
        memo=memo,
        search_attributes=TypedSearchAttributes(labels),
        static_summary=summary,
    )
    # How it ends is its own affair. Not looked at, its failure would be logged as an error of the chat.
    child.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


async def make_plan(chat: ChatSession, request: TurnRequest, outcome: TurnResult, trace: TurnTrace) -> Turn:
    """Start the drafted plan's workflow. It replaces a pending plan. Raises `TurnRejectedError`, `ActivityError`."""
    assert outcome.profile is not None
    start, policy, retry = chat.start, chat.start.policy.plan, request.reading.reply is ShortReply.RETRY
    plan = plan_of(
        outcome.steps,
        plan_id=_plan_id(chat, request),
        session_id=start.session_id,
        user_id=request.user_id,
        venue_id=start.venue_id,
        now=workflow.now(),
        confirm_timeout=policy.confirm_timeout,
        reads=outcome.reads,
    )
    await chat.claim(request)
    if (old := chat.memory.pending_plan_id) is not None:
        # A plan that already exists does not replace the pending one.
        if (await chat.state(plan.plan_id)).status is not None:
            raise TurnRejectedError(answered_before())
        refused = await _replace(chat, request, old, plan.plan_id)
        if refused is not None:
            return refused
    await _start_plan(
        PlanStart(
            plan=plan,
            steps=outcome.steps,
            profile=outcome.profile,
            conversation_id=workflow.info().workflow_id,
            transcript=(ChatMessage(role="user", content=request.user_message),),
            policy=policy,
            trace_id=trace.id,
            reasoning=outcome.reasoning,
            confidence=outcome.confidence,
            mode=outcome.mode,
            requested_at=trace.requested_at,
            clarifications=chat.memory.clarifications,
            request=trace.open_request.first_message,
            planned_in=trace.planning,
        )
    )
    chat.remember(
        pending_plan_id=plan.plan_id,
        pending_steps=outcome.steps,
        pending_plan=plan,
        pending_messages=outcome.operator_messages,
        retry_plan_id=plan.plan_id if retry else chat.memory.retry_plan_id,
        expired=None,
        mode=outcome.mode,
    )
    return PlanTurn(plan=plan, message=outcome.note)


def _plan_id(chat: ChatSession, request: TurnRequest) -> str:
    """Return the id of the plan that a message leads to: a retry of the message has the same."""
    name = f"{chat.start.venue_id}\n{chat.start.session_id}\n{request.user_id}\n{request.request_key}"
    return str(uuid5(_NAMESPACE, name))


async def _replace(chat: ChatSession, request: TurnRequest, old: str, new: str) -> Turn | None:
    """Drop the plan that a new one replaces; return another turn if it has been confirmed meanwhile. Two plans for
    one change are never confirmable together. Raises `TurnRejectedError` if it is uncertain that the old one is
    gone."""
    try:
        command = CancelPlan(user_id=request.user_id, request_id=new, superseded_by=new)
        reply = await chat.execute(request, old, command)
    except ActivityError:
        raise TurnRejectedError(_perhaps_gone()) from None
    if reply.error is not None:
        raise TurnRejectedError(reply.error)
    if reply.plan is not None and reply.plan.notice is not None:
        raise TurnRejectedError(_perhaps_gone())
    if reply.plan is None or was_dropped(reply.plan) or reply.plan.status is PlanStatus.EXPIRED:
        return None
    chat.clear_pending(running=old)
    return AnswerTurn(message=translate("plan.went_ahead"))


def _perhaps_gone() -> ServiceError:
    return error_messages.unavailable_error("slow", "command.drop_unknown")


async def _start_plan(start: PlanStart) -> None:
    """Start the plan as pending. Raises `TurnRejectedError` if this plan already exists, and `ActivityError`."""
    plan = start.plan
    labels: list[SearchAttributePair[Any]] = [
        SearchAttributePair(STATUS, plan.status.value),
        SearchAttributePair(PHASE, plan.status.value),
        SearchAttributePair(VENUE, plan.venue_id),
        SearchAttributePair(USER, (await _mark_of(plan)).mark),
        SearchAttributePair(SINCE, plan.created_at),
    ]
    titles = ", ".join(a.title for a in plan.actions)
    try:
        await start_detached(PlanWorkflow.run, start, plan_workflow(plan.plan_id), labels, titles, memo={"plan": plan})
    except WorkflowAlreadyStartedError:
        raise TurnRejectedError(answered_before()) from None


async def _mark_of(plan: ExecutionPlan) -> OwnerLabel:
    """Return the label by which its user finds the plan. Raises `ActivityError`."""
    return await workflow.execute_local_activity(
        signatures.owner_label,
        OwnerLabelRequest(venue_id=plan.venue_id, user_id=plan.user_id),
        schedule_to_close_timeout=_MARK,
        retry_policy=RetryPolicy(maximum_attempts=3),
    )
