"""An action as the tool that a model sees."""

import json
from typing import Any

from contracts.action import ActionParameter, AtomicAction

Tool = dict[str, Any]
"""A tool as a model maker's API takes it."""


def tool_of(action: AtomicAction) -> Tool:
    """The OpenAI function tool of `action`: only what its overlay exposes, roles in words, formats, examples."""
    return {
        "type": "function",
        "function": {
            "name": action.name,
            "description": description_of(action),
            "parameters": {
                "type": "object",
                "properties": {p.name: {**p.json_schema, "description": parameter_text(p)} for p in action.parameters},
                "required": [p.name for p in action.parameters if p.required],
                "additionalProperties": False,
            },
        },
    }


def description_of(action: AtomicAction) -> str:
    """What the action does, when to use it, and examples of valid calls."""
    parts = [" ".join(action.description.split())]
    if action.when_to_use:
        parts.append(f"Use when: {' '.join(action.when_to_use.split()).rstrip('.')}.")
    if action.require_any:
        parts.append(f"At least one of {', '.join(action.require_any)} is needed.")
    text = " ".join(parts)
    if not action.examples:
        return text
    lines = [f'- "{e.say}" -> {json.dumps(e.call, ensure_ascii=False)}' for e in action.examples]
    return "\n".join([text, "Examples:", *lines])


def parameter_text(parameter: ActionParameter) -> str:
    """What a parameter means, its role in words."""
    role = f"[{parameter.role.words}]" if parameter.role else ""
    return f"{parameter.description} {role}".strip()
