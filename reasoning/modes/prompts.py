"""What all prompts share: their templates (Jinja2, `prompts/`), the transcript, and the two tools that are not
actions."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined, Template

from contracts.base import Json
from contracts.chat_completion import ChatMessage, ToolCall

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
