"""The time by each restaurant's clock. A setting, or an external test suite, may stop it.

`IQ_RESTAURANT_CLOCK` stops the clock at a moment. With the controls on, `PUT /control/clock` does so at run time, and
the header `X-Restaurant-Clock` does so for one request. A moment without an offset is that wall time in every
restaurant.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

_OF_THIS_REQUEST: ContextVar[datetime | None] = ContextVar("clock", default=None)


def read_moment(text: str) -> datetime:
    """Return an ISO moment, with or without an offset. Raises `ValueError`."""
    found = datetime.fromisoformat(text.strip())
    if not 1970 <= found.year <= 9000:
        raise ValueError("the year is out of range")
    return found


class Clock:
    """The present time, stopped or not."""

    def __init__(self, stopped_at: datetime | None = None) -> None:
        self.stopped_at = stopped_at

    @property
    def real(self) -> bool:
        """Return whether the clock is running."""
        return self.stopped_at is None and _OF_THIS_REQUEST.get() is None

    def now(self, zone: ZoneInfo) -> datetime:
        """Return the present moment in a zone, aware."""
        moment = _OF_THIS_REQUEST.get() or self.stopped_at or datetime.now(UTC)
        return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)

    def for_this_request(self, moment: datetime | None) -> AbstractContextManager[None]:
        """Stop the clock inside the context."""
        return _during(moment)


@contextmanager
def _during(moment: datetime | None) -> Iterator[None]:
    token = _OF_THIS_REQUEST.set(moment)
    try:
        yield
    finally:
        _OF_THIS_REQUEST.reset(token)
