"""A ledger that is stalled, dead, locked or full. Guarantees:

- Recording waits for nothing, and fails no caller.
- Records made meanwhile are written once the ledger works again, once.
- On a machine so busy that many records take longer than a transaction may, they are written in smaller transactions.
- Beyond the capacity records are dropped, with one line in the log.
- A query gets an error while the server is still stalled, and so do many concurrent ones.
- The error of a write says whether it may have been made: once a commit was sent without an answer, it may take effect
  at any time; where none was sent, none is sent afterwards.
- A process ends though the ledger accepts nothing.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from cli.commands.usage import _show_or_switch
from clients.modes import Modes
from contracts.enums import AiMode
from infra.errors import DependencyUnavailableError
from infra.ledger import writer_thread
from infra.ledger.database import Database
from infra.ledger.mode_overrides import switch, toggles
from infra.ledger.reports import report
from tests.integration.ledger.test_usage import ALWAYS, shown
from tests.support.ledgers import Books, Line, a_call, a_database, a_ledger, a_plan, a_url
from tests.support.waiting import soon

PATIENCE = 60
"""Seconds. Pauses of the writer grow to 15 s only after many failures."""


@pytest.fixture
def line() -> Iterator[tuple[Line, str]]:
    """A connection to a database that the test can stall, and the database's own address."""
    with a_database() as url:
        between = Line()
        yield between, url
        between.go_on()
        between.cut()


async def test_a_stalled_postgresql_delays_no_one_and_gets_all_of_it_later(line: tuple[Line, str]) -> None:
    between, url = line
    with a_ledger(between.through(url)) as ledger, a_ledger(url) as beside:
        books = Books(ledger)
        books.call(a_call("c0"), tokens=(1, 0, 1))
        assert books.writer.flush(PATIENCE)
        between.stall()
        for number in range(500):
            books.call(a_call(f"c{number}"), tokens=(1, 0, 1))
            books.plan(a_plan(f"p{number}"))
        assert not books.writer.flush(0.3)

        between.go_on()
        assert await asyncio.to_thread(books.writer.flush, PATIENCE)
        assert (shown(beside).total.calls, shown(beside).all_plans.plans) == (500, 500)
        books.writer.close()


async def test_who_asks_a_stalled_postgresql_is_reported_in_time(line: tuple[Line, str]) -> None:
    between, url = line
    with a_ledger(between.through(url)) as ledger:
        await ledger.ask(lambda connection: report(connection, "mode", *ALWAYS), PATIENCE)
        between.stall()
        asked = [ledger.ask(lambda c: c.execute(text("SELECT 1")).scalar(), 0.5) for _ in range(12)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(answer) for answer in answers} == {DependencyUnavailableError}

        between.go_on()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    assert await ledger.ask(lambda c: c.execute(text("SELECT 1")).scalar(), 3) == 1
                    break
                except DependencyUnavailableError:
                    await asyncio.sleep(0.1)


async def test_the_threads_of_a_stalled_postgresql_come_free(line: tuple[Line, str]) -> None:
    """Its connections stay open, and no time-out of the protocol ends the waiting calls."""
    between, url = line
    with a_ledger(between.through(url)) as ledger:
        ledger.run(lambda connection: None, PATIENCE)
        between.stall()
        with pytest.raises(DependencyUnavailableError):
            await asyncio.to_thread(ledger.run, lambda c: c.execute(text("SELECT 1")).scalar(), 0.5)


async def test_a_dead_postgresql_fails_no_one(line: tuple[Line, str], caplog: pytest.LogCaptureFixture) -> None:
    between, url = line
    between.cut()
    with a_ledger(between.through(url)) as ledger:
        books = Books(ledger, room=50)
        with caplog.at_level(logging.WARNING):
            for number in range(80):
                books.call(a_call(f"c{number}"), tokens=(1, 0, 1))
        assert [r.message for r in caplog.records if "dropped" in r.message] == [
            "the ledger is away, and 50 records wait: what comes now is dropped"
        ]
        await asyncio.to_thread(books.writer.close, 0.5)
        with pytest.raises(DependencyUnavailableError):
            await ledger.ask(lambda connection: report(connection, "mode", *ALWAYS), 3)


async def test_a_postgresql_that_was_restarted_is_asked_again(line: tuple[Line, str]) -> None:
    _, url = line
    with a_ledger(url) as ledger, a_ledger(url) as beside:
        ledger.run(lambda connection: None, PATIENCE)
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
        beside.run(lambda c: c.execute(text(f"{others} pg_backend_pid()")), PATIENCE)
        assert ledger.run(lambda c: c.execute(text("SELECT 1")).scalar(), PATIENCE) == 1


