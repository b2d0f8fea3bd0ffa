"""A background thread that runs fire-and-forget work sequentially."""

import logging
import queue
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

_KEPT = 10_000
"""The maximum of queued functions; more are dropped."""


class BackgroundThread:
    """The thread and its queue."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Callable[[], None]] = queue.Queue(_KEPT)
        threading.Thread(target=self._work, name="aside", daemon=True).start()

    def put(self, work: Callable[[], None]) -> None:
        """Queue a function. Returns at once, and never raises: if the queue is full, the function is dropped."""
        try:
            self._queue.put_nowait(work)
        except queue.Full:
            log.warning("too much waits to be recorded: something is left out")

    def drain(self, timeout: float) -> None:
        """Wait until all queued functions have run, or for `timeout` seconds."""
        until = time.monotonic() + timeout
        while self._queue.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.01)

    def _work(self) -> None:
        while True:
            work = self._queue.get()
            try:
                work()
            except Exception as error:
                # Only the error's type, because its text may quote the record.
                log.error("something could not be recorded: %s", type(error).__name__)
            finally:
                self._queue.task_done()
