"""`create_booking`: refuse in the contract's order, write once, and read back what is not known."""

from collections.abc import Sequence
from uuid import uuid4

from restaurant import wording
from restaurant.answers import BookingAnswer, of_booking
from restaurant.capacity import CapacityUnknownError, capacity_of, nearest
from restaurant.codes import Code, RefusalError
from restaurant.hours import hours_of, next_open
from restaurant.knowledge import minutes
from restaurant.providers import (
    Admit,
    AmbiguousError,
    Booking,
    NewBooking,
    NoTableError,
    OutcomeUnknownError,
    ProviderError,
    UnavailableError,
)
from restaurant.requests import CreateBooking
from restaurant.tools.desk import Caller, Desk, Restaurant, not_done


async def create_booking(desk: Desk, asked: CreateBooking, _caller: Caller) -> BookingAnswer:
    """Answer, or raise `RefusalError`. The order of checks is the contract's: past, people, duplicates, hours,
    capacity. A caller may book for any number: for somebody else, or from an office."""
    place = desk.restaurant(asked.restaurant_id)
    _refuse_past(place, asked)
    if asked.people > place.kb.max_people:
        raise RefusalError(Code.MAX_PEOPLE_EXCEEDED, wording.too_many(place.kb.max_people))
    try:
        async with place.in_turn(asked.phone):
            refuse_duplicate(asked, await place.provider.of_phone(asked.phone, asked.day))
            await _refuse_outside_hours(place, asked)
            made = await _write(place, asked)
    except NoTableError:
        raise RefusalError(Code.NO_TABLE_AVAILABLE, wording.NO_TABLE) from None
    except AmbiguousError as error:
        raise not_done(error, place.provider, Code.PROVIDER_ERROR, wording.PROVIDER_ERROR) from None
    except UnavailableError as error:
        raise not_done(error, place.provider, Code.PROVIDER_UNAVAILABLE, wording.UNAVAILABLE) from None
    except ProviderError as error:
        raise not_done(error, place.provider, Code.CREATE_ERROR, wording.CREATE_ERROR) from None
    return of_booking(made, wording.booked(made.day, made.time, made.people, made.name))


def refuse_duplicate(asked: CreateBooking, bookings: Sequence[Booking]) -> None:
    """The same phone, day and time, in any live status. Raises `RefusalError`: DUPLICATE_BOOKING."""
    if any(_is_same(asked, booking) for booking in bookings):
        raise RefusalError(Code.DUPLICATE_BOOKING, wording.DUPLICATE)


def _is_same(asked: CreateBooking, booking: Booking) -> bool:
    place = (asked.phone, asked.day, asked.time)
    return booking.live and (booking.phone, booking.day, booking.time) == place


def _refuse_past(place: Restaurant, asked: CreateBooking) -> None:
    if asked.day < place.today():
        raise RefusalError(Code.VALIDATION_ERROR, wording.PAST_DATE)
    if place.is_past(asked.day, asked.time):
        raise RefusalError(Code.VALIDATION_ERROR, wording.PAST_TIME)


async def _refuse_outside_hours(place: Restaurant, asked: CreateBooking) -> None:
    hours, wanted = hours_of(place.kb, asked.day), minutes(asked.time)
    if hours.closed:
        said = f"{wording.OUTSIDE_HOURS} {wording.closed(hours, next_open(place.kb, asked.day))}"
        raise RefusalError(Code.OUTSIDE_HOURS, said, nearest=[])
    if hours.is_slot(wanted) and not hours.cut_off(wanted):
        return
    bookings = await place.provider.of_day(asked.day)
    near = nearest(wanted, hours, bookings, earliest=place.earliest(asked.day))
    raise RefusalError(Code.OUTSIDE_HOURS, wording.with_nearest(wording.OUTSIDE_HOURS, near), nearest=near)


def _admission(place: Restaurant, asked: CreateBooking) -> Admit:
    hours, wanted = hours_of(place.kb, asked.day), minutes(asked.time)
    # Now: a provider asks from a thread or a task of its own, which the clock of one request does not reach.
    earliest = place.earliest(asked.day)

    def admit(bookings: Sequence[Booking]) -> None:
        refuse_duplicate(asked, bookings)
        try:
            full = capacity_of(place.kb).full(wanted, bookings)
        except CapacityUnknownError as error:
            raise RefusalError(Code.CREATE_ERROR, wording.CREATE_ERROR, why=str(error)) from None
        if full:
            near = nearest(wanted, hours, bookings, earliest=earliest)
            raise RefusalError(Code.SLOT_FULL, wording.with_nearest(wording.SLOT_FULL, near), nearest=near)

    return admit


async def _write(place: Restaurant, asked: CreateBooking) -> Booking:
    wanted = NewBooking(
        key=uuid4().hex,
        day=asked.day,
        time=asked.time,
        people=asked.people,
        name=asked.name,
        phone=asked.phone,
        notes=asked.notes,
    )
    try:
        return await place.provider.create(wanted, _admission(place, asked))
    except OutcomeUnknownError as unknown:
        return await place.read_back(unknown, lambda: _landed(place, asked, wanted.key))


async def _landed(place: Restaurant, asked: CreateBooking, key: str) -> Booking | None:
    """The booking that was made: with our key, or where no key is kept like the one asked for, as none was before."""
    found = [booking for booking in await place.provider.of_day(asked.day) if _is_same(asked, booking)]
    return next((booking for booking in found if booking.key in (key, None)), None)
