"""How full a restaurant is: stays that overlap a slot, and the free slots nearest to a time.

A stay begun at `t` lasts `avg_stay_minutes`. It counts for every slot whose own stay would overlap it, so that at no
minute are there more stays than `max_concurrent_bookings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from restaurant.hours import DayHours
from restaurant.knowledge import KnowledgeBase, minutes
from restaurant.providers import Booking


class CapacityUnknownError(Exception):
    """The knowledge base lacks `max_concurrent_bookings` or `avg_stay_minutes`; the text says which."""


@dataclass(frozen=True)
class Capacity:
    """The two keys, both there."""

    at_once: int
    stay: int

    def taken(self, slot: int, bookings: Sequence[Booking], *, without: str | None = None) -> int:
        """How many live stays overlap a stay from `slot`. `without`: the id of a booking that is not counted."""
        return sum(
            booking.live and booking.booking_id != without and abs(minutes(booking.time) - slot) < self.stay
            for booking in bookings
        )

    def full(self, slot: int, bookings: Sequence[Booking], *, without: str | None = None) -> bool:
        """Whether one stay more would be one too many."""
        return self.taken(slot, bookings, without=without) >= self.at_once


def capacity_of(kb: KnowledgeBase) -> Capacity:
    """A restaurant's capacity. Raises `CapacityUnknownError`."""
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
    """The bookable slots nearest to a time, in time order, as many as the knowledge base says. Of two equally far the
    earlier comes first. `earliest`: minutes after midnight before which the day is past; `has`: the slot that the
    booking has already, which is none to move to.

    Where the capacity is not known (a provider whose server decides alone), every open slot counts as free.
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
