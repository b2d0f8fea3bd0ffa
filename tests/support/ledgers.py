"""Ledgers of a single test: a file, or a database in the machine's PostgreSQL that is dropped afterwards; and a
connection between a ledger and its PostgreSQL that can fail."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import psycopg

from clients.ledger import open_ledger
from contracts.enums import AiMode, PlanStatus
from contracts.usage import CallUsage, PlanOutcome
from infra.config.settings import Settings
from infra.ledger.database import Database, ledger_url
from infra.ledger.records import PriceTable
from infra.ledger.sink import LedgerSink
from infra.ledger.writer_thread import LedgerWriter
from infra.observability.observer import CACHED, Observer
from registry.tariffs import read_prices
from tests.support import needs

KINDS = ("sqlite", "postgresql")
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


@contextmanager
def a_database() -> Iterator[str]:
    """Yield the URL of a new PostgreSQL database."""
    base, name = needs.postgres(), f"iq_test_{uuid4().hex[:16]}"
    with psycopg.connect(f"{base}/postgres", autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{base}/{name}"
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def a_url(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty ledger of that kind."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'ledger.db'}"
        return
    with a_database() as url:
        yield url


@contextmanager
def a_ledger(url: str) -> Iterator[Database]:
    """Open the ledger at a URL, as a process opens it."""
    database, _ = open_ledger(Settings(_env_file=None, ledger_url=url))
    try:
        yield database
    finally:
        database.close()


class Books:
    """The recording side of a process: the one observer, a sink, its writer."""

    def __init__(self, database: Database, room: int = 10_000, close_within: float = 2.0) -> None:
        self.writer = LedgerWriter(database, room, close_within=close_within)
        prices, _ = read_prices()
        self.observer = Observer(counters=[LedgerSink(self.writer, PriceTable(prices))])

    def call(self, usage: CallUsage, *, model: str = "claude-sonnet-4", tokens: tuple[int, int, int]) -> None:
        """Record one model call of so many uncached, cached and output tokens."""
        uncached, cached, output = tokens
        with self.observer.observe("generation", usage.purpose, usage.trace_id, model=model, usage=usage) as seen:
            seen.update(usage_details={"input": uncached, CACHED: cached, "output": output})

    def plan(self, outcome: PlanOutcome) -> None:
        """Record a change of a plan."""
        self.observer.note("plan", outcome.trace_id, outcome=outcome)


def a_call(call_id: str, **fields: Any) -> CallUsage:
    """Return a call of a standard venue's plan."""
    known = {"venue_id": "hall", "mode": AiMode.STANDARD, "purpose": "plan", "trace_id": f"t-{call_id}"}
    return CallUsage(**{"call_id": call_id, **known, "opens_turn": True, **fields})


def a_plan(plan_id: str, **fields: Any) -> PlanOutcome:
    """Return a plan that was confirmed after half a minute and completed."""
    known = {
        "venue_id": "hall", "mode": AiMode.STANDARD, "status": PlanStatus.COMPLETED, "revision": 3,
        "requested_at": NOON, "drafted_at": NOON + timedelta(seconds=2), "confirmed_at": NOON + timedelta(seconds=30),
        "ended_at": NOON + timedelta(seconds=40), "trace_id": f"t-{plan_id}",
    }  # fmt: skip
    return PlanOutcome(**{"plan_id": plan_id, **known, **fields})


class Line:
    """A connection to the machine's PostgreSQL that can be stalled (sent data stays on the way, connections stay open)
    and cut (nothing listens any more)."""

    def __init__(self) -> None:
        self._flows = Event()
        self._flows.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._ends: list[socket.socket] = []
        Thread(target=self._accept, daemon=True).start()

    def through(self, url: str) -> str:
        """Return the URL of the same database over this connection."""
        return url.replace(":5432", f":{self.port}")

    def stall(self) -> None:
        """Let nothing through from now on."""
        self._flows.clear()

    def go_on(self) -> None:
        """Let everything through, what waited included."""
        self._flows.set()

    def cut(self) -> None:
        """Close it for good."""
        # Closing alone would leave the accepting thread running.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._flows.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", 5432))
                self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def file_url(folder: Path) -> str:
    """Return the ledger that a process with this data folder keeps."""
    return ledger_url(None, folder)
