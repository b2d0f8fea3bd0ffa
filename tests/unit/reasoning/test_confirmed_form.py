"""Confirmed values that a model writes differently while a plan runs. Guarantees:

- a day, an hour and a count that mean the confirmed value, in words or figures, English or Italian, are sent as
  confirmed; so is a choice or a text that differs in case alone;
- another value, an ambiguous one, and one that was not confirmed stay as they are.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from contracts.base import Json
from reasoning.modes.executing import in_confirmed_form
from registry import Pack
from tests.support.shipped import shipped

CONFIRMED: dict[str, dict[str, Json]] = {
    "change_guest_count": {"booking_id": "8231", "guest_count": 12},
    "reschedule_booking": {"booking_id": "8231", "new_date": "2026-11-28", "new_start_time": "15:00"},
    "cancel_booking": {"booking_id": "8231", "refund_type": "Cash"},
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return shipped("roller")


def form(pack: Pack, name: str, given: dict[str, Json], locale: str = "en-AU") -> dict[str, Json]:
    profile = pack.profile.model_copy(update={"locale": locale})
    now = datetime(2026, 11, 20, 10, tzinfo=ZoneInfo(profile.time_zone))
    return in_confirmed_form(pack.actions[name], given, CONFIRMED[name], now, profile)


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
@pytest.mark.parametrize("count", ["12", "twelve", "dodici", "12 kids", "a dozen", 12.0])
def test_a_count(pack: Pack, count: Json, locale: str) -> None:
    assert form(pack, "change_guest_count", {"guest_count": count}, locale) == {"guest_count": 12}


@pytest.mark.parametrize(
    "count", ["13", "thirteen", "12 or 13", "12 o 13", "12 more", "not 12", "around twelve", "", []]
)
def test_another_count_stays(pack: Pack, count: Json) -> None:
    assert form(pack, "change_guest_count", {"guest_count": count}) == {"guest_count": count}


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
@pytest.mark.parametrize(
    "day", ["28/11/2026", "28.11.2026", "11/28/2026", "28 November 2026", "sabato 28 novembre", "2026-11-28T00:00:00Z"]
)
def test_a_day(pack: Pack, day: str, locale: str) -> None:
    assert form(pack, "reschedule_booking", {"new_date": day}, locale) == {"new_date": "2026-11-28"}


@pytest.mark.parametrize("day", ["2026-11-29", "29/11/2026", "tomorrow", "28 or 29 November", "2027-11-28"])
def test_another_day_stays(pack: Pack, day: str) -> None:
    assert form(pack, "reschedule_booking", {"new_date": day}) == {"new_date": day}


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
@pytest.mark.parametrize("hour", ["3pm", "15.00", "15:00:00", "alle 15", "le tre del pomeriggio"])
def test_an_hour(pack: Pack, hour: str, locale: str) -> None:
    assert form(pack, "reschedule_booking", {"new_start_time": hour}, locale) == {"new_start_time": "15:00"}


@pytest.mark.parametrize("hour", ["16:00", "4pm", "3pm or 4pm", "3am"])
def test_another_hour_stays(pack: Pack, hour: str) -> None:
    assert form(pack, "reschedule_booking", {"new_start_time": hour}) == {"new_start_time": hour}


def test_a_choice_in_another_case(pack: Pack) -> None:
    assert form(pack, "cancel_booking", {"refund_type": "CASH"}) == {"refund_type": "Cash"}


def test_what_was_not_confirmed_stays(pack: Pack) -> None:
    assert form(pack, "cancel_booking", {"issue_refund": "true", "other": 1}) == {"issue_refund": "true", "other": 1}
