"""How much one facade works on at a time. One more is told at once when to come again: in a line that is too long for
its workers each would wait until its time is up, and be told then.

Where several venues are served, one has half of the places at most: however much it asks, others find room. Messages
have places, and words that ask for work (confirm, answer, undo). Words that take work away (cancel, leave out) are
always heard.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from clients.errors import refuse
from contracts.enums import ServiceErrorType
from infra.observe import Observer
from language.catalogue import say

COME_AGAIN = 2
"""Seconds, about as long as a turn takes."""


class Places:
    """Those of one facade (`IQ_TURNS_AT_ONCE`, `IQ_WORDS_AT_ONCE`)."""

    def __init__(self, number: int, what: Literal["message", "word"], observer: Observer) -> None:
        self._number = number
        self._what = what
        self._observer = observer
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, venue_id: str, *, several: bool, then: str = "") -> Iterator[None]:
        """A place for the time of a block. `then`: what else is told where there is none. Raises `RequestError`:
        rate_limited."""
        most = max(1, self._number // 2) if several else self._number
        if self._taken.total() >= self._number or self._taken[venue_id] >= most:
            self._observer.count("no_place", venue=venue_id, kind=self._what)
            error = refuse(
                ServiceErrorType.RATE_LIMITED,
                f"{say(f'refuse.no_place_{self._what}', seconds=COME_AGAIN)} {then}".strip(),
                say("next.rate_limited", seconds=COME_AGAIN),
            )
            error.answer.retry_after_seconds = float(COME_AGAIN)
            raise error
        self._taken[venue_id] += 1
        try:
            yield
        finally:
            self._taken[venue_id] -= 1
