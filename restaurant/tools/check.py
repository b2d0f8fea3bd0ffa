"""`check_openings`: whether a day or a time can be booked, and what can be instead."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Literal

from restaurant import wording
from restaurant.answers import CheckOpeningsAnswer, ClosedAnswer, Ranges
from restaurant.capacity import Capacity, CapacityUnknownError, capacity_of, nearest
from restaurant.codes import Code, RefusalError
from restaurant.hours import DayHours, hours_of, next_open
from restaurant.knowledge import Service, minutes
from restaurant.providers import Booking, ProviderError
from restaurant.requests import CheckOpenings
from restaurant.tools.desk import Caller, Desk, Restaurant

Reason = Literal["not_in_openings", "cutoff", "full"]

_SAID: dict[Reason, str] = {
    "not_in_openings": wording.NOT_IN_OPENINGS,
    "cutoff": wording.CUTOFF,
    "full": wording.FULL,
}


async def check_openings(desk: Desk, asked: CheckOpenings, _: Caller) -> CheckOpeningsAnswer:
    """Answer, or raise `RefusalError`: past, another weekday, CONFIG_ERROR, CAPACITY_READ_ERROR."""
    place = desk.restaurant(asked.restaurant_id)
    _refuse_past(place, asked)
    if asked.expected_weekday is not None and asked.day.weekday() != asked.expected_weekday:
        raise _mismatch(place.today(), asked.day, asked.expected_weekday)
    hours = hours_of(place.kb, asked.day)
    if hours.closed:
        return _closed(place, asked, hours)
    if asked.time is None:
        return CheckOpeningsAnswer(**_fields(place, asked, hours), message=wording.openings(hours))
    try:
        capacity = capacity_of(place.kb)
    except CapacityUnknownError as error:
        raise RefusalError(Code.CONFIG_ERROR, wording.TECHNICAL, why=str(error)) from None
    bookings = await day_of(desk, place, asked.day, "check_openings")
    wanted = minutes(asked.time)
    reason = reason_against(hours, capacity, wanted, bookings)
    if reason is None:
        return CheckOpeningsAnswer(**_fields(place, asked, hours, available=True), message=wording.AVAILABLE)
    near = nearest(wanted, hours, bookings, earliest=place.earliest(asked.day))
    fields = _fields(place, asked, hours, available=False, reason=reason, near=near)
    return CheckOpeningsAnswer(**fields, message=wording.with_nearest(_SAID[reason], near))


def reason_against(hours: DayHours, capacity: Capacity, wanted: int, bookings: Sequence[Booking]) -> Reason | None:
    """Why a time of an open day cannot be booked; None when it can."""
    if not hours.is_slot(wanted):
        return "not_in_openings"
    if hours.cut_off(wanted):
        return "cutoff"
    return "full" if capacity.full(wanted, bookings) else None


async def day_of(desk: Desk, place: Restaurant, day: date, tool: str) -> list[Booking]:
    """A day's bookings. Raises `RefusalError`: CAPACITY_READ_ERROR; LIST_BY_DAY_ERROR is for the log alone."""
    try:
        return await place.provider.of_day(day)
    except ProviderError as error:
        why = f"{place.provider.name}: {type(error).__name__}: {error}"
        desk.counts.code(tool, place.kb.restaurant_id, Code.LIST_BY_DAY_ERROR, why)
        raise RefusalError(Code.CAPACITY_READ_ERROR, wording.TECHNICAL, why="the day is not known") from None


def _refuse_past(place: Restaurant, asked: CheckOpenings) -> None:
    if asked.day < place.today():
        raise RefusalError(Code.PAST_DATE, wording.PAST_DATE)
    if asked.time is not None and place.is_past(asked.day, asked.time):
        raise RefusalError(Code.PAST_TIME, wording.PAST_TIME)


def _mismatch(today: date, day: date, expected: int) -> RefusalError:
    corrected = today + timedelta(days=(expected - today.weekday()) % 7)
    return RefusalError(
        Code.WEEKDAY_MISMATCH,
        wording.mismatch(day, wording.weekday(corrected), corrected),
        corrected_day=corrected.isoformat(),
        corrected_day_label=wording.label(corrected),
    )


def _closed(place: Restaurant, asked: CheckOpenings, hours: DayHours) -> ClosedAnswer:
    following = next_open(place.kb, asked.day)
    ranges = following and Ranges(
        lunch=wording.span(following.openings.lunch), dinner=wording.span(following.openings.dinner)
    )
    available = False if asked.time is not None else None
    return ClosedAnswer(
        **_fields(place, asked, hours, available=available, reason="closed"),
        message=wording.closed(hours, following),
        next_open_day=following.day.isoformat() if following else None,
        next_open_day_label=wording.label(following.day) if following else None,
        next_open_ranges=ranges,
    )


def _fields(
    place: Restaurant,
    asked: CheckOpenings,
    hours: DayHours,
    *,
    available: bool | None = None,
    reason: str | None = None,
    near: Sequence[int] = (),
) -> dict[str, Any]:
    return {
        "restaurant_id": place.kb.restaurant_id,
        "day": asked.day.isoformat(),
        "day_label": wording.label(asked.day),
        "closed": hours.closed,
        "slots": [wording.written(slot) for slot in hours.slots],
        "lunch_range": _range(hours.openings.lunch),
        "dinner_range": _range(hours.openings.dinner),
        "requested_time": f"{asked.time:%H:%M}" if asked.time is not None else None,
        "time_human": wording.human(asked.time) if asked.time is not None else None,
        "available": available,
        "reason": reason,
        "nearest_slots": [wording.written(slot) for slot in near],
        "nearest_slots_human": wording.humans(near),
        "max_people": place.kb.max_people,
    }


def _range(service: Service | None) -> list[str] | None:
    return [f"{service.first:%H:%M}", f"{service.last:%H:%M}"] if service else None
