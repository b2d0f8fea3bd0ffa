"""The chat completions protocol: parsing of a request body, and the replies in their documented shapes."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

MODEL = "offline-planner"
ASK = "ask_operator"
REFUSE = "cannot_help"
RESOLVE_WHEN = "resolve_when"
FIND_TOOLS = "find_tools"
ARRANGE = "arrange_steps"


class ProtocolError(ValueError):
    """Report that the body is not a chat completion request; the message states what is wrong with it."""


Arguments = dict[str, object]
"""The arguments of a tool call, by parameter."""


@dataclass(frozen=True, slots=True)
class Call:
    """Represent one tool call, made or to be made."""

    name: str
    arguments: Arguments
    id: str = ""


@dataclass(frozen=True, slots=True)
class ProtocolMessage:
    """Represent one message of the transcript."""

    role: str
    content: str = ""
    calls: tuple[Call, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """Hold the planner's reply: text, calls, or both."""

    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """Represent a chat completion request as far as the planner uses it."""

    messages: list[ProtocolMessage]
    tools: list[dict[str, Any]]
    stream: bool = False
    usage_in_stream: bool = False
    model: str = MODEL
    raw_size: int = field(default=0, compare=False)


def read_request(body: bytes) -> Request:
    """Parse a request body. Raises `ProtocolError`."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise ProtocolError("the body is not JSON") from fault
    if not isinstance(data, dict):
        raise ProtocolError("the body must be a JSON object")
    messages = data.get("messages")
    if not isinstance(messages, list) or not messages:
        raise ProtocolError("'messages' must be a list with at least one message")
    tools = data.get("tools")
    if tools is not None and (not isinstance(tools, list) or not tools):
        raise ProtocolError("'tools' must be a list with at least one tool, or be left out")
    options = data.get("stream_options")
    return Request(
        messages=[_message(m) for m in messages],
        tools=[_function(t) for t in tools or ()],
        stream=data.get("stream") is True,
        usage_in_stream=isinstance(options, dict) and options.get("include_usage") is True,
        model=str(data.get("model") or MODEL),
        raw_size=len(body),
    )


def _message(data: object) -> ProtocolMessage:
    if not isinstance(data, dict) or not isinstance(data.get("role"), str):
        raise ProtocolError("each message must be an object with a 'role'")
    calls = data.get("tool_calls") or []
    if not isinstance(calls, list):
        raise ProtocolError("'tool_calls' must be a list")
    return ProtocolMessage(
        role=data["role"],
        content=_content(data.get("content")),
        calls=tuple(_call(c) for c in calls),
        call_id=str(data.get("tool_call_id") or ""),
    )


def _content(content: object) -> str:
    """Return text unchanged, or the text parts of a list of parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(p.get("text", "")) for p in content if isinstance(p, dict))
    raise ProtocolError("'content' must be text or a list of parts")


def _call(data: object) -> Call:
    function = data.get("function") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(function, dict):
        raise ProtocolError("each tool call must hold a 'function'")
    arguments = as_json(str(function.get("arguments") or "{}"))
    name, call_id = str(function.get("name", "")), str(data.get("id", ""))
    return Call(name, arguments if isinstance(arguments, dict) else {}, call_id)


def _function(data: object) -> dict[str, Any]:
    function = data.get("function") if isinstance(data, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise ProtocolError("each tool must hold a 'function' with a 'name'")
    return function


def as_json(text: str) -> object:
    """Return the value of a JSON text, None when it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def completion(request: Request, reply: ModelAnswer, created: int) -> dict[str, Any]:
    """Return the whole answer in one object. `created` is in seconds since 1970."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = _wire_calls(request, reply)
    return {
        **_head("chat.completion", request, reply, created),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(reply)}],
        "usage": _usage(request, reply),
    }


def _head(kind: str, request: Request, reply: ModelAnswer, created: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{_digest(request, reply)}", "object": kind, "created": created, "model": MODEL}


def chunks(request: Request, reply: ModelAnswer, created: int) -> list[str]:
    """Return the same answer as server-sent events, ending in [DONE]."""
    head = _head("chat.completion.chunk", request, reply, created)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if reply.text else None}]
    deltas += [{"content": piece} for piece in _pieces(reply.text)]
    for index, call in enumerate(_wire_calls(request, reply)):
        whole = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": p}}]} for p in _pieces(whole)]
    events = [{**head, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(reply)}]})
    if request.usage_in_stream:
        events.append({**head, "choices": [], "usage": _usage(request, reply)})
    return [*(f"data: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events), "data: [DONE]\n\n"]


def error_body(message: str, kind: str = "invalid_request_error", code: str | None = None) -> dict[str, Any]:
    """Return an error in the protocol's shape."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _pieces(text: str, size: int = 24) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _wire_calls(request: Request, reply: ModelAnswer) -> list[dict[str, Any]]:
    mark = _digest(request, reply)
    return [
        {
            "id": f"call_{mark}_{n}",
            "type": "function",
            "function": {"name": c.name, "arguments": json.dumps(c.arguments, ensure_ascii=False)},
        }
        for n, c in enumerate(reply.calls, 1)
    ]


def _digest(request: Request, reply: ModelAnswer) -> str:
    """Return a digest equal for equal requests, new as the transcript grows: call ids must not repeat within it."""
    text = repr((request.messages, reply))
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _finish(reply: ModelAnswer) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(request: Request, reply: ModelAnswer) -> dict[str, int]:
    """Return the usage, at four bytes a token: no tokenizer is available here."""
    characters = len(reply.text) + sum(len(c.name) + len(json.dumps(c.arguments)) for c in reply.calls)
    read = request.raw_size // 4 + 1
    return {"prompt_tokens": read, "completion_tokens": characters // 4 + 1, "total_tokens": read + characters // 4 + 1}
