"""What the tools are called with. Nothing here says who calls, and nothing approves."""

from pydantic import Field

from api.bodies import Message
from contracts.base import Edge
from contracts.names import Identifier

LONGEST_WAIT = 45


class Propose(Edge):
    """A message of the operator."""

    message: Message = Field(description="What the operator wants, in their own words; keep names, days and numbers")
    session_id: Identifier | None = Field(
        default=None, description="`session_id` of an earlier answer, to go on with it: to amend its plan, to answer it"
    )
    request_id: Identifier | None = Field(
        default=None, description="An id of your own for this message; send the same one when you send it again"
    )


class OfPlan(Edge):
    """A plan."""

    plan_id: Identifier = Field(description="`plan.plan_id` of an earlier answer")


class Look(OfPlan):
    """A plan, and how long to wait for it."""

    wait_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT, description="Wait up to so long for a running plan to end or to ask"
    )


class Conversation(Edge):
    """A conversation, and how long to wait for a person."""

    session_id: Identifier = Field(description="`session_id` of an earlier answer")
    wait_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT, description="Wait up to so long for what a person has not answered yet"
    )


class SkipOf(OfPlan):
    """A step of a plan."""

    step: int = Field(ge=1, le=1000, description="The step, counted from 1")


class Find(Edge):
    """What bookings are looked for by."""

    query: str = Field(
        min_length=1,
        max_length=200,
        description="A guest's name, e-mail address, phone number, the booking's name or reference; or a day",
    )
