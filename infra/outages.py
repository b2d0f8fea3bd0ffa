"""An error that is swallowed, told once: when the first of a row comes, what it means; when it works again, how many
came. A line for each would hide everything else, and none at all would leave on-call to guess."""

import logging
from threading import Lock


class Outage:
    """One part that is asked again and again. `means` is what on-call should know while it is away."""

    def __init__(self, log: logging.Logger, part: str, means: str) -> None:
        self._log = log
        self._part = part
        self._means = means
        self._failed = 0
        self._lock = Lock()

    def failed(self, why: str) -> None:
        """It did not work just now. `why` is the kind of error, never its text."""
        with self._lock:
            self._failed += 1
            first = self._failed == 1
        if first:
            self._log.warning("%s failed (%s): %s", self._part, why, self._means)

    def worked(self) -> None:
        """It did."""
        if not self._failed:
            return
        with self._lock:
            failed, self._failed = self._failed, 0
        if failed:
            self._log.warning("%s works again; %d calls had failed", self._part, failed)
