"""Responses of the nine tools over HTTP, and the reduced form for a voice assistant.

Every response is HTTP 200 with `ok`. An error has `error_code` and a `message` that can be spoken.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from restaurant import messages_it
from restaurant.errors import Code, RefusalError
from restaurant.providers import Booking

_HTTP_ONLY = frozenset({"slots", "lunch_range", "dinner_range", "nearest_slots"})


class ToolAnswer(BaseModel):
    """A success."""

    model_config = ConfigDict(extra="forbid")

    ok: Literal[True] = True


class Ranges(BaseModel):
    """Hours as they are spoken: "19 alle 22 e 30"; null if nothing is served."""

    lunch: str | None
    dinner: str | None


class CheckOpeningsAnswer(ToolAnswer):
    """Whether a day or a time can be booked. Of two equally near slots the earlier is offered."""

    restaurant_id: str
    day: str
    day_label: str
    closed: bool
    slots: list[str]
    lunch_range: list[str] | None
    dinner_range: list[str] | None
    requested_time: str | None
    time_human: str | None
    available: bool | None = Field(description="null when no time was asked about")
    reason: Literal["closed", "not_in_openings", "cutoff", "full"] | None
    nearest_slots: list[str]
    nearest_slots_human: list[str] | None
    max_people: int
    message: str


class ClosedAnswer(CheckOpeningsAnswer):
    """The same for a closed day, with the next open one; null if there is none within thirteen months."""

    next_open_day: str | None
    next_open_day_label: str | None
    next_open_ranges: Ranges | None


class _Worded(BaseModel):
    """A booking in the form that guests see."""

    booking_id: str
    day: str
    day_label: str
    time: str
    time_human: str
    people: int
    name: str
    phone: str


class BookingAnswer(_Worded, ToolAnswer):
    """A booking that was created or changed."""

    message: str


class ListedBooking(_Worded):
    """One booking of a phone."""

    notes: str | None


class ListAnswer(ToolAnswer):
    """A phone's bookings from today on, by day and time."""

    count: int
    message: str
    results: list[ListedBooking]


class CancelAnswer(ToolAnswer):
    """A booking was cancelled."""

    booking_id: str
    message: str


class FaqAnswer(ToolAnswer):
    """An answer of the knowledge base, or null if no entry is near enough."""

    answer: str | None
    source: Literal["kb"] | None


class OpenNowAnswer(ToolAnswer):
    """Whether it is open; the next opening of today, HH:MM, if it is not."""

    open_now: bool
    next_opening_time: str | None


class DayAnswer(ToolAnswer):
    """The day of an expression. `ambiguous`: another one may be meant."""

    date: str
    day_label: str
    ambiguous: bool


class TimeAnswer(ToolAnswer):
    """The time of an expression; `day_offset` is 1 for tomorrow."""

    time: str
    day_offset: Literal[0, 1]
    ambiguous: bool


class ErrorAnswer(BaseModel):
    """An error of a tool."""

    model_config = ConfigDict(extra="forbid")

    ok: Literal[False] = False
    error_code: Code
    message: str


class NearestAnswer(ErrorAnswer):
    """An error with the times that are free instead."""

    nearest_slots: list[str]
    nearest_slots_human: list[str] | None


class MismatchAnswer(ErrorAnswer):
    """A date that is not on the named weekday."""

    corrected_day: str
    corrected_day_label: str


def of_refusal(error: RefusalError) -> ErrorAnswer:
    """Return a refusal as a response."""
    if error.nearest is not None:
        return NearestAnswer(
            error_code=error.code,
            message=error.message,
            nearest_slots=[messages_it.written(slot) for slot in error.nearest],
            nearest_slots_human=messages_it.humans(error.nearest),
        )
    if error.more:
        return MismatchAnswer(error_code=error.code, message=error.message, **error.more)
    return ErrorAnswer(error_code=error.code, message=error.message)


def of_booking(booking: Booking, message: str) -> BookingAnswer:
    """Return a booking as a response."""
    return BookingAnswer(**_fields(booking), message=message)


def of_listed(booking: Booking) -> ListedBooking:
    """Return a booking of a list."""
    return ListedBooking(**_fields(booking), notes=booking.notes)


def _fields(booking: Booking) -> dict[str, Any]:
    return {
        "booking_id": booking.booking_id,
        "day": booking.day.isoformat(),
        "day_label": messages_it.label(booking.day),
        "time": f"{booking.time:%H:%M}",
        "time_human": messages_it.human(booking.time),
        "people": booking.people,
        "name": booking.name,
        "phone": booking.phone,
    }


def reduced(answer: ToolAnswer | ErrorAnswer) -> dict[str, Any]:
    """Return the form for a voice assistant, without HH:MM values that it might read out although they are spoken
    otherwise. The contract's example of `check_openings` has no `ok`, those of the other tools do."""
    fields = {key: one for key, one in answer.model_dump(mode="json").items() if key not in _HTTP_ONLY}
    if isinstance(answer, CheckOpeningsAnswer):
        del fields["ok"]
    return fields
