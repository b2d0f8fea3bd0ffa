"""`modify_booking`: a new day, time or number of people. The order of checks is that of `create_booking`; errors
without a code in the contract are UPDATE_ERROR (`docs/restaurant.md`)."""

from collections.abc import Sequence
from dataclasses import replace

from restaurant import messages_it
from restaurant.capacity import CapacityUnknownError, capacity_of, nearest
from restaurant.errors import Code, RefusalError
from restaurant.hours import hours_of, next_open
from restaurant.knowledge import minutes
from restaurant.providers import (
    Admit,
    Booking,
    BookingNotFoundError,
    ConflictError,
    NoTableError,
    OutcomeUnknownError,
    ProviderError,
    SheetNotFoundError,
)
from restaurant.schemas.requests import ModifyBooking
from restaurant.schemas.responses import BookingAnswer, of_booking
from restaurant.tools.caller_bookings import own_booking
from restaurant.tools.context import Restaurant, RestaurantCaller, ToolContext, provider_error

_TRIES = 3
"""Somebody else may change the same booking in between; then it is read again."""


async def modify_booking(desk: ToolContext, request: ModifyBooking, caller: RestaurantCaller) -> BookingAnswer:
    """Answer, or raise `RefusalError`."""
    if request.new_day is None and request.new_time is None and request.new_people is None:
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.NOTHING_TO_CHANGE)
    restaurant = desk.restaurant(request.restaurant_id)
    try:
        changed = await _change(restaurant, request, caller)
    except BookingNotFoundError:
        raise RefusalError(Code.BOOKING_NOT_FOUND, messages_it.NOT_FOUND) from None
    except SheetNotFoundError as error:
        raise RefusalError(Code.SHEET_NOT_FOUND, messages_it.TECHNICAL, why=str(error)) from None
    except ProviderError as error:
        raise provider_error(error, restaurant.provider, Code.UPDATE_ERROR, messages_it.UPDATE_ERROR) from None
    return of_booking(changed, messages_it.modified(changed.day, changed.time))


async def _change(restaurant: Restaurant, request: ModifyBooking, caller: RestaurantCaller) -> Booking:
    for attempt in range(_TRIES):
        before = await own_booking(restaurant, request.booking_id, caller)
        after = replace(
            before,
            day=request.new_day or before.day,
            time=before.time if request.new_time is None else request.new_time,
            people=request.new_people or before.people,
        )
        _refuse(restaurant, request, before, after)
        await _refuse_outside_hours(restaurant, before, after)
        try:
            return await _write(restaurant, before, after)
        except ConflictError:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError("unreachable")


def _refuse(restaurant: Restaurant, request: ModifyBooking, before: Booking, after: Booking) -> None:
    for one in (before, after):
        if one.day < restaurant.today():
            raise RefusalError(Code.VALIDATION_ERROR, messages_it.PAST_DATE)
        if restaurant.is_past(one.day, one.time):
            raise RefusalError(Code.VALIDATION_ERROR, messages_it.PAST_TIME)
    if request.new_people is not None and after.people > restaurant.kb.max_people:
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.too_many(restaurant.kb.max_people))


def _moved(before: Booking, after: Booking) -> bool:
    return (before.day, before.time) != (after.day, after.time)


async def _refuse_outside_hours(restaurant: Restaurant, before: Booking, after: Booking) -> None:
    hours, wanted = hours_of(restaurant.kb, after.day), minutes(after.time)
    if not _moved(before, after) or (hours.is_slot(wanted) and not hours.cut_off(wanted)):
        return
    if hours.closed:
        text = f"{messages_it.UPDATE_ERROR} {messages_it.closed(hours, next_open(restaurant.kb, after.day))}"
        raise RefusalError(Code.UPDATE_ERROR, text, nearest=[])
    bookings = await restaurant.provider.of_day(after.day)
    raise _instead(restaurant, after, bookings, messages_it.OUTSIDE_HOURS, restaurant.earliest(after.day))


def _instead(
    restaurant: Restaurant, after: Booking, bookings: Sequence[Booking], because: str, earliest: int
) -> RefusalError:
    hours = hours_of(restaurant.kb, after.day)
    near = nearest(minutes(after.time), hours, bookings, earliest=earliest, without=after.booking_id)
    text = messages_it.with_nearest(f"{messages_it.UPDATE_ERROR} {because}", near)
    return RefusalError(Code.UPDATE_ERROR, text, nearest=near)


def _refuse_duplicate(after: Booking, others: Sequence[Booking]) -> None:
    same = (after.phone, after.day, after.time)
    if after.phone and any((one.phone, one.day, one.time) == same for one in others):
        raise RefusalError(Code.UPDATE_ERROR, f"{messages_it.UPDATE_ERROR} {messages_it.DUPLICATE}")


def _others(after: Booking, bookings: Sequence[Booking]) -> list[Booking]:
    return [one for one in bookings if one.live and one.booking_id != after.booking_id]


def _admission(restaurant: Restaurant, before: Booking, after: Booking) -> Admit:
    # Computed here, because a provider calls `admit` from its own thread or task, which does not see one request's
    # clock.
    earliest = restaurant.earliest(after.day)

    def admit(bookings: Sequence[Booking]) -> None:
        if not _moved(before, after):
            return
        others = _others(after, bookings)
        _refuse_duplicate(after, others)
        try:
            full = capacity_of(restaurant.kb).full(minutes(after.time), others)
        except CapacityUnknownError as error:
            raise RefusalError(Code.UPDATE_ERROR, messages_it.UPDATE_ERROR, why=str(error)) from None
        if full:
            raise _instead(restaurant, after, bookings, messages_it.SLOT_FULL, earliest)

    return admit


async def _write(restaurant: Restaurant, before: Booking, after: Booking) -> Booking:
    try:
        async with restaurant.in_turn(after.phone):
            if restaurant.provider.server_decides and _moved(before, after):
                _refuse_duplicate(after, _others(after, await restaurant.provider.of_phone(after.phone, after.day)))
            try:
                return await restaurant.provider.change(before, after, _admission(restaurant, before, after))
            except OutcomeUnknownError as unknown:
                return await restaurant.read_back(unknown, lambda: _as_asked(restaurant, after))
    except NoTableError:
        bookings = await restaurant.provider.of_day(after.day)
        raise _instead(restaurant, after, bookings, messages_it.NO_TABLE, restaurant.earliest(after.day)) from None


async def _as_asked(restaurant: Restaurant, after: Booking) -> Booking | None:
    found = await restaurant.provider.by_id(after.booking_id)
    if not found.live:
        raise BookingNotFoundError("no longer live")
    return found if (found.day, found.time, found.people) == (after.day, after.time, after.people) else None
