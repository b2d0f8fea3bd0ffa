"""Writes records in a thread of its own: whoever has one to write waits for nothing, whatever the database does.

Records wait in memory while it is away, as many as there is room for; what comes then is dropped, and one line in the
log says so. A process that is killed loses those that wait: the ledger is for bills and charts, not for the saga.
"""

import logging
from collections import deque
from collections.abc import Sequence
from threading import Condition, Thread
from time import monotonic

from infra.ledger.database import Database, LedgerAwayError
from infra.ledger.records import Record

log = logging.getLogger(__name__)

_ROOM = 10_000
_AT_ONCE = 200
_WITHIN = 5.0
_A_DAY = 86_400.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
"""Seconds: how long one transaction may take, and how long a database that is away is left alone."""


class Writer:
    """One thread, one queue. `keep_days`: how long who did what is kept; None for ever. `close_within`: seconds for
    what waits when the process ends."""

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
        """Have it written. Returns at once, and never raises for the database's sake."""
        with self._changed:
            if len(self._waiting) >= self._room:
                if not self._dropped:
                    log.error("the ledger is away, and %d records wait: what comes now is dropped", self._room)
                self._dropped += 1
                return
            self._waiting.append(record)
            self._changed.notify_all()

    def flush(self, within: float) -> bool:
        """Wait for what was put so far, for up to so many seconds; whether all of it is written."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout=within)

    def close(self, within: float | None = None) -> None:
        """Write what waits, for up to so many seconds (`close_within`), and end."""
        if not self.flush(self._close_within if within is None else within):
            log.warning("%d records were not written to the ledger before the end", len(self._waiting))
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    def _work(self) -> None:
        pause = _FIRST_PAUSE
        self._try(())  # opens the ledger: its tables are there before anybody looks
        self._forget()
        while records := self._next():
            if self._try(records):
                self._forget()
                pause = _FIRST_PAUSE
                continue
            with self._changed:
                self._changed.wait_for(lambda: self._ending, timeout=pause)
                if self._ending:
                    return
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _forget(self) -> None:
        """Once a day, what is older than it is to be kept."""
        now = monotonic()
        if self._keep_days is None or (self._forgotten_at is not None and now - self._forgotten_at < _A_DAY):
            return
        from infra.ledger.deeds import forget_older

        days = self._keep_days
        try:
            self._database.run(lambda connection: forget_older(connection, days), _WITHIN, writes=True)
        except LedgerAwayError as away:
            log.debug("%s", away)
        except Exception as error:
            log.error("the ledger could not forget what is too old: %s", type(error).__name__)
        else:
            self._forgotten_at = now

    def _next(self) -> list[Record]:
        """What to write next; stays in the queue until it is written. Nothing when it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending)
            self._busy = bool(self._waiting)
            return [] if self._ending else [self._waiting[n] for n in range(min(_AT_ONCE, len(self._waiting)))]

    def _try(self, records: Sequence[Record]) -> bool:
        try:
            self._write(records)
        except LedgerAwayError as away:
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
        """Write them together; where the database will not have them, one by one without those that it refuses."""
        from infra.ledger.writing import write

        try:
            self._database.run(lambda connection: write(connection, records), _WITHIN, writes=True)
        except LedgerAwayError:
            raise
        except Exception as error:
            if len(records) > 1:
                for record in records:
                    self._write([record])
            else:
                # Its text would quote the row.
                log.error("the ledger refused a record: %s", type(error).__name__)
