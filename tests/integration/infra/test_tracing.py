"""Tracing: what is masked, and that it costs nothing without keys.

Guarantees:
- E-mail addresses, phone numbers and bearer tokens are masked wherever they occur, at any depth, inside JSON inside
  text too.
- Dates, times, prices, booking references and ids made of letters and digits stay readable.
- Masking twice changes nothing, and a value that is not text passes through.
- Code that records a span waits neither for its contents nor for the sink.
- Without keys, or with only one of them, observations are silent and langfuse is never imported.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.base import Json
from infra.config.settings import ROOT
from infra.observability.observer import Observer, ProcessObserver, Span
from infra.redaction.personal_data import mask
from tests.support.tables import for_test_all, table


@table("message, shown", [
    ("mail john@example.com now", "mail [email] now"),
    ("John.Smith+party@mail.example.co.uk", "[email]"),
    ("<anna@esempio.it>, x@y.io", "<[email]>, [email]"),
    ("call 0491 570 156", "call [number]"), ("call 0491570156.", "call [number]."),
    ("+61 491 570 156", "[number]"), ("+61-491-570-156", "[number]"), ("(03) 9123 4567", "([number]"),
    ("tel:+390612345678", "tel:[number]"), ("+1 (415) 555-2671", "[number]"),
    ("on 2026-11-28 call 0491 570 156", "on 2026-11-28 call [number]"),
    ("2026-11-28 0491570156", "[number]"),
    ('{"comments": "first line\\n0491570156"}', '{"comments": "first line\\n[number]"}'),
    ("Authorization: Bearer abc.DEF-123_~+/=", "Authorization: Bearer [token]"), ("bearer  xyz", "Bearer [token]"),
    ("pay to IT60 X054 2811 1010 0000 0123 456", "pay to [account]"), ("DE89370400440532013000.", "[account]."),
    ("a eyJhbGciOiJI.eyJzdWIi.sig-x b", "a [token] b"), ("key sk_live_51HxYzAbCd", "key [key]"),
    ("4111 1111 1111 1111", "[number]"),
])  # fmt: skip
def test_personal_data_is_masked(message: str, shown: str) -> None:
    assert mask(message) == shown


@table("text", [
    "2026-11-28", "2026-11-28 15:00", "2026-11-28T15:00:00+11:00", "2026-11-28T04:00:00.123456Z", "28/11/2026",
    "28/11/2026 15:00", "28.11.2026", "2026-11-28 - 2026-11-29", "from 2026-11-28 12 guests", "15:00", "at 3.30 pm",
    "booking 8231", "ref 1234567", "#82310", "A$1,250.00", "14 kids", "12 to 14",
    "550e8400-e29b-41d4-a716-446655440000", "plan-0f8fad5b-d9cb-469f-a165-70867728950e", "tok-1", "k20261128-ab12cd",
    "@home", "a@b", "",
])  # fmt: skip
def test_what_on_call_needs_stays_readable(text: str) -> None:
    assert mask(text) == text


def test_masking_goes_to_any_depth_and_keeps_the_shape() -> None:
    data: Json = {"a": ["x@y.io", {"b": ("0491 570 156", 3, None, True, 1.5)}], "c": "ok"}

    assert mask(data) == {"a": ["[email]", {"b": ["[number]", 3, None, True, 1.5]}], "c": "ok"}


def test_masking_changes_nothing_that_was_given() -> None:
    data = {"a": ["x@y.io"]}

    mask(data)

    assert data == {"a": ["x@y.io"]}


names = st.from_regex(r"[a-z][a-z0-9._+-]{0,10}[a-z0-9]", fullmatch=True)


@settings(deadline=None)
@given(user=names, domain=st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,5}){1,2}", fullmatch=True), around=st.sampled_from(
    ["{}", "to {} now", '"{}"', "<{}>", "[{}]", "mail:{},", "{};", "\n{}\n", "'{}'"]))  # fmt: skip
def test_no_address_gets_through(user: str, domain: str, around: str) -> None:
    assert domain not in mask(around.format(f"{user}@{domain}"))


@settings(deadline=None)
@given(
    digits=st.from_regex(r"[1-9][0-9]{8,12}", fullmatch=True), plus=st.sampled_from(["+", "0", ""]),
    gap=st.sampled_from(["", " ", "-", "."]), around=st.sampled_from(["{}", "call {} now", '"{}"', "tel:{},",
    "\n{}\n"]),
)  # fmt: skip
def test_no_phone_gets_through(digits: str, plus: str, gap: str, around: str) -> None:
    written = plus + gap.join((digits[:3], digits[3:6], digits[6:]))

    assert mask(around.format(written)) == around.format("[number]")


def _inside(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """No lambda, because Hypothesis searches its source in `sys.modules`, in which another thread may be importing."""
    return st.lists(inner) | st.dictionaries(st.text(), inner)


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), _inside, max_leaves=8))
def test_masking_twice_changes_nothing(data: Json) -> None:
    assert mask(mask(data)) == mask(data)


def test_without_keys_an_observation_is_silent() -> None:
    with Observer().observe("tool", "get_booking", "t-1", input={"a": 1}) as seen:
        assert seen.update(output="x", level="ERROR") is None
    assert Observer().flush() is None


class Counter:
    """A sink that counts, and keeps what it receives."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Any]] = []

    @contextmanager
    def on_call(self, kind: str, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator["Counter"]:
        """See `observe.Sink`."""
        self.shown.append(fields)
        yield self

    def update(self, **fields: Any) -> None:
        """See `observe.Observation`."""
        self.shown.append(fields)


def test_for_a_counter_nothing_that_was_sent_or_answered_is_worked_out() -> None:
    counter, worked_out = Counter(), []
    with Observer(counters=[counter]).observe("tool", "find", "t-1", model="m", input="Emma") as seen:
        seen.update(output=lambda: worked_out.append("output"), usage_details={"input": 3})
    assert counter.shown == [{"model": "m"}, {"usage_details": {"input": 3}}] and worked_out == []


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a.b-" * 250_000, "1 a " * 250_000])
def test_a_long_text_is_masked_in_one_reading(text: str) -> None:
    """A pass that starts again at each letter takes longer than the suite waits for any test."""
    assert mask(text) == text


class Broken:
    """A sink that fails at every call."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_a_sink_that_fails_breaks_nothing_that_a_workflow_notes() -> None:
    assert Observer([Broken()]).note("plan executing", "t-1", metadata={"steps": []}) is None


class Slow:
    """A sink that never finishes a span."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def on_span(self, trace_id: str, span: Span) -> None:
        """See `observe.Tracer`."""
        self.let_go.wait(60)


def test_anyone_tells_a_span_waits_for_nothing() -> None:
    slow, worked_out = Slow(), threading.Event()
    observer, now = Observer([slow]), datetime.now(UTC)
    spans = [Span("a", "a", now, now), Span("b", "b", now, now, fields={"output": worked_out.set})]
    observer.spans("t-1", spans)
    assert not worked_out.is_set()
    slow.let_go.set()
    assert worked_out.wait(60)


def test_without_sinks_no_span_is_worked_out() -> None:
    def spans() -> Iterator[Span]:
        raise AssertionError("looked at")
        yield

    Observer().spans("t-1", spans())


def test_without_keys_an_error_is_the_callers_own() -> None:
    with pytest.raises(KeyError, match="mine"), Observer().observe("tool", "x", ""):
        raise KeyError("mine")


@pytest.mark.parametrize("keys", [{}, *for_test_all({"LANGFUSE_PUBLIC_KEY": "", "LANGFUSE_SECRET_KEY": ""})])
def test_without_keys_langfuse_is_never_imported(keys: dict[str, str]) -> None:
    code = (
        "import sys; from infra.config.settings import Settings; "
        "from infra.observability.langfuse import langfuse_sinks; "
        "from infra.observability.observer import Observer; import clients.services\n"
        "from infra.crypto.keyring import KeyRing\n"
        "t = Observer(langfuse_sinks(Settings(_env_file=None), KeyRing({'k1': bytes(32)})))\n"
        "with t.observe('generation', 'plan', 'x', input='y') as seen: seen.update(output='z')\n"
        "t.flush(); print([m for m in sys.modules if m.split('.')[0] == 'langfuse'])"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LANGFUSE")}

    out = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**clean, **keys}, capture_output=True, text=True, timeout=120
    )

    assert (out.returncode, out.stdout.strip()) == (0, "[]"), out.stderr


def test_what_was_put_together_before_is_reported_again_once_the_later_is_closed() -> None:
    first, later = Observer(), Observer()
    ProcessObserver.begin(first)
    ProcessObserver.begin(later)
    assert ProcessObserver.observer is later
    ProcessObserver.end(later)
    ProcessObserver.end(later)
    assert ProcessObserver.observer is first
    ProcessObserver.end(first)
    assert ProcessObserver.observer not in (first, later)
