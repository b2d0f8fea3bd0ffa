"""Possible meeting times of a person: starts on the half hour, in the team's working hours, that overlap no meeting."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from sandbox.calendar.clock import CalendarClock
from sandbox.calendar.events import Events

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
