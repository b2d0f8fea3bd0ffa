"""Days and times at the venue, and the instants that half of all APIs take. Guarantees:

- a day and a time on the venue's clock and back are the same, in every zone, over every change of the clocks; an hour
  that a change skips is refused with a message;
- a day lasts until the next one starts, also where that is not 24 hours, and the packs read all of it;
- an operator sees an instant in the venue's time, in plans as in lists;
- two ways of writing one moment are the same when an overlay compares them;
- for a time that occurs twice a plan names the one that is sent, by its value, whatever the pack; for one that occurs
  once it adds nothing.
"""

from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.base import Json
from contracts.credentials import HttpRequest
from contracts.venue import VenueProfile
from language.messages.catalogue import activate_locale
from registry import BoundAction, TemplateRenderError
from registry.presentation.dst import twice_line
from registry.templating.templates import render
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.registry.studio import load

ZONES = ("Europe/Rome", "Australia/Melbourne", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo", "UTC")


def _given(zone: str, **names: object) -> dict[str, object]:
    return {"venue": {"time_zone": zone, "locale": "en-GB"}, **names}


@given(
    st.sampled_from(ZONES), st.dates(date(2020, 1, 1), date(2035, 1, 1)), st.integers(0, 23), st.sampled_from([0, 15])
)
def test_there_and_back(zone: str, day: date, hour: int, minute: int) -> None:
    names = _given(zone, d=day.isoformat(), t=f"{hour:02}:{minute:02}")
    wall = datetime.combine(day, time(hour, minute), ZoneInfo(zone))
    exists = wall.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == wall.replace(tzinfo=None)
    if not exists:
        with pytest.raises(TemplateRenderError, match="clocks go forward"):
            render("{{ d | instant(t) }}", names, "x")
        return
    sent = render("{{ d | instant(t) }}", names, "x")
    assert isinstance(sent, str) and sent.endswith("Z") and datetime.fromisoformat(sent) == wall.astimezone(UTC)
    assert render("{{ s | local_day }} {{ s | local_time }}", {**names, "s": sent}, "x") == f"{names['d']} {names['t']}"
    with_offset = render("{{ d | local_instant(t) }}", names, "x")
    assert isinstance(with_offset, str) and with_offset.startswith(f"{names['d']}T{names['t']}")
    assert datetime.fromisoformat(with_offset) == datetime.fromisoformat(sent)


def test_the_hour_that_is_left_out() -> None:
    with pytest.raises(TemplateRenderError, match=r"there is no 02:30 on 2026-03-29"):
        render("{{ '2026-03-29' | instant('02:30') }}", _given("Europe/Rome"), "x")


@table(
    "zone, day, starts, ends",
    [
        ("Asia/Jerusalem", "2027-10-31", "2027-10-31T00:00:00+03:00", "2027-11-01T00:00:00+02:00"),
        ("Asia/Jerusalem", "2027-03-26", "2027-03-26T00:00:00+02:00", "2027-03-27T00:00:00+03:00"),
        ("Asia/Jerusalem", "2027-05-04", "2027-05-04T00:00:00+03:00", "2027-05-05T00:00:00+03:00"),
        # No midnight, and two of them.
        ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"),
        ("America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"),
        ("Asia/Jerusalem", "2027-10-31T22:30:00Z", "2027-11-01T00:00:00+02:00", "2027-11-02T00:00:00+02:00"),
    ],
)  # fmt: skip
def test_a_day_lasts_until_the_next_one_starts(zone: str, day: str, starts: str, ends: str) -> None:
    names = _given(zone, d=day)
    assert render("{{ d | day_start }}", names, "x") == starts
    assert render("{{ d | day_start(1) }}", names, "x") == ends


@table(
    "pack, name, read, given, bounds",
    [
        ("calendar", "schedule_meeting", "day", {"person": "Aviad", "start_time": "11:00"}, ("from", "to", 25 * 60)),
        ("calendar", "find_meetings", None, {}, ("from", "to", 25 * 60 - 1)),
        ("calendar", "check_availability", None, {"person": "Aviad"}, ("from", "to", 25 * 60 - 1)),
        ("bookeo", "find_bookings", None, {}, ("startTime", "endTime", 25 * 60 - 1)),
        ("bookeo", "check_availability", None, {}, ("startTime", "endTime", 25 * 60 - 1)),
        ("bookeo", "book_lesson", "slots", {}, ("startTime", "endTime", 25 * 60 - 1)),
    ],
)  # fmt: skip
def test_what_a_pack_reads_of_a_day_is_all_of_it(
    pack: str, name: str, read: str | None, given: dict[str, Json], bounds: tuple[str, str, int]
) -> None:
    """On the last Sunday of October 2027 clocks go back in Jerusalem and in Rome."""
    action, profile = shipped(pack).actions[name], shipped(pack).profile
    bound = BoundAction.of(action, {"date": "2027-10-31", **given}, profile)
    bound = bound.with_(before={"directory": {"people": [{"id": "p", "name": "Aviad"}]}}, today="2027-10-01", seen={})
    reads = {one.name: one for one in action.snapshot.reads} if action.snapshot else {}
    asked = dict((bound.read(reads[read]) if read else bound.request()).query)
    first, last = (datetime.fromisoformat(str(asked[bound])) for bound in bounds[:2])
    assert (last - first).total_seconds() / 60 == bounds[2]
    assert first.astimezone(ZoneInfo(profile.time_zone)).isoformat()[:16] == "2027-10-31T00:00"


@table(
    "text, shown",
    [
        ("{{ s | day_and_time }}", "Sat 28 Nov 2026, 11pm"),
        ("{{ s | short_day_and_time }}", "Sat 28 Nov 11pm"),
        ("{{ s | day }} {{ s | clock }}", "Sat 28 Nov 2026 11pm"),
        ("{{ [{'at': s}] | moments('at') }}", "Sat 28 Nov 2026, 11pm"),
        ("{{ s | later(90) }}", "2026-11-28T13:30:00Z"),
        ("{{ '2026-11-28T23:00:00+11:00' | later(90) }}", "2026-11-29T00:30:00+11:00"),
        ("{{ s | minutes_to('2026-11-28T13:15:00Z') }}", 75),
        ("{{ '2026-11-27T22:30:00Z' | instant('16:00') }}", "2026-11-28T05:00:00Z"),
        ("{{ '2026-11-27T22:30:00Z' | local_instant('16:00') }}", "2026-11-28T16:00:00+11:00"),
        ("{{ '2026-11-28' | instant(s) }}", "2026-11-28T12:00:00Z"),
        ("{{ '2026-11-28T12:00:00+00' | day_and_time }}", "Sat 28 Nov 2026, 11pm"),
        ("{{ '2026-11-28t12:00:00z' | clock }}", "11pm"),
        ("{{ '9999-12-31T23:59:59Z' | day }}", "Fri 31 Dec 9999"),
        ("{{ s | short_day_and_time(s) }}", "Sat 28 Nov 11pm"),
        ("{{ s | day_and_time(s) }}", "Sat 28 Nov 2026, 11pm"),
        ("{{ s | epoch }}", 1795867200),
        ("{{ 1795867200 | from_epoch }}", "2026-11-28T12:00:00Z"),
        ("{{ [{'at': s}] | where('at', '2026-11-28T23:00:00+11:00') | length }}", 1),
        ("{{ s | same_instant('2026-11-28T12:00:00.000Z') }}", True),
        ("{{ s | same_instant('2026-11-28T12:00:01Z') }}", False),
        ("{{ ([{'at': s}, {'at': '2026-11-28T02:00:00Z'}] | nearest_to('at', '14:00') | first).at | clock }}", "1pm"),
    ],
)  # fmt: skip
def test_filters_on_an_instant(text: str, shown: object) -> None:
    """12:00 UTC is 11pm in Melbourne: on the venue's clock, and on the venue's day."""
    assert render(text, _given("Australia/Melbourne", s="2026-11-28T12:00:00Z"), "x") == shown


def test_an_instant_is_not_taken_for_a_time_of_day() -> None:
    with pytest.raises(TemplateRenderError, match="`moved` is for times of day"):
        render("{{ s | moved('10:00', '11:00') }}", _given("UTC", s="2026-11-28T12:00:00Z"), "x")


def test_a_plan_sends_utc_and_shows_the_venue_s_time(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio")
    action, profile = pack.actions["move_lesson"], pack.profile
    call = {"lesson": "l-1", "new_date": "2026-11-28", "new_time": "15:00"}
    bound = BoundAction.of(action, call, profile).with_(before={"startsAt": "2026-07-01T22:30:00Z", "seats": []})
    assert bound.request().body == {"startsAt": "2026-11-28T14:00:00Z"}
    [line] = bound.preview()
    assert (line.before, line.after) == ("Thu 2 Jul 2026, 12:30am", "Sat 28 Nov 2026, 3pm")
    assert isinstance(profile, VenueProfile)


BACK = {"date": "2026-11-01", "start_time": "01:30", "timezone": "America/New_York"}


@pytest.mark.parametrize(
    ("given", "body", "message"),
    [
        (BACK, {"startsAt": "2026-11-01T05:30:00Z"}, "the first is meant (UTC-04:00)"),
        (BACK, {"startsAt": "2026-11-01T06:30:00Z"}, "the second is meant (UTC-05:00)"),
        (BACK, {"startsAt": "2026-11-01T01:30:00-05:00"}, "the second is meant (UTC-05:00)"),
        (BACK, {"day": "2026-11-01", "time": "01:30"}, "which of the two is meant cannot be said to the calendar"),
        ({"start_time": "01:30", "timezone": "America/New_York"}, [{"at": "2026-11-01T05:30:00Z"}], "the first"),
        ({**BACK, "timezone": None}, {"startsAt": "2026-10-31T23:30:00Z"}, None),
        ({**BACK, "start_time": "01:00"}, {"endsAt": "2026-11-01T05:30:00Z", "startsAt": "2026-11-01T05:00:00Z"},
         "1 AM comes twice"),
        ({**BACK, "start_time": "00:45"}, {"startsAt": "2026-11-01T04:45:00Z", "endsAt": "2026-11-01T05:15:00Z"}, None),
        ({**BACK, "date": "2026-11-02"}, {"startsAt": "2026-11-02T06:30:00Z"}, None),
    ],
)  # fmt: skip
def test_which_of_two_times_is_meant_is_reported(given: dict[str, Json], body: Json, message: str | None) -> None:
    pack = shipped("calendar")
    activate_locale(pack.profile.locale, pack.profile.words)
    action = pack.actions["schedule_meeting"]
    request = HttpRequest(method="POST", path="/v1/events", body=body)
    line = twice_line(BoundAction.of(action, {"person": "Aviad", **given}, pack.profile).with_(sent=request))
    assert (line is not None and message in line.after) if message is not None else line is None, line
