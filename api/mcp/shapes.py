"""The shapes of what tools answer."""

from typing import Any, Literal

from pydantic import BaseModel, Field, field_serializer

from contracts.base import Edge, Json
from contracts.booking import BookingSummary
from contracts.plan import ExecutionPlan
from contracts.quick import QuickAction


class Handed(Edge):
    """What was handed to a person, and what came of it, in words for the operator."""

    reference: str
    status: Literal["waiting", "answered", "lapsed"]
    text: str = ""


class Told(Edge):
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
    from_people: list[Handed] = Field(default_factory=list)


class Answers(Edge):
    """What was handed to a person in a conversation, and how each stands."""

    session_id: str
    message: str
    handed: list[Handed]


class Bookings(Edge):
    """What was found, what is ahead first. `more`: there are, or may be, others."""

    message: str
    bookings: list[BookingSummary]
    more: bool = False

    @field_serializer("bookings")
    def _with_what_is_not_known(self, rows: list[BookingSummary]) -> list[dict[str, Json]]:
        """`cancelled` stays where it is None: left out, it would read as its default, that it is not."""
        return [row.model_dump(mode="json", exclude_none=True) | {"cancelled": row.cancelled} for row in rows]


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The shape of an answer, in which what is None is left out."""
    schema = model.model_json_schema()
    for one in (schema, *schema.get("$defs", {}).values()):
        nullable = {
            name for name, field in one.get("properties", {}).items() if {"type": "null"} in field.get("anyOf", ())
        }
        if "required" in one:
            one["required"] = [name for name in one["required"] if name not in nullable]
    return schema
