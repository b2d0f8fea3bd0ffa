"""The observer of calls and plans: records each model call, each venue call, each change of a plan, and each span of a
request's trace.

Records are masked here, before any sink receives them. Langfuse is one sink, the ledger another. Without sinks
nothing is computed.

Drops records of a plan that were already sent, because a repeated workflow task sends them again.

Spans are recorded when they end, so that no process holds one open. Every process computes the same ids from the same
request. A span may therefore be sent before its parent, hours later, or twice: it is the same span.
"""

import hashlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager as Opened
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import count
from threading import Lock
from typing import Any, ClassVar, Literal, Protocol

from cachetools import FIFOCache

from contracts.trace_context import REQUEST, TraceContext
from infra.redaction.personal_data import mask

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


_KEPT = 10_000
"""The maximum of queued functions; more are dropped."""


class BackgroundThread:
    """A thread that runs fire-and-forget work in sequence."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Callable[[], None]] = queue.Queue(_KEPT)
        threading.Thread(target=self._work, name="aside", daemon=True).start()

    def put(self, work: Callable[[], None]) -> None:
        """Queue a function. Returns at once, and never raises: if the queue is full, the function is dropped."""
        try:
            self._queue.put_nowait(work)
        except queue.Full:
            log.warning("too much waits to be recorded: something is left out")

    def drain(self, timeout: float) -> None:
        """Wait until all queued functions have run, or for `timeout` seconds."""
        until = time.monotonic() + timeout
        while self._queue.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.01)

    def _work(self) -> None:
        while True:
            work = self._queue.get()
            try:
                work()
            except Exception as error:
                # Only the error's type, because its text may quote the record.
                log.error("something could not be recorded: %s", type(error).__name__)
            finally:
                self._queue.task_done()


log = logging.getLogger(__name__)

Kind = Literal["generation", "tool"]
"""A model call, or a venue call."""


CACHED = "input_cached_tokens"
"""Langfuse's name for input tokens that the endpoint has cached; `input` does not include them."""

_LAST_WAIT = 5.0
"""Seconds that an ending process waits at most for spans that are still to be computed."""

_OURS = frozenset({"model", "usage_details", "usage", "outcome", "refused", "version"})
"""Fields without foreign content. `usage` is the `CallUsage` of a model call, `outcome` the `PlanOutcome` of a plan:
the ledger stores both. `refused` is the `ErrorType` of a venue call, `version` a prompt's."""

_COUNTED = frozenset({"refused"})
"""Records that only counters receive."""

Counted = Literal[
    "refusal", "vault_miss", "escalation", "turn", "paced", "no_place", "place_waited", "broken_plan", "model_repair"
]
"""Events that are counted beside calls and plans: a rejected request (`error_type`), a token that was requested but has
expired, an escalated message (`venue`, `reason`), an answered message (`venue`, `came`, seconds), a venue call that the
rate limit delayed (`venue`, `came`: `waited` with its seconds, or `turned_away`), a message or command that admission
control rejected (`venue`, `kind`) or delayed (the same, seconds), a plan that a bug of ours ended (`venue`), a
part of a model's answer that was read although it was written otherwise than the protocol (`kind`)."""


class Observation(Protocol):
    """The fields that a caller records of a call."""

    def update(self, **fields: Any) -> object:
        """Set input, output, usage, level or status message. A function is called for its value only if something is
        recorded."""


