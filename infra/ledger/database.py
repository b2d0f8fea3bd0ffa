"""The ledger's database: a file, or PostgreSQL. Every call ends within its timeout.

A stalled server keeps its connections open and never answers, and no setting of the protocol ends that. A call that
times out is therefore cut off at our end of the connection.
"""

import asyncio
import contextlib
import logging
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock, Timer
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from infra.errors import DependencyUnavailableError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

T = TypeVar("T")
Work = Callable[["Connection"], T]

_CONNECTING = 2
"""Seconds. PostgreSQL's driver accepts no less."""

_AT_IT = 10.0
"""Seconds for creating the file and its tables, including the wait for another process."""

_OPENING = 10.0
"""Seconds that a starting process waits for its ledger. It serves without one, too."""

_AGAIN = 0.02
"""Seconds before retrying a new file that another process is creating."""

_AT_ONCE = 4

log = logging.getLogger(__name__)


def _away(why: str, *, perhaps_written: bool = False) -> DependencyUnavailableError:
    return DependencyUnavailableError("ledger", why, perhaps_written=perhaps_written)


def ledger_url(url: str | None, data: Path) -> str:
    """Return the ledger's address in SQLAlchemy's form; a file in the data folder if no URL is given."""
    if not url:
        return f"sqlite:///{data.absolute() / 'ledger.db'}"
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url


