"""How this process logs (`docs/logs.md`): one line an event, with the ids of what it is about, and nobody's data.

All loggers, ours and other people's, go through one handler. Processes that a machine reads (`iq worker`, `iq api`)
write JSON, the others text, coloured only at a terminal.
"""

import logging
import sys
from typing import TextIO

import structlog

from infra.log_lines import CHAIN, Once

_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "urllib3", "langfuse", "mcp", "alembic.runtime.plugins")


def quiet_clients() -> None:
    """Let HTTP and model clients log warnings only: below that they log addresses, which hold what was searched for,
    and whole prompts."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def handler(stream: TextIO, *, as_json: bool) -> logging.Handler:
    """What writes a process' lines to a stream."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False, default=repr)
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
        )
    )
    found = logging.StreamHandler(stream)
    found.addFilter(Once())
    found.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=CHAIN,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    return found


def set_up(level: str, *, as_json: bool) -> None:
    """Let everything that is logged in this process be written to standard error, from this level on."""
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler(sys.stderr, as_json=as_json))
    root.setLevel(level.upper())
    logging.getLogger("temporalio.worker").setLevel(logging.WARNING)
    quiet_clients()
