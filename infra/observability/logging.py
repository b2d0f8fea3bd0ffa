"""The logging of this process (`docs/logs.md`): one line per event, with its ids and without personal data.

All loggers, ours and those of libraries, use one handler. Processes whose logs a machine reads (`iq worker`, `iq api`)
write JSON. The others write text, coloured only on a terminal.

Logs an outage once when it starts, with its impact, and once when it ends, with the number of failures. A line for
each failure would hide everything else; without a line on-call would have to guess.
"""

import logging
import sys
from threading import Lock
from typing import TextIO

import structlog

from infra.observability.log_processors import CHAIN, LogOnceFilter

_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "urllib3", "langfuse", "mcp", "alembic.runtime.plugins")


def quiet_clients() -> None:
    """Limit HTTP and model clients to warnings, because below that level they log addresses, which contain search
    terms, and whole prompts."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def handler(stream: TextIO, *, as_json: bool) -> logging.Handler:
    """Return the handler that writes a process's lines to a stream."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False, default=repr)
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
        )
    )
    found = logging.StreamHandler(stream)
    found.addFilter(LogOnceFilter())
    found.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=CHAIN,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    return found


def set_up(level: str, *, as_json: bool) -> None:
    """Write all log records of this process from this level on to standard error."""
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler(sys.stderr, as_json=as_json))
    root.setLevel(level.upper())
    logging.getLogger("temporalio.worker").setLevel(logging.WARNING)
    quiet_clients()


class OutageLog:
    """The outages of one dependency that is called repeatedly. `means` is the impact that on-call should know."""

    def __init__(self, log: logging.Logger, part: str, means: str) -> None:
        self._log = log
        self._part = part
        self._means = means
        self._failed = 0
        self._lock = Lock()

    def failure(self, why: str) -> None:
        """Record a failure. `why` is the error's type, never its text."""
        with self._lock:
            self._failed += 1
            first = self._failed == 1
        if first:
            self._log.warning("%s failed (%s): %s", self._part, why, self._means)

    def success(self) -> None:
        """Record a success."""
        if not self._failed:
            return
        with self._lock:
            failed, self._failed = self._failed, 0
        if failed:
            self._log.warning("%s works again; %d calls had failed", self._part, failed)
