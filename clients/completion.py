"""Reads a chat completion, from whatever an endpoint that says it speaks OpenAI's protocol sends.

What an endpoint writes otherwise than the protocol, and can mean in one way only, is repaired; each repair has a name
(`repairs`) and is counted. What cannot be repaired is a problem of its call, worded for the model. A body
without a message is `NoCompletionError`. The sources of the habits are in docs/models.md.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from uuid import uuid4

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ModelReply, ToolCall
from reasoning.critique.assessment import THOUGHT
from reasoning.modes.json_repair import loose_objects

Repair = Literal[
    "stream",
    "content_parts",
    "thoughts",
    "refusal",
    "function_call",
    "call_shape",
    "call_type",
    "call_name",
    "call_id",
    "arguments_object",
    "arguments_empty",
    "arguments_json",
]
"""The kinds of repairs, as they are counted."""

_MESSAGE = frozenset({"role", "content", "refusal", "annotations", "audio", "function_call", "tool_calls"})
_CALL = frozenset({"id", "type", "function"})
_FUNCTION = frozenset({"name", "arguments"})
"""The fields that the protocol defines. The others go back to the endpoint as they came."""

_END_OF_THOUGHT = re.compile(r"\A(?:(?!<\s*think).)*?<\s*/\s*(?:think|thinking|thought)\s*>", re.IGNORECASE | re.DOTALL)
"""Some servers drop the opening tag, because it is part of their prompt."""
_CHANNEL = re.compile(r"\A(?:functions\.|assistant<\|channel\|>)|<\|.*\Z", re.DOTALL)
"""What remains of gpt-oss's own format around a name."""


class NoCompletionError(ValueError):
    """The body is no completion. The message has no text of the body; `usage`: see `usage_of`."""

    def __init__(self, why: str, usage: tuple[int, int, int] | None = None) -> None:
        super().__init__(why)
        self.usage = usage


def read_completion(body: bytes, model: str) -> tuple[ModelReply, tuple[str, ...]]:
    """Return the reply in a response body, its calls not yet checked, and the kinds of what was read although it was
    written otherwise than the protocol. `model` is the name it was asked for. Raises `NoCompletionError`."""
    repairs: list[Repair] = []
    document = _document(body, repairs)
    spent = usage_of(document)
    message, finish = _message(document)
    made = list(_calls(message, repairs))
    taken = made[: limits.CALLS]
    beside = [_beside(call, _CALL) | {"function": _beside(call["function"], _FUNCTION)} for call in taken]
    *extras, own = limits.extras(*beside, _beside(message, _MESSAGE))
    known: set[str] = set()
    calls = [
        ToolCall(**_read_call(call, known, repairs, cut_off=finish == "length"), extras=rest)
        for call, rest in zip(taken, extras, strict=True)
    ]
    if len(made) > limits.CALLS:
        text = f"You made {len(made)} calls in one reply: make at most {limits.CALLS}."
        calls = [call.model_copy(update={"problems": (text,)}) for call in calls]
    named = document.get("model")
    prompt, out, cached = spent or (0, 0, 0)
    reply = ModelReply(
        text=limits.sanitize_text(_text(message, repairs), limits.TEXT),
        tool_calls=tuple(calls),
        model=limits.sanitize_text(named if isinstance(named, str) and named else model, limits.NAME),
        input_tokens=prompt,
        output_tokens=out,
        cached_tokens=cached,
        extras=own,
    )
    return reply, tuple(repairs)


