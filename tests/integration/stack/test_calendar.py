"""A team's calendar, end to end (multi-step messaging, "Usage Examples"): the third pack, with no code in the core.
Guarantees:

- The three examples run in one chat and each in its own. Step 1 of the run checks availability while the plan is
  drafted, a conflict ends the run there, one tap schedules the meeting, then come `complete` (once) and the closing
  sentence. Control tokens tell the same.
- A request that the operator drops, or that no operator confirms, ends its run once, and nothing is written.
- The worker checks availability again before the write. A meeting that was booked meanwhile keeps the time, and the
  operator reads so. The same holds when the calendar itself rejects the write.
- After a lost answer the worker searches for the meeting's key: the meeting exists once, or is known not to exist.
- An undo cancels only the plan's meeting, and leaves it alone where another user moved it meanwhile.
- A meeting is moved and put back. A move that overlaps the meeting's own old time is no conflict.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from infra.temporal.client import connect
from tests.support.calendar import CONFLICT, TOKEN, Calendar, instant, next_, taken_tomorrow, today
from tests.support.operator import Operator
from tests.support.stacks import a_stack
from tests.support.token_reader import EventToken, TokenReader
from tests.support.watching import SessionWatcher, closing, shown

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WEDNESDAY = "i want a meeting with Aviad on Wednesday at 14:00"
TOMORROW = "i want a meeting with Aviad tomorrow at 2pm"
TUESDAY = "i want a meeting with Aviad on Tuesday at 3pm"
PERFECT = "Perfect! I've scheduled your meeting with Aviad for Wednesday at 2 PM."
GREAT = "Great! I've scheduled your meeting with Aviad for Tuesday at 3 PM."


def run_of(events: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str, int | None, str | None]]:
    """Return the run events of a session's stream: (stream, kind, step, status)."""
    between = ("message", "progress", "confirmed")
    return [
        (event, data["kind"], data.get("step"), data.get("step_status"))
        for event, data in events
        if data["kind"] not in between
    ]


BEGUN = [("chat", "initiated", None, None), ("chat", "step_started", 1, None)]
FREE = [("chat", "step_result", 1, "completed"), ("chat", "plan", None, None)]
TAKEN = [
    ("chat", "step_result", 1, "failed"),
    ("chat", "complete", None, None),
    ("chat", "clarification", None, None),
]
WRITTEN = [
    ("plan", "step_started", 2, None),
    ("plan", "step_result", 2, "completed"),
    ("plan", "complete", None, None),
    ("plan", "separate_message", None, None),
]


async def scheduled(colleague: Operator, words: str) -> dict[str, Any]:
    """Plan and confirm a meeting; return the completed plan."""
    plan = await colleague.plan_for(words)
    assert [(a["title"], a["status"]) for a in plan["actions"]] == [
        ("Check Availability", "completed"),
        ("Schedule Meeting", "pending"),
    ]
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["status"] == "completed", done
    return done


async def tokens_of(colleague: Operator, closing_words: str) -> list[EventToken]:
    """Return the session's control tokens up to the closing message with these words, without progress."""
    heard, reader = [], TokenReader()
    async for _, _, data in shown(colleague, f"/v1/sessions/{colleague.session}/events", "", format="tokens"):
        heard += reader.feed(data)
        if heard and heard[-1].fields == (closing_words,) and heard[-1].name == "SEPARATE_MESSAGE":
            break
    return [token for token in heard if token.name != "PROGRESS"]


# ── the three examples ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_example_1_a_meeting_is_scheduled(colleague: Operator, calendar: Calendar) -> None:
    await scheduled(colleague, WEDNESDAY)
    events = await SessionWatcher(colleague).until(closing)
    assert (events[-1][1]["text"], run_of(events)) == (PERFECT, [*BEGUN, *FREE, *WRITTEN])
    day = next_("wednesday")
    [made] = await calendar.of(day)
    assert (made["startsAt"], made["endsAt"]) == (instant(day, "14:00"), instant(day, "14:30"))
    assert (made["title"], made["person"]["name"], made["timeZone"]) == ("Meeting", "Aviad", "Asia/Jerusalem")
    assert made["externalUserName"] == ""
    heard = await tokens_of(colleague, PERFECT)
    # The plan itself is also sent as a message.
    assert [token.name for token in heard] == [
        "MULTI_STEP_INITIATED", "STEP_START", "STEP_RESULT", "SEPARATE_MESSAGE", "STEP_START", "STEP_RESULT",
        "MULTI_STEP_COMPLETE", "SEPARATE_MESSAGE",
    ]  # fmt: skip
    assert [token.fields for token in heard if token.name.startswith("STEP")] == [
        ("step-1", "Check Availability"),
        ("step-1", "completed", "Aviad is free on Wednesday at 2 PM."),
        ("step-2", "Schedule Meeting"),
        ("step-2", "completed", PERFECT),
    ]


