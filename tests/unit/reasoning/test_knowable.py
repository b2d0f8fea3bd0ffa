"""Obstacles that are known before a plan is shown (`reasoning.drafting.preflight`), in words for the operator.

- A time that has passed, a closed hour and a booking that is over are reported instead of planned; a name or a note may
  be corrected afterwards.
- A preview in which nothing changes is reported as such; one new line is a change.
- Opening hours past midnight count; a venue that opens when the visit would begin is open.
"""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from contracts.enums import SafetyTier
from contracts.plan import PreviewLine
from contracts.venue import OpeningHours
from language.messages.catalogue import activate_locale
from reasoning.drafting.preflight import find_obstacle, is_no_op, no_change_text
from tests.support.tables import table
from tests.unit.reasoning.actions import a_booking, a_venue, an_action

VENUE = a_venue(opening_hours=OpeningHours(opens=time(9), closes=time(20)))
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo(VENUE.time_zone))
AHEAD = a_booking("b-1", "Emma Brown", reference="8231", date="2026-11-28", start_time="15:00")
TODAY = a_booking("b-2", "Emma White", reference="8240", date="2026-11-21", start_time="15:00")
OVER = a_booking("b-3", "Emma Green", reference="8255", date="2026-11-13", start_time="15:00")
ACTION, RISKY = an_action(), an_action(safety=SafetyTier.HIGH_RISK)


@pytest.fixture(autouse=True)
def english() -> None:
    activate_locale("en-AU")


@table("arguments, text", [
    ({"new_start_time": "09:00"}, None), ({"new_start_time": "19:45"}, None),
    ({"new_start_time": "08:00"}, "8am is outside opening hours: a booking can start from 9am and before 8pm."),
    ({"new_start_time": "20:00"}, "8pm is outside opening hours: a booking can start from 9am and before 8pm."),
    ({"new_date": "2026-11-20"}, "Friday 20 November at 3pm has already passed."),
    ({"new_date": "2026-11-21", "new_start_time": "09:30"}, "Saturday 21 November at 9:30am has already passed."),
    ({"new_date": "2026-11-21"}, None), ({"guests": 12}, None), ({"note": "cake"}, None), ({}, None),
])  # fmt: skip
def test_a_booking_ahead(arguments: dict[str, object], text: str | None) -> None:
    assert find_obstacle(ACTION, arguments, AHEAD, NOW, VENUE) == text  # type: ignore[arg-type]


def test_the_booking_s_own_day_counts_where_only_a_time_is_stated() -> None:
    assert find_obstacle(ACTION, {"new_start_time": "09:30"}, TODAY, NOW, VENUE) is not None
    assert find_obstacle(ACTION, {"new_start_time": "09:30"}, AHEAD, NOW, VENUE) is None


def test_what_is_over_cannot_be_changed_but_for_names_and_notes() -> None:
    text = "The booking Emma Green (8255) was for Friday 13 November at 3pm, which has passed."
    for arguments in ({"guests": 12}, {"new_start_time": "16:00"}, {"new_date": "2026-11-30"}):
        assert find_obstacle(ACTION, arguments, OVER, NOW, VENUE) == text  # type: ignore[arg-type]
    assert find_obstacle(RISKY, {}, OVER, NOW, VENUE) == text
    assert find_obstacle(ACTION, {"note": "left a jacket", "email": "a@b.org"}, OVER, NOW, VENUE) is None


def test_what_has_only_begun_is_not_called_over_and_a_day_has_no_hour_of_ours() -> None:
    begun = TODAY.model_copy(update={"start_time": "09:30"})
    text = "The booking Emma White (8240) was for Saturday 21 November at 9:30am, which has passed."
    assert find_obstacle(ACTION, {"guests": 12}, begun, NOW, VENUE) == text
    all_day = OVER.model_copy(update={"start_time": None})
    text = "The booking Emma Green (8255) was for Friday 13 November, which has passed."
    assert find_obstacle(ACTION, {"guests": 12}, all_day, NOW, VENUE) == text
    activate_locale("it-IT")
    assert "è un momento già passato" in str(find_obstacle(ACTION, {"guests": 12}, begun, NOW, VENUE))


def test_a_venue_open_past_midnight() -> None:
    late = a_venue(opening_hours=OpeningHours(opens=time(18), closes=time(2)))
    assert find_obstacle(ACTION, {"new_start_time": "01:00"}, AHEAD, NOW, late) is None
    assert find_obstacle(ACTION, {"new_start_time": "03:00"}, AHEAD, NOW, late) is not None


def test_nothing_changes_when_every_line_stays() -> None:
    same, other = (
        PreviewLine(field="Guests", before="10", after="10"),
        PreviewLine(field="Total", before="1", after="2"),
    )
    new = PreviewLine(field="Note", before=None, after="cake")
    assert is_no_op([same]) and not is_no_op([same, other]) and not is_no_op([])
    assert not is_no_op([new]), "what is new changes something"
    assert (
        no_change_text(AHEAD, [same], {"guest_count": 10})
        == "Emma Brown (8231) would stay as it is: guests 10 already."
    )
