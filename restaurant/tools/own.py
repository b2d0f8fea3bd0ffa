"""`list_bookings` and `cancel_booking`: what a phone has, and taking one of them out."""

from typing import Literal

from restaurant import wording
from restaurant.answers import CancelAnswer, ListAnswer, of_listed
from restaurant.codes import Code, RefusalError
from restaurant.providers import (
    Booking,
    BookingNotFoundError,
    OutcomeUnknownError,
    ProviderError,
    SheetNotFoundError,
)
from restaurant.requests import CancelBooking, ListBookings
from restaurant.tools.desk import Caller, Desk, Restaurant, not_done


async def list_bookings(desk: Desk, asked: ListBookings, caller: Caller) -> ListAnswer:
    """Answer, or raise `RefusalError`. Today's bookings count all day, those that have begun included."""
    place = desk.restaurant(asked.restaurant_id)
    if not caller.may(asked.phone):
        raise RefusalError(Code.VALIDATION_ERROR, wording.OTHER_PHONE)
    try:
        found = await place.provider.of_phone(asked.phone, place.today())
    except ProviderError as error:
        raise not_done(error, place.provider, Code.LIST_ERROR, wording.TECHNICAL) from None
    shown = [one for one in found if one.listed and one.day >= place.today()]
    shown.sort(key=lambda one: (one.day, one.time))
    return ListAnswer(
        count=len(shown),
        message=wording.listed([(one.day, one.time) for one in shown]),
        results=[of_listed(one) for one in shown],
    )


async def own_booking(place: Restaurant, booking_id: str, caller: Caller) -> Booking:
    """A booking that is live and the caller's. Raises `BookingNotFoundError`, the same for one that is another's: who
    guesses ids learns nothing."""
    found = await place.provider.by_id(booking_id)
    if not found.live or not caller.may(found.phone):
        raise BookingNotFoundError("not live, or not the caller's")
    return found


async def cancel_booking(desk: Desk, asked: CancelBooking, caller: Caller) -> CancelAnswer:
    """Answer, or raise `RefusalError`."""
    place = desk.restaurant(asked.restaurant_id)
    try:
        await own_booking(place, asked.booking_id, caller)
        try:
            await place.provider.cancel(asked.booking_id)
        except OutcomeUnknownError as unknown:
            await place.read_back(unknown, lambda: _gone(place, asked.booking_id))
    except BookingNotFoundError:
        raise RefusalError(Code.BOOKING_NOT_FOUND, wording.NOT_FOUND) from None
    except SheetNotFoundError as error:
        raise RefusalError(Code.SHEET_NOT_FOUND, wording.TECHNICAL, why=str(error)) from None
    except ProviderError as error:
        raise not_done(error, place.provider, Code.DELETE_ERROR, wording.DELETE_ERROR) from None
    return CancelAnswer(booking_id=asked.booking_id, message=wording.CANCELLED)


async def _gone(place: Restaurant, booking_id: str) -> Literal[True] | None:
    try:
        return None if (await place.provider.by_id(booking_id)).live else True
    except BookingNotFoundError:
        return True
