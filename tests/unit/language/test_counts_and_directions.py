"""Whether a number is absolute or relative. Guarantees:

- a number that is subtracted or added is never read as the new total
- a bound ("at least 10", "massimo 20") is vague
- a time that is only a bound, and a weekday counted in no month, is never a point
- the length of a shift counts its half hours and decimals; decimals of an hour are never a date
"""

from __future__ import annotations

from datetime import datetime

import pytest

from language import Shift, Status, find_counts, find_phones, find_when, resolve
from tests.support.tables import table

NOW = datetime(2026, 11, 21, 10)


@table(
    "text, locale, kind, amount",
    [
        ("drop 2 kids from 7200", "en", "subtract", 2),
        ("cut 3 guests", "en", "subtract", 3),
        ("reduce 8231 by 3", "en", "subtract", 3),
        ("reduce the Fox party by 3 kids", "en", "subtract", 3),
        ("knock 3 kids off 8231", "en", "subtract", 3),
        ("take 3 off", "en", "subtract", 3),
        ("we're down 2 kids", "en", "subtract", 2),
        ("cancel 3 kids", "en", "subtract", 3),
        ("increase the guests by 4", "en", "add", 4),
        ("up 8231 by 2 kids", "en", "add", 2),
        ("drop it to 12", "en", "absolute", 12),
        ("drop 12 guests to 10", "en", "absolute", 10),
        ("up to 20 kids", "en", "absolute", 20),
        ("from 20 kids down to 15", "en", "absolute", 15),
        ("at least 10 kids", "en", "vague", 10),
        ("max 20 kids", "en", "vague", 20),
        ("raise 14 guests", "en", "vague", 14),
        ("riduci di 3 la 8231", "it", "subtract", 3),
        ("riduci gli ospiti di 3", "it", "subtract", 3),
        ("scala 2 bambini", "it", "subtract", 2),
        ("annulla 3 bambini", "it", "subtract", 3),
        ("aumenta la 8231 di 3", "it", "add", 3),
        ("si aggiungono 4 bambini", "it", "add", 4),
        ("abbassa a 12 bambini", "it", "absolute", 12),
        ("riduci gli ospiti della 8231 a 12", "it", "absolute", 12),
        ("almeno 10 bambini", "it", "vague", 10),
    ],
)
def test_a_count_knows_its_direction(text: str, locale: str, kind: str, amount: float) -> None:
    (item,) = find_counts(text, locale)
    assert (item.count.kind, item.count.amount) == (kind, amount)


@pytest.mark.parametrize(
    ("text", "locale", "minutes"),
    [
        ("push it back an hour and a half", "en", 90),
        ("bring it forward by an hour and a half", "en", -90),
        ("1.5 hours later", "en", 90),
        ("bring it forward one hour 15 minutes", "en", -75),
        ("un'ora e mezza dopo", "it", 90),
        ("posticipala di un'ora", "it", 60),
        ("anticipa di due ore e mezzo", "it", -150),
        ("posticipa di 1,5 ore", "it", 90),
    ],
)
def test_a_shift_is_as_long_as_stated(text: str, locale: str, minutes: int) -> None:
    (found,) = find_when(text, now=NOW, tz="Europe/Rome", locale=locale)
    assert found.resolution.shift == Shift(minutes=minutes)


@pytest.mark.parametrize(("text", "locale"), [("a party for 1.5 hours", "en"), ("una festa di 2,5 ore", "it")])
def test_a_length_in_decimals_is_no_date(text: str, locale: str) -> None:
    assert find_when(text, now=NOW, tz="Europe/Rome", locale=locale) == []


@pytest.mark.parametrize(
    ("text", "country", "phone"),
    [("7200 0433 000 999", "AU", "0433 000 999"), ("tel 7200 343 300 0999", "IT", "343 300 0999")],
)
def test_a_bookings_number_in_front_is_no_part_of_a_phone(text: str, country: str, phone: str) -> None:
    assert [found.text for found in find_phones(text, country)] == [phone]


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("no earlier than 3pm", "en"),
        ("3pm at the latest", "en"),
        ("bank holiday monday", "en"),
        ("le 15 al più tardi", "it"),
        ("il secondo martedì", "it"),
        ("il martedì dopo", "it"),
    ],
)
def test_a_bound_or_a_day_of_no_known_month_is_no_point(text: str, locale: str) -> None:
    assert resolve(text, now=NOW, tz="Europe/Rome", locale=locale).status is Status.VAGUE
