"""Each venue's API is asked no faster than its pack says (`rate` in `venue.yaml`): calls wait for their place.

A write takes a place and does not wait for it: what it is made of was read just before, and staff may change it
meanwhile. The reads that follow wait the longer.
"""

import asyncio
from collections.abc import Callable

from contracts.venue import VenueRate
from infra.observe import Observer
from infra.pace import Pace


class TooFastError(Exception):
    """No place is free in time; one may be after `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"no call may be sent for {retry_after:.1f} s")
        self.retry_after = retry_after


class Pacing:
    """Holds calls back. `rate_of` tells how fast the API at an address may be asked, None where nothing is said.
    `venue_of` tells under whose name that is counted."""

    def __init__(
        self,
        pace: Pace,
        rate_of: Callable[[str], VenueRate | None],
        observer: Observer,
        venue_of: Callable[[str], str] = str,
    ) -> None:
        self._pace = pace
        self._rate_of = rate_of
        self._observer = observer
        self._venue_of = venue_of

    async def turn(self, address: str, within: float, *, write: bool) -> float:
        """Return when a call may go out, after as many seconds. Raises `TooFastError` at once where it could not within
        `within` seconds."""
        rate = self._rate_of(address)
        if rate is None:
            return 0.0
        place = await self._pace.place(address, rate.per_second, rate.burst, float("1e9") if write else within)
        if not place.taken:
            self._observer.count("paced", venue=self._venue_of(address), came="turned_away")
            raise TooFastError(place.wait)
        if write or place.wait <= 0:
            return 0.0
        self._observer.count("paced", place.wait, venue=self._venue_of(address), came="waited")
        await asyncio.sleep(place.wait)
        return place.wait

    async def close(self) -> None:
        """Let go of connections."""
        await self._pace.close()
