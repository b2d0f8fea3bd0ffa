"""The attributes of a span for Langfuse, and by OpenTelemetry's conventions for generative models (`gen_ai.…`)."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from contracts.base import Json
from contracts.trace_context import TraceContext
from infra.observability.observer import CACHED, Span

_OBSERVATION = "langfuse.observation"
_METADATA = f"{_OBSERVATION}.metadata"
_PLAIN = {"level": "level", "status_message": "status_message", "model": "model.name"}
_AS_JSON = {"input": "input", "output": "output", "usage_details": "usage_details"}
_KEPT_FOR_THE_LEDGER = ("usage", "outcome")
_GEN_AI = {"generation": "chat", "tool": "execute_tool"}

Pseudonym = Callable[..., str]
"""Returns the pseudonym of some names together."""


def attributes_of(span: Span, trace_name: str, pseudonym: Pseudonym) -> dict[str, Any]:
    """Return all attributes of a span, with pseudonyms for user and session."""
    fields: dict[str, Any] = {f"{_OBSERVATION}.type": span.kind, "langfuse.trace.name": trace_name}
    for name, value in span.fields.items():
        if name in _PLAIN:
            fields[f"{_OBSERVATION}.{_PLAIN[name]}"] = value
        elif name in _AS_JSON:
            fields[f"{_OBSERVATION}.{_AS_JSON[name]}"] = value if isinstance(value, str) else _json(value)
    fields["langfuse.version"] = span.fields.get("version")
    fields |= {f"{_METADATA}.{name}": _json(value) for name, value in _metadata(span) if value not in (None, "")}
    if span.trace_context is not None:
        fields |= _whose(span.trace_context, pseudonym)
    return {name: value for name, value in {**fields, **_conventions(span)}.items() if value not in (None, "")}


def _metadata(span: Span) -> Iterator[tuple[str, Json]]:
    """Yield the metadata that Langfuse shows. Includes the ledger's typed fields, except for the request's own id,
    which the caller chose."""
    yield from (span.fields.get("metadata") or {}).items()
    for name in _KEPT_FOR_THE_LEDGER:
        typed = span.fields.get(name)
        if typed is not None:
            yield from typed.model_dump(mode="json", exclude_none=True, exclude={"trace_id"}).items()
    yield "prompt_version", span.fields.get("version")


def _whose(trace: TraceContext, pseudonym: Pseudonym) -> dict[str, Any]:
    fields: dict[str, Any] = {f"{_METADATA}.venue_id": _json(trace.venue_id)}
    if trace.user_id:
        fields["user.id"] = pseudonym(trace.venue_id, trace.user_id)
    if trace.session_id:
        fields["session.id"] = pseudonym("session", trace.venue_id, trace.session_id)
    if trace.plan_id:
        fields[f"{_METADATA}.plan_id"] = _json(trace.plan_id)
    return fields


def _conventions(span: Span) -> dict[str, Any]:
    """Return the attributes by OpenTelemetry's conventions."""
    fields: dict[str, Any] = {"gen_ai.operation.name": _GEN_AI.get(span.kind)}
    if span.kind == "tool":
        fields["gen_ai.tool.name"] = span.name
    if span.kind != "generation":
        return fields
    tokens = span.fields.get("usage_details") or {}
    fields["gen_ai.request.model"] = span.fields.get("model")
    if tokens:
        fields["gen_ai.usage.input_tokens"] = tokens.get("input", 0) + tokens.get(CACHED, 0)
        fields["gen_ai.usage.output_tokens"] = tokens.get("output", 0)
    return fields


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
