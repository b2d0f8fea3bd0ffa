"""Work that nobody waits for, done one after the other in a thread of its own."""

import logging
import queue
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

_KEPT = 10_000
"""Pieces of work that may wait; more are dropped."""


class Aside:
    """The thread and its queue."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Callable[[], None]] = queue.Queue(_KEPT)
        threading.Thread(target=self._work, name="aside", daemon=True).start()

    def put(self, work: Callable[[], None]) -> None:
        """Have this done. Returns at once, and never raises: when too much waits already, it is not done."""
        try:
            self._queue.put_nowait(work)
        except queue.Full:
            log.warning("too much waits to be recorded: something is left out")

    def drain(self, within: float) -> None:
        """Return when all is done that was put, or after so many seconds."""
        until = time.monotonic() + within
        while self._queue.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.01)

    def _work(self) -> None:
        while True:
            work = self._queue.get()
            try:
                work()
            except Exception as error:
                # Its text may quote what was to be recorded.
                log.error("something could not be recorded: %s", type(error).__name__)
            finally:
                self._queue.task_done()
