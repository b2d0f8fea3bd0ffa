"""What time it is, by each restaurant's clock; a setting, or an outside suite, may say otherwise.

`IQ_RESTAURANT_CLOCK` stops the clock at a moment. With the controls on, `PUT /control/clock` does so while it runs, and
the header `X-Restaurant-Clock` for one request. A moment without an offset is that wall time in every restaurant.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

_OF_THIS_REQUEST: ContextVar[datetime | None] = ContextVar("clock", default=None)


def read_moment(text: str) -> datetime:
    """An ISO moment, with or without an offset. Raises `ValueError`."""
    found = datetime.fromisoformat(text.strip())
    if not 1970 <= found.year <= 9000:
        raise ValueError("the year is out of range")
    return found


class Clock:
    """Now, stopped or not."""

    def __init__(self, stopped_at: datetime | None = None) -> None:
        self.stopped_at = stopped_at

    @property
    def real(self) -> bool:
        """Whether it goes as clocks do."""
        return self.stopped_at is None and _OF_THIS_REQUEST.get() is None

    def now(self, zone: ZoneInfo) -> datetime:
        """The present moment in a zone, aware."""
        moment = _OF_THIS_REQUEST.get() or self.stopped_at or datetime.now(UTC)
        return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)

    def for_this_request(self, moment: datetime | None) -> AbstractContextManager[None]:
        """Stop it for what runs inside."""
        return _during(moment)


@contextmanager
def _during(moment: datetime | None) -> Iterator[None]:
    token = _OF_THIS_REQUEST.set(moment)
    try:
        yield
    finally:
        _OF_THIS_REQUEST.reset(token)
