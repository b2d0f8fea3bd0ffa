"""A restaurant's capacity: stays that overlap a slot, and the free slots nearest to a time.

A stay that begins at `t` lasts `avg_stay_minutes`. It counts for every slot whose own stay would overlap it, so that at
no minute are there more stays than `max_concurrent_bookings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from restaurant.hours import DayHours
from restaurant.knowledge import KnowledgeBase, minutes
from restaurant.providers import Booking


class CapacityUnknownError(Exception):
    """The knowledge base lacks `max_concurrent_bookings` or `avg_stay_minutes`; the text names the missing key."""


@dataclass(frozen=True)
class Capacity:
    """The two keys, both set."""

    at_once: int
    stay: int

    def taken(self, slot: int, bookings: Sequence[Booking], *, without: str | None = None) -> int:
        """Return the number of live stays that overlap a stay from `slot`. `without`: the id of a booking that is not
        counted."""
        return sum(
            booking.live and booking.booking_id != without and abs(minutes(booking.time) - slot) < self.stay
            for booking in bookings
        )

    def full(self, slot: int, bookings: Sequence[Booking], *, without: str | None = None) -> bool:
        """Return whether one more stay would exceed the capacity."""
        return self.taken(slot, bookings, without=without) >= self.at_once


def capacity_of(kb: KnowledgeBase) -> Capacity:
    """Return a restaurant's capacity. Raises `CapacityUnknownError`."""
    if kb.max_concurrent_bookings is None or kb.avg_stay_minutes is None:
        missing = "max_concurrent_bookings" if kb.max_concurrent_bookings is None else "avg_stay_minutes"
        raise CapacityUnknownError(f"{kb.restaurant_id}: {missing} is not in the knowledge base")
    return Capacity(kb.max_concurrent_bookings, kb.avg_stay_minutes)


def nearest(
    wanted: int,
    hours: DayHours,
    bookings: Sequence[Booking],
    *,
    earliest: int,
    without: str | None = None,
    has: int | None = None,
) -> list[int]:
    """Return the bookable slots nearest to a time, in time order, as many as the knowledge base sets. Of two equally
    near slots the earlier comes first. `earliest`: the minute after midnight before which the day is past; `has`: the
    slot that the booking already has, which is not offered.

    If the capacity is unknown (a provider whose server decides alone), every open slot counts as free.
    """
    try:
        capacity: Capacity | None = capacity_of(hours.kb)
    except CapacityUnknownError:
        capacity = None
    free = [
        slot
        for slot in hours.bookable()
        if slot >= earliest
        and slot not in (wanted, has)
        and not (capacity is not None and capacity.full(slot, bookings, without=without))
    ]
    chosen = sorted(free, key=lambda slot: (abs(slot - wanted), slot))[: hours.kb.nearest_slots]
    return sorted(chosen)
