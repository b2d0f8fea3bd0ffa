"""Phrases inside an operator's sentence.

Guarantees
    every phrase is found with its exact characters
    counts, references, phones, prices, rooms and names are not times
    "from A to B" gives both ends
"""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from language import When, find_when

SATURDAY = datetime(2026, 11, 21, 10)


def found(text: str, locale: str = "en") -> list[When]:
    tz = "Australia/Melbourne" if locale == "en" else "Europe/Rome"
    whens = find_when(text, now=SATURDAY, tz=tz, locale=locale)
    for when in whens:
        assert text[slice(*when.span)] == when.text
        assert when.resolution.span == when.span
    return whens


@pytest.mark.parametrize(
    ("text", "phrases"),
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


@pytest.mark.parametrize(
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
    (times,) = found("Move BK-1042 from 10am to 11am")
    assert [end.resolution.time for end in times.ends] == [time(10), time(11)]


def test_markers_name_the_preposition() -> None:
    assert [when.marker for when in found("Move the party on 28 November to Sunday")] == ["ON", "TO"]


def test_offsets_survive_accents_and_symbols() -> None:
    (when,) = found("🎉 perché no? spostiamo lunedì alle 20 e 30", "it")
    assert when.text == "lunedì alle 20 e 30"
