"""A background thread that writes records, so that no caller waits for the database.

Records wait in memory while the database is unavailable, up to a limit. Further records are dropped, and one log line
reports that. A killed process loses its waiting records, because the ledger serves bills and charts, not the saga.
"""

import logging
from collections import deque
from collections.abc import Sequence
from threading import Condition, Thread
from time import monotonic

from infra.errors import DependencyUnavailableError
from infra.ledger.database import Database
from infra.ledger.records import Record

log = logging.getLogger(__name__)

_ROOM = 10_000
_AT_ONCE = 200
_WITHIN = 5.0
_A_DAY = 86_400.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
"""Seconds: the first and the longest pause before an unavailable database is retried. `_WITHIN` is the timeout of one
transaction."""


class LedgerWriter:
    """One thread, one queue. `keep_days`: days for which the audit log is kept; None for ever. `close_within`: seconds
    for the waiting records when the process ends."""

    def __init__(
        self, database: Database, room: int = _ROOM, keep_days: int | None = None, close_within: float = 2.0
    ) -> None:
        self._database = database
        self._room = room
        self._keep_days = keep_days
        self._close_within = close_within
        self._forgotten_at: float | None = None
        self._waiting: deque[Record] = deque()
        self._changed = Condition()
        self._ending = False
        self._busy = False
        self._dropped = 0
        self._thread = Thread(target=self._work, name="ledger-writer", daemon=True)
        self._thread.start()

    def put(self, record: Record) -> None:
        """Queue a record. Returns at once, and never raises because of the database."""
        with self._changed:
            if len(self._waiting) >= self._room:
                if not self._dropped:
                    log.error("the ledger is away, and %d records wait: what comes now is dropped", self._room)
                self._dropped += 1
                return
            self._waiting.append(record)
            self._changed.notify_all()

    def flush(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds for the records queued so far. Return whether all are written."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout=timeout)

    def close(self, timeout: float | None = None) -> None:
        """Write the waiting records, for up to `timeout` seconds (default `close_within`), and end the thread."""
        if not self.flush(self._close_within if timeout is None else timeout):
            log.warning("%d records were not written to the ledger before the end", len(self._waiting))
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    def _work(self) -> None:
        pause, at_once = _FIRST_PAUSE, _AT_ONCE
        self._try(())  # opens the ledger, so that its tables exist before the first query
        self._forget()
        while records := self._next(at_once):
            if self._try(records):
                self._forget()
                pause, at_once = _FIRST_PAUSE, min(at_once * 2, _AT_ONCE)
                continue
            # On a busy machine a long transaction would end at its timeout each time, and the queue would only grow.
            at_once = max(1, at_once // 2)
            with self._changed:
                self._changed.wait_for(lambda: self._ending, timeout=pause)
                if self._ending:
                    return
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _forget(self) -> None:
        """Delete once a day the entries that are older than `keep_days`."""
        now = monotonic()
        if self._keep_days is None or (self._forgotten_at is not None and now - self._forgotten_at < _A_DAY):
            return
        from infra.ledger.audit_log import forget_older

        days = self._keep_days
        try:
            self._database.run(lambda connection: forget_older(connection, days), _WITHIN, writes=True)
        except DependencyUnavailableError as away:
            log.debug("%s", away)
        except Exception as error:
            log.error("the ledger could not forget what is too old: %s", type(error).__name__)
        else:
            self._forgotten_at = now

    def _next(self, at_once: int) -> list[Record]:
        """Return the next records, at most `at_once`, which stay in the queue until they are written; none once the
        thread ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending)
            self._busy = bool(self._waiting)
            return [] if self._ending else [self._waiting[n] for n in range(min(at_once, len(self._waiting)))]

    def _try(self, records: Sequence[Record]) -> bool:
        try:
            self._write(records)
        except DependencyUnavailableError as away:
            log.debug("%s", away)
            return False
        with self._changed:
            for _ in records:
                self._waiting.popleft()
            self._busy = False
            if self._dropped and records:
                log.warning("the ledger is back; %d records were dropped", self._dropped)
                self._dropped = 0
            self._changed.notify_all()
        return True

    def _write(self, records: Sequence[Record]) -> None:
        """Write the records together. If the database rejects them, write them one by one without the rejected ones."""
        from infra.ledger.upserts import write

        try:
            self._database.run(lambda connection: write(connection, records), _WITHIN, writes=True)
        except DependencyUnavailableError:
            raise
        except Exception as error:
            if len(records) > 1:
                for record in records:
                    self._write([record])
            else:
                # The error's text would quote the row.
                log.error("the ledger refused a record: %s", type(error).__name__)
