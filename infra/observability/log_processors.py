"""The content of a log line: the event, the ids that it is about, and an error's types and source locations.

The message of a foreign error is never logged, because it may quote a venue or a model. An error that an activity
raised on purpose has no location either, because it is expected. The rest is masked like a trace, as a second line of
defence.
"""

import contextlib
import logging
import re
import traceback
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import structlog
from pydantic import ValidationError

from infra.observability.log_context import ids_for
from infra.redaction.patterns import mask

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
