"""Phrases inside an operator's sentence. Guarantees:

- every phrase is found with its exact characters
- counts, references, phones, prices, rooms and names are not times
- "from A to B", "A -> B" and "Saturday 3-5" give both ends
- "fri, 4" and four figures are a time only where nothing else is as likely
"""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from language import When, find_when
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


def found(text: str, locale: str = "en") -> list[When]:
    tz = "Australia/Melbourne" if locale == "en" else "Europe/Rome"
    whens = find_when(text, now=SATURDAY, tz=tz, locale=locale)
    for when in whens:
        assert text[slice(*when.span)] == when.text
        assert when.resolution.span == when.span
    return whens


@table(
    "text, phrases",
    [
        ("Move John Smith's party on 28 November to Saturday 3pm and make it 14", ["28 November", "Saturday 3pm"]),
        ("9120: 26 guests, 5pm on 4 Dec", ["5pm on 4 Dec"]),
        ("Smith tonight 7:30 table for 4 call 0412 345 678", ["tonight 7:30"]),
        ("Move both 2001 and 2002 to Sunday 22 November at 10:00", ["Sunday 22 November at 10:00"]),
        ("resched jones fri 4pm pls", ["fri 4pm"]),
        ("Move April Jones to Saturday 28th", ["Saturday 28th"]),
        ("Move the 3pm on Saturday to 4pm", ["3pm on Saturday", "4pm"]),
        ("Move Smith 8pm party to 9pm", ["8pm", "9pm"]),
        ("book 4 people on 4/4 at 4", ["4/4 at 4"]),
        ("Jan Smith wants the 5th or 6th", ["5th or 6th"]),
    ],
)
def test_english_phrases(text: str, phrases: list[str]) -> None:
    assert [when.text for when in found(text)] == phrases


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Sposta la prenotazione 8231 a domenica alle 11 e metti 20 persone", ["domenica alle 11"]),
        ("sposta 4410 ven ore 17", ["ven ore 17"]),
        ("tavolo 5 domani alle 8", ["domani alle 8"]),
        ("Annulla la 1180 e sposta la 1181 alle 14", ["14"]),
        ("prenotazione 12 alle 12 per 12 persone", ["12"]),
    ],
)
def test_italian_phrases(text: str, phrases: list[str]) -> None:
    assert [when.text for when in found(text, "it")] == phrases


@table(
    "text",
    [
        "Change booking 8231 to 14 guests",
        "Set headcount to 30 on reservation #2217",
        "Turn off the lights in room 3",
        "Refund Emma's deposit of £50",
        "Change Sarah May 5 guests",
        "Cancel booking BK-1042",
        "8231 14 ppl now",
        "Drop booking 7003 from 20 people to 12",
        "change his phone to 555-0142",
        "Order 20 pizzas for the kitchen",
        "we sat by the window",
        "new email lucy99@gmail.com",
    ],
)
def test_numbers_that_are_no_times(text: str) -> None:
    assert found(text) == []


def test_a_range_gives_both_ends() -> None:
    (days,) = found("Move Rossi from Friday to Sunday at 3pm")
    assert days.resolution.error == "range_not_supported"
    assert [end.resolution.date for end in days.ends] == [date(2026, 11, 27), date(2026, 11, 22)]
    (morning,) = found("Monday 9-11am")
    assert [end.resolution.time for end in morning.ends] == [time(9), time(11)]
    (noon,) = found("Monday 11-2pm")
    assert [end.resolution.time for end in noon.ends] == [time(11), time(14)]
    (times,) = found("Move BK-1042 from 10am to 11am")
    assert [end.resolution.time for end in times.ends] == [time(10), time(11)]


