"""The body of a venue's answer, read within bounds, and the wait that it asks for."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from contracts import bounds
from contracts.base import Json
from infra.answers import PackedError, TooLargeError, read_within

_LONGEST_WAIT = 86_400.0
"""Seconds: a venue that asks for more than a day means "not now"."""


async def read_body(response: httpx.Response) -> bytes | str:
    """The body; in words why it cannot be had when it is longer than what is read of one, or packed in layers."""
    try:
        return await read_within(response, bounds.ANSWER_BYTES)
    except TooLargeError:
        return "too large"
    except PackedError as error:
        return str(error)


def parsed_body(raw: bytes | str, response: httpx.Response) -> Json:
    """JSON, text when it is none, None when empty. Raises ValueError for more than is taken in."""
    if isinstance(raw, str):
        raise ValueError(raw)
    if not raw:
        return None
    try:
        return bounds.cleaned(bounds.parsed(raw, bounds.ANSWER_DEPTH))
    except bounds.TooDeepError:
        raise
    except ValueError:
        return bounds.clean(_text(raw, response.charset_encoding)[:2000], 2000)


def _text(raw: bytes, charset: str | None) -> str:
    try:
        return raw.decode(charset or "utf-8", "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def retry_after(value: str | None) -> float | None:
    """Seconds, from a number of seconds or an HTTP date (RFC 9110, 10.2.3); None when it says nothing usable."""
    if not value:
        return None
    if value.strip().isdecimal():
        return min(float(value), _LONGEST_WAIT)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return min(max(0.0, (when - datetime.now(UTC)).total_seconds()), _LONGEST_WAIT)
