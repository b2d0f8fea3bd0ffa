"""Days with names: the venue's country or state decides which day is meant; one not kept there is asked about."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from language import Status, resolve
from tests.support.tables import table

SATURDAY = datetime(2026, 11, 21, 10)


@table(
    "text, zone, day",
    [
        ("Labour Day", "Australia/Melbourne", date(2027, 3, 8)),
        ("Labour Day", "Australia/Sydney", date(2027, 10, 4)),
        ("Labour Day", "Australia/Perth", date(2027, 3, 1)),
        ("the King's Birthday", "Australia/Melbourne", date(2027, 6, 14)),
        ("Queen's Birthday", "Australia/Brisbane", date(2027, 10, 4)),
        ("King's birthday", "Australia/Perth", date(2027, 9, 27)),
        ("Melbourne Cup day", "Australia/Melbourne", date(2027, 11, 2)),
        ("ANZAC day", "Australia/Melbourne", date(2027, 4, 25)),
        ("Father's Day", "Australia/Melbourne", date(2027, 9, 5)),
        ("Father's Day", "Europe/London", date(2027, 6, 20)),
        ("Mother's Day", "Australia/Melbourne", date(2027, 5, 9)),
        ("Mother's Day", "Europe/London", date(2027, 3, 7)),
        ("nyd", "Europe/London", date(2027, 1, 1)),
        ("nye", "Europe/London", date(2026, 12, 31)),
        ("Good Friday", "Europe/London", date(2027, 3, 26)),
        ("Easter Monday 2028", "Europe/London", date(2028, 4, 17)),
    ],
)
def test_english_names(text: str, zone: str, day: date) -> None:
    assert resolve(text, now=SATURDAY, tz=zone, locale="en").date == day


@table(
    "text, day",
    [
        ("la befana", date(2027, 1, 6)),
        ("pasquetta", date(2027, 3, 29)),
        ("la liberazione", date(2027, 4, 25)),
        ("ferragosto", date(2027, 8, 15)),
        ("ognissanti 2027", date(2027, 11, 1)),
        ("i morti", date(2027, 11, 2)),
        ("ai morti", date(2027, 11, 2)),
        ("l'immacolata", date(2026, 12, 8)),
        ("alla vigilia", date(2026, 12, 24)),
        ("santo stefano", date(2026, 12, 26)),
        ("san silvestro", date(2026, 12, 31)),
        ("capodanno", date(2027, 1, 1)),
        ("la festa della donna", date(2027, 3, 8)),
        ("la festa del papà", date(2027, 3, 19)),
        ("martedì grasso", date(2027, 2, 9)),
    ],
)
def test_italian_names(text: str, day: date) -> None:
    assert resolve(text, now=SATURDAY, tz="Europe/Rome", locale="it").date == day


@pytest.mark.parametrize(("text", "zone"), [("labour day", "Europe/London"), ("father's day", "Asia/Tokyo")])
def test_a_day_that_is_not_kept_there_is_asked_about(text: str, zone: str) -> None:
    resolution = resolve(text, now=SATURDAY, tz=zone, locale="en")
    assert (resolution.status, resolution.error) == (Status.VAGUE, "vague_day")


def test_carnival_lasts_longer_than_a_day() -> None:
    assert resolve("a carnevale", now=SATURDAY, tz="Europe/Rome", locale="it").error == "vague_day"
