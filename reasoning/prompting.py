"""What all prompts share: their templates (Jinja2, `prompts/`), the transcript, and the two tools that are no
actions."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined, Template

from contracts.base import Json
from contracts.model import ChatMessage, ToolCall

_PROMPTS = Path(__file__).parent / "prompts"

ASK = "ask_operator"
"""The tool that asks the operator one question."""
REFUSE = "cannot_help"
"""The tool that says a request cannot be served."""
ARRANGE = "arrange_steps"
"""The tool that says how the steps of one reply stand to one another."""


def tool(name: str, description: str, required: str, **properties: dict[str, Json]) -> dict[str, Json]:
    """A tool of ours as the chat completions protocol wants it; its properties are JSON Schemas."""
    parameters = {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def text(description: str) -> dict[str, Json]:
    """The schema of a text."""
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
"""Hex digits: enough to tell a template's versions apart."""


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
    """A prompt's template, in which every name must be given."""
    return _environment().get_template(name)


@lru_cache
def source_of(name: str) -> str:
    """A template's text."""
    environment = _environment()
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    return source


@lru_cache
def version(name: str) -> str:
    """A short hash of a template's text: it is another one when a word of it is, whoever deploys it."""
    return hashlib.sha256(source_of(name).encode()).hexdigest()[:_VERSION]


def put_in_place(name: str, source: str) -> None:
    """Use another text for a prompt from now on, in this process alone: to see what would come of it. Raises
    `jinja2.TemplateError`, also for a name that no prompt has."""
    _environment().get_template(name)
    loader = DictLoader({name: source})
    _environment().loader = ChoiceLoader([loader, FileSystemLoader(_PROMPTS)])
    # Each is compiled once: what was compiled before would go on.
    if (compiled := _environment().cache) is not None:
        compiled.clear()
    for kept in (template, source_of, version):
        kept.cache_clear()


def as_openai(message: ChatMessage) -> dict[str, Json]:
    """One transcript message as the chat completions protocol wants it, with whatever else came with it."""
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
