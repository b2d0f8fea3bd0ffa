"""Moments: now by the team's clock, their form in requests and responses, and when a person has time to meet."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sandbox.calendar.errors import CalendarApiError
from sandbox.calendar.events import Events


class CalendarClock:
    """The present time in the team's zone. A naive value of `source` counts as the team's time."""

    def __init__(self, time_zone: str, source: Callable[[], datetime] | None = None) -> None:
        self.zone = ZoneInfo(time_zone)
        self._source = source

    def now(self) -> datetime:
        """Return the present moment, aware."""
        moment = self._source() if self._source else datetime.now(self.zone)
        return moment.replace(tzinfo=self.zone) if moment.tzinfo is None else moment.astimezone(self.zone)

    def at(self, day: date, start: time) -> datetime:
        """Return a day and a time by the team's clock."""
        return datetime.combine(day, start, tzinfo=self.zone)


def written(moment: datetime) -> str:
    """Return a moment in the calendar's form: 2026-11-25T12:00:00Z."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def read(name: str, text: str) -> datetime:
    """Return a moment from a request, aware. Raises `CalendarApiError`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CalendarApiError(400, "bad_moment", f"{name} must be an instant with an offset, as 2026-11-25T12:00:00Z")
    return found.astimezone(UTC)


OPENS, CLOSES = time(9), time(18)
"""The team's working hours, by its own clock, on every day."""
_EVERY = timedelta(minutes=30)


def openings(
    events: Events, clock: CalendarClock, person: str, start: datetime, end: datetime, minutes: int
) -> Iterator[tuple[datetime, datetime]]:
    """Yield (start, end) of each possible meeting of `minutes` between two moments, soonest first."""
    long = timedelta(minutes=minutes)
    busy = events.busy(person, start, end + long)
    day = start.astimezone(clock.zone).date()
    while day <= end.astimezone(clock.zone).date():
        at, last = clock.at(day, OPENS), clock.at(day, CLOSES)
        while at + long <= last:
            free = all(at + long <= first or until <= at for first, until in busy)
            if free and start <= at <= end and at > clock.now():
                yield at, at + long
            at += _EVERY
        day += timedelta(days=1)
