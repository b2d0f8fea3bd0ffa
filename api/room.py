"""How many messages one facade works on at a time. One more is told at once when to come again: in a line that is too
long for its workers each would wait until its time is up, and be told then.

Where several venues are served, one has half of the places at most: however much it asks, others find room.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from clients.errors import refuse
from contracts.enums import ServiceErrorType
from language.catalogue import say

COME_AGAIN = 2
"""Seconds, about as long as a turn takes."""


class Room:
    """The places of one facade (`IQ_TURNS_AT_ONCE`)."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken: Counter[str] = Counter()
        self.refused = 0

    @contextmanager
    def one(self, venue_id: str, *, several: bool) -> Iterator[None]:
        """A place for the time of a block. Raises `RequestError`: rate_limited."""
        most = max(1, self._places // 2) if several else self._places
        if self._taken.total() >= self._places or self._taken[venue_id] >= most:
            self.refused += 1
            error = refuse(
                ServiceErrorType.RATE_LIMITED,
                say("refuse.no_place", seconds=COME_AGAIN),
                say("next.rate_limited", seconds=COME_AGAIN),
            )
            error.answer.retry_after_seconds = float(COME_AGAIN)
            raise error
        self._taken[venue_id] += 1
        try:
            yield
        finally:
            self._taken[venue_id] -= 1
