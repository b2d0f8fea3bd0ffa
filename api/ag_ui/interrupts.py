"""What of a session waits for its operator, as AG-UI's interrupts: a plan to confirm, and a question of a running plan.

Ids are made of the plan's and the question's, so that any facade knows what an answer is for.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from ag_ui.core import Interrupt
from pydantic import StrictBool, StringConstraints

from clients.chats import ChatClient
from clients.plans import PlanClient
from contracts.base import Edge
from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from language.catalogue import say

_ID = re.compile(r"plan:([0-9a-f-]{36}):(?:confirm|question:([\w-]{1,64}))", re.ASCII)


class Approval(Edge):
    """The answer to a plan that waits."""

    approved: StrictBool


class Reply(Edge):
    """The answer to a question."""

    answer: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=4000)]


@dataclass(frozen=True)
class Point:
    """What an interrupt is about: a plan's confirmation, or one question of it."""

    plan_id: str
    prompt_id: str | None = None

    @classmethod
    def of(cls, interrupt_id: str) -> "Point | None":
        """What an id names; None for what is none of ours."""
        match = _ID.fullmatch(interrupt_id)
        return cls(match[1], match[2]) if match else None

    @property
    def interrupt_id(self) -> str:
        """The id, as a client holds it."""
        return f"plan:{self.plan_id}:{'confirm' if self.prompt_id is None else f'question:{self.prompt_id}'}"


def waiting_point(plan: ExecutionPlan) -> Point | None:
    """What a plan waits for; None where it waits for nobody."""
    if plan.status is PlanStatus.PENDING_CONFIRMATION and datetime.now(UTC) < plan.expires_at:
        return Point(plan.plan_id)
    return Point(plan.plan_id, plan.blocking_prompt.prompt_id) if plan.blocking_prompt is not None else None


def interrupt_of(plan: ExecutionPlan) -> Interrupt | None:
    """What a plan waits for, as a client is asked for it."""
    point = waiting_point(plan)
    if point is None:
        return None
    metadata = {"plan": plan.model_dump(mode="json", exclude_none=True)}
    if plan.blocking_prompt is None:
        return Interrupt(
            id=point.interrupt_id,
            reason="confirmation",
            message=f"{plan.intent} {say('ag_ui.confirm')}",
            response_schema=_object("approved", {"type": "boolean", "title": say("ag_ui.confirm")}),
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
    """The plans of a session that wait for its operator, by the ids of their interrupts. Raises `RequestError`."""
    view = await chats.session(chat)
    found: dict[str, ExecutionPlan] = {}
    for plan_id in (view.prompt_plan_id, view.pending_plan_id) if view else ():
        if plan_id is not None:
            plan = (await plans.plan(plan_id)).plan
            point = waiting_point(plan)
            if point is not None:
                found[point.interrupt_id] = plan
    return found


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": False}
