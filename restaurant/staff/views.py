"""A restaurant's bookings and days for its staff: bookings in any status, and how full each slot is."""

from datetime import date, time, timedelta

from pydantic import BaseModel

from restaurant import messages_it
from restaurant.capacity import Capacity, CapacityUnknownError, capacity_of, nearest
from restaurant.hours import DayHours, hours_of, open_now
from restaurant.knowledge import minutes
from restaurant.providers import Booking
from restaurant.tools.context import Restaurant


class StaffBooking(BaseModel):
    """A booking as its provider has it. `live`: it holds a table."""

    booking_id: str
    day: str
    day_label: str
    time: str
    people: int
    name: str
    phone: str
    notes: str | None
    status: str
    live: bool


class StaffBookings(BaseModel):
    """The bookings of some days, by day and time, including those that hold no table."""

    bookings: list[StaffBooking]


class StaffSlot(BaseModel):
    """A slot: the number of stays that overlap it, and the maximum (null if the knowledge base does not set it)."""

    time: str
    taken: int | None
    of: int | None
    cut_off: bool


class StaffDay(BaseModel):
    """A day of a restaurant. Bookings by time, including those that hold no table."""

    restaurant_id: str
    day: str
    day_label: str
    closed: bool
    bookings: list[StaffBooking]
    slots: list[StaffSlot]


class StaffInstead(BaseModel):
    """For a booking that was to be moved: the times of that day that are free instead (none if the requested time is
    free), and whether the restaurant is open, so that staff can be reached."""

    nearest_slots: list[str]
    open_now: bool


def instead_of(place: Restaurant, day: date, at: time, booking_id: str, bookings: list[Booking]) -> StaffInstead:
    """Return the other times. `booking_id`: the booking that was to be moved; `bookings`: the day's."""
    hours, wanted = hours_of(place.kb, day), minutes(at)
    others = [one for one in bookings if one.booking_id != booking_id]
    has = next((minutes(one.time) for one in bookings if one.booking_id == booking_id), None)
    near = nearest(wanted, hours, others, earliest=place.earliest(day), has=has)
    try:
        full = capacity_of(place.kb).full(wanted, others)
    except CapacityUnknownError:
        full = False
    free = hours.is_slot(wanted) and not hours.cut_off(wanted) and not full
    return StaffInstead(
        nearest_slots=[] if free else [messages_it.written(slot) for slot in near],
        open_now=open_now(place.kb, place.now()).open,
    )


def day_of(place: Restaurant, day: date, bookings: list[Booking]) -> StaffDay:
    """Return a day with its bookings."""
    hours = hours_of(place.kb, day)
    try:
        capacity: Capacity | None = capacity_of(place.kb)
    except CapacityUnknownError:
        capacity = None
    return StaffDay(
        restaurant_id=place.kb.restaurant_id,
        day=day.isoformat(),
        day_label=messages_it.label(day),
        closed=hours.closed,
        bookings=[booking_of(one) for one in bookings],
        slots=[_slot(hours, slot, capacity, bookings) for slot in _shown_slots(hours, bookings)],
    )


def _shown_slots(hours: DayHours, bookings: list[Booking]) -> list[int]:
    """Return the day's slots, and the times of bookings outside them."""
    return sorted({*hours.slots, *(minutes(one.time) for one in bookings if one.live)})


def _slot(hours: DayHours, slot: int, capacity: Capacity | None, bookings: list[Booking]) -> StaffSlot:
    return StaffSlot(
        time=messages_it.written(slot),
        taken=capacity.taken(slot, bookings) if capacity else None,
        of=capacity.at_once if capacity else None,
        cut_off=hours.cut_off(slot),
    )


def booking_of(one: Booking) -> StaffBooking:
    """Return a booking as its provider has it."""
    return StaffBooking(
        booking_id=one.booking_id,
        day=one.day.isoformat(),
        day_label=messages_it.label(one.day),
        time=f"{one.time:%H:%M}",
        people=one.people,
        name=one.name,
        phone=one.phone,
        notes=one.notes,
        status=one.status,
        live=one.live,
    )


def neighbour(day: date, by: int) -> str | None:
    """Return the day before or after as YYYY-MM-DD; None outside the range of dates."""
    try:
        return (day + timedelta(days=by)).isoformat()
    except OverflowError:
        return None
