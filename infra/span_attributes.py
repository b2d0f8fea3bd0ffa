"""A span as Langfuse and OpenTelemetry's conventions for generative models (`gen_ai.…`) name it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from contracts.base import Json
from contracts.tracing import TracePlace
from infra.observe import CACHED
from infra.spans import Span

_OBSERVATION = "langfuse.observation"
_METADATA = f"{_OBSERVATION}.metadata"
_PLAIN = {"level": "level", "status_message": "status_message", "model": "model.name"}
_AS_JSON = {"input": "input", "output": "output", "usage_details": "usage_details"}
_KEPT_FOR_THE_LEDGER = ("usage", "outcome")
_GEN_AI = {"generation": "chat", "tool": "execute_tool"}

Pseudonym = Callable[..., str]
"""What stands for some names together."""


def attributes_of(span: Span, trace_name: str, pseudonym: Pseudonym) -> dict[str, Any]:
    """All attributes of a span. User and session stand in it by their pseudonyms."""
    told: dict[str, Any] = {f"{_OBSERVATION}.type": span.kind, "langfuse.trace.name": trace_name}
    for name, value in span.fields.items():
        if name in _PLAIN:
            told[f"{_OBSERVATION}.{_PLAIN[name]}"] = value
        elif name in _AS_JSON:
            told[f"{_OBSERVATION}.{_AS_JSON[name]}"] = value if isinstance(value, str) else _json(value)
    told["langfuse.version"] = span.fields.get("version")
    told |= {f"{_METADATA}.{name}": _json(value) for name, value in _metadata(span) if value not in (None, "")}
    if span.place is not None:
        told |= _whose(span.place, pseudonym)
    return {name: value for name, value in {**told, **_conventions(span)}.items() if value not in (None, "")}


def _metadata(span: Span) -> Iterator[tuple[str, Json]]:
    """What Langfuse shows beside; what is typed for the ledger is told here, but for the request's own id, which is the
    caller's."""
    yield from (span.fields.get("metadata") or {}).items()
    for name in _KEPT_FOR_THE_LEDGER:
        typed = span.fields.get(name)
        if typed is not None:
            yield from typed.model_dump(mode="json", exclude_none=True, exclude={"trace_id"}).items()
    yield "prompt_version", span.fields.get("version")


def _whose(place: TracePlace, pseudonym: Pseudonym) -> dict[str, Any]:
    told: dict[str, Any] = {f"{_METADATA}.venue_id": _json(place.venue_id)}
    if place.user_id:
        told["user.id"] = pseudonym(place.venue_id, place.user_id)
    if place.session_id:
        told["session.id"] = pseudonym("session", place.venue_id, place.session_id)
    if place.plan_id:
        told[f"{_METADATA}.plan_id"] = _json(place.plan_id)
    return told


def _conventions(span: Span) -> dict[str, Any]:
    """OpenTelemetry's names."""
    told: dict[str, Any] = {"gen_ai.operation.name": _GEN_AI.get(span.kind)}
    if span.kind == "tool":
        told["gen_ai.tool.name"] = span.name
    if span.kind != "generation":
        return told
    tokens = span.fields.get("usage_details") or {}
    told["gen_ai.request.model"] = span.fields.get("model")
    if tokens:
        told["gen_ai.usage.input_tokens"] = tokens.get("input", 0) + tokens.get(CACHED, 0)
        told["gen_ai.usage.output_tokens"] = tokens.get("output", 0)
    return told


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
