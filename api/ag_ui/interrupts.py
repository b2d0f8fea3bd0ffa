"""The open points of a session as AG-UI's interrupts: a plan to confirm, and a question of a running plan.

An id is made of the plan's and the question's ids, so that any API process knows what an answer is for.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from ag_ui.core import Interrupt
from pydantic import StrictBool, StringConstraints

from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.base import StrictModel
from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate

_ID = re.compile(r"plan:([0-9a-f-]{36}):(?:confirm|question:([\w-]{1,64}))", re.ASCII)


class Approval(StrictModel):
    """The answer to a plan that waits for confirmation."""

    approved: StrictBool


class PromptReply(StrictModel):
    """The answer to a question."""

    answer: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=4000)]


@dataclass(frozen=True)
class InterruptRef:
    """The subject of an interrupt: a plan's confirmation, or one question of the plan."""

    plan_id: str
    prompt_id: str | None = None

    @classmethod
    def of(cls, interrupt_id: str) -> "InterruptRef | None":
        """Return what an id refers to; None for a foreign id."""
        match = _ID.fullmatch(interrupt_id)
        return cls(match[1], match[2]) if match else None

    @property
    def interrupt_id(self) -> str:
        """Return the id that a client receives."""
        return f"plan:{self.plan_id}:{'confirm' if self.prompt_id is None else f'question:{self.prompt_id}'}"


def open_interrupt(plan: ExecutionPlan) -> InterruptRef | None:
    """Return what a plan waits for; None if it does not wait for its operator."""
    if plan.status is PlanStatus.PENDING_CONFIRMATION and datetime.now(UTC) < plan.expires_at:
        return InterruptRef(plan.plan_id)
    return InterruptRef(plan.plan_id, plan.blocking_prompt.prompt_id) if plan.blocking_prompt is not None else None


def interrupt_of(plan: ExecutionPlan) -> Interrupt | None:
    """Return what a plan waits for, as a client receives it."""
    point = open_interrupt(plan)
    if point is None:
        return None
    metadata = {"plan": plan.model_dump(mode="json", exclude_none=True)}
    if plan.blocking_prompt is None:
        return Interrupt(
            id=point.interrupt_id,
            reason="confirmation",
            message=f"{plan.intent} {translate('ag_ui.confirm')}",
            response_schema=_object("approved", {"type": "boolean", "title": translate("ag_ui.confirm")}),
            expires_at=plan.expires_at.isoformat(),
            metadata=metadata,
        )
    prompt = plan.blocking_prompt
    answer: dict[str, Any] = {"type": "string", "title": prompt.question, "minLength": 1, "maxLength": 4000}
    return Interrupt(
        id=point.interrupt_id,
        reason="input_required",
        message=prompt.question,
        response_schema=_object("answer", answer | ({"enum": list(prompt.choices)} if prompt.choices else {})),
        expires_at=prompt.expires_at.isoformat(),
        metadata=metadata,
    )


async def waiting_in(chats: ChatClient, plans: PlanClient, chat: str) -> dict[str, ExecutionPlan]:
    """Return the plans of a session that wait for its operator, by the ids of their interrupts. Raises `ApiError`."""
    view = await chats.session(chat)
    found: dict[str, ExecutionPlan] = {}
    for plan_id in (view.prompt_plan_id, view.pending_plan_id) if view else ():
        if plan_id is not None:
            plan = (await plans.plan(plan_id)).plan
            point = open_interrupt(plan)
            if point is not None:
                found[point.interrupt_id] = plan
    return found


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": False}
