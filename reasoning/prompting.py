"""What all prompts share: their templates (Jinja2, `prompts/`), the transcript, and the two tools that are no
actions."""

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
