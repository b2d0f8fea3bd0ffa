"""`check_openings`: whether a day or a time can be booked, and the alternatives."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Literal

from restaurant import messages_it
from restaurant.capacity import Capacity, CapacityUnknownError, capacity_of, nearest
from restaurant.errors import Code, RefusalError
from restaurant.hours import DayHours, hours_of, next_open
from restaurant.knowledge import MealService, minutes
from restaurant.providers import Booking, ProviderError
from restaurant.schemas.requests import CheckOpenings
from restaurant.schemas.responses import CheckOpeningsAnswer, ClosedAnswer, Ranges
from restaurant.tools.context import Restaurant, RestaurantCaller, ToolContext

Reason = Literal["not_in_openings", "cutoff", "full"]

_TEXTS: dict[Reason, str] = {
    "not_in_openings": messages_it.NOT_IN_OPENINGS,
    "cutoff": messages_it.CUTOFF,
    "full": messages_it.FULL,
}


async def check_openings(desk: ToolContext, request: CheckOpenings, _: RestaurantCaller) -> CheckOpeningsAnswer:
    """Answer, or raise `RefusalError`: past, another weekday, CONFIG_ERROR, CAPACITY_READ_ERROR."""
    restaurant = desk.restaurant(request.restaurant_id)
    _refuse_past(restaurant, request)
    if request.expected_weekday is not None and request.day.weekday() != request.expected_weekday:
        raise _mismatch(restaurant.today(), request.day, request.expected_weekday)
    hours = hours_of(restaurant.kb, request.day)
    if hours.closed:
        return _closed(restaurant, request, hours)
    if request.time is None:
        return CheckOpeningsAnswer(**_fields(restaurant, request, hours), message=messages_it.openings(hours))
    try:
        capacity = capacity_of(restaurant.kb)
    except CapacityUnknownError as error:
        raise RefusalError(Code.CONFIG_ERROR, messages_it.TECHNICAL, why=str(error)) from None
    bookings = await day_of(desk, restaurant, request.day, "check_openings")
    wanted = minutes(request.time)
    reason = reason_against(hours, capacity, wanted, bookings)
    if reason is None:
        return CheckOpeningsAnswer(**_fields(restaurant, request, hours, available=True), message=messages_it.AVAILABLE)
    near = nearest(wanted, hours, bookings, earliest=restaurant.earliest(request.day))
    fields = _fields(restaurant, request, hours, available=False, reason=reason, near=near)
    return CheckOpeningsAnswer(**fields, message=messages_it.with_nearest(_TEXTS[reason], near))


def reason_against(hours: DayHours, capacity: Capacity, wanted: int, bookings: Sequence[Booking]) -> Reason | None:
    """Return why a time of an open day cannot be booked; None if it can."""
    if not hours.is_slot(wanted):
        return "not_in_openings"
    if hours.cut_off(wanted):
        return "cutoff"
    return "full" if capacity.full(wanted, bookings) else None


async def day_of(desk: ToolContext, restaurant: Restaurant, day: date, tool: str) -> list[Booking]:
    """Return a day's bookings. Raises `RefusalError`: CAPACITY_READ_ERROR; LIST_BY_DAY_ERROR is only logged."""
    try:
        return await restaurant.provider.of_day(day)
    except ProviderError as error:
        why = f"{restaurant.provider.name}: {type(error).__name__}: {error}"
        desk.counts.code(tool, restaurant.kb.restaurant_id, Code.LIST_BY_DAY_ERROR, why)
        raise RefusalError(Code.CAPACITY_READ_ERROR, messages_it.TECHNICAL, why="the day is not known") from None


def _refuse_past(restaurant: Restaurant, request: CheckOpenings) -> None:
    if request.day < restaurant.today():
        raise RefusalError(Code.PAST_DATE, messages_it.PAST_DATE)
    if request.time is not None and restaurant.is_past(request.day, request.time):
        raise RefusalError(Code.PAST_TIME, messages_it.PAST_TIME)


def _mismatch(today: date, day: date, expected: int) -> RefusalError:
    corrected = today + timedelta(days=(expected - today.weekday()) % 7)
    return RefusalError(
        Code.WEEKDAY_MISMATCH,
        messages_it.mismatch(day, messages_it.weekday(corrected), corrected),
        corrected_day=corrected.isoformat(),
        corrected_day_label=messages_it.label(corrected),
    )


def _closed(restaurant: Restaurant, request: CheckOpenings, hours: DayHours) -> ClosedAnswer:
    following = next_open(restaurant.kb, request.day)
    ranges = following and Ranges(
        lunch=messages_it.span(following.openings.lunch), dinner=messages_it.span(following.openings.dinner)
    )
    available = False if request.time is not None else None
    return ClosedAnswer(
        **_fields(restaurant, request, hours, available=available, reason="closed"),
        message=messages_it.closed(hours, following),
        next_open_day=following.day.isoformat() if following else None,
        next_open_day_label=messages_it.label(following.day) if following else None,
        next_open_ranges=ranges,
    )


def _fields(
    restaurant: Restaurant,
    request: CheckOpenings,
    hours: DayHours,
    *,
    available: bool | None = None,
    reason: str | None = None,
    near: Sequence[int] = (),
) -> dict[str, Any]:
    return {
        "restaurant_id": restaurant.kb.restaurant_id,
        "day": request.day.isoformat(),
        "day_label": messages_it.label(request.day),
        "closed": hours.closed,
        "slots": [messages_it.written(slot) for slot in hours.slots],
        "lunch_range": _range(hours.openings.lunch),
        "dinner_range": _range(hours.openings.dinner),
        "requested_time": f"{request.time:%H:%M}" if request.time is not None else None,
        "time_human": messages_it.human(request.time) if request.time is not None else None,
        "available": available,
        "reason": reason,
        "nearest_slots": [messages_it.written(slot) for slot in near],
        "nearest_slots_human": messages_it.humans(near),
        "max_people": restaurant.kb.max_people,
    }


def _range(service: MealService | None) -> list[str] | None:
    return [f"{service.first:%H:%M}", f"{service.last:%H:%M}"] if service else None
