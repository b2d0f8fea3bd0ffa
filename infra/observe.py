"""The one door for what is recorded of calls and plans: each model call, each venue call, each change of a plan, each
span of a request's trace.

What goes through it is masked here, before any sink sees it; Langfuse is a sink, the ledger is another. Without sinks
nothing is worked out.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager as Opened
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

from infra.aside import Aside
from infra.masking import mask
from infra.spans import Span

log = logging.getLogger(__name__)

Kind = Literal["generation", "tool"]
"""A model call, or a venue call."""


CACHED = "input_cached_tokens"
"""Langfuse's name for input tokens that the endpoint has cached; they are not among those of `input`."""

_LAST_WAIT = 5.0
"""Seconds that a process which ends takes at most to work out what is still to be shown."""

_OURS = frozenset({"model", "usage_details", "usage", "outcome", "refused", "version"})
"""Fields that hold nothing from outside. `usage` is the `CallUsage` of a model call, `outcome` the `PlanOutcome` of a
plan: what the ledger keeps. `refused` is the `ErrorType` of a venue call, `version` a prompt's."""

_COUNTED = frozenset({"refused"})
"""What only counters are told."""

Counted = Literal["refusal", "vault_miss", "escalation", "turn", "paced", "no_place", "place_waited", "broken_plan"]
"""What is counted beside calls and plans: a request that was refused (`error_type`), a token that was asked for and is
gone, a message that was handed to a person (`venue`, `reason`), an answered message (`venue`, `came`, seconds), a venue
call that was held back (`venue`, `came`: `waited` with its seconds, or `turned_away`), a message or word for which a
facade had no place (`venue`, `kind`), or that waited for its
place (the same, seconds), a plan that a mistake of ours ended (`venue`)."""


class Observation(Protocol):
    """What a caller may say about a call."""

    def update(self, **fields: Any) -> object:
        """Set input, output, usage, level or status message. A function stands for what it returns, and is called
        only when something is recorded."""


class Sink(Protocol):
    """Where masked observations go. `trace_id` is any text that all observations of one request share."""

    def opened(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Opened[Observation]:
        """A call that begins, and ends with the context."""

    def noted(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """Something that happened at one moment. Must return at once: a workflow waits for it."""

    def flush(self) -> None:
        """Send what is still buffered."""


class Tracer(Sink, Protocol):
    """A sink that shows traces. It is told nothing of what belongs to no request, which has no `trace_id`."""

    def ended(self, trace_id: str, span: Span) -> None:
        """A span that is over. Called in a thread of its own."""


class Counter(Sink, Protocol):
    """A sink that is told only what holds nothing from outside."""

    def counted(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """Something happened once more."""


class _Everywhere:
    """One observation in every sink."""

    def __init__(self, opened: Sequence[Observation], counted: Sequence[Observation]) -> None:
        self._opened = opened
        self._counted = counted

    def update(self, **fields: Any) -> None:
        """Work out what was left open, once, mask it, and record it."""
        for observation in self._counted:
            observation.update(**_ours(fields))
        if not self._opened:
            return
        masked = _masked(fields)
        for observation in self._opened:
            observation.update(**masked)


class Observer:
    """Records in all its sinks; in none, it is silent and free. `counters` are sinks that are told only what holds
    nothing from outside: nothing that was sent or answered is worked out or masked for them."""

    def __init__(self, sinks: Sequence[Tracer] = (), counters: Sequence[Counter] = ()) -> None:
        self._sinks = tuple(sinks)
        self._counters = tuple(counters)
        self._aside = Aside() if self._sinks else None

    @contextmanager
    def observe(self, kind: Kind, name: str, trace_id: str, **fields: Any) -> Iterator[Observation]:
        """One call, from here to the end of the context. Whatever it raises is the caller's own."""
        with ExitStack() as stack:
            sinks = self._sinks if trace_id else ()
            given = _masked(fields) if sinks else {}
            opened = [stack.enter_context(sink.opened(kind, name, trace_id, given)) for sink in sinks]
            ours = _ours(fields)
            counted = [stack.enter_context(one.opened(kind, name, trace_id, ours)) for one in self._counters]
            yield _Everywhere(opened, counted)

    def note(self, name: str, trace_id: str, **fields: Any) -> None:
        """Something that happened at one moment. Never raises: a workflow says it, and must not fail for its record."""
        for sink in self._counters:
            try:
                sink.noted(name, trace_id, _ours(fields))
            except Exception:
                log.exception("%s could not be recorded", name)
        if self._aside is not None and trace_id:
            self._aside.put(partial(self._note, name, trace_id, fields))

    def _note(self, name: str, trace_id: str, fields: Mapping[str, Any]) -> None:
        masked = _masked(fields)
        for sink in self._sinks:
            sink.noted(name, trace_id, masked)

    def spans(self, trace_id: str, spans: Iterable[Span]) -> None:
        """Spans that are over. Never raises, like `note`. What they show is worked out and masked aside, where anything
        is traced at all: a workflow waits for nothing of it."""
        if self._aside is None or not trace_id:
            return
        for span in spans:
            self._aside.put(partial(self._tell, trace_id, span))

    def _tell(self, trace_id: str, span: Span) -> None:
        masked = replace(span, fields=_masked(span.fields))
        for sink in self._sinks:
            sink.ended(trace_id, masked)

    def count(self, what: Counted, seconds: float | None = None, **labels: str) -> None:
        """Something happened once more. Labels are closed sets of words and names of venues."""
        for counter in self._counters:
            counter.counted(what, labels, seconds)

    def flush(self) -> None:
        """Send what is still buffered; call before the process ends."""
        if self._aside is not None:
            self._aside.drain(_LAST_WAIT)
        for sink in (*self._sinks, *self._counters):
            sink.flush()


def _masked(fields: Mapping[str, Any]) -> dict[str, Any]:
    worked_out = {k: v() if callable(v) else v for k, v in fields.items() if k not in _COUNTED}
    return {k: v if k in _OURS else mask(v) for k, v in worked_out.items()}


def _ours(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v() if callable(v) else v for k, v in fields.items() if k in _OURS}


class ThisProcess:
    """Where a workflow's changes are recorded: clients get their observer by hand, a workflow has nobody to hand it
    one. Silent until the process is put together; where it holds several services, those put together last are told, of
    those that are not closed."""

    observer = Observer()
    _open: ClassVar[list[Observer]] = []

    @classmethod
    def begin(cls, observer: Observer) -> None:
        """Tell this one from now on."""
        cls._open.append(observer)
        cls.observer = observer

    @classmethod
    def end(cls, observer: Observer) -> None:
        """Tell this one no more."""
        if observer in cls._open:
            cls._open.remove(observer)
        cls.observer = cls._open[-1] if cls._open else Observer()
