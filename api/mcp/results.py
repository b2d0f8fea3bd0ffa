"""Results of tools: text for the reader, and the same as data."""

from collections.abc import Sequence
from typing import Literal

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from api.mcp.context import McpToolContext
from api.mcp.forms import waits_for_answer, waits_for_confirmation
from api.mcp.schemas import EscalationState, ToolResult
from clients.errors import ApiError
from contracts.enums import PlanStatus, RollbackState
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate
from reasoning import error_messages


def result(structured: BaseModel, message: str) -> CallToolResult:
    """Return a tool's result: its text, and the data also as text for clients that read nothing else."""
    data = structured.model_dump(mode="json", exclude_none=True)
    text = structured.model_dump_json(exclude_none=True)
    return CallToolResult(
        content=[TextContent(text=message), TextContent(text=text)], structured_content=data, is_error=False
    )


def refused(error: ApiError) -> CallToolResult:
    """Return an error as a result: the text has the problem and the next step, `_meta` the whole error."""
    answer = error.answer
    text = " ".join([answer.message, *answer.suggestions])
    data = answer.model_dump(mode="json", exclude_none=True)
    return CallToolResult(content=[TextContent(text=text)], is_error=True, _meta={"iq/error": data})


def tell(
    call: McpToolContext, plan: ExecutionPlan, first: str = "", escalations: Sequence[EscalationState] = ()
) -> CallToolResult:
    """Return a plan's state as a result, after the staff replies and the text that comes first."""
    waits = waiting(plan)
    where = call.where(plan, "confirm" if waits == "confirmation" else "answers") if waits else None
    message = " ".join(text for text in (*(one.text for one in escalations), first, words_of(plan, where)) if text)
    found = ToolResult(
        type="plan", session_id=plan.session_id, message=message, plan=plan, waits_for=waits, where=where
    )
    found.from_people = list(escalations)
    return result(found, message)


def words_of(plan: ExecutionPlan, where: str | None) -> str:
    """Return a plan's state as text."""
    if plan.notice is not None:
        return plan.notice
    if waits_for_confirmation(plan):
        return translate("mcp.waits", intent=plan.intent, where=where)
    if plan.blocking_prompt is not None and waits_for_answer(plan):
        return translate("mcp.asks", question=plan.blocking_prompt.question, where=where)
    if plan.status is PlanStatus.PENDING_CONFIRMATION:
        return error_messages.already_text(PlanStatus.EXPIRED)
    if plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN:
        return translate("mcp.sign_in")
    if not plan.settled:
        return translate("mcp.under_way", intent=plan.intent)
    if plan.superseded_by is not None:
        return " ".join([translate("event.superseded"), translate("mcp.newer", plan_id=plan.superseded_by)])
    if plan.status in (PlanStatus.CANCELLED, PlanStatus.EXPIRED):
        key = plan.status if plan.confirmed_at or plan.status is PlanStatus.EXPIRED else "dropped"
        return translate(f"event.{key}")
    ended = [plan.summary, plan.failure.message if plan.failure else None, *_of_the_undoing(plan)]
    return " ".join(text for text in ended if text) or error_messages.already_text(plan.status)


def _of_the_undoing(plan: ExecutionPlan) -> list[str]:
    report = plan.rollback_report
    return [*(row.message for row in report.steps), *report.manual_steps] if report is not None else []


def waiting(plan: ExecutionPlan) -> Literal["confirmation", "answer"] | None:
    """Return what a plan waits for."""
    if waits_for_confirmation(plan):
        return "confirmation"
    return "answer" if waits_for_answer(plan) else None
