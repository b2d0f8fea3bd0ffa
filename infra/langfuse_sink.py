"""Langfuse as a sink of observations: one trace per request (`docs/traces.md`), over OpenTelemetry.

Off and free without keys: langfuse is not even imported. What is told is put into a bounded queue and sent by a thread
of its own: nothing waits for Langfuse, and what it does not take in time is dropped.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from contracts.measures import ACTION_FAILURE, score, scores
from contracts.tracing import REQUEST, step_key
from contracts.usage import PlanOutcome, StepEnd
from infra.keyring import KeyRing
from infra.observe import Kind, Observation, Tracer
from infra.settings import Settings
from infra.span_attributes import attributes_of
from infra.spans import SITE, Span, request_name, span_of, trace_of

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

_SEND_EVERY = 1.0
"""Seconds. What a killed process had not sent is lost."""
_LAST_WAIT = 5.0
"""Seconds that a process which ends waits for Langfuse to take the rest."""
_CLAIMED = "langfuse_trace_id"
"""Langfuse's name, in OpenTelemetry's baggage, for a trace whose root is another span."""

_NEXT: ContextVar[tuple[int, int]] = ContextVar("ids of trace and span that are being sent")


def langfuse_sinks(settings: Settings, ring: KeyRing) -> list[Tracer]:
    """The sink that the settings ask for, if any; `ring` makes pseudonyms of users and sessions."""
    keys = settings.langfuse_public_key and settings.langfuse_secret_key
    return [LangfuseSink(settings, ring)] if keys else []


@cache
def _provider(public_key: str) -> "TracerProvider":
    """Where spans of one Langfuse project go in this process: its client is one a project, too."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import IdGenerator

    class GivenIds(IdGenerator):
        """Ids that were worked out, not drawn."""

        def generate_trace_id(self) -> int:
            return _NEXT.get()[0]

        def generate_span_id(self) -> int:
            return _NEXT.get()[1]

    return TracerProvider(id_generator=GivenIds(), resource=Resource({"service.name": "iq"}))


class _Call:
    """What is said of a call while it lasts."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = dict(fields)

    def update(self, **fields: Any) -> None:
        """See `observe.Observation`."""
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
    def opened(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `observe.Sink`. Sent when it ends, in its place in the trace of its request."""
        site, began, call = SITE.get(), datetime.now(UTC), _Call(fields)
        key = site.next_key() if site is not None else f"{name}:{began.isoformat()}"
        place = site.place if site is not None else None
        try:
            yield call
        except BaseException:
            # Of an error's text and stack, and those of its causes, nothing may be sent.
            call.update(level="ERROR")
            raise
        finally:
            above = place.span if place is not None else REQUEST
            self.ended(trace_id, Span(key, name, began, datetime.now(UTC), above, kind, place, call.fields))

    def noted(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `observe.Sink`. A plan's changes are told by its spans; what it counts for in the key metrics, by scores
        of its trace. What it counts for later replaces what it counted for before."""
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

    def _score(self, trace: str, name: str, value: float, plan_id: str, step: StepEnd | None = None) -> None:
        """One score, of the trace or of one step in it. Its id is worked out, so that it is one however often told."""
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

    def ended(self, trace_id: str, span: Span) -> None:
        """See `observe.Tracer`."""
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
        """See `observe.Sink`. What Langfuse does not take in time is given up: no process stays for it."""
        sending = threading.Thread(target=self._client.flush, daemon=True)
        sending.start()
        sending.join(_LAST_WAIT)


def _below(trace: str, span: Span) -> "Context":
    """Where a span stands: below another one, which may not have been sent yet, or at the top of its trace."""
    from opentelemetry import baggage
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if span.key == REQUEST:
        return Context()
    above = int(span_of(trace, span.parent), 16)
    it = SpanContext(int(trace, 16), above, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    # Langfuse would mark each as the root of what this process does otherwise.
    return baggage.set_baggage(_CLAIMED, trace, set_span_in_context(NonRecordingSpan(it), Context()))


def _nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000) * 1000
