"""The spoken form of days and times, for every day of a leap year and every quarter of an hour.

Guarantees:
- A day's label is weekday, number and month in lower case, without a year; the first of a month is a number like the
  others ("1 marzo"). Babel, which is not ours, writes the same; the table below has the exceptions.
- A time is its hour and minutes in digits, "e" between them, minutes only where there are any: noon is "12" and
  midnight "0".
"""

from datetime import date, time, timedelta

import pytest
from babel.dates import format_date

from restaurant import messages_it

LEAP_YEAR = [date(2028, 1, 1) + timedelta(days=number) for number in range(366)]
QUARTERS = [time(hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)]

# Checked by hand: the cases that a rule would be likely to get wrong.
DAYS = {
    date(2028, 1, 1): "sabato 1 gennaio",
    date(2028, 2, 29): "martedì 29 febbraio",
    date(2028, 3, 1): "mercoledì 1 marzo",
    date(2028, 4, 1): "sabato 1 aprile",
    date(2028, 5, 1): "lunedì 1 maggio",
    date(2028, 8, 11): "venerdì 11 agosto",
    date(2028, 12, 31): "domenica 31 dicembre",
}
TIMES = {
    time(0): "0",
    time(0, 15): "0 e 15",
    time(1): "1",
    time(12): "12",
    time(12, 30): "12 e 30",
    time(19, 45): "19 e 45",
    time(20): "20",
    time(23, 45): "23 e 45",
}


def test_there_are_366_days_and_96_quarters() -> None:
    assert (len(LEAP_YEAR), len(QUARTERS)) == (366, 96)
    assert LEAP_YEAR[-1] == date(2028, 12, 31)


def test_every_day_of_a_leap_year() -> None:
    for day in LEAP_YEAR:
        assert messages_it.label(day) == DAYS.get(day, format_date(day, "EEEE d MMMM", locale="it"))


@pytest.mark.parametrize("day", DAYS)
def test_a_day_that_was_checked_by_hand(day: date) -> None:
    assert messages_it.label(day) == DAYS[day]


def test_every_quarter_of_an_hour() -> None:
    for at in QUARTERS:
        rule = f"{at.hour} e {at.minute}" if at.minute else f"{at.hour}"
        assert messages_it.human(at) == TIMES.get(at, rule)


@pytest.mark.parametrize("at", TIMES)
def test_a_time_that_was_checked_by_hand(at: time) -> None:
    assert messages_it.human(at) == TIMES[at]


def test_one_is_one() -> None:
    assert messages_it.people(1) == "1 persona" and messages_it.people(2) == "2 persone"
    assert (
        messages_it.listed([(date(2026, 2, 19), time(20))]) == "Ho trovato 1 prenotazione: giovedì 19 febbraio alle 20."
    )
    assert "La prossima domenica" in messages_it.mismatch(date(2026, 2, 23), "domenica", date(2026, 2, 22))