def usage_of(document: Json) -> tuple[int, int, int] | None:
    """Return (input, output, cached tokens) as the endpoint reports them; 0 for an invalid count, None if there is no
    valid one. Usage is not part of the answer, so invalid usage fails no call. Cached tokens are capped at the input.
    """
    usage = _dict(_dict(document).get("usage"))
    prompt, out = (limits.parse_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    if prompt is None and out is None:
        return None
    cached = limits.parse_count(_dict(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return prompt or 0, out or 0, min(cached or 0, prompt or 0)


def _document(body: bytes, repairs: list[Repair]) -> dict[str, Json]:
    if body.lstrip()[:5] == b"data:":
        repairs.append("stream")
        return _assembled(body)
    try:
        document = limits.parse_json(body, limits.ANSWER_DEPTH)
    except ValueError as error:
        why = "nested too deep" if isinstance(error, limits.TooDeepError) else "not JSON"
        raise NoCompletionError(f"the body is {why}") from None
    if not isinstance(document, dict):
        raise NoCompletionError("the body is not an object")
    return document


def _message(document: dict[str, Json]) -> tuple[dict[str, Json], Json]:
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        why = "the body is an error" if document.get("error") else "the body has no message"
        raise NoCompletionError(why, usage_of(document))
    return message, first.get("finish_reason")


def _assembled(body: bytes) -> dict[str, Json]:
    """Return the completion whose chunks were streamed although no stream was asked for."""
    message: dict[str, Any] = {"role": "assistant"}
    calls: dict[Json, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    finish: Json = None
    begun = False
    for line in body.decode("utf-8", "replace").splitlines():
        if not line.startswith("data:") or line[5:].strip() == "[DONE]":
            continue
        try:
            chunk = _dict(limits.parse_json(line[5:], limits.ANSWER_DEPTH))
        except ValueError:
            raise NoCompletionError("a chunk of the stream is not JSON") from None
        whole |= {name: value for name, value in chunk.items() if name != "choices" and value is not None}
        for choice in _list(chunk.get("choices"))[:1]:
            begun, finish = True, _dict(choice).get("finish_reason") or finish
            delta = _dict(_dict(choice).get("delta"))
            for number, call in enumerate(_list(delta.pop("tool_calls", None))):
                _append(calls.setdefault(str(_dict(call).get("index", number)), {}), _dict(call))
            _append(message, delta)
    if calls:
        message["tool_calls"] = list(calls.values())
    return {**whole, "choices": [{"message": message, "finish_reason": finish}] if begun else []}


def _append(to: dict[str, Any], delta: dict[str, Json]) -> None:
    """Add a chunk: texts are continued, objects are merged, all else is replaced."""
    for name, value in delta.items():
        if isinstance(value, dict):
            _append(to.setdefault(name, {}) if isinstance(to.get(name, {}), dict) else to, value)
        elif isinstance(value, str) and isinstance(to.get(name), str) and name not in ("role", "id", "type"):
            to[name] += value
        elif value is not None:
            to[name] = value


def _text(message: dict[str, Json], repairs: list[Repair]) -> str:
    """Return the text for the operator: without thoughts, and with a refusal in place of no text."""
    content, refusal = message.get("content"), message.get("refusal")
    text = content if isinstance(content, str) else ""
    if isinstance(content, list | dict):
        repairs.append("content_parts")
        parts = [_dict(part) for part in (content if isinstance(content, list) else [content])]
        text = "".join(_part_text(part) for part in parts)
    plain = THOUGHT.sub("", _END_OF_THOUGHT.sub("", text))
    if plain != text:
        repairs.append("thoughts")
    if not plain.strip() and isinstance(refusal, str) and refusal:
        repairs.append("refusal")
        return refusal
    return plain


def _part_text(part: Mapping[str, Json]) -> str:
    if part.get("type") in ("thinking", "reasoning"):
        return ""
    value = part.get("text", part.get("refusal", ""))
    nested = _dict(value).get("value") if isinstance(value, dict) else value
    return nested if isinstance(nested, str) else ""


def _calls(message: dict[str, Json], repairs: list[Repair]) -> Iterator[dict[str, Any]]:
    """Yield the calls of functions, each as {"id", "type", "function", …}."""
    listed = message.get("tool_calls")
    made = [listed] if isinstance(listed, dict) else _list(listed)
    if not made and isinstance(message.get("function_call"), dict):
        repairs.append("function_call")
        made = [{"type": "function", "id": "", "function": message["function_call"]}]
    for call in made:
        if not isinstance(call, dict):
            repairs.append("call_shape")
            continue
        if call.get("type") not in ("function", None, ""):
            continue
        if call.get("type") != "function":
            repairs.append("call_type")
        if isinstance(call.get("function"), dict):
            yield call
            continue
        repairs.append("call_shape")
        yield _beside(call, _FUNCTION) | {"function": {name: call[name] for name in _FUNCTION if name in call}}


def _read_call(call: dict[str, Any], known: set[str], repairs: list[Repair], *, cut_off: bool) -> dict[str, Any]:
    """Return the fields of one call. `known` are the ids of the calls before it."""
    function: dict[str, Json] = call["function"]
    written = function.get("name")
    name = _CHANNEL.sub("", written).strip() if isinstance(written, str) else ""
    if name != written:
        repairs.append("call_name")
    given = call.get("id")
    own = limits.sanitize_text(given, limits.ID) if isinstance(given, str) else ""
    if not own or own in known:
        repairs.append("call_id")
        own = f"call_{uuid4().hex[:12]}"
    known.add(own)
    arguments, problems = _read_arguments(function.get("arguments"), repairs)
    if problems and cut_off:
        problems = ["Your reply was cut off at its length limit: make fewer calls, with shorter values."]
    return {"id": own, "name": limits.sanitize_text(name, limits.NAME), "arguments": arguments, "problems": problems}


def _read_arguments(raw: Json, repairs: list[Repair]) -> tuple[dict[str, Json], list[str]]:
    """Return (arguments, problems) of a call; no arguments when there is a problem."""
    if isinstance(raw, dict):
        repairs.append("arguments_object")
    elif raw is None or raw == "":
        repairs.append("arguments_empty")
        raw = {}
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
    arguments, problems = limits.parse_arguments(text)
    if problems and len(text) <= limits.ARGUMENT_BYTES:
        repaired = _repaired(text)
        if repaired is not None:
            arguments, problems = limits.parse_arguments(json.dumps(repaired, ensure_ascii=False))
            repairs.append("arguments_json")
    return arguments, problems


def _repaired(text: str) -> dict[str, Json] | None:
    """Return the object in a text that is nearly JSON: with raw line breaks in strings, in a fence, with comments or an
    extra comma, or encoded twice. None if it can be read in no way, or has something else beside one object."""
    try:
        value = json.loads(text, strict=False)
        if isinstance(value, str):
            value = json.loads(value, strict=False)
    except (ValueError, RecursionError):
        bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
        found = list(loose_objects(bare)) if bare[:1] == "{" and bare[-1:] == "}" else []
        value = found[0] if len(found) == 1 else None
    return value if isinstance(value, dict) else None


def _beside(part: Mapping[str, Json], defined: frozenset[str]) -> dict[str, Json]:
    return {name: value for name, value in part.items() if name not in defined}


def _dict(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Any]:
    return value if isinstance(value, list) else []
