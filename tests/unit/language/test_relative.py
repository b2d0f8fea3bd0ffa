"""Relative moves of the booking: a shift in days or minutes, never a day or a time by themselves."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from language import Resolution, Shift, Status, find_when, resolve
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


def message(text: str, locale: str) -> Resolution:
    return resolve(text, now=SATURDAY, tz="Australia/Melbourne", locale=locale)


@table(
    "text, locale, shift",
    [
        ("a couple of hours later", "en", Shift(minutes=120)),
        ("half an hour after", "en", Shift(minutes=30)),
        ("an hour and twenty minutes before", "en", Shift(minutes=-80)),
        ("bring it forwards by an hour", "en", Shift(minutes=-60)),
        ("move it an hour back", "en", Shift(minutes=60)),
        ("push back two days", "en", Shift(days=2)),
        ("the day before", "en", Shift(days=-1)),
        ("the week after, same time", "en", Shift(days=7)),
        ("same time the following week", "en", Shift(days=7)),
        ("the following fortnight, same time", "en", Shift(days=14)),
        ("un'oretta dopo", "it", Shift(minutes=60)),
        ("mezz'oretta prima", "it", Shift(minutes=-30)),
        ("posticipa di un'oretta", "it", Shift(minutes=60)),
        ("anticipala di venti minuti", "it", Shift(minutes=-20)),
        ("stessa ora il giorno dopo", "it", Shift(days=1)),
        ("il giorno successivo", "it", Shift(days=1)),
        ("la settimana prima", "it", Shift(days=-7)),
        ("stesso orario la settimana seguente", "it", Shift(days=7)),
        ("la settimana successiva alla stessa ora", "it", Shift(days=7)),
    ],
)
def test_a_shift_is_not_a_value(text: str, locale: str, shift: Shift) -> None:
    resolution = message(text, locale)
    assert (resolution.error, resolution.shift) == ("relative_to_booking", shift)
    assert not resolution.ok
    (when,) = find_when(f"Emma: {text}", now=SATURDAY, tz="Australia/Melbourne", locale=locale)
    assert when.resolution.shift == shift


def test_the_next_day_may_be_tomorrow() -> None:
    resolution = message("the next day", "en")
    assert (resolution.status, resolution.shift, resolution.date) == (Status.AMBIGUOUS, Shift(days=1), None)
    assert [choice.date for choice in resolution.candidates] == [date(2026, 11, 22)]


def test_a_time_stated_with_a_shift_of_days_stands() -> None:
    for text, locale in (("the day after at 3", "en"), ("il giorno dopo alle 15", "it")):
        resolution = message(text, locale)
        assert (resolution.shift, resolution.time, resolution.date) == (Shift(days=1), time(15), None)
        assert resolution.status is Status.AMBIGUOUS


@table(
    "text, locale, day",
    [
        ("the friday before christmas", "en", date(2026, 12, 18)),
        ("the day before boxing day", "en", date(2026, 12, 25)),
        ("last saturday before christmas eve", "en", date(2026, 12, 19)),
        ("the second saturday after new year's day", "en", date(2027, 1, 9)),
        ("two days before the 5th of december", "en", date(2026, 12, 3)),
        ("a week before christmas", "en", date(2026, 12, 18)),
        ("il giorno dopo Pasqua", "it", date(2027, 3, 29)),
        ("il venerdì prima di natale", "it", date(2026, 12, 18)),
        ("il primo sabato dopo il 10 dicembre", "it", date(2026, 12, 12)),
        ("due giorni prima della vigilia", "it", date(2026, 12, 22)),
    ],
)
def test_a_day_is_counted_from_a_named_day(text: str, locale: str, day: date) -> None:
    assert message(text, locale).date == day


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("the week after Christmas", "en"),
        ("the day before Friday", "en"),
        ("half an hour before closing", "en"),
        ("next week", "en"),
        ("same time next week", "en"),
        ("the following week", "en"),
        ("stessa ora la settimana prossima", "it"),
        ("la settimana prossima", "it"),
        ("tra un'oretta", "it"),
    ],
)
def test_what_counts_from_something_else_is_no_shift(text: str, locale: str) -> None:
    resolution = message(text, locale)
    assert resolution.shift is None
    assert not resolution.ok


@pytest.mark.parametrize(
    ("text", "locale", "day"),
    [("monday arvo, same time", "en", date(2026, 11, 23)), ("stasera stessa ora", "it", date(2026, 11, 21))],
)
def test_the_same_time_leaves_only_the_day_open(text: str, locale: str, day: date) -> None:
    resolution = message(text, locale)
    assert (resolution.status, resolution.date, resolution.time) == (Status.OK, day, None)
