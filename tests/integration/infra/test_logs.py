"""Log lines (`docs/logs.md`). Guarantees:

- An error is logged by its kinds and places, never by its text, which may quote a person; a pydantic error by the kinds
  of its faults.
- An error that is passed on is logged once, by the code that swallowed it.
- An activity's expected failure is one line without a place; another failure has one.
- A line is masked like a trace; no line has colours unless it goes to a terminal.
- A plan's end is one line, however often it is recorded, and an undo another; at level error where staff must check.
- A repeated swallowed failure is logged once, with its meaning, and once when it works again.
- An outage of Temporal is two lines: when it begins, and when it ends.
"""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from temporalio.exceptions import ApplicationError

from cli.stack import temporal_server
from contracts.enums import ErrorType, PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.usage import StepOutcome
from infra.config.settings import Settings
from infra.observability.logging import OutageLog, handler, hashed, ids_for, logging_context, opaque, remember_request
from infra.observability.observer import Observer
from infra.observability.plan_log import PlanLog
from infra.temporal.client import connect
from infra.temporal.health import TemporalHealth
from registry.errors import TemplateRenderError
from tests.support.ledgers import a_plan
from tests.support.stacks import free_base
from tests.support.waiting import soon

CANARY = "Kanarienvogel"
log = logging.getLogger("a.logger.of.this.test")


class Written:
    def __init__(self, *, as_json: bool) -> None:
        self._stream = io.StringIO()
        self.handler = handler(self._stream, as_json=as_json)

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def written() -> Iterator[Written]:
    yield from _written(as_json=True)


@pytest.fixture
def readable() -> Iterator[Written]:
    yield from _written(as_json=False)


def _written(*, as_json: bool) -> Iterator[Written]:
    one, root = Written(as_json=as_json), logging.getLogger()
    level = root.level
    root.addHandler(one.handler)
    root.setLevel(logging.INFO)
    yield one
    root.removeHandler(one.handler)
    root.setLevel(level)


class Guest(BaseModel):
    age: int


def fails(kind: str) -> None:
    if kind == "pydantic":
        Guest.model_validate({"age": CANARY, CANARY: 1})
    if kind == "template":
        raise TemplateRenderError("edit_note: request.body", f"{CANARY!r} does not fit")
    if kind == "key":
        {}[CANARY]
    try:
        raise ValueError(CANARY)
    except ValueError as error:
        raise RuntimeError(f"about {CANARY}") from error


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("pydantic", "ValidationError of Guest: int_parsing at "),
        ("template", "TemplateRenderError at "),
        ("key", "KeyError at "),
        ("cause", "RuntimeError at tests/integration/infra/test_logs.py:"),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_an_error_is_its_kinds_and_places(kind: str, shown: str, as_json: bool) -> None:
    for one in _written(as_json=as_json):
        try:
            fails(kind)
        except Exception:
            log.exception("what was tried went wrong")
        assert CANARY not in one.text
        assert len(one.text.splitlines()) == 1 and "\x1b" not in one.text
        assert shown in one.text and "tests/integration/infra/test_logs.py" in one.text and "fails" in one.text
        assert ("← ValueError" in one.text) == (kind == "cause")


def test_an_error_that_is_handed_on_is_reported_once(written: Written) -> None:
    for _ in range(2):
        try:
            raise OSError(2, "no such thing", CANARY)
        except OSError as error:
            log.exception("nothing of this is lost: it is tried again")
            logging.getLogger("uvicorn.error").error("Exception in ASGI application", exc_info=error)
    assert [line["event"] for line in written.lines] == ["nothing of this is lost: it is tried again"] * 2
    assert "OSError: no such thing" in written.lines[0]["error"] or "FileNotFoundError" in written.lines[0]["error"]
    assert CANARY not in written.text


@pytest.mark.parametrize("expected", [True, False])
def test_an_activity_that_fails_as_it_may_has_no_place(written: Written, expected: bool) -> None:
    try:
        raise ApplicationError(CANARY, type="model_unavailable") if expected else TypeError(CANARY)
    except Exception:
        about = {"__temporal_error_identifier": "ActivityFailure", "temporal_activity": {"workflow_id": "chat-1"}}
        logging.getLogger("temporalio.activity").warning("Completing activity as failed", exc_info=True, extra=about)
    [line] = written.lines
    assert CANARY not in written.text and line["workflow_id"] == "chat-1"
    assert line["error"] == "model_unavailable" if expected else line["error"].startswith("TypeError at tests/")


