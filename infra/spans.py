"""Spans of a request's trace, told when they end: whoever tells one needs to hold nothing open, and every process
works out the same ids from the same request. So a span may be sent before the one above it, hours later, or twice: it
is the same span."""

import hashlib
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any, Literal

from contracts.tracing import REQUEST, TracePlace

SpanKind = Literal["span", "generation", "tool", "event"]
"""Of some length, a model call, a call of an action, or a moment."""


@dataclass(frozen=True, slots=True)
class Span:
    """One span. `key` is its own within its trace, `parent` the key of the one above it. `fields` are `input`,
    `output`, `metadata`, `level`, `status_message` and the like; a function stands for what it returns. `trace_name` is
    told where the trace is none of a request (`request_name`)."""

    key: str
    name: str
    began: datetime
    ended: datetime
    parent: str = REQUEST
    kind: SpanKind = "span"
    place: TracePlace | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    trace_name: str = ""


def trace_of(trace_id: str) -> str:
    """The id of a request's trace, as Langfuse and the ledger have it: 32 hex digits that tell nothing of it."""
    return hashlib.sha256(trace_id.encode()).digest()[:16].hex()


def span_of(trace: str, key: str) -> str:
    """The id of a span in a trace (`trace_of`): 16 hex digits."""
    return hashlib.sha256(f"{trace}/{key}".encode()).digest()[:8].hex()


def request_name(trace_id: str) -> str:
    """The name of a request's trace. The caller's own id may say anything, so it is the trace's."""
    return f"user_request_{trace_of(trace_id)}"


class CallSite:
    """The activity under way: where in a trace its calls belong, and a key for each. `call_id` is the run, the activity
    and its attempt, so that another attempt's calls are others."""

    def __init__(self, call_id: str, place: TracePlace | None) -> None:
        self.place = place
        self._call_id, self._made = call_id, count(1)

    def next_key(self) -> str:
        """The key of its next call."""
        return f"{self._call_id}:{next(self._made)}"


SITE: ContextVar[CallSite | None] = ContextVar("call site", default=None)
"""The activity that the code at hand runs in; None where it runs in none."""