async def test_example_2_a_conflict_ends_the_run(colleague: Operator, calendar: Calendar) -> None:
    await taken_tomorrow(calendar)
    before = await calendar.journal()
    turn = await colleague.say(TOMORROW)
    assert (turn["type"], turn["question"]) == ("clarification", CONFLICT), turn
    events = await SessionWatcher(colleague).until(lambda event: event["kind"] == "clarification")
    assert run_of(events) == [*BEGUN, *TAKEN]
    assert await calendar.journal() == before
    heard = await tokens_of(colleague, CONFLICT)
    assert [token.name for token in heard] == [
        "MULTI_STEP_INITIATED", "STEP_START", "STEP_RESULT", "MULTI_STEP_COMPLETE", "SEPARATE_MESSAGE",
    ]  # fmt: skip
    assert heard[2].fields == ("step-1", "failed", "Conflicts found")


async def test_example_3_another_day(colleague: Operator, calendar: Calendar) -> None:
    done = await scheduled(colleague, TUESDAY)
    assert done["results"][-1]["message"] == GREAT
    made = [e for e in await calendar.of(next_("tuesday")) if e["startsAt"] == instant(next_("tuesday"), "15:00")]
    assert [e["title"] for e in made] == ["Meeting"]


async def test_the_examples_in_one_chat(colleague: Operator, calendar: Calendar) -> None:
    assert (await scheduled(colleague, WEDNESDAY))["results"][-1]["message"] == PERFECT
    await taken_tomorrow_or_by_the_first(calendar)
    assert (await colleague.say(TOMORROW))["question"] == CONFLICT
    assert (await scheduled(colleague, TUESDAY))["results"][-1]["message"] == GREAT
    kinds = [kind for _, kind, _, _ in run_of(await _all(colleague, 3))]
    assert (kinds.count("initiated"), kinds.count("complete")) == (3, 3)


async def taken_tomorrow_or_by_the_first(calendar: Calendar) -> None:
    """On a Tuesday, assert that the first example has taken the time that the second asks for."""
    if today().weekday() == 1:
        assert [e["startsAt"] for e in await calendar.of(next_("wednesday"))] == [instant(next_("wednesday"), "14:00")]


async def _all(colleague: Operator, runs: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the session's events until this many runs have ended."""
    ended = []

    def over(event: dict[str, Any]) -> bool:
        ended.extend([event] if event["kind"] in ("separate_message", "clarification") else [])
        return len(ended) == runs

    return await SessionWatcher(colleague).until(over)


async def test_a_free_day_is_perfect_another_time_is_great(colleague: Operator, calendar: Calendar) -> None:
    await calendar.reset(seed=False)
    assert (await scheduled(colleague, TUESDAY))["results"][-1]["message"] == GREAT.replace("Great!", "Perfect!")
    await calendar.meet(next_("friday"), "11:00")
    assert (await colleague.say("a meeting with Aviad on Friday at 11am"))["question"] == CONFLICT
    await calendar.reset(seed=False)
    assert (await scheduled(colleague, "4pm"))["results"][-1]["message"] == (
        "Great! I've scheduled your meeting with Aviad for Friday at 4 PM."
    )


# ── other ends of a run ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_plan_whose_workflow_was_ended_by_hand_is_complete_in_its_session(
    team: Stack, colleague: Operator, calendar: Calendar
) -> None:
    plan = await colleague.plan_for(WEDNESDAY)
    await (await connect(team.settings)).get_workflow_handle(f"plan-{plan['plan_id']}").terminate("by hand")
    events = await SessionWatcher(colleague).until(closing)
    assert [data["kind"] for _, data in events[-2:]] == ["complete", "separate_message"]
    assert "ended unexpectedly" in events[-1][1]["text"]


async def test_a_request_that_is_dropped_ends_its_run(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(WEDNESDAY)
    assert (await colleague.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=colleague.user)).status_code == 202
    kinds = [kind for _, kind, _, _ in run_of(await SessionWatcher(colleague).until(closing))]
    assert (kinds.count("initiated"), kinds.count("complete"), kinds[-2:]) == (1, 1, ["complete", "separate_message"])
    assert await calendar.of(next_("wednesday")) == []


