"""What the nine tools answer over HTTP, and what of it a voice assistant is given.

Every answer is HTTP 200 with `ok`. An error carries `error_code` and a `message` that can be spoken.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from restaurant import wording
from restaurant.codes import Code, RefusalError
from restaurant.providers import Booking

_HTTP_ONLY = frozenset({"slots", "lunch_range", "dinner_range", "nearest_slots"})


class Answer(BaseModel):
    """What succeeded."""

    model_config = ConfigDict(extra="forbid")

    ok: Literal[True] = True


class Ranges(BaseModel):
    """Hours as they are said: "19 alle 22 e 30"; null where nothing is served."""

    lunch: str | None
    dinner: str | None


class CheckOpeningsAnswer(Answer):
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
    """The same of a closed day, with the next open one; null where none comes within thirteen months."""

    next_open_day: str | None
    next_open_day_label: str | None
    next_open_ranges: Ranges | None


class _Told(BaseModel):
    """A booking as guests are told of it."""

    booking_id: str
    day: str
    day_label: str
    time: str
    time_human: str
    people: int
    name: str
    phone: str


class BookingAnswer(_Told, Answer):
    """A booking that was made or changed."""

    message: str


class ListedBooking(_Told):
    """One booking of a phone."""

    notes: str | None


class ListAnswer(Answer):
    """A phone's bookings from today on, by day and time."""

    count: int
    message: str
    results: list[ListedBooking]


class CancelAnswer(Answer):
    """A booking was cancelled."""

    booking_id: str
    message: str


class FaqAnswer(Answer):
    """An answer of the knowledge base, or null where no entry is near enough."""

    answer: str | None
    source: Literal["kb"] | None


class OpenNowAnswer(Answer):
    """Whether it is open; the next opening of today, HH:MM, where it is not."""

    open_now: bool
    next_opening_time: str | None


class DayAnswer(Answer):
    """A day that was said. `ambiguous`: another one may have been meant."""

    date: str
    day_label: str
    ambiguous: bool


class TimeAnswer(Answer):
    """A time that was said; `day_offset` 1 where it is tomorrow's."""

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
    """A date that is not on the weekday that was named."""

    corrected_day: str
    corrected_day_label: str


def of_refusal(error: RefusalError) -> ErrorAnswer:
    """A refusal as it is answered."""
    if error.nearest is not None:
        return NearestAnswer(
            error_code=error.code,
            message=error.message,
            nearest_slots=[wording.written(slot) for slot in error.nearest],
            nearest_slots_human=wording.humans(error.nearest),
        )
    if error.more:
        return MismatchAnswer(error_code=error.code, message=error.message, **error.more)
    return ErrorAnswer(error_code=error.code, message=error.message)


def of_booking(booking: Booking, message: str) -> BookingAnswer:
    """A booking as it is answered."""
    return BookingAnswer(**_fields(booking), message=message)


def of_listed(booking: Booking) -> ListedBooking:
    """A booking of a list."""
    return ListedBooking(**_fields(booking), notes=booking.notes)


def _fields(booking: Booking) -> dict[str, Any]:
    return {
        "booking_id": booking.booking_id,
        "day": booking.day.isoformat(),
        "day_label": wording.label(booking.day),
        "time": f"{booking.time:%H:%M}",
        "time_human": wording.human(booking.time),
        "people": booking.people,
        "name": booking.name,
        "phone": booking.phone,
    }


def reduced(answer: Answer | ErrorAnswer) -> dict[str, Any]:
    """What a voice assistant is given: nothing that it might read out as HH:MM where it is to be said otherwise. The
    contract's example of `check_openings` has no `ok`, those of the other tools do."""
    fields = {key: one for key, one in answer.model_dump(mode="json").items() if key not in _HTTP_ONLY}
    if isinstance(answer, CheckOpeningsAnswer):
        del fields["ok"]
    return fields
