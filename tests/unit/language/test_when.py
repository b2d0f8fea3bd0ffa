"""Days and times in single phrases. Guarantees:

- a clock gap is an error, a fold a question, hours are elapsed and days calendar time
- the venue's policy decides AM or PM, day order, what "next Friday" is and when the night ends
- a weekday that does not match its date gives labelled ways out
- ranges, recurring and vague phrases are named, never turned into a point
- anything unread means not understood
- an ambiguous phrase still gives the part that all readings share
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from language import Resolution, Shift, Status, UnsupportedLocaleError, VenuePolicy, resolve
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


def message(text: str, locale: str = "en", now: datetime = SATURDAY, policy: VenuePolicy | None = None) -> Resolution:
    tz = "Australia/Melbourne" if locale == "en" else "Europe/Rome"
    return resolve(text, now=now, tz=tz, locale=locale, policy=policy)


@table(
    "text, expected",
    [
        ("tomorrow at 5:30pm", datetime(2026, 11, 22, 17, 30)),
        ("Thursday at half past four", datetime(2026, 11, 26, 16, 30)),
        ("9 June 2027 0845am", datetime(2027, 6, 9, 8, 45)),
        ("next Saturday, 2pm", datetime(2026, 11, 28, 14)),
        ("a week from Sunday at noon", datetime(2026, 11, 29, 12)),
        ("3pm on Friday week", datetime(2026, 12, 4, 15)),
        ("the first Saturday in December at ten to eight", datetime(2026, 12, 5, 19, 50)),
        ("Tuesday's 3pm", datetime(2026, 11, 24, 15)),
        ("friday 4 o'clock", datetime(2026, 11, 27, 16)),
        ("friday, on the hour, 4", datetime(2026, 11, 27, 16)),
        ("tomorrow 11am sharp", datetime(2026, 11, 22, 11)),
        ("brekky on Monday at 9", datetime(2026, 11, 23, 9)),
        ("this arvo at 4", datetime(2026, 11, 21, 16)),
    ],
)
def test_english_points(text: str, expected: datetime) -> None:
    resolution = message(text)
    assert (resolution.status, resolution.date, resolution.time) == (Status.OK, expected.date(), expected.time())
    assert resolution.instant == expected.replace(tzinfo=ZoneInfo("Australia/Melbourne"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("venerdì alle otto e mezza di sera", datetime(2026, 11, 27, 20, 30)),
        ("domani alle 20,30", datetime(2026, 11, 22, 20, 30)),
        ("l'8 dicembre all'una", datetime(2026, 12, 8, 13)),
        ("giovedì della prossima settimana alle tre meno dieci", datetime(2026, 11, 26, 14, 50)),
        ("sta sera alle 8", datetime(2026, 11, 21, 20)),
        ("nel pome di domani alle 4", datetime(2026, 11, 22, 16)),
        ("fra due ore e mezza", datetime(2026, 11, 21, 12, 30)),
        ("l'ultimo venerdì del mese alle 21", datetime(2026, 11, 27, 21)),
    ],
)
def test_italian_points(text: str, expected: datetime) -> None:
    resolution = message(text, "it")
    assert (resolution.status, resolution.date, resolution.time) == (Status.OK, expected.date(), expected.time())


@table(
    "text",
    [
        "tra mezz'ora",
        "tra mezzora",
        "fra un'ora",
        "tra 20 minuti",
        "fra 2 ore",
        "tra due ore e mezza",
        "tra 2 ore e 15 minuti",
        "20:30",
        "20 e 30",
        "19 e 45",
        "20 e mezza",
        "19 e mezzo",
        "20 e un quarto",
    ],
)
def test_expressions_of_the_relative_time_tool(text: str) -> None:
    assert message(text, "it").status is Status.OK


@table(
    "text",
    [
        "oggi",
        "domani",
        "dopodomani",
        "tra 3 giorni",
        "fra tre giorni",
        "tra una settimana",
        "lunedì",
        "venerdì",
        "domenica prossima",
        "giovedì prossimo",
    ],
)
def test_expressions_of_the_relative_day_tool(text: str) -> None:
    assert message(text, "it").status in (Status.OK, Status.AMBIGUOUS)


def test_a_lone_number_is_what_was_asked_for() -> None:
    now = SATURDAY.replace(tzinfo=ZoneInfo("Europe/Rome"))
    hour = resolve("21", now=now, tz="Europe/Rome", locale="it", expect="time")
    day = resolve("25", now=now, tz="Europe/Rome", locale="it", expect="day")
    assert (hour.status, hour.time) == (Status.OK, time(21))
    assert (day.status, day.date) == (Status.OK, date(2026, 11, 25))
    assert resolve("21", now=now, tz="Europe/Rome", locale="it").status is Status.AMBIGUOUS


def test_hours_are_elapsed_and_days_are_calendar() -> None:
    before_change = datetime(2027, 3, 27, 10)
    assert message("tra 24 ore", "it", before_change).instant == datetime(2027, 3, 28, 9, tzinfo=UTC)
    assert message("tra un giorno", "it", before_change).date == date(2027, 3, 28)


def test_clock_changes() -> None:
    gap = message("domani alle 02:30", "it", datetime(2027, 3, 27, 10))
    fold = message("domani alle 02:30", "it", datetime(2026, 10, 24, 10))
    assert (gap.status, gap.error) == (Status.INVALID, "nonexistent_time")
    assert (fold.status, fold.error, fold.time) == (Status.AMBIGUOUS, "repeated_time", time(2, 30))
    first, second = (choice.instant for choice in fold.candidates)
    assert first is not None
    assert second is not None
    assert second - first == timedelta(hours=1)


def test_opening_hours_decide_the_half_of_the_day() -> None:
    breakfast = VenuePolicy(opening=((time(6), time(11)),))
    split = VenuePolicy(opening=((time(7), time(10)), (time(18), time(23))))
    assert message("tomorrow at 8").time == time(20)
    assert message("tomorrow at 8", policy=breakfast).time == time(8)
    assert message("tomorrow at 8", policy=split).error == "which_time"


def test_opening_hours_by_weekday_and_past_midnight() -> None:
    policy = VenuePolicy(opening_by_weekday={6: ((time(18), time(2)),)})
    assert policy.is_open(date(2026, 11, 22), time(23))
    assert policy.is_open(date(2026, 11, 23), time(1))
    assert not policy.is_open(date(2026, 11, 22), time(12))


@pytest.mark.parametrize(
    ("text", "locale", "night"),
    [("tonight @ 3:20", "en", time(3, 20)), ("this evening at 1", "en", time(1)), ("stasera all'una", "it", time(1))],
)
def test_the_small_hours_are_the_night_that_follows(text: str, locale: str, night: time) -> None:
    late = VenuePolicy(opening=((time(18), time(4)),))
    assert (message(text, locale, policy=late).status, message(text, locale, policy=late).time) == (Status.OK, night)
    closed = message(text, locale)
    assert (closed.status, closed.instant) == (Status.AMBIGUOUS, None)
    assert (closed.candidates[0].date, closed.candidates[0].time) == (date(2026, 11, 22), night)


def test_an_hour_that_contradicts_the_part_of_the_day_is_asked_about() -> None:
    noon = message("Friday morning at 12")
    assert (noon.status, [choice.time for choice in noon.candidates]) == (Status.AMBIGUOUS, [time(12), time()])
    assert message("venerdì mattina alle 3", "it").status is Status.AMBIGUOUS
    evening = datetime(2026, 11, 21, 17)
    assert message("tonight at 3", now=evening).status is Status.AMBIGUOUS
    assert message("three in the morning", now=evening).status is Status.AMBIGUOUS
    assert message("Friday morning at 8").time == time(8)


def test_day_order_and_next_weekday_are_policy() -> None:
    monday = datetime(2026, 11, 16, 10)
    nearest = VenuePolicy(next_weekday="nearest")
    assert message("3/12").date == date(2026, 12, 3)
    assert message("3/12", policy=VenuePolicy(date_order="mdy")).date == date(2027, 3, 12)
    following = message("next Friday", now=monday)
    assert [choice.date for choice in following.candidates] == [date(2026, 11, 27), date(2026, 11, 20)]
    assert message("next Friday", now=monday, policy=nearest).candidates[0].date == date(2026, 11, 20)


def test_a_mismatch_offers_labelled_days() -> None:
    resolution = message("Friday 25 November at 3pm")
    assert (resolution.status, resolution.error, resolution.time) == (Status.INVALID, "weekday_mismatch", time(15))
    assert [(choice.date, choice.reason) for choice in resolution.candidates] == [
        (date(2026, 11, 27), "first_weekday"),
        (date(2026, 11, 25), "stated_date"),
    ]
    far = message("Thursday 23 February 2027")
    assert [choice.reason for choice in far.candidates] == ["first_weekday", "nearest_weekday", "stated_date"]


@table(
    "text, locale",
    [
        ("between 3 and 5", "en"),
        ("3-5pm", "en"),
        ("3pm to 5pm", "en"),
        ("Friday to Sunday", "en"),
        ("after 5", "en"),
        ("before 5pm", "en"),
        ("until 8", "en"),
        ("5-7 December", "en"),
        ("tra le 3 e le 5", "it"),
        ("dalle 15 alle 17", "it"),
        ("entro venerdì", "it"),
        ("dopo le 15", "it"),
    ],
)
def test_ranges_are_refused_by_name(text: str, locale: str) -> None:
    resolution = message(text, locale)
    assert (resolution.status, resolution.error) == (Status.VAGUE, "range_not_supported")


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("every Monday", "en"),
        ("Mondays at 3", "en"),
        ("weekly", "en"),
        ("ogni lunedì", "it"),
        ("tutti i sabati", "it"),
    ],
)
def test_recurring_phrases_are_refused_by_name(text: str, locale: str) -> None:
    assert message(text, locale).error == "recurring_not_supported"


@table(
    "text, locale",
    [
        ("around 3", "en"),
        ("about 8pm", "en"),
        ("8ish", "en"),
        ("tonight", "en"),
        ("Saturday afternoon", "en"),
        ("later today", "en"),
        ("next week", "en"),
        ("in December", "en"),
        ("verso le otto", "it"),
        ("alle 8 circa", "it"),
        ("tra qualche giorno", "it"),
        ("domani sera", "it"),
        ("la prossima settimana", "it"),
    ],
)
def test_vague_phrases_are_never_a_point(text: str, locale: str) -> None:
    resolution = message(text, locale)
    assert resolution.status is Status.VAGUE
    assert resolution.instant is None
    assert resolution.time is None


@pytest.mark.parametrize(
    "text",
    [
        "Saturday 3pm 8231",
        "3pm AEST",
        "the week of 5 December",
        "in 3 parsecs on Friday",
        "Saturday at 8:5",
        "３pm",
        "not Friday",
        "9 10 11",
    ],
)
def test_anything_unread_is_not_understood(text: str) -> None:
    resolution = message(text)
    assert resolution.status is Status.NOT_UNDERSTOOD
    assert resolution.instant is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("31 April", "invalid_date"),
        ("29 February 2027", "invalid_date"),
        ("25:00", "invalid_time"),
        ("9pm in the morning", "invalid_time"),
        ("yesterday", "in_past"),
        ("today at 9am", "in_past"),
        ("last Friday", "in_past"),
        ("12 March 2026", "in_past"),
    ],
)
def test_impossible_phrases_say_why(text: str, error: str) -> None:
    resolution = message(text)
    assert (resolution.status, resolution.error) == (Status.INVALID, error)


def test_an_ambiguous_day_keeps_its_time() -> None:
    resolution = message("Saturday at 3pm")
    assert (resolution.status, resolution.date, resolution.time) == (Status.AMBIGUOUS, None, time(15))
    assert resolution.candidates[0].date == date(2026, 11, 21)


def test_alternatives_are_offered() -> None:
    resolution = message("Sunday or Monday at 3pm")
    assert resolution.status is Status.AMBIGUOUS
    assert [choice.date for choice in resolution.candidates] == [date(2026, 11, 22), date(2026, 11, 23)]


def test_changes_relative_to_the_booking_give_a_shift() -> None:
    assert message("an hour later").shift == Shift(minutes=60)
    assert message("push it back by 90 minutes").shift == Shift(minutes=90)
    assert message("anticipa di mezz'ora", "it").shift == Shift(minutes=-30)
    assert message("posticipa di un giorno", "it").shift == Shift(days=1)
    assert message("an hour later").status is Status.NOT_UNDERSTOOD


def test_a_time_alone_does_not_claim_a_day() -> None:
    resolution = message("7pm")
    assert resolution.time_stated
    assert not resolution.date_stated
    assert resolution.day_offset == 0
    assert message("alle 20", "it", datetime(2026, 11, 21, 21)).candidates[0].reason == "past_today"


DAYTIME = VenuePolicy(opening=((time(9), time(21)),))


@pytest.mark.parametrize(("text", "at"), [("at 11", time(11)), ("at 12", time(12)), ("noon", time(12))])
def test_an_hour_that_has_passed_is_not_pushed_out_of_the_opening_hours(text: str, at: time) -> None:
    afternoon = message(text, now=datetime(2026, 11, 21, 13), policy=DAYTIME)
    assert (afternoon.status, afternoon.error, afternoon.time) == (Status.AMBIGUOUS, "which_day", at)


@pytest.mark.parametrize("hour", [0, 8, 13, 22])
@pytest.mark.parametrize(
    ("text", "at"), [("at 11", time(11)), ("at 12", time(12)), ("at 3", time(15)), ("8:30", time(20, 30))]
)
def test_a_time_for_a_known_day_does_not_depend_on_the_clock_now(text: str, at: time, hour: int) -> None:
    now = datetime(2026, 11, 21, hour)
    found = resolve(text, now=now, tz="Australia/Melbourne", locale="en", policy=DAYTIME, any_day=True)
    assert (found.status, found.time, found.date_stated) == (Status.OK, at, False)


def test_a_time_for_a_known_day_is_asked_when_the_venue_is_open_at_both() -> None:
    found = resolve("at 10", now=datetime(2026, 11, 21, 13), tz="Europe/Rome", locale="en", any_day=True,
                    policy=VenuePolicy(opening=((time(9), time(23)),)))  # fmt: skip
    assert (found.status, found.error) == (Status.AMBIGUOUS, "which_time")
    assert [c.time for c in found.candidates] == [time(10), time(22)]


def test_an_unknown_locale_is_named() -> None:
    with pytest.raises(UnsupportedLocaleError, match="'fr'"):
        message("demain", "fr")