def test_a_line_is_masked_like_a_trace_and_its_ids_are_not(written: Written) -> None:
    plan = "12345678-1234-4234-8234-123456789012"
    remember_request(f"plan-{plan}", "somebody@example.com")
    with logging_context(**ids_for(f"plan-{plan}")):
        log.warning(
            "call %s or write to %s", "+61 491 570 313", "kim@example.com", extra={"fields": {"n": ["k@a.org"]}}
        )
    [line] = written.lines
    assert line["event"] == "call [number] or write to [email]" and line["n"] == ["[email]"]
    assert line["plan_id"] == plan and line["request_id"] == hashed("somebody@example.com")
    assert opaque("somebody@example.com") == hashed("somebody@example.com")
    assert opaque(plan) == plan


def test_text_has_no_colour_where_no_one_looks(readable: Written) -> None:
    log.warning("something", extra={"fields": {"outcome": "completed"}})
    assert "\x1b" not in readable.text and "outcome=completed" in readable.text


def test_a_plans_end_is_one_line_and_an_undo_another(written: Written) -> None:
    door = Observer(counters=[PlanLog()])
    steps = (
        StepOutcome(step=1, action="move", status=StepStatus.COMPLETED, seconds=1.23456),
        StepOutcome(step=2, action="note", status=StepStatus.FAILED, error_type=ErrorType.CONFLICT),
    )
    back = {"status": PlanStatus.ROLLED_BACK, "rollback_outcome": RollbackOutcome.COMPLETE}
    partial = {**back, "rollback_outcome": RollbackOutcome.PARTIAL}
    for outcome in (
        a_plan("p0", status=PlanStatus.EXECUTING),
        a_plan("p1", ends=True, settled=True),
        a_plan("p1", ends=True, settled=True),
        a_plan("p1", **back, before=PlanStatus.COMPLETED, rollback_trigger=RollbackTrigger.UNDO, revision=5),
        a_plan("p2", **partial, ends=True, rollback_trigger=RollbackTrigger.FAILURE, steps=steps),
        a_plan("p3", status=PlanStatus.FAILED, ends=True),
    ):
        door.note("plan", outcome.trace_id, outcome=outcome)
    ends = [(line["event"], line["plan_id"], line["level"]) for line in written.lines]
    assert ends == [
        ("a plan ended", "p1", "info"),
        ("a plan was undone", "p1", "info"),
        ("a plan ended", "p2", "error"),
        ("a plan ended", "p3", "warning"),
    ]
    shown = written.lines[2]
    assert (shown["outcome"], shown["rollback"], shown["rollback_outcome"]) == ("rolled_back", "failure", "partial")
    assert (shown["seconds_to_confirm"], shown["seconds"], shown["venue"]) == (30.0, 10.0, "hall")
    assert shown["steps"] == [
        {"step": 1, "action": "move", "status": "completed", "seconds": 1.235},
        {"step": 2, "action": "note", "status": "failed", "error_type": "conflict"},
    ]
    assert shown["request_id"] == hashed("t-p2")


class Looks(TemporalHealth):
    """A health check that counts its checks."""

    made = 0

    async def _why_not(self) -> str:
        found = await super()._why_not()
        self.made += 1
        return found

    async def more(self) -> None:
        """Wait for a few more checks."""
        so_far = self.made

        async def made() -> bool:
            return self.made > so_far + 3

        await soon(made)


async def test_temporals_absence_is_two_lines(written: Written, tmp_path: Path) -> None:
    base = free_base(2)
    config = temporal_server.read_config()
    server = await temporal_server.start(config, tmp_path, port=base, ui_port=base + 1)
    client = await connect(Settings(_env_file=None, data=tmp_path, temporal_address=f"127.0.0.1:{base}"), wait=120)
    watch = Looks(client, every=0.1, timeout=30)
    watch.start()

    def about_it() -> list[str]:
        return [line["event"] for line in written.lines if line["logger"] == "infra.temporal.health"]

    async def shown(lines: int) -> bool:
        return len(about_it()) == lines

    try:
        await watch.more()
        assert about_it() == []
        await server.stop()
        await soon(lambda: shown(1))
        await watch.more()
        server = await temporal_server.start(config, tmp_path, port=base, ui_port=base + 1)
        await soon(lambda: shown(2))
        away, back = about_it()
        assert away.startswith(f"Temporal does not answer at 127.0.0.1:{base} (")
        assert back.startswith(f"Temporal answers again at 127.0.0.1:{base}, after ")
    finally:
        await watch.stop()
        await server.stop()


def test_what_is_swallowed_is_reported_once_with_what_it_means(written: Written) -> None:
    outage = OutageLog(log, "the store", "words are answered 503")
    outage.success()
    for _ in range(3):
        outage.failure("ConnectionError")
    outage.success()
    outage.success()
    outage.failure("TimeoutError")
    assert [line["event"] for line in written.lines] == [
        "the store failed (ConnectionError): words are answered 503",
        "the store works again; 3 calls had failed",
        "the store failed (TimeoutError): words are answered 503",
    ]
