"""Peculiarities of real model endpoints, for the offline planner to imitate: `iq sandbox model --like NAME`.

Each changes how an answer is written, or refuses a request as those endpoints do; never what the answer means. A habit
that keeps something between calls derives it from the call's id, so the server still keeps no state. The public reports
of each are in docs/models.md.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]

_KNOWN = {"role", "content", "tool_calls", "tool_call_id", "name"}
_SIMPLE = {"type", "properties", "required", "items", "enum", "description"}


@dataclass(frozen=True)
class Habit:
    """`write` changes an answer's message in place; `refuse` returns why a request is answered 400, "" if it is not."""

    write: Callable[[Message], None] = lambda _: None
    refuse: Callable[[dict[str, Any]], str] = lambda _: ""


def _calls(message: Message) -> list[dict[str, Any]]:
    return list(message.get("tool_calls") or ())


def _signature(call_id: str) -> dict[str, Any]:
    return {"google": {"thought_signature": hashlib.sha256(call_id.encode()).hexdigest()}}


def _sign(message: Message) -> None:
    for call in _calls(message)[:1]:
        call["extra_content"] = _signature(call["id"])


def _unsigned(request: dict[str, Any]) -> str:
    messages = request.get("messages") or []
    last = max((place for place, m in enumerate(messages) if m.get("role") == "user"), default=0)
    for call in (call for m in messages[last:] for call in _calls(m)[:1]):
        if call.get("extra_content") != _signature(call.get("id", "")):
            return "Function call is missing a thought_signature."
    return ""


def _rewrite(change: Callable[[dict[str, Any]], Any]) -> Callable[[Message], None]:
    """Return a writer that replaces the arguments of each call by what `change` returns for them."""

    def write(message: Message) -> None:
        for call in _calls(message):
            call["function"]["arguments"] = change(json.loads(call["function"]["arguments"]))

    return write


def _with(change: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with(change, one) for name, one in value.items()}
    return [_with(change, one) for one in value] if isinstance(value, list) else change(value)


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _as_number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() and str(int(value)) == value else value


def _drop(*names: str) -> Callable[[Message], None]:
    def write(message: Message) -> None:
        for call in _calls(message):
            for name in names:
                call.pop(name, None)

    return write


def _in_parts(message: Message) -> None:
    if message.get("content"):
        message["content"] = [{"type": "text", "text": message["content"]}]


def _think(message: Message) -> None:
    message["content"] = f"They want something changed.</think>\n\n{message.get('content') or ''}"
    message["reasoning_content"] = "They want something changed."


def _name_in_channel(message: Message) -> None:
    for call in _calls(message):
        call["function"]["name"] = f"functions.{call['function']['name']}<|channel|>commentary"


def _keywords(request: dict[str, Any]) -> str:
    unknown = {name for tool in request.get("tools") or () for name in _unknown(tool["function"].get("parameters"))}
    return f"Invalid schema for function: unknown keyword {min(unknown)}" if unknown else ""


def _unknown(schema: Any) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    yield from schema.keys() - _SIMPLE
    if isinstance(schema.get("type"), list):
        yield "type"
    for inside in (*(schema.get("properties") or {}).values(), schema.get("items")):
        yield from _unknown(inside)


def _extra_fields(request: dict[str, Any]) -> str:
    extra = {name for m in request.get("messages") or () for name in m.keys() - _KNOWN}
    return f"property '{min(extra)}' is unsupported" if extra else ""


def _raw_line_breaks(given: dict[str, Any]) -> str:
    return json.dumps(_with(_as_number, given), ensure_ascii=False).replace("\\n", "\n")


LIKE: dict[str, tuple[Habit, ...]] = {
    "gemini": (Habit(_sign, _unsigned),),
    "mistral": (Habit(_drop("type", "id")), Habit(_in_parts)),
    "vllm": (Habit(_think),),
    "ollama": (Habit(_rewrite(lambda given: _with(_as_text, given))),),
    "llamacpp": (Habit(_rewrite(_raw_line_breaks)),),
    "gpt-oss": (Habit(_name_in_channel),),
    "strict": (Habit(refuse=_keywords), Habit(_think, _extra_fields)),
}
"""The habits of endpoints, by the name under which they are known."""


def refusal(like: str, request: dict[str, Any]) -> str:
    """Return why such an endpoint answers a request with 400; "" if it answers it."""
    return next((why for habit in LIKE[like] if (why := habit.refuse(request))), "")


def written(like: str, completion: dict[str, Any]) -> dict[str, Any]:
    """Return the completion as such an endpoint writes it."""
    for habit in LIKE[like]:
        habit.write(completion["choices"][0]["message"])
    return completion
