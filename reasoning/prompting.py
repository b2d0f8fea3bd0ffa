"""What a model is told: the system prompts (Jinja2, `prompts/`) and the two tools that are not actions."""

from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from contracts.base import Json
from contracts.model import ChatMessage, PlanningContext
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile
from reasoning.brief import executing_brief, fenced, planning_brief

ASK = "ask_operator"
"""The tool that asks the operator one question."""
REFUSE = "cannot_help"
"""The tool that says a request cannot be served."""
RESOLVE_WHEN = "resolve_when"
"""The look-up that works out what a phrase about days and times means at this venue."""

RESOLVE_WHEN_TOOL: dict[str, Json] = {
    "type": "function",
    "function": {
        "name": RESOLVE_WHEN,
        "description": (
            "Look up which day and time the operator's own words mean at this venue, instead of counting days "
            "yourself. Runs at once, like the other look-ups. Tells when the words are vague, ambiguous or not "
            "understood: then ask the operator."
        ),
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "The phrase exactly as the operator wrote it."}},
            "required": ["text"],
            "additionalProperties": False,
        },
    },
}

BUILTIN_TOOLS: tuple[dict[str, Json], ...] = (
    {
        "type": "function",
        "function": {
            "name": ASK,
            "description": "Ask the operator one short question, because something needed is missing or unclear.",
            "parameters": {
                "type": "object",
                "properties": {
                    "question": {"type": "string", "description": "The question, in the operator's language."},
                    "choices": {"type": "array", "items": {"type": "string"}, "description": "Set answers, if any."},
                },
                "required": ["question"],
                "additionalProperties": False,
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": REFUSE,
            "description": "Say that this cannot be done here, and what can.",
            "parameters": {
                "type": "object",
                "properties": {"message": {"type": "string", "description": "Said to the operator."}},
                "required": ["message"],
                "additionalProperties": False,
            },
        },
    },
)


def executing_tools() -> tuple[dict[str, Json], ...]:
    """The same two tools for a plan that is carried out: a question then says which parameter its answer fills."""
    ask, refuse = deepcopy(BUILTIN_TOOLS)
    ask["function"]["parameters"]["properties"]["parameter"] = {
        "type": "string",
        "description": "Name of the parameter that the answer is for. The operator is shown it.",
    }
    return ask, refuse


@lru_cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
    )


@lru_cache
def _template(name: str) -> Template:
    return _environment().get_template(name)


def planning_prompt(
    venue: VenueProfile, now: datetime, reads: list[str], context: PlanningContext, others: str = "",
    can: Sequence[str] = (),
) -> str:  # fmt: skip
    """The system prompt of a planning turn. `now` is local to the venue; `others` lists actions whose schemas are not
    sent, a line each; `can` names what can be changed, in the venue's language."""
    brief = fenced(planning_brief(venue, now, reads, context, can))
    return _template("plan.j2").render(
        venue=venue, brief=brief, context=context, others=others, can=can, ask=ASK, refuse=REFUSE
    )


def executing_prompt(venue: VenueProfile, now: datetime, intent: str, goal: tuple[PlannedAction, ...]) -> str:
    """The system prompt of a plan being carried out."""
    brief = fenced(executing_brief(venue, now, goal))
    return _template("execute.j2").render(venue=venue, brief=brief, intent=intent, ask=ASK, refuse=REFUSE)


def as_openai(message: ChatMessage) -> dict[str, Json]:
    """One transcript message as the chat completions protocol wants it."""
    import json

    out: dict[str, Json] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        out["tool_calls"] = [
            {
                "id": c.id,
                "type": "function",
                "function": {"name": c.name, "arguments": json.dumps(c.arguments, ensure_ascii=False)},
            }
            for c in message.tool_calls
        ]
    if message.tool_call_id is not None:
        out["tool_call_id"] = message.tool_call_id
    return out
