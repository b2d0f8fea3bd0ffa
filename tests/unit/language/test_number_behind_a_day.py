"""A number in words after a day, as speech recognition writes it: "sabato dodici", "monday fourteen at nine".
Guarantees:

- it is the day of the month, as in figures, where the next such day falls on that weekday
- where it does not, or an hour is as likely, both are offered and none is taken
- with an hour beside it, it is the day: "lunedì quattordici alle 21"
- "this Saturday", "tomorrow" and a number are that day where it has this number, otherwise an hour
- explicit hours stay hours: of a part of the day, with minutes, noon, o'clock
"""

from datetime import date, datetime, time

import pytest

from language import Resolution, Status, VenuePolicy, find_when, resolve
from tests.support.tables import table

FRIDAY = datetime(2026, 11, 27, 12)
THURSDAY = datetime(2026, 12, 10, 10)
OPEN = VenuePolicy(opening=((time(9), time(23)),))
ZONES = {"it-IT": "Europe/Rome", "en-GB": "Europe/London"}


def message(text: str, locale: str, now: datetime = FRIDAY) -> Resolution:
    found = resolve(text, now=now, tz=ZONES[locale], locale=locale, policy=OPEN)
    alike = find_when(text, now=now, tz=ZONES[locale], locale=locale, policy=OPEN)
    assert [(one.resolution.status, one.resolution.date, one.resolution.time) for one in alike] == [
        (found.status, found.date, found.time)
    ], "in a longer text it is read alike"
    return found


ITALIAN = [
    ("sabato dodici", "2026-12-12"),
    ("sabato cinque", "2026-12-05"),
    ("sabato diciannove", "2026-12-19"),
    ("venerdì undici", "2026-12-11"),
    ("domenica venti", "2026-12-20"),
    ("lunedì quattordici", "2026-12-14"),
    ("martedì ventidue", "2026-12-22"),
    ("sabato ventotto", "2026-11-28"),
    ("il sabato dodici", "2026-12-12"),
    ("di sabato dodici", "2026-12-12"),
    ("lunedì quattordici alle 21", "2026-12-14T21:00"),
    ("alle 21 di lunedì quattordici", "2026-12-14T21:00"),
    ("venerdì diciotto alle otto di sera", "2026-12-18T20:00"),
    ("martedì ventidue alle venti e trenta", "2026-12-22T20:30"),
    ("venerdì undici ore ventuno", "2026-12-11T21:00"),
    ("domenica venti alle 13", "2026-12-20T13:00"),
    ("domenica, venti alle 13", "2026-12-20T13:00"),
    ("sabato cinque alle 13", "2026-12-05T13:00"),
    ("sabato dodici alle dodici", "2026-12-12T12:00"),
]
ENGLISH = [
    ("saturday the twelve", "2026-12-12"),
    ("saturday nineteen", "2026-12-19"),
    ("monday fourteen", "2026-12-14"),
    ("saturday twenty eight", "2026-11-28"),
    ("friday eleven at 8pm", "2026-12-11T20:00"),
    ("tuesday twenty two at 7pm", "2026-12-22T19:00"),
    ("sunday six at one pm", "2026-12-06T13:00"),
    ("8pm on monday fourteen", "2026-12-14T20:00"),
    ("mon fourteen 21:00", "2026-12-14T21:00"),
    ("sat twelve at 8pm", "2026-12-12T20:00"),
    ("sunday twenty at noon", "2026-12-20T12:00"),
]


