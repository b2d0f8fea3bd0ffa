"""Rate limit of the calls to each venue's API, from the pack (`rate` in `venue.yaml`): calls wait for a slot.

A write takes a slot without waiting, because its input was just read and staff may change it meanwhile. The reads after
it wait longer instead.
"""

import asyncio
from collections.abc import Callable

from contracts.venue import VenueRate
from infra.observability.observer import Observer
from infra.stores.rate_limiter import VenueRateLimiter


class RateLimitedError(Exception):
    """No slot is free in time; one may be after `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"no call may be sent for {retry_after:.1f} s")
        self.retry_after = retry_after


class VenueRateLimit:
    """Delays calls. `rate_of` returns the rate limit of the API at an address, None if there is none. `venue_of`
    returns the venue that the calls are counted under."""

    def __init__(
        self,
        pace: VenueRateLimiter,
        rate_of: Callable[[str], VenueRate | None],
        observer: Observer,
        venue_of: Callable[[str], str] = str,
    ) -> None:
        self._limiter = pace
        self._rate_of = rate_of
        self._observer = observer
        self._venue_of = venue_of

    async def acquire(self, address: str, timeout: float, *, write: bool) -> float:
        """Wait until a call may be sent, and return the seconds waited. Raises `RateLimitedError` at once if that takes
        longer than `timeout` seconds."""
        rate = self._rate_of(address)
        if rate is None:
            return 0.0
        place = await self._limiter.place(address, rate.per_second, rate.burst, float("1e9") if write else timeout)
        if not place.taken:
            self._observer.count("paced", venue=self._venue_of(address), came="turned_away")
            raise RateLimitedError(place.wait)
        if write or place.wait <= 0:
            return 0.0
        self._observer.count("paced", place.wait, venue=self._venue_of(address), came="waited")
        await asyncio.sleep(place.wait)
        return place.wait

    async def close(self) -> None:
        """Close the connections."""
        await self._limiter.close()
