"""What tools answer: words for whoever reads, and the same as data."""

from collections.abc import Sequence
from typing import Literal

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from api.mcp.call import Call
from api.mcp.questions import waits_for_answer, waits_for_confirmation
from api.mcp.shapes import Handed, Told
from clients.errors import RequestError
from contracts.enums import PlanStatus, RollbackState
from contracts.plan import ExecutionPlan
from language.catalogue import say
from reasoning import wording


def result(told: BaseModel, message: str) -> CallToolResult:
    """A tool's answer: its words, and the data also as text for clients that read no other."""
    data = told.model_dump(mode="json", exclude_none=True)
    text = told.model_dump_json(exclude_none=True)
    return CallToolResult(
        content=[TextContent(text=message), TextContent(text=text)], structured_content=data, is_error=False
    )


def refused(error: RequestError) -> CallToolResult:
    """An error whose text is what is wrong and the way out; the whole of it in `_meta`."""
    answer = error.answer
    text = " ".join([answer.message, *answer.suggestions])
    data = answer.model_dump(mode="json", exclude_none=True)
    return CallToolResult(content=[TextContent(text=text)], is_error=True, _meta={"iq/error": data})


def tell(call: Call, plan: ExecutionPlan, first: str = "", heard: Sequence[Handed] = ()) -> CallToolResult:
    """How a plan stands, after what people have said and what is to be said first."""
    waits = waiting(plan)
    where = call.where(plan, "confirm" if waits == "confirmation" else "answers") if waits else None
    message = " ".join(text for text in (*(one.text for one in heard), first, words_of(plan, where)) if text)
    told = Told(type="plan", session_id=plan.session_id, message=message, plan=plan, waits_for=waits, where=where)
    told.from_people = list(heard)
    return result(told, message)


def words_of(plan: ExecutionPlan, where: str | None) -> str:
    """How a plan stands, in words."""
    if plan.notice is not None:
        return plan.notice
    if waits_for_confirmation(plan):
        return say("mcp.waits", intent=plan.intent, where=where)
    if plan.blocking_prompt is not None and waits_for_answer(plan):
        return say("mcp.asks", question=plan.blocking_prompt.question, where=where)
    if plan.status is PlanStatus.PENDING_CONFIRMATION:
        return wording.already(PlanStatus.EXPIRED)
    if plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN:
        return say("mcp.sign_in")
    if not plan.settled:
        return say("mcp.under_way", intent=plan.intent)
    if plan.superseded_by is not None:
        return " ".join([say("event.superseded"), say("mcp.newer", plan_id=plan.superseded_by)])
    if plan.status in (PlanStatus.CANCELLED, PlanStatus.EXPIRED):
        key = plan.status if plan.confirmed_at or plan.status is PlanStatus.EXPIRED else "dropped"
        return say(f"event.{key}")
    ended = [plan.summary, plan.failure.message if plan.failure else None, *_of_the_undoing(plan)]
    return " ".join(text for text in ended if text) or wording.already(plan.status)


def _of_the_undoing(plan: ExecutionPlan) -> list[str]:
    report = plan.rollback_report
    return [*(row.message for row in report.steps), *report.manual_steps] if report is not None else []


def waiting(plan: ExecutionPlan) -> Literal["confirmation", "answer"] | None:
    """What a plan waits for."""
    if waits_for_confirmation(plan):
        return "confirmation"
    return "answer" if waits_for_answer(plan) else None