def switched(ledger: Database) -> dict[str, AiMode]:
    """Return the modes to which venues were switched."""
    found = ledger.run(toggles, PATIENCE)
    return {name: toggle.mode for (kind, name), toggle in found.items() if kind == "venue"}


async def switching(ledger: Database, within: float = 0.5) -> DependencyUnavailableError:
    """Return the error of a switch within this many seconds."""
    with pytest.raises(DependencyUnavailableError) as away:
        await ledger.ask(
            lambda c: switch(c, "venue", "hall", AiMode.ADAPTIVE, default=AiMode.STANDARD, by="ada"),
            within,
            writes=True,
        )
    return away.value


async def test_a_commit_that_comes_late_is_reported_as_perhaps_made(tmp_path: Path) -> None:
    goes_on = threading.Event()
    with a_url("sqlite", tmp_path) as url, a_ledger(url) as ledger:
        ledger.run(lambda connection: None, PATIENCE)
        event.listen(ledger._engine(), "commit", lambda _: goes_on.wait(PATIENCE))
        try:
            # Long enough to reach the commit, which waits, on any machine.
            assert (await switching(ledger, 5)).perhaps_written
        finally:
            goes_on.set()

        async def made() -> bool:
            return switched(ledger) == {"hall": AiMode.ADAPTIVE}

        await soon(made)


async def test_a_write_whose_turn_never_came_is_reported_as_not_made(tmp_path: Path) -> None:
    with a_url("sqlite", tmp_path) as url, a_ledger(url) as ledger:
        ledger.run(lambda connection: None, PATIENCE)
        other = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert not (await switching(ledger)).perhaps_written
        other.execute("COMMIT")
        assert switched(ledger) == {}


def test_a_locked_file_delays_no_one_and_gets_all_of_it_later(tmp_path: Path) -> None:
    with a_url("sqlite", tmp_path) as url, a_ledger(url) as ledger:
        books = Books(ledger)
        assert books.writer.flush(PATIENCE)
        ledger.run(lambda connection: None, PATIENCE)
        other = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        books.call(a_call("c1"), tokens=(1, 0, 1))
        assert not books.writer.flush(0.3)
        assert shown(ledger).total.calls == 0  # a reader waits for no writer

        other.execute("COMMIT")
        assert books.writer.flush(PATIENCE)
        assert shown(ledger).total.calls == 1
        books.writer.close()


def test_a_folder_that_cannot_be_written_fails_no_one(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with a_ledger(f"sqlite:///{blocked}/ledger.db") as ledger:
        books = Books(ledger)
        books.call(a_call("c1"), tokens=(1, 0, 1))
        assert not books.writer.flush(0.5)
        books.writer.close(0.1)


def test_one_record_that_the_ledger_refuses_does_not_cost_the_others(
    ledger: Database, books: Books, caplog: pytest.LogCaptureFixture
) -> None:
    for call in (a_call("c1"), a_call("c2"), a_call("c3")):
        books.call(call, tokens=(1, 0, 1))
    books.call(a_call("c4"), tokens=(1 << 70, 0, 1))
    books.call(a_call("c5"), tokens=(1, 0, 1))
    assert books.writer.flush(PATIENCE)
    assert shown(ledger).total.calls == 4
    assert "refused a record" in caplog.text


@pytest.mark.slow
def test_a_slow_machine_gets_its_records_written_in_smaller_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_thread, "_WITHIN", 2.0)
    with a_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        books = Books(ledger)
        books.call(a_call("first"), tokens=(1, 0, 1))
        assert books.writer.flush(PATIENCE)
        event.listen(ledger._engine(), "before_cursor_execute", lambda *_: time.sleep(0.05))
        with books.writer._changed:
            for number in range(40):
                books.plan(a_plan(f"p{number}"))
        assert books.writer.flush(PATIENCE)
        with ledger._engine().connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM plans")).scalar_one() == 40


def test_what_was_put_is_written_before_an_orderly_end(url: str) -> None:
    with a_ledger(url) as ledger:
        books = Books(ledger, close_within=PATIENCE)
        books.call(a_call("c1"), tokens=(1, 0, 1))
        books.observer.flush()
        assert shown(ledger).total.calls == 1


@pytest.mark.parametrize("at", ["switch", "rows"])
def test_a_switch_whose_ledger_goes_away_says_what_became_of_it(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any, **__: Any) -> None:
        raise DependencyUnavailableError("ledger", "the ledger did not answer in time", perhaps_written=at == "switch")

    monkeypatch.setattr(Modes, at, away)
    monkeypatch.setenv("IQ_LEDGER_URL", f"sqlite:///{tmp_path / 'l.db'}")
    with pytest.raises(SystemExit) as ended:
        _show_or_switch("venue", "roller-demo", "standard", as_json=False)
    shown = "may have been made, or may still be" if at == "switch" else "the switch was made"
    assert shown in str(ended.value.code)
