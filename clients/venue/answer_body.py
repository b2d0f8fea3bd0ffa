"""Reads the body of a venue's answer within limits, and its Retry-After."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from contracts import limits
from contracts.base import Json
from infra.http.bounded_body import TooLargeError, UnsupportedEncodingError, read_bounded

_LONGEST_WAIT = 86_400.0
"""Seconds. A longer wait is cut to a day."""


async def read_body(response: httpx.Response) -> bytes | str:
    """Return the body; or, as a string, why it cannot be read: it is too long, or compressed in layers."""
    try:
        return await read_bounded(response, limits.ANSWER_BYTES)
    except TooLargeError:
        return "too large"
    except UnsupportedEncodingError as error:
        return str(error)


def parsed_body(raw: bytes | str, response: httpx.Response) -> Json:
    """Return the parsed JSON, the text if it is not JSON, None if it is empty. Raises ValueError for a body over the
    limit."""
    if isinstance(raw, str):
        raise ValueError(raw)
    if not raw:
        return None
    try:
        return limits.sanitize_json(limits.parse_json(raw, limits.ANSWER_DEPTH))
    except limits.TooDeepError:
        raise
    except ValueError:
        return limits.sanitize_text(_text(raw, response.charset_encoding)[:2000], 2000)


def _text(raw: bytes, charset: str | None) -> str:
    try:
        return raw.decode(charset or "utf-8", "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def retry_after(value: str | None) -> float | None:
    """Return the seconds from a number or an HTTP date (RFC 9110, 10.2.3); None for an unusable value."""
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