@pytest.fixture
async def hasty(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack where a plan waits two seconds for its confirmation."""
    pack = ROOT / "overlays" / "calendar"
    folder = tmp_path_factory.mktemp("hasty")
    async with a_stack(folder, packs=(pack,), model_base_url=model_url, confirm_timeout=2) as running:
        yield running


async def test_a_plan_that_no_one_confirms_ends_its_run(hasty: Stack) -> None:
    async with Operator(f"http://127.0.0.1:{hasty.ports.facade}", token=TOKEN) as one:
        assert (await one.settled(await one.plan_for(WEDNESDAY)))["status"] == "expired"
        events = await SessionWatcher(one).until(closing)
    kinds = [kind for _, kind, _, _ in run_of(events)]
    assert (kinds.count("initiated"), kinds.count("complete"), kinds[-2:]) == (1, 1, ["complete", "separate_message"])
    async with Calendar(f"http://127.0.0.1:{hasty.ports.calendar}") as calendar:
        assert await calendar.of(next_("wednesday")) == []


# ── the write ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_was_quicker_has_the_time(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(WEDNESDAY)
    theirs = await calendar.meet(next_("wednesday"), "14:15")
    before = await calendar.journal()
    # This would meet a request that is sent.
    await calendar.fault("create-event", "status", status=503)
    ended = await colleague.settled(await colleague.confirm(plan))
    assert await calendar.armed() == ["create-event"]
    assert (ended["status"], ended["failure"]["step"]) == ("failed", 2), ended
    assert ended["failure"]["message"].endswith(CONFLICT)
    assert await calendar.journal() == before
    assert [e["id"] for e in await calendar.of(next_("wednesday"))] == [theirs["id"]]


async def test_what_the_calendar_refuses_is_reported(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(WEDNESDAY)
    body = {"error": {"code": "overlap", "message": "Aviad has something else"}}
    await calendar.fault("create-event", "status", status=409, body=body)
    ended = await colleague.settled(await colleague.confirm(plan))
    assert ended["status"] == "failed" and ended["failure"]["message"].endswith(CONFLICT), ended
    assert await calendar.of(next_("wednesday")) == []


@pytest.mark.parametrize(("effect", "landed"), [("drop_after", True), ("drop_before", False)])
async def test_a_lost_answer_is_decided_by_looking(
    colleague: Operator, calendar: Calendar, effect: str, landed: bool
) -> None:
    plan = await colleague.plan_for(WEDNESDAY)
    await calendar.fault("create-event", effect)
    ended = await colleague.settled(await colleague.confirm(plan))
    made = await calendar.of(next_("wednesday"))
    assert (ended["status"], len(made)) == (("completed", 1) if landed else ("failed", 0)), ended
    if landed:
        assert (await undone(colleague, ended))["rollback_report"]["outcome"] == "complete"
        assert [e["status"] for e in await calendar.of(next_("wednesday"))] == ["cancelled"]


async def undone(colleague: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Return the plan once its undo has ended."""
    answer = await colleague.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=colleague.user)
    assert answer.status_code == 202, answer.text
    return await colleague.until(
        plan, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 20
    )


async def test_the_undo_cancels_just_that_meeting(colleague: Operator, calendar: Calendar) -> None:
    other = await calendar.meet(next_("wednesday"), "16:00")
    report = (await undone(colleague, await scheduled(colleague, WEDNESDAY)))["rollback_report"]
    assert [(row["step"], row["outcome"]) for row in report["steps"]] == [(2, "reversed")]
    found = {e["id"]: e["status"] for e in await calendar.of(next_("wednesday"))}
    assert found.pop(other["id"]) == "confirmed"
    assert [*found.values()] == ["cancelled"]


async def test_what_somebody_moved_since_is_left_alone(colleague: Operator, calendar: Calendar) -> None:
    done = await scheduled(colleague, WEDNESDAY)
    [made] = await calendar.of(next_("wednesday"))
    await calendar.change(
        made["id"], startsAt=instant(next_("wednesday"), "17:00"), endsAt=instant(next_("wednesday"), "17:30")
    )
    answer = await colleague.post(f"/v1/plans/{done['plan_id']}/undo", user_id=colleague.user)
    assert answer.status_code == 409 and "not as this plan left it" in answer.json()["error"]["message"], answer.text
    assert [e["status"] for e in await calendar.of(next_("wednesday"))] == ["confirmed"]


async def test_a_meeting_is_moved_and_put_back(colleague: Operator, calendar: Calendar) -> None:
    day = next_("wednesday")
    there = await calendar.meet(day, "10:00", title="Roadmap")
    plan = await colleague.plan_for("move the roadmap meeting to 10:15")
    assert [a["title"] for a in plan["actions"]] == ["Check Availability", "Move meeting"]
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["status"] == "completed", done
    assert done["results"][-1]["message"] == "Done. Your meeting with Aviad is on Wednesday at 10:15 AM."
    [moved] = await calendar.of(day)
    assert (moved["id"], moved["startsAt"], moved["endsAt"]) == (
        there["id"], instant(day, "10:15"), instant(day, "10:45"),
    )  # fmt: skip
    await undone(colleague, done)
    assert [e["startsAt"] for e in await calendar.of(day)] == [instant(day, "10:00")]


async def test_a_meeting_is_not_moved_onto_another(colleague: Operator, calendar: Calendar) -> None:
    day = next_("wednesday")
    await calendar.meet(day, "10:00", title="Roadmap")
    await calendar.meet(day, "11:00", title="Lunch")
    assert (await colleague.say("move the roadmap meeting to 11:15"))["question"] == CONFLICT


async def test_a_meeting_is_cancelled_and_given_back(colleague: Operator, calendar: Calendar) -> None:
    day = next_("wednesday")
    await calendar.meet(day, "10:00", title="Roadmap")
    plan = await colleague.plan_for("cancel the roadmap meeting")
    done = await colleague.settled(await colleague.confirm(plan))
    assert (done["status"], [e["status"] for e in await calendar.of(day)]) == ("completed", ["cancelled"]), done
    await undone(colleague, done)
    assert [e["status"] for e in await calendar.of(day)] == ["confirmed"]
