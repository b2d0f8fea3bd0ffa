"""`modify_booking`: another day, time or number of people. The order of checks is that of `create_booking`; what the
contract has no code of its own for is UPDATE_ERROR (`docs/restaurant.md`)."""

from collections.abc import Sequence
from dataclasses import replace

from restaurant import wording
from restaurant.answers import BookingAnswer, of_booking
from restaurant.capacity import CapacityUnknownError, capacity_of, nearest
from restaurant.codes import Code, RefusalError
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
from restaurant.requests import ModifyBooking
from restaurant.tools.desk import Caller, Desk, Restaurant, not_done
from restaurant.tools.own import own_booking

_TRIES = 3
"""Somebody else may change the same booking in between; then it is read anew."""


async def modify_booking(desk: Desk, asked: ModifyBooking, caller: Caller) -> BookingAnswer:
    """Answer, or raise `RefusalError`."""
    if asked.new_day is None and asked.new_time is None and asked.new_people is None:
        raise RefusalError(Code.VALIDATION_ERROR, wording.NOTHING_TO_CHANGE)
    place = desk.restaurant(asked.restaurant_id)
    try:
        changed = await _change(place, asked, caller)
    except BookingNotFoundError:
        raise RefusalError(Code.BOOKING_NOT_FOUND, wording.NOT_FOUND) from None
    except SheetNotFoundError as error:
        raise RefusalError(Code.SHEET_NOT_FOUND, wording.TECHNICAL, why=str(error)) from None
    except ProviderError as error:
        raise not_done(error, place.provider, Code.UPDATE_ERROR, wording.UPDATE_ERROR) from None
    return of_booking(changed, wording.modified(changed.day, changed.time))


async def _change(place: Restaurant, asked: ModifyBooking, caller: Caller) -> Booking:
    for attempt in range(_TRIES):
        before = await own_booking(place, asked.booking_id, caller)
        after = replace(
            before,
            day=asked.new_day or before.day,
            time=before.time if asked.new_time is None else asked.new_time,
            people=asked.new_people or before.people,
        )
        _refuse(place, asked, before, after)
        await _refuse_outside_hours(place, before, after)
        try:
            return await _write(place, before, after)
        except ConflictError:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError("unreachable")


def _refuse(place: Restaurant, asked: ModifyBooking, before: Booking, after: Booking) -> None:
    for one in (before, after):
        if one.day < place.today():
            raise RefusalError(Code.VALIDATION_ERROR, wording.PAST_DATE)
        if place.is_past(one.day, one.time):
            raise RefusalError(Code.VALIDATION_ERROR, wording.PAST_TIME)
    if asked.new_people is not None and after.people > place.kb.max_people:
        raise RefusalError(Code.VALIDATION_ERROR, wording.too_many(place.kb.max_people))


def _moved(before: Booking, after: Booking) -> bool:
    return (before.day, before.time) != (after.day, after.time)


async def _refuse_outside_hours(place: Restaurant, before: Booking, after: Booking) -> None:
    hours, wanted = hours_of(place.kb, after.day), minutes(after.time)
    if not _moved(before, after) or (hours.is_slot(wanted) and not hours.cut_off(wanted)):
        return
    if hours.closed:
        said = f"{wording.UPDATE_ERROR} {wording.closed(hours, next_open(place.kb, after.day))}"
        raise RefusalError(Code.UPDATE_ERROR, said, nearest=[])
    bookings = await place.provider.of_day(after.day)
    raise _instead(place, after, bookings, wording.OUTSIDE_HOURS, place.earliest(after.day))


def _instead(
    place: Restaurant, after: Booking, bookings: Sequence[Booking], because: str, earliest: int
) -> RefusalError:
    hours = hours_of(place.kb, after.day)
    near = nearest(minutes(after.time), hours, bookings, earliest=earliest, without=after.booking_id)
    said = wording.with_nearest(f"{wording.UPDATE_ERROR} {because}", near)
    return RefusalError(Code.UPDATE_ERROR, said, nearest=near)


def _refuse_duplicate(after: Booking, others: Sequence[Booking]) -> None:
    same = (after.phone, after.day, after.time)
    if after.phone and any((one.phone, one.day, one.time) == same for one in others):
        raise RefusalError(Code.UPDATE_ERROR, f"{wording.UPDATE_ERROR} {wording.DUPLICATE}")


def _others(after: Booking, bookings: Sequence[Booking]) -> list[Booking]:
    return [one for one in bookings if one.live and one.booking_id != after.booking_id]


def _admission(place: Restaurant, before: Booking, after: Booking) -> Admit:
    # Now: a provider asks from a thread or a task of its own, which the clock of one request does not reach.
    earliest = place.earliest(after.day)

    def admit(bookings: Sequence[Booking]) -> None:
        if not _moved(before, after):
            return
        others = _others(after, bookings)
        _refuse_duplicate(after, others)
        try:
            full = capacity_of(place.kb).full(minutes(after.time), others)
        except CapacityUnknownError as error:
            raise RefusalError(Code.UPDATE_ERROR, wording.UPDATE_ERROR, why=str(error)) from None
        if full:
            raise _instead(place, after, bookings, wording.SLOT_FULL, earliest)

    return admit


async def _write(place: Restaurant, before: Booking, after: Booking) -> Booking:
    try:
        async with place.in_turn(after.phone):
            if place.provider.server_decides and _moved(before, after):
                _refuse_duplicate(after, _others(after, await place.provider.of_phone(after.phone, after.day)))
            try:
                return await place.provider.change(before, after, _admission(place, before, after))
            except OutcomeUnknownError as unknown:
                return await place.read_back(unknown, lambda: _as_asked(place, after))
    except NoTableError:
        bookings = await place.provider.of_day(after.day)
        raise _instead(place, after, bookings, wording.NO_TABLE, place.earliest(after.day)) from None


async def _as_asked(place: Restaurant, after: Booking) -> Booking | None:
    found = await place.provider.by_id(after.booking_id)
    if not found.live:
        raise BookingNotFoundError("no longer live")
    return found if (found.day, found.time, found.people) == (after.day, after.time, after.people) else None
