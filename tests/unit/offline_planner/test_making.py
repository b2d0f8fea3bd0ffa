"""The offline planner and new bookings, over the calendar pack, with a fixed clock. Guarantees:

- on each weekday the spec's three requests are read as intended, and grounding accepts them: a weekday is the next one,
  never today;
- text that only resembles a request makes nothing: an existing meeting, a denial, a remark;
- a name is no small word, and a stretch of time is no name;
- the planner ignores a pack whose tools take other values.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from contracts.venue import VenueProfile
from language import VenuePolicy
from language.extraction import extract
from language.requests.creation import asks_to_meet
from language.text.normalize import normalize_text
from offline_planner.bookings.booking_search import BookingFinder, LookUpLog
from offline_planner.bookings.creation import made, maker_of
from offline_planner.brief import Brief
from offline_planner.chat import ChatState
from offline_planner.orders.contacts import UnclearError
from offline_planner.protocol import ProtocolMessage
from offline_planner.tools import Toolbox, read_toolbox
from reasoning.grounding.grounding import ground_arguments
from registry import Pack
from registry.tools.dialects import openai_tool
from tests.support.shipped import shipped
from tests.support.tables import table

MONDAY = datetime(2026, 11, 23, 10, 0)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return shipped("calendar")


def tools_of(pack: Pack) -> Toolbox:
    """Return the tools as a planner gets them."""
    reads = frozenset(name for name, action in pack.actions.items() if action.read_only)
    return read_toolbox([openai_tool(action)["function"] for action in pack.actions.values()], reads)


def brief_of(profile: VenueProfile, now: datetime) -> Brief:
    """Return a planner's brief of the venue."""
    hours = profile.opening_hours
    policy = VenuePolicy(opening=((hours.opens, hours.closes),))
    return Brief("plan", now, profile.time_zone, profile.locale, profile.country, policy, profile.words)


def calls(pack: Pack, now: datetime, *message: str) -> list[dict[str, object]] | None:
    """Return the plan for these messages, the last one the current; between them we asked."""
    brief, toolbox = brief_of(pack.profile, now), tools_of(pack)
    spoken = [m for text in message for m in (ProtocolMessage("user", text), ProtocolMessage("assistant", "Which?"))][
        :-1
    ]
    found = made(ChatState.of(spoken, brief), BookingFinder(brief, toolbox, LookUpLog.of(spoken)))
    return None if found is None else [dict(call.arguments) for call in found]


@pytest.mark.parametrize("ahead", range(7), ids="mon tue wed thu fri sat sun".split())
def test_the_specs_requests_on_every_weekday(pack: Pack, ahead: int) -> None:
    now = MONDAY + timedelta(days=ahead)
    wanted = [
        ("i want a meeting with Aviad on Wednesday at 14:00", (2 - now.weekday()) % 7 or 7, "14:00"),
        ("i want a meeting with Aviad tomorrow at 2pm", 1, "14:00"),
        ("i want a meeting with Aviad on Tuesday at 3pm", (1 - now.weekday()) % 7 or 7, "15:00"),
    ]
    action = pack.actions["schedule_meeting"]
    for message, days, start in wanted:
        [call] = calls(pack, now, message) or [{}]
        day = str((now + timedelta(days=days)).date())
        assert call == {"person": "Aviad", "date": day, "start_time": start}
        words = extract((message,), now.replace(tzinfo=ZoneInfo(pack.profile.time_zone)), pack.profile)
        assert ground_arguments(words, action, call, None, {}) == call  # type: ignore[arg-type]


@pytest.mark.parametrize("ahead", range(7), ids="mon tue wed thu fri sat sun".split())
def test_a_weekday_of_next_week_is_that_weeks(pack: Pack, ahead: int) -> None:
    now = MONDAY + timedelta(days=ahead)
    message = ("a meeting with Aviad next week at 2pm", "Wednesday")
    [call] = calls(pack, now, *message) or [{}]
    day = str((MONDAY + timedelta(days=9)).date())
    assert call == {"person": "Aviad", "date": day, "start_time": "14:00"}
    words = extract(message[::-1], now.replace(tzinfo=ZoneInfo(pack.profile.time_zone)), pack.profile)
    held = ground_arguments(words, pack.actions["schedule_meeting"], call, None, {})  # type: ignore[arg-type]
    assert held == call


@table(
    "message, wanted",
    [
        ("a meeting with Aviad", True),
        ("meeting with Aviad tomorrow", True),
        ("can i get a quick call with Dana", True),
        ("let's meet Aviad", True),
        ("i need to talk to Marco", True),
        ("fissa un incontro con Aviad", True),
        ("my meeting with Aviad to 4", False),
        ("the meeting with Aviad is at 4", False),
        ("i don't want a meeting with Aviad", False),
        ("don't book anything with Aviad", False),
        ("we met Aviad", False),
        ("Dana's meeting with Aviad", False),
    ],
)
def test_what_asks_for_something_new(message: str, wanted: bool) -> None:
    assert asks_to_meet(normalize_text(message)) is wanted


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("can we meet at 3 on Friday?", "with_whom"),
        ("a meeting with Aviad every Friday at 3", "recurring"),
        ("a meeting with Aviad Thursday to Friday at 3", "several_days"),
        ("a meeting with Aviad on Friday at 3 for a couple of hours", "unclear"),
        ("a meeting with Aviad and Dana on Friday at 3", "unclear"),
        ("a meeting with Aviad on Friday at 3 or 4", "vague"),
    ],
)
def test_what_is_asked_about(pack: Pack, message: str, code: str) -> None:
    with pytest.raises(UnclearError) as unclear:
        calls(pack, MONDAY, message)
    assert unclear.value.code == code


def test_half_past_two_is_an_afternoon(pack: Pack) -> None:
    [call] = calls(pack, MONDAY, "a meeting with Aviad on Friday at 2:30") or [{}]
    assert call["start_time"] == "14:30"
    hours = pack.profile.opening_hours.model_copy(update={"opens": time(0), "closes": time(12)})
    early = pack.profile.model_copy(update={"opening_hours": hours})
    found = brief_of(early, MONDAY)
    spoken = [ProtocolMessage("user", "a meeting with Aviad on Friday at 2:30")]
    again = made(ChatState.of(spoken, found), BookingFinder(found, tools_of(pack), LookUpLog.of(spoken)))
    assert again is not None and again[0].arguments["start_time"] == "02:30"


@pytest.mark.parametrize("name", ["roller", "bookeo"])
def test_other_packs_are_left_alone(name: str) -> None:
    assert maker_of(tools_of(shipped(name))) is None
