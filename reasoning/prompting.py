"""What all prompts share: their templates (Jinja2, `prompts/`), the transcript, and the two tools that are no
actions."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from contracts.base import Json
from contracts.model import ChatMessage

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
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
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


def as_openai(message: ChatMessage) -> dict[str, Json]:
    """One transcript message as the chat completions protocol wants it."""
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
