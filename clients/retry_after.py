"""Reads for how long an endpoint asks its callers to wait. A wait is at most a day; an unusable value says nothing."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from contracts.base import Json

_LONGEST_WAIT = 86_400.0
"""Seconds. A longer wait is cut to a day."""

_EPOCH = 1_000_000_000
"""A number this large is a moment (Unix time), not a number of seconds."""

_SECONDS = re.compile(r"\d{1,12}(?:\.\d{1,9})?")
_PART = r"(\d{1,9}(?:\.\d{1,9})?)"
_DURATION = re.compile(rf"(?=\d)(?:{_PART}h)?(?:{_PART}m(?!s))?(?:{_PART}s)?(?:{_PART}ms)?")
"""Go's notation, e.g. "6m0s" or "20ms"."""


def retry_after(value: str | None) -> float | None:
    """Return the seconds from a number, a moment in Unix time, or an HTTP date (RFC 9110, 10.2.3); None for an unusable
    value."""
    text = (value or "").strip()
    if _SECONDS.fullmatch(text) or text.isdecimal():
        seconds = float(text)
        return _within(seconds - datetime.now(UTC).timestamp() if seconds >= _EPOCH else seconds)
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return _within((when - datetime.now(UTC)).total_seconds())


def model_wait(headers: Mapping[str, str], body: Json) -> float | None:
    """Return the seconds that a model endpoint asks for, from `retry-after-ms` (Azure), `Retry-After`, the retry delay
    in an error of Google's, or the reset of a used-up rate limit; None if it names none."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return _within(float(milliseconds) / 1000)
    return _first(retry_after(headers.get("retry-after")), _of_google(body), _of_limits(headers))


def _of_limits(headers: Mapping[str, str]) -> float | None:
    """Return when the used-up limit is reset; of several, the last. Every answer names its limits, used up or not."""
    waits = [
        wait
        for kind in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{kind}", "0").strip() == "0"
        and (wait := _duration(headers.get(f"x-ratelimit-reset-{kind}"))) is not None
    ]
    return max(waits, default=_duration(headers.get("x-ratelimit-reset")))


def _of_google(body: Json) -> float | None:
    first = body[0] if isinstance(body, list) and body else body
    error = first.get("error") if isinstance(first, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and (wait := _duration(delay)) is not None:
            return wait
    return None


def _duration(value: str | None) -> float | None:
    text = (value or "").strip()
    found = _DURATION.fullmatch(text) if text else None
    if found is None or not any(found.groups()):
        return retry_after(text)
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in found.groups())
    return _within(hours * 3600 + minutes * 60 + seconds + milliseconds / 1000)


def _within(seconds: float) -> float:
    return min(max(0.0, seconds), _LONGEST_WAIT)


def _first(*waits: float | None) -> float | None:
    return next((wait for wait in waits if wait is not None), None)
