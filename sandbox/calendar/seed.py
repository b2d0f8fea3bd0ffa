"""The first content of the calendars, relative to the day on which they are filled.

Aviad's next two weeks: on any day, a request for Wednesday at 14:00 is free, one for tomorrow at 2pm is taken, and one
for Tuesday at 3pm is free between other meetings. On a Tuesday, tomorrow is that Wednesday: then it is free until it is
booked.
"""

from datetime import date, time, timedelta

from sandbox.calendar.clock import CalendarClock, written
from sandbox.calendar.events import Events, NewEvent
from sandbox.calendar.people import AVIAD, DANA_LEVI, MARCO, PRIYA, Person

_MONDAY, _TUESDAY, _WEDNESDAY = range(3)
_DAYS = 14


def seed(events: Events, clock: CalendarClock) -> None:
    """Fill empty calendars."""
    today = clock.now().date()
    for ahead in range(1, _DAYS + 1):
        day = today + timedelta(days=ahead)
        if day.weekday() == _WEDNESDAY:
            continue
        if ahead == 1:
            _meet(events, clock, AVIAD, "Quarterly review", day, time(14), 60)
        if day.weekday() == _TUESDAY:
            _meet(events, clock, AVIAD, "Team stand-up", day, time(10), 30)
        if day.weekday() == _MONDAY:
            _meet(events, clock, AVIAD, "Planning", day, time(9), 120)
            _meet(events, clock, MARCO, "Supplier call", day, time(11), 60)
    _meet(events, clock, DANA_LEVI, "Onboarding with Noa", today + timedelta(days=3), time(11), 45)
    _meet(events, clock, PRIYA, "Budget", today + timedelta(days=2), time(16), 60)


def _meet(events: Events, clock: CalendarClock, whom: Person, title: str, day: date, start: time, minutes: int) -> None:
    at = clock.at(day, start)
    new = NewEvent(
        title=title,
        personId=whom.id,
        startsAt=written(at),
        endsAt=written(at + timedelta(minutes=minutes)),
        timeZone=str(clock.zone),
    )
    events.make(new, past=True)
