"""Weekdays by their names, for messages of tests on whatever day and at whatever hour they run."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo


class Weekday(NamedTuple):
    """A day of the coming week, and its name."""

    name: str
    day: date


def weekday_ahead(days: int, zone: ZoneInfo) -> Weekday:
    """Return the weekday so many days after today in this zone, where its name alone means that day.

    On a Wednesday, "Wednesday" is today or a week from now; of "Monday and Wednesday", the later must come later. One
    day ahead is too few: for a test that begins before midnight it becomes today.
    """
    assert 2 <= days <= 6, days
    day = datetime.now(zone).date() + timedelta(days=days)
    return Weekday(f"{day:%A}", day)
