"""`list_bookings` and `cancel_booking`: list a phone's bookings, and cancel one of them."""

from typing import Literal

from restaurant import messages_it
from restaurant.errors import Code, RefusalError
from restaurant.providers import (
    Booking,
    BookingNotFoundError,
    OutcomeUnknownError,
    ProviderError,
    SheetNotFoundError,
)
from restaurant.schemas.requests import CancelBooking, ListBookings
from restaurant.schemas.responses import CancelAnswer, ListAnswer, of_listed
from restaurant.tools.context import Restaurant, RestaurantCaller, ToolContext, provider_error


async def list_bookings(desk: ToolContext, request: ListBookings, caller: RestaurantCaller) -> ListAnswer:
    """Answer, or raise `RefusalError`. Today's bookings count all day, including those that have begun."""
    restaurant = desk.restaurant(request.restaurant_id)
    if not caller.may(request.phone):
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.OTHER_PHONE)
    try:
        found = await restaurant.provider.of_phone(request.phone, restaurant.today())
    except ProviderError as error:
        raise provider_error(error, restaurant.provider, Code.LIST_ERROR, messages_it.TECHNICAL) from None
    shown = [one for one in found if one.listed and one.day >= restaurant.today()]
    shown.sort(key=lambda one: (one.day, one.time))
    return ListAnswer(
        count=len(shown),
        message=messages_it.listed([(one.day, one.time) for one in shown]),
        results=[of_listed(one) for one in shown],
    )


async def own_booking(restaurant: Restaurant, booking_id: str, caller: RestaurantCaller) -> Booking:
    """Return a booking that is live and the caller's. Raises `BookingNotFoundError`, also for another phone's booking,
    so that guessing ids reveals nothing."""
    found = await restaurant.provider.by_id(booking_id)
    if not found.live or not caller.may(found.phone):
        raise BookingNotFoundError("not live, or not the caller's")
    return found


async def cancel_booking(desk: ToolContext, request: CancelBooking, caller: RestaurantCaller) -> CancelAnswer:
    """Answer, or raise `RefusalError`."""
    restaurant = desk.restaurant(request.restaurant_id)
    try:
        await own_booking(restaurant, request.booking_id, caller)
        try:
            await restaurant.provider.cancel(request.booking_id)
        except OutcomeUnknownError as unknown:
            await restaurant.read_back(unknown, lambda: _gone(restaurant, request.booking_id))
    except BookingNotFoundError:
        raise RefusalError(Code.BOOKING_NOT_FOUND, messages_it.NOT_FOUND) from None
    except SheetNotFoundError as error:
        raise RefusalError(Code.SHEET_NOT_FOUND, messages_it.TECHNICAL, why=str(error)) from None
    except ProviderError as error:
        raise provider_error(error, restaurant.provider, Code.DELETE_ERROR, messages_it.DELETE_ERROR) from None
    return CancelAnswer(booking_id=request.booking_id, message=messages_it.CANCELLED)


async def _gone(restaurant: Restaurant, booking_id: str) -> Literal[True] | None:
    try:
        return None if (await restaurant.provider.by_id(booking_id)).live else True
    except BookingNotFoundError:
        return True