class Sink(Protocol):
    """Receives masked observations. `trace_id` is any text that all observations of one request share."""

    def on_call(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Opened[Observation]:
        """Record a call that begins with the context and ends with it."""

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """Record an event of one moment. Must return at once, because a workflow waits for it."""

    def flush(self) -> None:
        """Send what is still buffered."""


class Tracer(Sink, Protocol):
    """A sink that shows traces. It does not receive records without a `trace_id`, which belong to no request."""

    def on_span(self, trace_id: str, span: Span) -> None:
        """Record a span that has ended. Called in a background thread."""


class Counter(Sink, Protocol):
    """A sink that receives only fields without foreign content."""

    def on_count(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """Count an event."""


class _Everywhere:
    """Sends one observation to every sink."""

    def __init__(self, opened: Sequence[Observation], counted: Sequence[Observation]) -> None:
        self._opened = opened
        self._counted = counted

    def update(self, **fields: Any) -> None:
        """Evaluate each function once, mask the result, and record it."""
        for observation in self._counted:
            observation.update(**_ours(fields))
        if not self._opened:
            return
        masked = _masked(fields)
        for observation in self._opened:
            observation.update(**masked)


class Observer:
    """Records in all its sinks. Without sinks it does nothing and costs nothing. `counters` are sinks that receive only
    fields without foreign content: requests and answers are neither computed nor masked for them."""

    def __init__(self, sinks: Sequence[Tracer] = (), counters: Sequence[Counter] = ()) -> None:
        self._sinks = tuple(sinks)
        self._counters = tuple(counters)
        self._background = BackgroundThread() if self._sinks else None

    @contextmanager
    def observe(self, kind: Kind, name: str, trace_id: str, **fields: Any) -> Iterator[Observation]:
        """Record one call, until the end of the context. An exception within it reaches the caller unchanged."""
        with ExitStack() as stack:
            sinks = self._sinks if trace_id else ()
            given = _masked(fields) if sinks else {}
            opened = [stack.enter_context(sink.on_call(kind, name, trace_id, given)) for sink in sinks]
            ours = _ours(fields)
            counted = [stack.enter_context(one.on_call(kind, name, trace_id, ours)) for one in self._counters]
            yield _Everywhere(opened, counted)

    def note(self, name: str, trace_id: str, **fields: Any) -> None:
        """Record an event of one moment. Never raises, because a workflow calls it and must not fail for a record."""
        for sink in self._counters:
            try:
                sink.on_record(name, trace_id, _ours(fields))
            except Exception:
                log.exception("%s could not be recorded", name)
        if self._background is not None and trace_id:
            self._background.put(partial(self._note, name, trace_id, fields))

    def _note(self, name: str, trace_id: str, fields: Mapping[str, Any]) -> None:
        masked = _masked(fields)
        for sink in self._sinks:
            sink.on_record(name, trace_id, masked)

    def spans(self, trace_id: str, spans: Iterable[Span]) -> None:
        """Record spans that have ended. Never raises, like `note`. Their content is computed and masked in a background
        thread, and only with a tracer, so a workflow does not wait for it."""
        if self._background is None or not trace_id:
            return
        for span in spans:
            self._background.put(partial(self._tell, trace_id, span))

    def _tell(self, trace_id: str, span: Span) -> None:
        masked = replace(span, fields=_masked(span.fields))
        for sink in self._sinks:
            sink.on_span(trace_id, masked)

    def count(self, what: Counted, seconds: float | None = None, **labels: str) -> None:
        """Count an event. Labels are closed sets of words, and names of venues."""
        for counter in self._counters:
            counter.on_count(what, labels, seconds)

    def flush(self) -> None:
        """Send what is still buffered; call it before the process ends."""
        if self._background is not None:
            self._background.drain(_LAST_WAIT)
        for sink in (*self._sinks, *self._counters):
            sink.flush()


def _masked(fields: Mapping[str, Any]) -> dict[str, Any]:
    worked_out = {k: v() if callable(v) else v for k, v in fields.items() if k not in _COUNTED}
    return {k: v if k in _OURS else mask(v) for k, v in worked_out.items()}


def _ours(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v() if callable(v) else v for k, v in fields.items() if k in _OURS}


class ProcessObserver:
    """The observer of this process, for workflows, which cannot be passed an object. Does nothing before `begin`. If
    the process runs several services, the latest one that is not closed receives the records."""

    observer = Observer()
    _open: ClassVar[list[Observer]] = []

    @classmethod
    def begin(cls, observer: Observer) -> None:
        """Send records to this observer from now on."""
        cls._open.append(observer)
        cls.observer = observer

    @classmethod
    def end(cls, observer: Observer) -> None:
        """Send no more records to this observer."""
        if observer in cls._open:
            cls._open.remove(observer)
        cls.observer = cls._open[-1] if cls._open else Observer()


_REMEMBERED = 10_000


class Deduplicator:
    """The records that this process has recently received."""

    def __init__(self) -> None:
        self._seen: FIFOCache[tuple[str, int], bool] = FIFOCache(_REMEMBERED)
        self._lock = Lock()

    def is_new(self, plan_id: str, revision: int) -> bool:
        """Return whether the record is received for the first time."""
        this = (plan_id, revision)
        with self._lock:
            if this in self._seen:
                return False
            self._seen[this] = True
            return True
