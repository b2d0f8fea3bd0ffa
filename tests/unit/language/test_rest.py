"""Text beside a time is included or the time is not claimed. Guarantees:

- an amount added to a time or subtracted from it moves it, and is refused where it leads to another day
- an unknown word in the place of a day is not today
- a feast whose day is not worked out here is asked about
"""

from __future__ import annotations

from datetime import datetime, time

import pytest

from language import Resolution, Status, find_when, resolve
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


def message(text: str, locale: str = "en") -> Resolution:
    return resolve(text, now=SATURDAY, tz="Australia/Melbourne", locale=locale)


@table(
    "text, locale, at",
    [
        ("4pm plus 10 minutes", "en", time(16, 10)),
        ("half past five less three minutes", "en", time(17, 27)),
        ("noon + an hour and a half", "en", time(13, 30)),
        ("6pm minus a quarter of an hour", "en", time(17, 45)),
        ("an hour and a half before 7pm", "en", time(17, 30)),
        ("two hours after noon", "en", time(14)),
        ("ten shy of five", "en", time(16, 50)),
        ("ten before five", "en", time(16, 50)),
        ("alle cinque e mezza meno tre minuti", "it", time(17, 27)),
        ("alle sei e mezza meno cinque", "it", time(18, 25)),
        ("alle 15 più venti minuti", "it", time(15, 20)),
        ("dieci minuti prima delle 5", "it", time(16, 50)),
        ("mezz'ora dopo l'una", "it", time(13, 30)),
        ("un quarto d'ora prima di mezzogiorno", "it", time(11, 45)),
    ],
)
def test_an_amount_moves_the_time_beside_it(text: str, locale: str, at: time) -> None:
    assert (message(text, locale).status, message(text, locale).time) == (Status.OK, at)
    (when,) = find_when(f"Emma: {text}", now=SATURDAY, tz="Australia/Melbourne", locale=locale)
    assert when.resolution.time == at


def test_the_opening_hours_judge_the_time_that_comes_out() -> None:
    assert message("tomorrow, half past eight plus an hour").error == "which_time"
    assert message("at eight minus an hour").time == time(19)


@pytest.mark.parametrize("text", ["11pm plus 2 hours", "4pm and 10 minutes", "11:30pm + 45 minutes"])
def test_an_amount_that_cannot_be_taken_in_is_not_dropped(text: str) -> None:
    assert message(text).status in (Status.INVALID, Status.NOT_UNDERSTOOD)


def test_a_length_is_no_amount() -> None:
    assert message("4pm for 90 minutes").time == time(16)
    assert message("4pm plus 2 more kids").time == time(16)
    assert message("4pm party plus 1 hour of laser tag").time == time(16)
    assert message("plus 10 minutes").shift == message("10 minutes later").shift


@table(
    "text, locale",
    [
        ("on stocktake day at 2", "en"),
        ("on her birthday at 3", "en"),
        ("4pm on founders day", "en"),
        ("to eid al adha at 4pm", "en"),
        ("on eid at 4pm", "en"),
        ("diwali 4pm", "en"),
        ("the long weekend at 11", "en"),
        ("ai festeggiamenti alle 4", "it"),
        ("alla sagra alle 18", "it"),
        ("al ponte alle 3", "it"),
        ("a yom kippur alle 5", "it"),
    ],
)
def test_a_day_that_no_one_knows_is_not_today(text: str, locale: str) -> None:
    resolution = message(text, locale)
    assert resolution.status in (Status.NOT_UNDERSTOOD, Status.VAGUE)
    assert resolution.date is None
    whens = find_when(text, now=SATURDAY, tz="Australia/Melbourne", locale=locale)
    assert not any(when.resolution.ok for when in whens)


@table(
    "text, locale",
    [
        ("on the same day at 4pm", "en"),
        ("4pm on the day", "en"),
        ("lo stesso giorno alle 16", "it"),
        ("a party and 2 hours of play at 4pm", "en"),
        ("book for Emma at 4pm", "en"),
        ("they want to play at 4pm", "en"),
        ("change to 4pm on behalf of Emma", "en"),
        ("il compleanno alle 16", "it"),
        ("festa al parco alle 16", "it"),
        ("alle 16 alla cassa", "it"),
        ("vengono a giocare alle 16", "it"),
    ],
)
def test_words_in_other_places_are_no_days(text: str, locale: str) -> None:
    assert (message(text, locale).status, message(text, locale).time) == (Status.OK, time(16))