@pytest.mark.parametrize(
    ("text", "locale", "ends"),
    [
        ("3pm -> 4pm", "en", [time(15), time(16)]),
        ("Emma 3:30pm → 5", "en", [time(15, 30), time(17)]),
        ("Emma 5 → 6pm", "en", [time(17), time(18)]),
        ("alle 15 => alle 16:30", "it", [time(15), time(16, 30)]),
        ("thu -> fri", "en", [date(2026, 11, 26), date(2026, 11, 27)]),
        ("lun -> gio", "it", [date(2026, 11, 23), date(2026, 11, 26)]),
    ],
)
def test_an_arrow_is_a_move_between_two_points(text: str, locale: str, ends: list[date | time]) -> None:
    (when,) = found(text, locale)
    assert (when.marker, when.resolution.error) == ("FROM", "range_not_supported")
    assert [end.resolution.time or end.resolution.date for end in when.ends] == ends
    assert found("Emma -> 4pm")[0].marker == "TO"


@pytest.mark.parametrize(("text", "locale"), [("Tuesday 3-5", "en"), ("martedì 15-17", "it"), ("Tue, 3-5pm", "en")])
def test_a_pair_beside_a_weekday_is_two_hours(text: str, locale: str) -> None:
    (when,) = found(text, locale)
    assert when.resolution.error == "range_not_supported"
    assert [end.resolution.time for end in when.ends] == [time(15), time(17)]
    assert [choice.date for choice in when.resolution.candidates] == [date(2026, 11, 24)] * 2


def test_a_pair_that_is_a_date_on_that_weekday_stays_one() -> None:
    assert found("Friday 27-11")[0].resolution.date == date(2026, 11, 27)
    assert found("Friday 12-2")[0].resolution.date == date(2027, 2, 12)
    assert [end.resolution.time for end in found("Friday 12 - 2")[0].ends] == [time(12), time(14)]
    assert found("Friday 26-11")[0].resolution.error == "weekday_mismatch"


@pytest.mark.parametrize("text", ["thu 1530", "Thursday, 1530", "thursday 1530 hrs", "gio 1530"])
def test_four_figures_beside_a_day_are_a_time(text: str) -> None:
    (when,) = found(text, "it" if text.startswith("gio") else "en")
    assert (when.resolution.date, when.resolution.time) == (date(2026, 11, 26), time(15, 30))
    assert found("1530")[0].resolution.time == time(15, 30)


@pytest.mark.parametrize("text", ["8231", "1533", "2026", "move 1530 to Emma", "1530 kids", "guests 10 -> 12"])
def test_other_four_figures_are_no_time(text: str) -> None:
    assert found(text) == []


def test_an_hour_beside_a_weekday_is_asked_about_where_it_may_be_a_date() -> None:
    (oclock,) = found("friday 4 o'clock")
    assert (oclock.resolution.date, oclock.resolution.time) == (date(2026, 11, 27), time(16))
    (bare,) = found("fri, 4")
    offered = [(choice.date, choice.time) for choice in bare.resolution.candidates]
    assert (offered[0], offered[-1]) == ((date(2026, 11, 27), time(16)), (date(2026, 12, 4), None))
    assert found("fri 4th")[0].resolution.date == date(2026, 12, 4)


def test_the_weekend_is_never_what_is_left_of_today() -> None:
    sunday = datetime(2026, 11, 22, 15)
    for text, first in (
        ("the weekend", date(2026, 11, 28)),
        ("this weekend", date(2026, 11, 22)),
        ("the weekend after", date(2026, 11, 28)),
        ("the weekend after next", date(2026, 12, 5)),
    ):
        (when,) = find_when(text, now=sunday, tz="Australia/Melbourne", locale="en")
        assert when.resolution.status == "ambiguous"
        assert when.resolution.candidates[0].date == first
    (after,) = found("il weekend dopo", "it")
    assert [choice.date for choice in after.resolution.candidates] == [date(2026, 11, 28), date(2026, 11, 29)]


def test_markers_name_the_preposition() -> None:
    assert [when.marker for when in found("Move the party on 28 November to Sunday")] == ["ON", "TO"]


def test_offsets_survive_accents_and_symbols() -> None:
    (when,) = found("🎉 perché no? spostiamo lunedì alle 20 e 30", "it")
    assert when.text == "lunedì alle 20 e 30"
