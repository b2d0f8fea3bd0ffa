"""What a phrase about a day or a time was understood to mean.

Dates and times are wall-clock values in the venue's zone; `instant` is the same point with its UTC offset. A
`Resolution` whose status is not `ok` never carries an instant: the caller asks.

Error codes
    not_found               no day or time was said
    unexplained             a digit or a date word was left over, so nothing is claimed
    negated                 "not Friday"
    several_dates           two days that cannot both be meant
    several_times           two times that cannot both be meant
    invalid_date            30 February, month 13
    invalid_time            25:00, 9pm in the morning
    nonexistent_time        skipped when the clocks go forward
    repeated_time           happens twice when the clocks go back
    in_past                 every reading is over
    weekday_mismatch        "Monday 24 November" when the 24th is a Tuesday
    range_not_supported     "between 3 and 5", "after 5", "Friday to Sunday"
    recurring_not_supported "every Monday"
    vague_day               "next week"
    vague_time              "around 3", "in the evening"
    duration_only           "two hours"
    relative_to_booking     "an hour later": needs the booking's own time, see `shift`
    which_day, which_time, which_reading    why an ambiguous phrase is ambiguous
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Literal

OpeningHours = tuple[tuple[time, time], ...]
"""Opening spells of one day, local wall time; a spell that closes at or before it opens runs past midnight."""

Span = tuple[int, int]
"""Start and end (exclusive) in the text as given, in characters."""


class Status(StrEnum):
    """How far a phrase can be acted on; only `OK` is a value."""

    OK = "ok"
    AMBIGUOUS = "ambiguous"
    VAGUE = "vague"
    NOT_UNDERSTOOD = "not_understood"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class VenuePolicy:
    """How one venue reads what people leave out.

    `opening` applies to every weekday that `opening_by_weekday` (0 is Monday) does not name.
    `after_midnight_until`: "tonight at 1" before this hour belongs to the night that began the day before.
    `next_weekday`: "next Friday" is that of the following Monday-to-Sunday week (`following_week`) or the
    nearest one ahead (`nearest`); where the two differ the phrase is ambiguous, this one first.
    """

    opening: OpeningHours = ((time(9), time(23)),)
    opening_by_weekday: Mapping[int, OpeningHours] = field(default_factory=dict)
    date_order: Literal["dmy", "mdy"] = "dmy"
    next_weekday: Literal["following_week", "nearest"] = "following_week"
    after_midnight_until: time = time(5)

    def is_open(self, day: date, at: time) -> bool:
        """Return whether a visit can start at this wall time, spells that began the evening before included."""
        for opens, closes in self.opening_by_weekday.get(day.weekday(), self.opening):
            if opens <= at < closes or (closes <= opens and at >= opens):
                return True
        yesterday = (day.weekday() - 1) % 7
        return any(
            closes <= opens and at < closes for opens, closes in self.opening_by_weekday.get(yesterday, self.opening)
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading: a day, a time or both, and the reason it is offered (a code, see `REASONS`)."""

    date: date | None
    time: time | None
    instant: datetime | None
    reason: str
    past: bool = False


REASONS = {
    "stated": "exactly what was said",
    "opening_hours": "the only reading in which the venue is open",
    "outside_opening_hours": "the other half of the day, when the venue is closed",
    "morning": "read as the morning",
    "afternoon": "read as the afternoon or evening",
    "today": "today, later on",
    "next_occurrence": "the next time this comes round",
    "week_after": "the one a week after the nearest",
    "nearest": "the nearest one ahead",
    "following_week": "the one in the week that starts next Monday",
    "past_today": "already past today, so the day after",
    "first_weekday": "the first such weekday from today",
    "nearest_weekday": "such a weekday nearest to the date said",
    "stated_date": "the date said, on its own weekday",
    "recent": "the one just past",
    "day_of_month": "read as a day of the month",
    "hour": "read as a time",
    "before_change": "before the clocks go back",
    "after_change": "after the clocks go back",
    "start_of_day": "the midnight that begins the day",
    "end_of_day": "the midnight that ends the day",
    "alternative": "one of several that were offered",
    "approximate": "the point near which the phrase lies",
    "range_start": "where the range starts",
    "range_end": "where the range ends",
    "weekend": "a day of that weekend",
    "other_order": "day and month the other way round",
}


@dataclass(frozen=True, slots=True)
class Shift:
    """A move relative to the booking's own time: "two hours later" is days 0, minutes 120; earlier is negative."""

    days: int = 0
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class Resolution:
    """What `resolve` understood.

    `date` and `time` are set when every candidate agrees on them, so a phrase that is ambiguous only in its
    day still gives its time. `date_stated` is false for "7pm": the date is then today or tomorrow by
    inference, and a caller that moves a booking keeps the booking's own day. `grain` is the finest thing
    said: day or minute. `span` covers what was read.
    """

    status: Status
    error: str | None = None
    date: date | None = None
    time: time | None = None
    day_offset: int | None = None
    instant: datetime | None = None
    grain: Literal["day", "minute"] | None = None
    candidates: tuple[Candidate, ...] = ()
    span: Span | None = None
    suggestions: tuple[str, ...] = ()
    date_stated: bool = False
    time_stated: bool = False
    shift: Shift | None = None
    duration: timedelta | None = None

    @property
    def ok(self) -> bool:
        """Return whether this is a value that can be acted on without asking."""
        return self.status is Status.OK


@dataclass(frozen=True, slots=True)
class When:
    """A phrase about days or times inside a longer text.

    `marker` is the preposition in front of it as a lexicon symbol (`FROM`, `TO`, `ON`, `AT`, `FOR`) or None;
    the span leaves the marker out. `ends` holds the two ends of a range, each as if it stood alone, for a
    caller that reads "from Friday to Saturday" as a move.
    """

    text: str
    span: Span
    resolution: Resolution
    marker: str | None = None
    ends: tuple[When, ...] = ()
