"""The schemas of tools' arguments and results."""

from typing import Any, Literal

from pydantic import BaseModel, Field, field_serializer

from api.schemas import Message
from contracts.base import Json, QuickAction, StrictModel
from contracts.booking import BookingSummary
from contracts.identifiers import Identifier
from contracts.plan import ExecutionPlan


class EscalationState(StrictModel):
    """What was handed to a person, and what came of it, in words for the operator."""

    reference: str
    status: Literal["waiting", "answered", "lapsed"]
    text: str = ""


class ToolResult(StrictModel):
    """How things stand after a call. `message` is for the operator. `waits_for`: what only a person may do next, and
    `where` how that is done without this client. `reference` is what a message that was handed to a person is called;
    `from_people` what people have answered since the last message."""

    type: Literal["plan", "clarification", "answer", "escalation"]
    session_id: str = Field(description="Send it with the next message of the same conversation")
    message: str
    plan: ExecutionPlan | None = Field(default=None, description="The plan as `GET /v1/plans/{id}` shows it")
    candidates: list[BookingSummary] = Field(default_factory=list, description="Which booking it may be about")
    quick_actions: list[QuickAction] = Field(default_factory=list, description="Messages that would go on from here")
    waits_for: Literal["confirmation", "answer"] | None = None
    where: str | None = None
    reference: str | None = None
    from_people: list[EscalationState] = Field(default_factory=list)


class Answers(StrictModel):
    """What was handed to a person in a conversation, and how each stands."""

    session_id: str
    message: str
    handed: list[EscalationState]


class Bookings(StrictModel):
    """What was found, what is ahead first. `more`: there are, or may be, others."""

    message: str
    bookings: list[BookingSummary]
    more: bool = False

    @field_serializer("bookings")
    def _with_what_is_not_known(self, rows: list[BookingSummary]) -> list[dict[str, Json]]:
        """`cancelled` stays where it is None: left out, it would read as its default, that it is not."""
        return [row.model_dump(mode="json", exclude_none=True) | {"cancelled": row.cancelled} for row in rows]


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a result, in which None fields are left out."""
    schema = model.model_json_schema()
    for one in (schema, *schema.get("$defs", {}).values()):
        nullable = {
            name for name, field in one.get("properties", {}).items() if {"type": "null"} in field.get("anyOf", ())
        }
        if "required" in one:
            one["required"] = [name for name in one["required"] if name not in nullable]
    return schema


LONGEST_WAIT = 45


class ProposeArguments(StrictModel):
    """A message of the operator."""

    message: Message = Field(description="What the operator wants, in their own words; keep names, days and numbers")
    session_id: Identifier | None = Field(
        default=None, description="`session_id` of an earlier answer, to go on with it: to amend its plan, to answer it"
    )
    request_id: Identifier | None = Field(
        default=None, description="An id of your own for this message; send the same one when you send it again"
    )


class PlanArguments(StrictModel):
    """A plan."""

    plan_id: Identifier = Field(description="`plan.plan_id` of an earlier answer")


class LookUpArguments(PlanArguments):
    """A plan, and how long to wait for it."""

    wait_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT, description="Wait up to so long for a running plan to end or to ask"
    )


class ConversationArguments(StrictModel):
    """A conversation, and how long to wait for a person."""

    session_id: Identifier = Field(description="`session_id` of an earlier answer")
    wait_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT, description="Wait up to so long for what a person has not answered yet"
    )


class SkipArguments(PlanArguments):
    """A step of a plan."""

    step: int = Field(ge=1, le=1000, description="The step, counted from 1")


class FindArguments(StrictModel):
    """What bookings are looked for by."""

    query: str = Field(
        min_length=1,
        max_length=200,
        description="A guest's name, e-mail address, phone number, the booking's name or reference; or a day",
    )