@table(
    "locale, text, expected",
    [("it-IT", *row) for row in ITALIAN] + [("en-GB", *row) for row in ENGLISH],
)
def test_it_is_the_day_of_the_month(locale: str, text: str, expected: str) -> None:
    found = message(text, locale)
    day, _, at = expected.partition("T")
    assert (found.status, found.date) == (Status.OK, date.fromisoformat(day))
    assert found.time == (time.fromisoformat(at) if at else None)


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("it-IT", "sabato tredici"),
        ("it-IT", "sabato tredici alle 21"),
        ("it-IT", "sabato ventuno"),
        ("it-IT", "mercoledì trentuno"),
        ("it-IT", "sabato dieci alle nove di sera"),
        ("en-GB", "saturday thirteen"),
        ("en-GB", "saturday thirteen at 8pm"),
        ("en-GB", "friday twenty first"),
        ("en-GB", "monday nine"),
    ],
)
def test_a_day_on_another_weekday_is_asked_about(locale: str, text: str) -> None:
    found = message(text, locale)
    assert found.status is Status.AMBIGUOUS and len(found.candidates) > 1


@pytest.mark.parametrize("text", ["saturday twelve", "sat twelve", "friday eleven", "saturday 12"])
def test_english_says_an_hour_so_as_well(text: str) -> None:
    found = message(text, "en-GB")
    day, hour = found.candidates[:2]
    assert (found.status, found.error) == (Status.AMBIGUOUS, "which_reading")
    assert (day.reason, day.date.day if day.date else 0) == ("day_of_month", 11 if "friday" in text else 12)
    assert hour.reason == "hour"


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("it-IT", "questo sabato dodici alle 21", "2026-12-12T21:00"),
        ("it-IT", "sabato prossimo diciannove", "2026-12-19"),
        ("it-IT", "domani undici alle 21", "2026-12-11T21:00"),
        ("it-IT", "domani dodici", "2026-12-11T12:00"),
        ("it-IT", "questo sabato quattro", "2026-12-12T16:00"),
        ("en-GB", "this saturday twelve at 9pm", "2026-12-12T21:00"),
        ("en-GB", "next saturday nineteen", "2026-12-19"),
        ("en-GB", "tomorrow twelve", "2026-12-11T12:00"),
        ("en-GB", "this saturday four", "2026-12-12T16:00"),
    ],
)
def test_a_day_that_needs_no_number(locale: str, text: str, expected: str) -> None:
    found = message(text, locale, THURSDAY)
    day, _, at = expected.partition("T")
    assert (found.status, found.date) == (Status.OK, date.fromisoformat(day))
    assert found.time == (time.fromisoformat(at) if at else None)


@pytest.mark.parametrize(
    ("locale", "text"),
    [("it-IT", "questo sabato dodici"), ("it-IT", "domani undici"), ("en-GB", "this saturday twelve")],
)
def test_where_that_day_has_the_number_no_hour_is_taken(locale: str, text: str) -> None:
    found = message(text, locale, THURSDAY)
    assert found.status is Status.AMBIGUOUS and found.time is None
    assert [one.reason for one in found.candidates[:2]] == ["day_of_month", "hour"]


@table(
    "locale, text, at",
    [
        ("it-IT", "sabato otto di sera", "20:00"),
        ("it-IT", "sabato nove del mattino", "09:00"),
        ("it-IT", "sabato otto e mezza", "20:30"),
        ("it-IT", "sabato ventuno e trenta", "21:30"),
        ("it-IT", "sabato alle dodici", "12:00"),
        ("en-GB", "saturday eight in the evening", "20:00"),
        ("en-GB", "saturday twelve thirty", "12:30"),
        ("en-GB", "saturday twelve noon", "12:00"),
        ("en-GB", "saturday nine pm", "21:00"),
        ("en-GB", "saturday at twelve", "12:00"),
        ("en-GB", "saturday half eight", "20:30"),
    ],
)
def test_an_hour_that_says_so_stays_one(locale: str, text: str, at: str) -> None:
    found = message(text, locale)
    assert (found.date, found.time) == (date(2026, 11, 28), time.fromisoformat(at))


@pytest.mark.parametrize(
    ("locale", "text"),
    [("it-IT", "sabato dodici persone"), ("it-IT", "sabato quattro adulti"), ("en-GB", "saturday twelve people")],
)
def test_people_are_no_day(locale: str, text: str) -> None:
    found = message(text, locale)
    assert (found.status, found.date, found.time) == (Status.OK, date(2026, 11, 28), None)
