"""`create_booking`: check in the contract's order, write once, and read back an unknown outcome."""

from collections.abc import Sequence
from uuid import uuid4

from restaurant import messages_it
from restaurant.capacity import CapacityUnknownError, capacity_of, nearest
from restaurant.errors import Code, RefusalError
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
    ProviderUnavailableError,
)
from restaurant.schemas.requests import CreateBooking
from restaurant.schemas.responses import BookingAnswer, of_booking
from restaurant.tools.context import Restaurant, RestaurantCaller, ToolContext, provider_error


async def create_booking(desk: ToolContext, request: CreateBooking, _caller: RestaurantCaller) -> BookingAnswer:
    """Answer, or raise `RefusalError`. The order of checks is the contract's: past, people, duplicates, hours,
    capacity. A caller may book for any number: for somebody else, or from an office."""
    restaurant = desk.restaurant(request.restaurant_id)
    _refuse_past(restaurant, request)
    if request.people > restaurant.kb.max_people:
        raise RefusalError(Code.MAX_PEOPLE_EXCEEDED, messages_it.too_many(restaurant.kb.max_people))
    try:
        async with restaurant.in_turn(request.phone):
            refuse_duplicate(request, await restaurant.provider.of_phone(request.phone, request.day))
            await _refuse_outside_hours(restaurant, request)
            booking = await _write(restaurant, request)
    except NoTableError:
        raise RefusalError(Code.NO_TABLE_AVAILABLE, messages_it.NO_TABLE) from None
    except AmbiguousError as error:
        raise provider_error(error, restaurant.provider, Code.PROVIDER_ERROR, messages_it.PROVIDER_ERROR) from None
    except ProviderUnavailableError as error:
        raise provider_error(error, restaurant.provider, Code.PROVIDER_UNAVAILABLE, messages_it.UNAVAILABLE) from None
    except ProviderError as error:
        raise provider_error(error, restaurant.provider, Code.CREATE_ERROR, messages_it.CREATE_ERROR) from None
    return of_booking(booking, messages_it.booked(booking.day, booking.time, booking.people, booking.name))


def refuse_duplicate(request: CreateBooking, bookings: Sequence[Booking]) -> None:
    """Raise `RefusalError` (DUPLICATE_BOOKING) if the same phone has a live booking at the same day and time."""
    if any(_is_same(request, booking) for booking in bookings):
        raise RefusalError(Code.DUPLICATE_BOOKING, messages_it.DUPLICATE)


def _is_same(request: CreateBooking, booking: Booking) -> bool:
    place = (request.phone, request.day, request.time)
    return booking.live and (booking.phone, booking.day, booking.time) == place


def _refuse_past(restaurant: Restaurant, request: CreateBooking) -> None:
    if request.day < restaurant.today():
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.PAST_DATE)
    if restaurant.is_past(request.day, request.time):
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.PAST_TIME)


async def _refuse_outside_hours(restaurant: Restaurant, request: CreateBooking) -> None:
    hours, wanted = hours_of(restaurant.kb, request.day), minutes(request.time)
    if hours.closed:
        text = f"{messages_it.OUTSIDE_HOURS} {messages_it.closed(hours, next_open(restaurant.kb, request.day))}"
        raise RefusalError(Code.OUTSIDE_HOURS, text, nearest=[])
    if hours.is_slot(wanted) and not hours.cut_off(wanted):
        return
    bookings = await restaurant.provider.of_day(request.day)
    near = nearest(wanted, hours, bookings, earliest=restaurant.earliest(request.day))
    raise RefusalError(Code.OUTSIDE_HOURS, messages_it.with_nearest(messages_it.OUTSIDE_HOURS, near), nearest=near)


def _admission(restaurant: Restaurant, request: CreateBooking) -> Admit:
    hours, wanted = hours_of(restaurant.kb, request.day), minutes(request.time)
    # Computed here, because a provider calls `admit` from its own thread or task, which does not see one request's
    # clock.
    earliest = restaurant.earliest(request.day)

    def admit(bookings: Sequence[Booking]) -> None:
        refuse_duplicate(request, bookings)
        try:
            full = capacity_of(restaurant.kb).full(wanted, bookings)
        except CapacityUnknownError as error:
            raise RefusalError(Code.CREATE_ERROR, messages_it.CREATE_ERROR, why=str(error)) from None
        if full:
            near = nearest(wanted, hours, bookings, earliest=earliest)
            raise RefusalError(Code.SLOT_FULL, messages_it.with_nearest(messages_it.SLOT_FULL, near), nearest=near)

    return admit


async def _write(restaurant: Restaurant, request: CreateBooking) -> Booking:
    wanted = NewBooking(
        key=uuid4().hex,
        day=request.day,
        time=request.time,
        people=request.people,
        name=request.name,
        phone=request.phone,
        notes=request.notes,
    )
    try:
        return await restaurant.provider.create(wanted, _admission(restaurant, request))
    except OutcomeUnknownError as unknown:
        return await restaurant.read_back(unknown, lambda: _landed(restaurant, request, wanted.key))


async def _landed(restaurant: Restaurant, request: CreateBooking, key: str) -> Booking | None:
    """Return the booking that was created: by our key, or, if no key is kept, one like the request, because none
    existed before."""
    found = [booking for booking in await restaurant.provider.of_day(request.day) if _is_same(request, booking)]
    return next((booking for booking in found if booking.key in (key, None)), None)
