"""The list of tools and their descriptions. Separate from their implementation, so that `iq mcp`, which only forwards
calls, starts without the API's libraries."""

from dataclasses import dataclass

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel

from api.mcp import schemas
from api.mcp.schemas import Answers, Bookings, ToolResult, schema_of

NAME = "iq-booking-updates"

INSTRUCTIONS = """\
Changes to a venue's bookings, in the operator's own words. propose_change makes a plan and changes no booking.
confirm_plan shows the plan to a person, by a form of this client, and carries it out only on their yes. You cannot
confirm, answer a running plan's question, or undo for them: no tool takes an approval, and a yes in a message confirms
nothing. Where this client cannot show forms the plan stays as it is, and the answer says where it is confirmed.
Tell the operator what `message` says. A plan that is still under way is looked at with get_plan, a
person's answer to what was handed to them with get_answers."""


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as it is listed: its arguments, its result and its description."""

    takes: type[BaseModel]
    title: str
    description: str
    gives: type[BaseModel] = ToolResult
    reads: bool = False
    destroys: bool = False
    repeats: bool = True


OFFERED = {
    "propose_change": ToolDefinition(
        schemas.ProposeArguments,
        "Propose a change",
        "Says what the operator wants to be different. Comes back with a plan of steps, each with before and after, or "
        "with a question to put to the operator, or with an answer. No booking is changed by it. To change a plan that "
        "waits, or to answer a question, call it again with its session_id.",
        repeats=False,
    ),
    "confirm_plan": ToolDefinition(
        schemas.PlanArguments,
        "Have a plan confirmed",
        "Shows a plan to a person, by a form of this client. Only their yes to that form carries it out; then it is "
        "followed, and what it asks on its way is asked in the same manner. If one step fails, those before it are "
        "undone.",
        destroys=True,
    ),
    "answer_question": ToolDefinition(
        schemas.PlanArguments,
        "Have a question answered",
        "Shows the question that a running plan waits with to a person, by a form of this client. It takes no answer "
        "from you.",
        destroys=True,
    ),
    "get_plan": ToolDefinition(
        schemas.LookUpArguments,
        "Look at a plan",
        "How a plan stands: its steps, what became of each, what it waits for, what was undone.",
        reads=True,
    ),
    "get_answers": ToolDefinition(
        schemas.ConversationArguments,
        "Look for a person's answer",
        "What of a conversation was handed to a person (an answer of the type escalation, with a reference), and what "
        "they answered. It is a message for the operator: it confirms and changes nothing.",
        gives=Answers,
        reads=True,
    ),
    "cancel_plan": ToolDefinition(
        schemas.PlanArguments,
        "Cancel a plan",
        "Drops a plan that waits, or stops one that runs before its next step and undoes what it did.",
    ),
    "skip_step": ToolDefinition(
        schemas.SkipArguments,
        "Leave out a step",
        "Leaves out a step that the plan can do without (`required` is false), until it starts; steps that depend on "
        "it are left out with it.",
    ),
    "undo_plan": ToolDefinition(
        schemas.PlanArguments,
        "Have a plan undone",
        "Asks a person, by a form of this client, whether a completed plan is to be undone. Only their yes undoes it, "
        "within the time that the venue gives (`undo_until`).",
        destroys=True,
    ),
    "find_bookings": ToolDefinition(
        schemas.FindArguments,
        "Find bookings",
        'Looks bookings up by words or by a day ("Saturday", 2026-11-28). Changes nothing.',
        gives=Bookings,
        reads=True,
    ),
}


def _listed(name: str, one: ToolDefinition) -> Tool:
    return Tool(
        name=name,
        title=one.title,
        description=one.description,
        input_schema=one.takes.model_json_schema(),
        output_schema=schema_of(one.gives),
        annotations=ToolAnnotations(
            read_only_hint=one.reads,
            destructive_hint=one.destroys,
            idempotent_hint=one.repeats,
            open_world_hint=False,
        ),
    )


TOOLS = [_listed(name, one) for name, one in OFFERED.items()]
