"""Labels: day, time, list and count in the venue's language; the year only when it is another one."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest
from babel.dates import format_date

from language import (
    SUPPORTED,
    count_label,
    day_and_time_label,
    day_label,
    join_labels,
    relative_day_label,
    spoken_day_label,
    spoken_time_label,
    time_label,
)
from language.messages.formatting import compact_day_label, weekday_label


def test_days() -> None:
    assert day_label(date(2026, 2, 19), "en") == "Thursday 19 February"
    assert day_label(date(2026, 2, 19), "it") == "giovedì 19 febbraio"
    assert day_label(date(2026, 3, 1), "it") == "domenica 1 marzo"
    assert spoken_day_label(date(2026, 3, 1), "it") == "domenica primo marzo"
    assert day_label(date(2027, 1, 1), "en", today=date(2026, 11, 21)) == "Friday 1 January 2027"
    assert relative_day_label(date(2026, 11, 22), date(2026, 11, 21), "it") == "domani"


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (time(14), "2 PM"),
        (time(14, 30), "2:30 PM"),
        (time(12), "12 PM"),
        (time(0), "12 AM"),
        (time(0, 5), "12:05 AM"),
        (time(9), "9 AM"),
    ],
)
def test_american_times(at: time, written: str) -> None:
    assert (time_label(at, "en-US"), time_label(at, "en_US")) == (written, written)
    assert time_label(at, "en-GB") != written


def test_american_days() -> None:
    day = date(2026, 11, 25)
    assert (day_label(day, "en-US"), day_label(day, "en-GB")) == ("Wednesday, November 25", "Wednesday 25 November")
    assert day_label(day, "en-US", today=date(2025, 1, 1)) == "Wednesday, November 25, 2026"
    assert compact_day_label(day, "en-US") == "Wed, Nov 25, 2026"
    assert compact_day_label(day, "en-AU", year=False) == "Wed 25 Nov"
    assert compact_day_label(day, "it-IT", year=False) == "mercoledì 25 novembre"
    assert [weekday_label(day, locale) for locale in ("en-US", "it-IT")] == ["Wednesday", "mercoledì"]


@pytest.mark.parametrize("locale", SUPPORTED)
def test_day_and_month_names_agree_with_the_unicode_locale_data(locale: str) -> None:
    for shift in range(0, 366, 5):
        day = date(2026, 1, 1) + timedelta(days=shift)
        assert day_label(day, locale) == format_date(day, "EEEE d MMMM", locale=locale)


@pytest.mark.parametrize(
    ("at", "written", "spoken"),
    [
        (time(15), "3pm", "three o’clock"),
        (time(20, 30), "8:30pm", "half past eight"),
        (time(12), "12pm", "midday"),
        (time(0, 5), "12:05am", "twelve oh five"),
        (time(12, 45), "12:45pm", "quarter to one"),
        (time(18, 25), "6:25pm", "six twenty-five"),
    ],
)
def test_english_times(at: time, written: str, spoken: str) -> None:
    assert (time_label(at, "en"), spoken_time_label(at, "en")) == (written, spoken)


@pytest.mark.parametrize(
    ("at", "written", "spoken"),
    [
        (time(20, 30), "20:30", "20 e 30"),
        (time(15), "15:00", "15"),
        (time(12), "12:00", "mezzogiorno"),
        (time(9, 5), "09:05", "9 e 5"),
    ],
)
def test_italian_times(at: time, written: str, spoken: str) -> None:
    assert (time_label(at, "it"), spoken_time_label(at, "it")) == (written, spoken)


def test_together_lists_and_counts() -> None:
    assert day_and_time_label(date(2026, 11, 28), time(15), "en") == "Saturday 28 November at 3pm"
    assert day_and_time_label(date(2026, 11, 28), time(15), "it") == "sabato 28 novembre alle 15:00"
    assert join_labels(["a"], "en") == "a"
    assert join_labels(["a", "b", "c"], "it") == "a, b e c"
    assert join_labels(["a", "b"], "en", last="or") == "a or b"
    assert (count_label(1, "child", "en"), count_label(14, "guest", "it")) == ("1 child", "14 ospiti")
