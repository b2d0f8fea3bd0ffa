"""Langfuse as a sink of observations: one trace per request (`docs/traces.md`), over OpenTelemetry.

Without keys it is off, and langfuse is not even imported. Records go into a bounded queue and are sent by a background
thread, so nothing waits for Langfuse. Records that Langfuse does not accept in time are dropped.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from contracts.metrics import ACTION_FAILURE, score, scores
from contracts.trace_context import REQUEST, step_key
from contracts.usage import PlanOutcome, StepOutcome
from infra.config.settings import Settings
from infra.crypto.keyring import KeyRing
from infra.observability.observer import SITE, Kind, Observation, Span, Tracer, request_name, span_of, trace_of
from infra.observability.span_attributes import attributes_of

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

_SEND_EVERY = 1.0
"""Seconds. A killed process loses what it had not sent."""
_LAST_WAIT = 5.0
"""Seconds that an ending process waits for Langfuse to accept the rest."""
_CLAIMED = "langfuse_trace_id"
"""Langfuse's name, in OpenTelemetry's baggage, for a trace whose root is another span."""

_NEXT: ContextVar[tuple[int, int]] = ContextVar("ids of trace and span that are being sent")


def langfuse_sinks(settings: Settings, ring: KeyRing) -> list[Tracer]:
    """Return the sinks for these settings: one, or none without keys. `ring` makes pseudonyms of users and sessions."""
    keys = settings.langfuse_public_key and settings.langfuse_secret_key
    return [LangfuseSink(settings, ring)] if keys else []


@cache
def _provider(public_key: str) -> "TracerProvider":
    """Return the tracer provider of a Langfuse project in this process: one per project, as for Langfuse's client."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import IdGenerator

    class GivenIds(IdGenerator):
        """Generates ids that are computed, not random."""

        def generate_trace_id(self) -> int:
            return _NEXT.get()[0]

        def generate_span_id(self) -> int:
            return _NEXT.get()[1]

    return TracerProvider(id_generator=GivenIds(), resource=Resource({"service.name": "iq"}))


class _CallSpan:
    """Collects the fields of a call while it lasts."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = dict(fields)

    def update(self, **fields: Any) -> None:
        """See `Observation`."""
        self.fields |= fields


class LangfuseSink:
    """Sends spans to Langfuse."""

    def __init__(self, settings: Settings, ring: KeyRing) -> None:
        from langfuse import Langfuse

        assert settings.langfuse_public_key is not None
        provider = _provider(settings.langfuse_public_key)
        self._client = Langfuse(
            public_key=settings.langfuse_public_key,
            secret_key=settings.langfuse_secret_key,
            host=settings.langfuse_host,
            tracer_provider=provider,
            should_export_span=lambda _: True,
            flush_interval=_SEND_EVERY,
        )
        self._tracer = provider.get_tracer("iq")
        self._ring = ring

    @contextmanager
    def on_call(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `Sink`. The call is sent when it ends, at its place in the trace of its request."""
        site, began, call = SITE.get(), datetime.now(UTC), _CallSpan(fields)
        key = site.next_key() if site is not None else f"{name}:{began.isoformat()}"
        trace = site.trace_context if site is not None else None
        try:
            yield call
        except BaseException:
            # An error's text and stack, and those of its causes, must not be sent.
            call.update(level="ERROR")
            raise
        finally:
            above = trace.span if trace is not None else REQUEST
            self.on_span(trace_id, Span(key, name, began, datetime.now(UTC), above, kind, trace, call.fields))

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `Sink`. Spans show a plan's changes; scores of its trace show its key metrics. A later score replaces an
        earlier one."""
        outcome = fields.get("outcome")
        if not isinstance(outcome, PlanOutcome) or not outcome.settled:
            return
        trace = trace_of(trace_id)
        for measure, value in scores(outcome).items():
            self._score(trace, measure, value, outcome.plan_id)
        for step in outcome.steps:
            failed = score(ACTION_FAILURE, step)
            if failed is not None:
                self._score(trace, ACTION_FAILURE.name, failed, outcome.plan_id, step)

    def _score(self, trace: str, name: str, value: float, plan_id: str, step: StepOutcome | None = None) -> None:
        """Send one score, of the trace or of one step in it. Its id is computed, so that a repeated score stays one
        score."""
        key = step_key(step.step) if step is not None else REQUEST
        self._client.create_score(
            name=name,
            value=value,
            trace_id=trace,
            observation_id=span_of(trace, key) if step is not None else None,
            score_id=span_of(trace, f"{plan_id}/{key}/{name}"),
            data_type="NUMERIC",
            metadata={"plan_id": plan_id} | ({"action_id": step.action} if step is not None else {}),
        )

    def on_span(self, trace_id: str, span: Span) -> None:
        """See `Tracer`."""
        trace = trace_of(trace_id)
        name = span.trace_name or request_name(trace_id)
        ids = _NEXT.set((int(trace, 16), int(span_of(trace, span.key), 16)))
        try:
            sent = self._tracer.start_span(
                span.name,
                context=_below(trace, span),
                attributes=attributes_of(span, name, lambda *names: self._ring.pseudonyms(*names)[0]),
                start_time=_nanoseconds(span.began),
            )
            sent.end(_nanoseconds(max(span.began, span.ended)))
        finally:
            _NEXT.reset(ids)

    def flush(self) -> None:
        """See `Sink`. Drops what Langfuse does not accept in time, because no process waits for it."""
        sending = threading.Thread(target=self._client.flush, daemon=True)
        sending.start()
        sending.join(_LAST_WAIT)


def _below(trace: str, span: Span) -> "Context":
    """Return the context of a span: below its parent, which may not have been sent yet, or at the top of its trace."""
    from opentelemetry import baggage
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if span.key == REQUEST:
        return Context()
    above = int(span_of(trace, span.parent), 16)
    it = SpanContext(int(trace, 16), above, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    # Otherwise Langfuse marks each as a root of this process's own trace.
    return baggage.set_baggage(_CLAIMED, trace, set_span_in_context(NonRecordingSpan(it), Context()))


def _nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000) * 1000
