"""The ledger's database: a file, or PostgreSQL. Whatever is done in it ends within a bound, whatever it does.

A server that is stalled keeps its connections open and never answers; no setting of the protocol ends that. What has
run out of time is therefore cut off at our end of the connection.
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

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

T = TypeVar("T")
Work = Callable[["Connection"], T]

_CONNECTING = 2
"""Seconds. PostgreSQL's driver takes no less."""

_AT_IT = 10.0
"""Seconds for making the file and its tables, another process's turn included."""

_OPENING = 10.0
"""Seconds that a process that starts waits for its ledger: it serves without one, too."""

_AGAIN = 0.02
"""Seconds until a new file is tried again that another process is just making."""

_AT_ONCE = 4

log = logging.getLogger(__name__)


class LedgerAwayError(Exception):
    """The ledger cannot be asked just now. Its text tells why, and nothing of what was asked. `perhaps_written`: what
    was to be written may have been, or may still be: its commit was sent, and no answer came."""

    def __init__(self, why: str, *, perhaps_written: bool = False) -> None:
        super().__init__(why)
        self.perhaps_written = perhaps_written


def ledger_url(url: str | None, data: Path) -> str:
    """Where the ledger is, as SQLAlchemy writes it; a file in the data folder where no URL is given."""
    if not url:
        return f"sqlite:///{data.absolute() / 'ledger.db'}"
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url


