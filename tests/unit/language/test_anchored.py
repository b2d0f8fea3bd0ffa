"""Weekdays that count from the booking's own day.

Guarantees: "the following", "the … before", "… week after" and their Italian forms are found with their places and
counted from any day; a weekday that something else follows ("the Sunday after Christmas") is none of them.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.dates.relative_to_booking import Anchor, anchored_days

FRIDAY = date(2026, 12, 4)


@pytest.mark.parametrize(
    ("locale", "text", "day"),
    [
        ("en-AU", "move it to the following friday, same time", "2026-12-11"),
        ("en-AU", "to the sat before, 11am", "2026-11-28"), ("en-AU", "the Thursday after please", "2026-12-10"),
        ("en-AU", "mv to fri wk after, same time", "2026-12-11"), ("en-AU", "to the previous tuesday", "2026-12-01"),
        ("en-AU", "the sunday straight after same time", "2026-12-06"), ("en-AU", "the monday that week", "2026-11-30"),
        ("it-IT", "il lunedì di quella settimana", "2026-11-30"), ("it-IT", "il sabato subito dopo", "2026-12-05"),
        ("it-IT", "il venerdì successivo alle 5", "2026-12-11"), ("it-IT", "spostala al sabato dopo", "2026-12-05"),
        ("it-IT", "al lunedì precedente", "2026-11-30"), ("it-IT", "il martedì della settimana dopo", "2026-12-08"),
    ],
)  # fmt: skip
def test_it_counts_from_the_bookings_day(locale: str, text: str, day: str) -> None:
    [(span, anchor)] = anchored_days(text, locale)
    assert anchor.day(FRIDAY).isoformat() == day
    assert 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en-AU", "the sunday after christmas"), ("en-AU", "friday after 5pm"), ("en-AU", "monday the 7th"),
        ("en-AU", "the month after"), ("en-AU", "next friday"), ("it-IT", "il sabato dopo le 5"),
        ("it-IT", "sabato prima delle 5"), ("it-IT", "venerdì prossimo"),
    ],
)  # fmt: skip
def test_what_follows_makes_it_another_day(locale: str, text: str) -> None:
    assert anchored_days(text, locale) == []


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.integers(0, 6), st.sampled_from([1, -1]))
def test_the_next_and_the_last_are_never_the_day_itself(own: date, weekday: int, step: int) -> None:
    found = Anchor(weekday, 0, step).day(own)
    assert found.weekday() == weekday
    assert 1 <= (found - own).days * step <= 7
