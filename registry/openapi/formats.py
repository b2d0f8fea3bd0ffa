"""The `format`s of JSON Schema and OpenAPI, as far as APIs agree on their meaning."""

import re
from collections.abc import Callable
from datetime import date, datetime
from ipaddress import IPv4Address, IPv6Address
from uuid import UUID

CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_TIME = re.compile(rf"{CLOCK.pattern}(:([0-5][0-9]|60)(\.[0-9]+)?)?([zZ]|[+-]{CLOCK.pattern})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s,;<>]+@[^@\s.,;<>]+(\.[^@\s.,;<>]+)+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_clock(value: str) -> bool:
    """Return whether a text is HH:MM on a 24-hour clock."""
    return CLOCK.fullmatch(value) is not None


def is_day(value: str) -> bool:
    """Return whether a text is an existing day, written YYYY-MM-DD."""
    return _DAY.fullmatch(value) is not None and _read(date.fromisoformat, value)


def is_email(value: str) -> bool:
    """Return whether a text is one address with a domain that has a dot."""
    return _EMAIL.fullmatch(value) is not None


def format_problem(value: object, format_: str) -> str | None:
    """Return what violates the format of `value`, as the end of a sentence; None when nothing does, or the format is
    unknown."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        bits = {"int32": 31, "int64": 63}.get(format_)
        fits = bits is None or -(2**bits) <= value < 2**bits
        return None if fits else f"{value!r} does not fit into {format_[3:]} bits"
    check = _CHECKS.get(format_)
    if not isinstance(value, str) or check is None or check[0](value):
        return None
    return f"{value!r} is {check[1]}"


def _read(parse: Callable[[str], object], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


def _is_moment(value: str) -> bool:
    # The zone may be missing, because many APIs use date-time for the venue's local time.
    day, time = value[:10], value[11:]
    well_formed = is_day(day) and value[10:11] in ("T", "t", " ") and _TIME.fullmatch(time) is not None
    return well_formed and _read(datetime.fromisoformat, f"{day}T{time[:5]}")


_CHECKS: dict[str, tuple[Callable[[str], bool], str]] = {
    "date": (is_day, "not a day; write it as YYYY-MM-DD, such as 2026-11-28"),
    "time": (
        lambda value: _TIME.fullmatch(value) is not None,
        "not a time of day; write it as HH:MM on a 24-hour clock, such as 15:00",
    ),
    "date-time": (_is_moment, "not a day and time; write it as 2026-11-28T15:00:00Z"),
    "email": (is_email, "not an e-mail address"),
    "uuid": (lambda value: _UUID.fullmatch(value) is not None and _read(UUID, value), "not a UUID"),
    "ipv4": (lambda value: _read(IPv4Address, value), "not an IPv4 address"),
    "ipv6": (lambda value: _read(IPv6Address, value), "not an IPv6 address"),
}
