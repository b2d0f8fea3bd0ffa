"""What all prompts share: their templates (Jinja2, `prompts/`), the transcript, and the two tools that are not actions.

The brief is their machine-readable part: one JSON object in a fence, at the top. The prose is for models and may be
rewritten freely; the offline planner (`docs/offline-planner.md`) reads only the brief. The first fence counts,
because no external text precedes it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined, Template

from contracts.base import Json
from contracts.chat_completion import ChatMessage, CritiqueRequest, PlanningContext, ToolCall
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile

FENCE = "```"


def planning_brief(
    venue: VenueProfile, now: datetime, reads: Sequence[str], context: PlanningContext, can: Sequence[str]
) -> dict[str, Json]:
    """Return the brief of a planning turn: the clock, the look-ups, what can be changed (in the venue's language),
    bookings found and offered in this chat, the steps of the plan that waits or has just failed, which plan was just
    undone, what was looked up as the model announced, and how many of our questions the open request has had. Empty
    lists are omitted."""
    lists: dict[str, list[Json]] = {
        "look_ups": list(reads),
        "can": list(can),
        "known": [b.model_dump(mode="json", exclude_defaults=True) for b in context.known],
        "offered": [b.model_dump(mode="json", exclude_defaults=True) for b in context.offered],
        "pending": [{"tool": a.action_id, "arguments": a.parameters} for a in context.pending],
        "failed": [{"tool": a.action_id, "arguments": a.parameters} for a in context.failed],
        "taken_back": list(context.undone_bookings),
        "looked_up": list(_looked_up(context.looked_up)),
    }
    fields: dict[str, Json] = {name: rows for name, rows in lists.items() if rows}
    fields |= {"open": context.open} if context.open else {}
    return {"task": "plan", "clock": _clock(venue, now), **fields}


def _looked_up(messages: Sequence[ChatMessage]) -> Iterator[Json]:
    results = {m.tool_call_id: m.content for m in messages}
    for call in (call for m in messages for call in m.tool_calls):
        yield {"tool": call.name, "arguments": call.arguments, "result": results.get(call.id, "")}


def critique_brief(venue: VenueProfile, now: datetime, request: CritiqueRequest) -> dict[str, Json]:
    """Return the brief of a critique: the clock, the planned calls in order, and the reasons for the critique."""
    steps: list[Json] = [{"step": s.step, "tool": s.action_id, "arguments": s.parameters} for s in request.steps]
    judged = request.assessed.assessment
    fields: dict[str, Json] = {"triggers": [t.value for t in request.triggers]}
    fields |= {"missing": list(judged.missing_params)} if judged is not None and judged.missing_params else {}
    fields |= {"confidence": judged.confidence} if judged is not None else {}
    return {"task": "critique", "clock": _clock(venue, now), **fields, "steps": steps}


def executing_brief(venue: VenueProfile, now: datetime, goal: Iterable[PlannedAction]) -> dict[str, Json]:
    """Return the brief of a running plan: the clock, and the confirmed steps in order with their status."""
    steps: list[Json] = [
        {"step": a.step, "tool": a.action_id, "arguments": a.parameters, "status": a.status.value} for a in goal
    ]
    return {"task": "execute", "clock": _clock(venue, now), "steps": steps}


def fenced(brief: Mapping[str, Json]) -> str:
    """Return the brief as it appears in a prompt: a line for each entry, and for each row of a list of objects."""
    lines = [f"{json.dumps(name)}: {_value(value)}" for name, value in brief.items()]
    return f"{FENCE}json\n{{\n" + ",\n".join(lines) + f"\n}}\n{FENCE}"


def _value(value: Json) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)


def _clock(venue: VenueProfile, now: datetime) -> dict[str, Json]:
    hours = venue.opening_hours
    words = {kind: {code: noun.model_dump() for code, noun in own.items()} for kind, own in venue.words.items()}
    return {
        "now": now.strftime("%Y-%m-%d %H:%M"),
        "weekday": now.strftime("%A"),
        "zone": venue.time_zone,
        "locale": venue.locale,
        "country": venue.country,
        "opens": hours.opens.strftime("%H:%M"),
        "closes": hours.closes.strftime("%H:%M"),
        **({"words": words} if words else {}),
    }


_PROMPTS = Path(__file__).parents[1] / "prompts"

ASK = "ask_operator"
"""The tool that asks the operator one question."""
REFUSE = "cannot_help"
"""The tool that says a request cannot be served."""
ARRANGE = "arrange_steps"
"""The tool that declares the dependencies between the steps of one reply."""


def tool(name: str, description: str, required: str, **properties: dict[str, Json]) -> dict[str, Json]:
    """Return a tool of ours in the form of the chat completions protocol; its properties are JSON Schemas."""
    parameters = {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def text(description: str) -> dict[str, Json]:
    """Return the schema of a text."""
    return {"type": "string", "description": description}


BUILTIN_TOOLS: tuple[dict[str, Json], ...] = (
    tool(
        ASK,
        "Ask the operator one short question, because something needed is missing or unclear.",
        "question",
        question=text("The question, in the operator's language."),
        choices={"type": "array", "items": {"type": "string"}, "description": "Set answers, if any."},
    ),
    tool(REFUSE, "Say that this cannot be done here, and what can.", "message", message=text("Said to the operator.")),
)


_VERSION = 12
"""Hex digits: enough to distinguish a template's versions."""


@lru_cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_PROMPTS),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
    )


@lru_cache
def template(name: str) -> Template:
    """Return a prompt's template, in which every name must be given."""
    return _environment().get_template(name)


@lru_cache
def prompt_source(name: str) -> str:
    """Return a template's text."""
    environment = _environment()
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    return source


@lru_cache
def version(name: str) -> str:
    """Return a short hash of a template's text. It changes with every change of the text, and is the same in every
    deploy."""
    return hashlib.sha256(prompt_source(name).encode()).hexdigest()[:_VERSION]


def override_prompt(name: str, source: str) -> None:
    """Replace a prompt's text in this process, to try it out. Raises `jinja2.TemplateError`, also for an unknown prompt
    name."""
    _environment().get_template(name)
    loader = DictLoader({name: source})
    _environment().loader = ChoiceLoader([loader, FileSystemLoader(_PROMPTS)])
    # Templates are cached after compiling, so the old one would stay in use.
    if (compiled := _environment().cache) is not None:
        compiled.clear()
    for kept in (template, prompt_source, version):
        kept.cache_clear()


def as_openai(message: ChatMessage) -> dict[str, Json]:
    """Return one transcript message in the form of the chat completions protocol, with its extra fields."""
    out: dict[str, Json] = {**message.extras, "role": message.role, "content": message.content}
    if message.tool_calls:
        out["tool_calls"] = [_called(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        out["tool_call_id"] = message.tool_call_id
    return out


def _called(call: ToolCall) -> dict[str, Json]:
    written = {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}
    beside = call.extras.get("function")
    function = {**beside, **written} if isinstance(beside, dict) else written
    return {**call.extras, "id": call.id, "type": "function", "function": function}