class Database:
    """Opened by whoever asks first: what it is asked with takes a fifth of a second to load. `tables` makes them or
    brings them up to date, the ledger's where left out; then `prepare` is done, before anything else, once; and both
    once more where its file has been taken away, for the one that is made in its place."""

    def __init__(self, url: str, prepare: Work[None] | None = None, *, tables: Work[None] | None = None) -> None:
        self.url = url
        self._prepare = prepare
        self._tables = tables
        self._prepared = False
        self._opening, self._preparing = Lock(), Lock()
        self._made: Engine | None = None
        self._file: tuple[int, int] | None = None
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="ledger")

    def run(self, work: Work[T], within: float, *, writes: bool = False) -> T:
        """Do it in a transaction, in this thread. `within`: seconds. Raises `LedgerAwayError`, and what `work` raises
        of its own."""
        return self._transact(self._ready(within), work, within, writes=writes, committing=Event())

    async def opened(self) -> None:
        """Return once it is open, so that no first caller's short bound is spent on that; or, where it is away, once
        that is known. Never raises: what asks it later says so."""
        try:
            await self.ask(lambda _: None, _OPENING)
        except LedgerAwayError as away:
            log.warning("%s", away)
        except Exception as error:
            log.warning("the ledger cannot be opened: %s", type(error).__name__)

    async def ask(self, work: Work[T], within: float, *, writes: bool = False) -> T:
        """The same in a thread of its own. Raises as `run`, and never later than `within`. What waits for a thread, or
        for the ledger to be opened, has that much less time: no commit is sent after the caller was refused. One that
        was sent before may take effect at any time, and then the refusal says so."""
        ends, committing = monotonic() + within, Event()

        def in_time() -> T:
            left = ends - monotonic()
            if left <= 0:
                raise LedgerAwayError("the ledger was too busy")
            engine = self._ready(left)
            return self._transact(engine, work, ends - monotonic(), writes=writes, committing=committing)

        asked = asyncio.get_running_loop().run_in_executor(self._threads, in_time)
        try:
            async with asyncio.timeout(within):
                return await asked
        except TimeoutError:
            perhaps = committing.is_set()
            raise LedgerAwayError("the ledger did not answer in time", perhaps_written=perhaps) from None

    def close(self) -> None:
        """Let go of connections; waits for nobody."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._opening:
            if self._made is not None:
                self._made.dispose()

    def _notice_its_loss(self) -> None:
        """Let go of a file that is no longer the one at its place: an open connection would go on writing into it, and
        nobody could ever read that. Whoever comes first says so."""
        if not self._prepared or self._file is None or _file_at(self.url) == self._file:
            return
        with self._preparing, self._opening:
            now = _file_at(self.url)
            if not self._prepared or now == self._file:
                return
            self._prepared, made, self._made = False, self._made, None
            if made is not None:
                # Before another is made: the last connection that closes takes the files beside it along.
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
                    raise LedgerAwayError(f"the ledger has no place: {error.strerror}") from None
            return self._made

    def _ready(self, within: float) -> "Engine":
        self._notice_its_loss()
        engine = self._engine()
        self._get_ready(engine, within)
        return engine

    def _get_ready(self, engine: "Engine", within: float) -> None:
        if self._prepared:
            return
        # Where the database is stalled, each of many callers would wait for the one before it.
        if not self._preparing.acquire(timeout=within):
            raise LedgerAwayError("the ledger is still being opened")
        try:
            if not self._prepared:
                self._prepare_all(engine, within)
                self._file = _file_at(self.url)
                self._prepared = True
        except LedgerAwayError:
            raise
        except Exception as error:
            log.exception("the ledger cannot be brought up to date")
            raise LedgerAwayError(f"the ledger cannot be brought up to date: {type(error).__name__}") from None
        finally:
            self._preparing.release()

    def _prepare_all(self, engine: "Engine", within: float) -> None:
        from infra.ledger.migrate import bring_up_to_date

        tables = self._tables or bring_up_to_date
        # Somebody else may be at it, which takes its time.
        self._transact(engine, tables, max(within, _AT_IT), writes=True, committing=Event())
        if self._prepare is not None:
            self._transact(engine, self._prepare, within, writes=True, committing=Event())

    def _transact(self, engine: "Engine", work: Work[T], within: float, *, writes: bool, committing: Event) -> T:
        """`committing` is set before the commit of a write is sent."""
        from sqlalchemy.exc import DBAPIError
        from sqlalchemy.exc import TimeoutError as NoneFreeError

        ends = monotonic() + within
        for again in (True, False):
            try:
                with engine.connect() as plain:
                    left = max(0.0, ends - monotonic())
                    connection = plain.execution_options(writes=writes, waits=left)
                    with _cut_off_after(left, connection.connection.driver_connection), connection.begin():
                        found = work(connection)
                        if writes:
                            lost = committing.is_set()
                            # Before the clock is read: a caller who is refused by now sees it.
                            committing.set()
                            if monotonic() > ends:
                                # Between two statements there is nothing to cut: it is rolled back instead.
                                if not lost:
                                    committing.clear()
                                raise LedgerAwayError("the ledger was too slow", perhaps_written=lost)
                        return found
            except NoneFreeError:
                perhaps = committing.is_set()
                raise LedgerAwayError("every connection to the ledger is in use", perhaps_written=perhaps) from None
            except DBAPIError as error:
                # A connection that was kept may have died with a server that is back by now.
                if again and error.connection_invalidated:
                    continue
                if not _is_outage(error):
                    raise
                why = f"the ledger did not answer: {type(error.orig).__name__}"
                raise LedgerAwayError(why, perhaps_written=committing.is_set()) from None
        raise AssertionError("unreachable")


def _file_at(url: str) -> tuple[int, int] | None:
    """Which file is at an SQLite ledger's place, by device and number; None where there is none, or it is no file."""
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
            # Afterwards the connection may already serve somebody else.
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
        # One more than threads that ask: the one that writes.
        return create_engine(url, pool_size=_AT_ONCE + 1, max_overflow=0, pool_timeout=_CONNECTING, connect_args=waits)
    Path(parts.database or ".").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _sqlite_opened)
    event.listen(engine, "begin", _sqlite_begins)
    return engine


def _sqlite_opened(driver: Any, _: Any) -> None:
    # The driver begins transactions late and ends them around DDL; ours begin when they say so.
    driver.isolation_level = None
    _write_ahead(driver)
    driver.execute("PRAGMA synchronous=NORMAL")


def _write_ahead(driver: sqlite3.Connection) -> None:
    """Readers wait for no writer, and a power cut costs the last rows, never the file. Of several that open a new file
    at once SQLite lets one change this and refuses the others at once, whatever they would wait: they try again."""
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
    # For another process's write, as long as whoever asks waits.
    connection.exec_driver_sql(f"PRAGMA busy_timeout={round(options.get('waits', 0.0) * 1000)}")
    # One that begins by reading and then writes is refused when another wrote meanwhile.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
