"""Spans of a request's trace, recorded when they end, so that no process holds one open. Every process computes the
same ids from the same request. A span may therefore be sent before its parent, hours later, or twice: it is the same
span."""

import hashlib
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any, Literal

from contracts.trace_context import REQUEST, TraceContext

SpanKind = Literal["span", "generation", "tool", "event"]
"""Of some duration, a model call, a call of an action, or a moment."""


@dataclass(frozen=True, slots=True)
class Span:
    """One span. `key` is unique within its trace, `parent` the key of its parent. `fields` are `input`, `output`,
    `metadata`, `level`, `status_message` and the like; a function is called for its value. `trace_name` is set if the
    trace belongs to no request (`request_name`)."""

    key: str
    name: str
    began: datetime
    ended: datetime
    parent: str = REQUEST
    kind: SpanKind = "span"
    trace_context: TraceContext | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    trace_name: str = ""


def trace_of(trace_id: str) -> str:
    """Return the id of a request's trace in Langfuse and the ledger: 32 hex digits, a hash that reveals nothing."""
    return hashlib.sha256(trace_id.encode()).digest()[:16].hex()


def span_of(trace: str, key: str) -> str:
    """Return the id of a span in a trace (`trace_of`): 16 hex digits."""
    return hashlib.sha256(f"{trace}/{key}".encode()).digest()[:8].hex()


def request_name(trace_id: str) -> str:
    """Return the name of a request's trace: the trace's id, because the caller's own id may hold anything."""
    return f"user_request_{trace_of(trace_id)}"


class CallSite:
    """The current activity: the place of its calls in a trace, and a key for each. `call_id` is the run, the activity
    and its attempt, so that calls of another attempt have other keys."""

    def __init__(self, call_id: str, trace: TraceContext | None) -> None:
        self.trace_context = trace
        self._call_id, self._made = call_id, count(1)

    def next_key(self) -> str:
        """Return the key of the next call."""
        return f"{self._call_id}:{next(self._made)}"


SITE: ContextVar[CallSite | None] = ContextVar("call site", default=None)
"""The activity that the current code runs in; None outside of an activity."""
