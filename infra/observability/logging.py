"""The logging of this process (`docs/logs.md`): one line per event, with its ids and without personal data.

All loggers, ours and those of libraries, use one handler. Processes whose logs a machine reads (`iq worker`, `iq
api`) write JSON. The others write text, coloured only on a terminal.

A line has the ids of the plan and of the request that it was made for. Neither holds personal data: a caller chooses
a request's id freely, so a line has its hash, which the ledger and Langfuse show too. The message of a foreign error
is never logged, because it may quote a venue or a model. An error that an activity raised on purpose has no location
either, because it is expected. The rest is masked like a trace, as a second line of defence.

Logs an outage once when it starts, with its impact, and once when it ends, with the number of failures. A line for
each failure would hide everything else; without a line on-call would have to guess.
"""

import contextlib
import logging
import re
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, TextIO

import structlog
from cachetools import LRUCache
from pydantic import ValidationError

from infra.redaction.personal_data import mask

_REMEMBERED = 10_000
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_PLAN = re.compile(rf"plan-({_UUID})")
_OPAQUE = re.compile(rf"{_UUID}|[0-9a-f]{{16,64}}", re.IGNORECASE)

_requests: LRUCache[str, str] = LRUCache(_REMEMBERED)
_lock = Lock()


def hashed(request_id: str) -> str:
    """Return the first 32 hex digits of the id's SHA-256."""
    return sha256(request_id.encode()).hexdigest()[:32] if request_id else ""


def opaque(http_id: str) -> str:
    """Return an id that a caller gave a call: unchanged if it is a UUID or hex digits, else its hash."""
    return http_id if _OPAQUE.fullmatch(http_id) else hashed(http_id)


def remember_request(workflow_id: str, request_id: str) -> None:
    """Record the request that a workflow is working on, for log lines of code that does not know it."""
    if not request_id:
        return
    with _lock:
        _requests[workflow_id] = hashed(request_id)


def ids_for(workflow_id: str) -> dict[str, str]:
    """Return the known ids of a workflow."""
    if not workflow_id:
        return {}
    plan, request = _PLAN.fullmatch(workflow_id), _requests.get(workflow_id)
    return (
        {"workflow_id": workflow_id}
        | ({"plan_id": plan[1]} if plan else {})
        | ({"request_id": request} if request else {})
    )


@contextmanager
def logging_context(**ids: str) -> Iterator[None]:
    """Add these ids to the lines that this task logs within the context."""
    with structlog.contextvars.bound_contextvars(**{k: v for k, v in ids.items() if v}):
        yield


def bind_log_context(**ids: str) -> None:
    """Add ids for the rest of this task's `logging_context`, once an id is known."""
    structlog.contextvars.bind_contextvars(**{k: v for k, v in ids.items() if v})


_ROOT = str(Path(__file__).resolve().parents[2])
_APPLICATION_ERROR = ("temporalio.exceptions", "ApplicationError")
_FRAMES = 6
_CAUSES = 5

_PLAIN = frozenset({"plan_id", "request_id", "http_id", "workflow_id", "escalation_id", "timestamp", "level", "logger"})
"""Fields without foreign content, whose digits are no phone number."""


_ADDRESS = re.compile(r"((?<![\d.])(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}:\d{2,5}(?!\d))")


class LogOnceFilter(logging.Filter):
    """Logs an error only once, at its first log call: the code that swallows it knows its meaning, a server that it is
    passed on to does not."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or _is_expected(record):
            return True
        # A record may pass the filters of several handlers.
        logged_by = getattr(error, "_iq_logged_by", None)
        if logged_by is not None and logged_by != id(record):
            return False
        # An error that accepts no attributes is logged every time.
        with contextlib.suppress(AttributeError):
            error._iq_logged_by = id(record)  # type: ignore[attr-defined]
        return True


def _is_expected(record: logging.LogRecord) -> bool:
    """Return whether an activity ended by an error of a known kind: an outage, a rejection, an aborted command."""
    failed = getattr(record, "__temporal_error_identifier", None) == "ActivityFailure"
    error = record.exc_info[1] if record.exc_info else None
    return failed and error is not None and _is_application_error(error)


def _is_application_error(error: BaseException) -> bool:
    """Return whether it is Temporal's `ApplicationError`, by its name, because many programs log without importing
    Temporal."""
    return any((kind.__module__, kind.__name__) == _APPLICATION_ERROR for kind in type(error).__mro__)


def _about(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the ids of the plan, the chat and the request, and the line's own fields."""
    record: logging.LogRecord = event["_record"]
    for key in ("temporal_workflow", "temporal_activity"):
        context = getattr(record, key, None)
        if isinstance(context, dict):
            event.update(ids_for(str(context.get("workflow_id", ""))) | {k: v for k, v in event.items() if k in _PLAIN})
            if name := context.get("activity_type"):
                event.setdefault("activity", name)
                event.setdefault("attempt", context.get("attempt"))
    event.update(getattr(record, "fields", {}))
    return event


def _error(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an error by its types and source locations."""
    record: logging.LogRecord = event["_record"]
    event.pop("exc_info", None)
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return event
    if _is_expected(record):
        event["event"] = "an activity failed as it may"
        event["error"] = getattr(error, "type", None) or "ApplicationError"
        return event
    event["error"] = " ← ".join(_chain(error))
    return event


def _chain(error: BaseException) -> Iterator[str]:
    """Yield each error of the chain of causes: its type, the safe part of its text, and its source location."""
    one: BaseException | None = error
    for _ in range(_CAUSES):
        if one is None:
            return
        yield f"{type(one).__name__}{_safe(one)}{_places(one)}"
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _safe(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        kinds = sorted({row["type"] for row in error.errors(include_input=False, include_url=False)})
        return f" of {error.title}: {', '.join(kinds)}"
    if _is_application_error(error):
        return f" {getattr(error, 'type', None)}"
    if type(error).__name__ == "RPCError":
        return f" {getattr(getattr(error, 'status', None), 'name', '')}"
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def _places(error: BaseException) -> str:
    """Return the locations in our code, innermost last; without one, the innermost location of all."""
    found = [(f.f_code.co_filename, line, f.f_code.co_name) for f, line in traceback.walk_tb(error.__traceback__)]
    ours = [path for path in found if path[0].startswith(_ROOT) and "site-packages" not in path[0]]
    shown = ours[-_FRAMES:] + ([found[-1]] if found and found[-1] not in ours else [])
    text = " > ".join(f"{_short(file)}:{line} {name}" for file, line, name in shown)
    return f" at {text}" if text else ""


def _short(file: str) -> str:
    if file.startswith(_ROOT) and "site-packages" not in file:
        return file.removeprefix(_ROOT).lstrip("/")
    return re.sub(r"^.*?(?:site-packages|python3\.\d+)/", "", file)


def _masked(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key, value in event.items():
        if key not in _PLAIN and not key.startswith("_") and isinstance(value, str | list | dict | tuple):
            event[key] = _without_addresses(value) if isinstance(value, str) else mask(value)
    return event


def _without_addresses(text: str) -> str:
    """Return the text masked, except for server addresses: an operator's phone number has no port."""
    return "".join(part if _ADDRESS.fullmatch(part) else str(mask(part)) for part in _ADDRESS.split(text))


CHAIN: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    _about,
    _error,
    _masked,
)
"""The processors of every record, ours or a library's, before it is rendered."""


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
