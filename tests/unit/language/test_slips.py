"""Typing slips in day words. Guarantees:

- one letter wrong, missing, too many or swapped, and doubled letters, are read as the nearest day word
- a slip that is near two days is neither, and not today
- similar ordinary words and names are no days
- figures for a sound are read inside a word only
"""

from __future__ import annotations

from datetime import date, datetime

import pytest

from language import Resolution, Status, find_when, resolve
from language.locales import SUPPORTED, get_locale
from language.text.spelling import meant_by
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


def message(text: str, locale: str) -> Resolution:
    return resolve(text, now=SATURDAY, tz="Europe/Rome", locale=locale)


@table(
    "text, locale, day",
    [
        ("thrusday at 4pm", "en", date(2026, 11, 26)),
        ("Thurdsay, 4pm", "en", date(2026, 11, 26)),
        ("wensday 3pm", "en", date(2026, 11, 25)),
        ("wedensday at 5pm", "en", date(2026, 11, 25)),
        ("satuday 28th", "en", date(2026, 11, 28)),
        ("FIRDAY AT 11AM", "en", date(2026, 11, 27)),
        ("tommorow", "en", date(2026, 11, 22)),
        ("tomorrrow", "en", date(2026, 11, 22)),
        ("the day after tomorow", "en", date(2026, 11, 23)),
        ("3 febuary", "en", date(2027, 2, 3)),
        ("12 novmber 2027", "en", date(2027, 11, 12)),
        ("venredì", "it", date(2026, 11, 27)),
        ("sabto 28", "it", date(2026, 11, 28)),
        ("Domnica alle 11", "it", date(2026, 11, 22)),
        ("sposta a giovdì alle 18", "it", date(2026, 11, 26)),
        ("il 12 dicemrbe", "it", date(2026, 12, 12)),
        ("dopodomnai alle 15", "it", date(2026, 11, 23)),
    ],
)
def test_a_slip_is_the_day_that_was_meant(text: str, locale: str, day: date) -> None:
    assert message(text, locale).date == day


@table(
    "text, locale",
    [
        ("Sundar comes at 4pm", "en"),
        ("Sunny and Jude at 4pm", "en"),
        ("Frida Mendy at 4pm", "en"),
        ("sundaes at 4pm", "en"),
        ("a mourning party at 4pm", "en"),
        ("Augusta at 4pm", "en"),
        ("Gennaro alle 16", "it"),
        ("Domenico e Martina alle 16", "it"),
        ("Marzia o Agostino alle 16", "it"),
        ("buffet salato alle 16", "it"),
        ("parla con Sabito alle 16", "it"),
    ],
)
def test_names_and_other_words_are_no_days(text: str, locale: str) -> None:
    (when,) = find_when(text, now=SATURDAY, tz="Europe/Rome", locale=locale)
    assert (when.resolution.status, when.resolution.date_stated) == (Status.OK, False)


def test_a_slip_between_two_days_is_not_understood() -> None:
    assert message("thuesday at 4pm", "en").error == "unexplained"
    (when,) = find_when("move Emma to thuesday 4pm", now=SATURDAY, tz="Europe/Rome", locale="en")
    assert when.resolution.error == "unexplained"


@pytest.mark.parametrize("locale", SUPPORTED)
def test_no_day_word_is_a_slip_of_another_day(locale: str) -> None:
    language = get_locale(locale)
    for near in language.slips.values():
        for word, _ in near:
            assert {language.words[other] for other in meant_by(word, near)} == {language.words[word]}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2moro at 3pm", date(2026, 11, 22)),
        ("2morrow", date(2026, 11, 22)),
        ("2mrw", date(2026, 11, 22)),
        ("2nite at 8pm", date(2026, 11, 21)),
        ("2day at 5pm", date(2026, 11, 21)),
    ],
)
def test_a_figure_that_stands_for_a_sound(text: str, day: date) -> None:
    assert message(text, "en").date == day


def test_a_figure_before_a_word_is_a_number() -> None:
    assert message("2hours later", "en").shift == message("2 hours later", "en").shift
    assert message("in 3days", "en").date == date(2026, 11, 24)
    assert message("2moro", "it").status is Status.NOT_UNDERSTOOD
