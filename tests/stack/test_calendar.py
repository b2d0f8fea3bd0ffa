"""A team's calendar, end to end (multi-step messaging, "Usage Examples"): the third pack, with no line in the core.

- The three examples: availability is step 1 of the run while the plan is worked out, a conflict ends it there, one tap
  schedules; `complete` once, then the sentence.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.dev import Stack
from infra.settings import ROOT
from tests.support.calendar import CONFLICT, TOKEN, Calendar, instant, next_, taken_tomorrow
from tests.support.operator import Operator
from tests.support.stacks import a_stack
from tests.support.watching import SessionWatcher, closing

pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
async def team(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    pack = ROOT / "overlays" / "calendar"
    async with a_stack(tmp_path_factory.mktemp("team"), packs=(pack,), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def one(team: Stack) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{team.ports.facade}", token=TOKEN) as found:
        yield found


@pytest.fixture
async def calendar(team: Stack) -> AsyncIterator[Calendar]:
    """The calendar as it is at first."""
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as found:
        await found.reset()
        yield found


def run_of(events: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str, int | None, str | None]]:
    """What a session's stream told of runs: (stream, kind, step, status)."""
    between = ("said", "progress", "confirmed")
    return [
        (event, data["kind"], data.get("step"), data.get("step_status"))
        for event, data in events
        if data["kind"] not in between
    ]


BEGUN = [("chat", "initiated", None, None), ("chat", "step_started", 1, None)]
ENDED = [
    ("plan", "step_started", 2, None),
    ("plan", "step_result", 2, "completed"),
    ("plan", "complete", None, None),
    ("plan", "separate_message", None, None),
]


async def scheduled(one: Operator, words: str) -> tuple[dict[str, Any], str, list[Any]]:
    """What is asked for, once it is done: the plan, the closing sentence, what the session's stream told."""
    plan = await one.plan_for(words)
    assert [(a["title"], a["status"]) for a in plan["actions"]] == [
        ("Check Availability", "completed"),
        ("Schedule Meeting", "pending"),
    ]
    done = await one.settled(await one.confirm(plan))
    assert done["status"] == "completed", done
    events = await SessionWatcher(one).until(closing)
    return done, events[-1][1]["text"], events


async def test_example_1_a_meeting_is_scheduled(one: Operator, calendar: Calendar) -> None:
    _, said, events = await scheduled(one, "i want a meeting with Aviad on Wednesday at 14:00")
    assert said == "Perfect! I've scheduled your meeting with Aviad for Wednesday at 2 PM."
    looked = [("chat", "step_result", 1, "completed"), ("chat", "plan", None, None)]
    assert run_of(events) == [*BEGUN, *looked, *ENDED]
    [made] = await calendar.of(next_("wednesday"))
    assert (made["startsAt"], made["endsAt"]) == (
        instant(next_("wednesday"), "14:00"),
        instant(next_("wednesday"), "14:30"),
    )
    assert (made["title"], made["person"]["name"], made["timeZone"]) == ("Meeting", "Aviad", "Asia/Jerusalem")


async def test_example_2_a_conflict_ends_the_run(one: Operator, calendar: Calendar) -> None:
    await taken_tomorrow(calendar)
    before = await calendar.journal()
    turn = await one.say("i want a meeting with Aviad tomorrow at 2pm")
    assert (turn["type"], turn["question"]) == ("clarification", CONFLICT), turn
    events = await SessionWatcher(one).until(lambda event: event["kind"] == "clarification")
    failed = [("chat", "step_result", 1, "failed"), ("chat", "complete", None, None)]
    assert run_of(events) == [*BEGUN, *failed, ("chat", "clarification", None, None)]
    assert await calendar.journal() == before


async def test_example_3_another_day(one: Operator, calendar: Calendar) -> None:
    _, said, _ = await scheduled(one, "i want a meeting with Aviad on Tuesday at 3pm")
    assert said == "Great! I've scheduled your meeting with Aviad for Tuesday at 3 PM."
    made = [e for e in await calendar.of(next_("tuesday")) if e["startsAt"] == instant(next_("tuesday"), "15:00")]
    assert [e["title"] for e in made] == ["Meeting"]