class Database:
    """The connections to the ledger. The first caller opens it, because loading its libraries takes a fifth of a
    second. `tables` creates or migrates the tables (default: the ledger's). `prepare` then runs once, before any other
    call. Both run again if the file was deleted, for the new file."""

    def __init__(self, url: str, prepare: Work[None] | None = None, *, tables: Work[None] | None = None) -> None:
        self.url = url
        self._prepare = prepare
        self._tables = tables
        self._prepared = False
        self._opening, self._preparing = Lock(), Lock()
        self._made: Engine | None = None
        self._file: tuple[int, int] | None = None
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="ledger")

    def run(self, work: Work[T], timeout: float, *, writes: bool = False) -> T:
        """Run `work` in a transaction, in this thread. `timeout`: seconds. Raises `DependencyUnavailableError`, and any
        exception of `work`."""
        return self._transact(self._ready(timeout), work, timeout, writes=writes, committing=Event())

    async def opened(self) -> None:
        """Return once the ledger is open, so that the first caller's short timeout is not spent on that, or once it is
        known to be unavailable. Never raises; the next call raises instead."""
        try:
            await self.ask(lambda _: None, _OPENING)
        except DependencyUnavailableError as away:
            log.warning("%s", away)
        except Exception as error:
            log.warning("the ledger cannot be opened: %s", type(error).__name__)

    async def ask(self, work: Work[T], timeout: float, *, writes: bool = False) -> T:
        """Run `work` in a background thread. Raises as `run`, and never later than `timeout`. Waiting for a thread, or
        for the ledger to open, counts towards the timeout. No commit is sent after the caller got an error. A commit
        that was sent before may take effect at any time; the error then reports that (`perhaps_written`)."""
        ends, committing = monotonic() + timeout, Event()

        def in_time() -> T:
            remaining = ends - monotonic()
            if remaining <= 0:
                raise _away("the ledger was too busy")
            engine = self._ready(remaining)
            return self._transact(engine, work, ends - monotonic(), writes=writes, committing=committing)

        asked = asyncio.get_running_loop().run_in_executor(self._threads, in_time)
        try:
            async with asyncio.timeout(timeout):
                return await asked
        except TimeoutError:
            perhaps = committing.is_set()
            raise _away("the ledger did not answer in time", perhaps_written=perhaps) from None

    def close(self) -> None:
        """Release the connections without waiting for their users."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._opening:
            if self._made is not None:
                self._made.dispose()

    def _notice_its_loss(self) -> None:
        """Close a file that was replaced, because an open connection would write to the old file, which no process can
        read. The first caller that notices logs it."""
        if not self._prepared or self._file is None or _file_at(self.url) == self._file:
            return
        with self._preparing, self._opening:
            now = _file_at(self.url)
            if not self._prepared or now == self._file:
                return
            self._prepared, made, self._made = False, self._made, None
            if made is not None:
                # Before another is made, because the last connection that closes deletes the files beside it.
                made.dispose()
        log.warning(
            "the ledger's file %s: what was in it is lost to this process, and %s",
            "was deleted" if now is None else "was replaced",
            "a new one is made" if now is None else "the one in its place is used",
        )

    def _engine(self) -> "Engine":
        with self._opening:
            if self._made is None:
                try:
                    self._made = _engine(self.url)
                except OSError as error:
                    raise _away(f"the ledger has no place: {error.strerror}") from None
            return self._made

    def _ready(self, timeout: float) -> "Engine":
        self._notice_its_loss()
        engine = self._engine()
        self._get_ready(engine, timeout)
        return engine

    def _get_ready(self, engine: "Engine", timeout: float) -> None:
        if self._prepared:
            return
        # If the database is stalled, each of many callers would wait for the one before it.
        if not self._preparing.acquire(timeout=timeout):
            raise _away("the ledger is still being opened")
        try:
            if not self._prepared:
                self._prepare_all(engine, timeout)
                self._file = _file_at(self.url)
                self._prepared = True
        except DependencyUnavailableError:
            raise
        except Exception as error:
            log.exception("the ledger cannot be brought up to date")
            raise _away(f"the ledger cannot be brought up to date: {type(error).__name__}") from None
        finally:
            self._preparing.release()

    def _prepare_all(self, engine: "Engine", timeout: float) -> None:
        from infra.database.migrate import bring_up_to_date

        tables = self._tables or bring_up_to_date
        # Another process may be creating the tables, which takes time.
        self._transact(engine, tables, max(timeout, _AT_IT), writes=True, committing=Event())
        if self._prepare is not None:
            self._transact(engine, self._prepare, timeout, writes=True, committing=Event())

    def _transact(self, engine: "Engine", work: Work[T], timeout: float, *, writes: bool, committing: Event) -> T:
        """Run one transaction. `committing` is set before the commit of a write is sent."""
        from sqlalchemy.exc import DBAPIError
        from sqlalchemy.exc import TimeoutError as NoneFreeError

        ends = monotonic() + timeout
        for again in (True, False):
            try:
                with engine.connect() as plain:
                    remaining = max(0.0, ends - monotonic())
                    connection = plain.execution_options(writes=writes, waits=remaining)
                    with _cut_off_after(remaining, connection.connection.driver_connection), connection.begin():
                        found = work(connection)
                        if writes:
                            lost = committing.is_set()
                            # Set before the clock is read, so that a caller that has timed out sees it.
                            committing.set()
                            if monotonic() > ends:
                                # Between two statements there is nothing to cut off, so it is rolled back instead.
                                if not lost:
                                    committing.clear()
                                raise _away("the ledger was too slow", perhaps_written=lost)
                        return found
            except NoneFreeError:
                perhaps = committing.is_set()
                raise _away("every connection to the ledger is in use", perhaps_written=perhaps) from None
            except DBAPIError as error:
                # A pooled connection may have died with a server that has restarted since.
                if again and error.connection_invalidated:
                    continue
                if not _is_outage(error):
                    raise
                why = f"the ledger did not answer: {type(error.orig).__name__}"
                raise _away(why, perhaps_written=committing.is_set()) from None
        raise AssertionError("unreachable")


def _file_at(url: str) -> tuple[int, int] | None:
    """Return the file of an SQLite ledger, by device and number; None if it does not exist or is no file."""
    if not url.startswith("sqlite:///"):
        return None
    try:
        found = os.stat(url.removeprefix("sqlite:///"))
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_outage(error: Any) -> bool:
    from sqlalchemy.exc import InterfaceError, OperationalError

    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


@contextlib.contextmanager
def _cut_off_after(seconds: float, driver: Any) -> Iterator[None]:
    over, guard = False, Lock()

    def cut() -> None:
        with guard:
            # Afterwards the connection may already serve another caller.
            if not over:
                _cut(driver)

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with guard:
            over = True
        timer.cancel()


def _cut(driver: Any) -> None:
    if isinstance(driver, sqlite3.Connection):
        driver.interrupt()
        return
    with contextlib.suppress(Exception), socket.socket(fileno=os.dup(driver.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)


def _engine(url: str) -> "Engine":
    from sqlalchemy import create_engine, event, make_url

    parts = make_url(url)
    if parts.get_backend_name() != "sqlite":
        waits = {"connect_timeout": _CONNECTING}
        # One more than the threads that read: the one that writes.
        return create_engine(url, pool_size=_AT_ONCE + 1, max_overflow=0, pool_timeout=_CONNECTING, connect_args=waits)
    Path(parts.database or ".").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _sqlite_opened)
    event.listen(engine, "begin", _sqlite_begins)
    return engine


def _sqlite_opened(driver: Any, _: Any) -> None:
    # The driver begins transactions late and ends them around DDL; ours begin explicitly.
    driver.isolation_level = None
    _write_ahead(driver)
    driver.execute("PRAGMA synchronous=NORMAL")


def _write_ahead(driver: sqlite3.Connection) -> None:
    """Switch to write-ahead logging: readers do not wait for a writer, and a power cut loses the last rows, never the
    file. If several processes open a new file at once, SQLite lets one switch and rejects the others at once, despite
    their timeout, so they retry."""
    ends = monotonic() + _AT_IT
    while True:
        try:
            driver.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > ends:
                raise
            sleep(_AGAIN)
        else:
            return


def _sqlite_begins(connection: "Connection") -> None:
    options = connection.get_execution_options()
    # Wait for another process's write as long as the caller waits.
    connection.exec_driver_sql(f"PRAGMA busy_timeout={round(options.get('waits', 0.0) * 1000)}")
    # A transaction that reads before it writes is rejected if another wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
