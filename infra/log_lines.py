"""What one log line tells: the event, the ids of what it is about, and of an error its kinds and places.

Never a message of somebody else's error: it may quote what a venue or a model sent. Of an error that Temporal was told
on purpose there is no place either; it is expected. What is left is masked like a trace, as a second line of defence.
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

from infra.log_ids import ids_of
from infra.masking import mask

_ROOT = str(Path(__file__).resolve().parent.parent)
_TOLD = ("temporalio.exceptions", "ApplicationError")
_FRAMES = 6
_CAUSES = 5

_PLAIN = frozenset({"plan_id", "request_id", "http_id", "workflow_id", "escalation_id", "timestamp", "level", "logger"})
"""Fields that hold nothing from outside, and whose digits are no phone number."""


_ADDRESS = re.compile(r"((?<![\d.])(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}:\d{2,5}(?!\d))")


class Once(logging.Filter):
    """An error is told once, by whoever comes first: who swallows it knows what that means, a server that is handed it
    on does not."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or _is_expected(record):
            return True
        # One record may pass the filters of several handlers.
        told_by = getattr(error, "_iq_told_by", None)
        if told_by is not None and told_by != id(record):
            return False
        # An error that takes no attributes is told as often as it is logged.
        with contextlib.suppress(AttributeError):
            error._iq_told_by = id(record)  # type: ignore[attr-defined]
        return True


def _is_expected(record: logging.LogRecord) -> bool:
    """Whether an activity ended by an error that says what kind it is: an outage, a refusal, a word given up."""
    failed = getattr(record, "__temporal_error_identifier", None) == "ActivityFailure"
    error = record.exc_info[1] if record.exc_info else None
    return failed and error is not None and _is_told(error)


def _is_told(error: BaseException) -> bool:
    """Whether it is Temporal's `ApplicationError`, by its name: many a program logs that loads no Temporal."""
    return any((kind.__module__, kind.__name__) == _TOLD for kind in type(error).__mro__)


def _about(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The ids of the plan, the chat and the request, whoever logs; and fields that were given to the line."""
    record: logging.LogRecord = event["_record"]
    for key in ("temporal_workflow", "temporal_activity"):
        told = getattr(record, key, None)
        if isinstance(told, dict):
            event.update(ids_of(str(told.get("workflow_id", ""))) | {k: v for k, v in event.items() if k in _PLAIN})
            if name := told.get("activity_type"):
                event.setdefault("activity", name)
                event.setdefault("attempt", told.get("attempt"))
    event.update(getattr(record, "fields", {}))
    return event


def _error(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An error as kinds and places."""
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
    """Each error and what caused it: its kind, what is safe of its text, and where it came from."""
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
    if _is_told(error):
        return f" {getattr(error, 'type', None)}"
    if type(error).__name__ == "RPCError":
        return f" {getattr(getattr(error, 'status', None), 'name', '')}"
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def _places(error: BaseException) -> str:
    """Where it passed through our code, innermost last; the innermost place of all where it did not."""
    found = [(f.f_code.co_filename, line, f.f_code.co_name) for f, line in traceback.walk_tb(error.__traceback__)]
    ours = [place for place in found if place[0].startswith(_ROOT) and "site-packages" not in place[0]]
    shown = ours[-_FRAMES:] + ([found[-1]] if found and found[-1] not in ours else [])
    told = " > ".join(f"{_short(file)}:{line} {name}" for file, line, name in shown)
    return f" at {told}" if told else ""


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
    """Masked, but for the addresses of servers: an operator's phone number has no port."""
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
"""What is done with every record, ours or another's, before it is rendered."""
