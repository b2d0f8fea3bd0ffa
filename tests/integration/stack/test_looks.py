"""A read of availability that is a step of the plan (`room.step` of an overlay), over HTTP (multi-step messaging,
"Usage Examples"). Guarantees:

- On the session's stream the run begins before there is a plan: why, step 1 started, its result; the plan continues
  with step 2 and ends the run once. No event repeats, not even for a client that reconnects in between; the plan's own
  stream has all of them.
- The plan shows the step with its result; it is neither confirmed, undone nor skipped.
- Without availability the run ends there: the step has failed, `complete`, then the message. The same holds when the
  read itself fails, and in control tokens.
- An operator can edit a value of the step behind the read, by its number in the plan, but no value of the read.
- The plan is drafted once: the chat is signalled when the read begins.
- A plan that is dropped ends its run, too.
- The worker reads availability again before the write. If the place is gone, the plan stops, and nothing was sent.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cli.stack.dev import Stack
from contracts.persisted_names import Activity
from tests.support.operator import Operator
from tests.support.roller import Roller, a_day, a_name
from tests.support.stacks import a_stack, copied_pack, own_token
from tests.support.token_reader import TokenReader
from tests.support.watching import SessionWatcher, Watcher, closing, shown
from workflows.workflow_ids import chat_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STEP = """  step:
    {action: check_sessions, title: Check sessions, done: "{{ new_start_time }} has room.", lacking: Full then.}
  requires:
"""
DONE = "16:00 has room."


@pytest.fixture(scope="module")
async def looking(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack whose pack makes the read of availability a step of each move."""
    folder = tmp_path_factory.mktemp("looking")
    pack: Path = copied_pack(folder, {})
    overlay = pack / "actions" / "reschedule_booking.yaml"
    text = overlay.read_text()
    head, room, rest = text.partition("\navailability:\n")
    assert room
    overlay.write_text(head + room + rest.replace("  requires:\n", STEP, 1))
    async with a_stack(folder, packs=(pack,), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def operator(looking: Stack) -> AsyncIterator[Operator]:
    token = await own_token(looking)
    async with Operator(f"http://127.0.0.1:{looking.ports.facade}", token=token) as found:
        yield found


@pytest.fixture
async def venue(looking: Stack) -> AsyncIterator[Roller]:
    async with Roller(f"http://127.0.0.1:{looking.ports.roller}") as found:
        yield found
        await found.clear_faults()


def run_of(events: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str, int | None, str | None]]:
    """Return the run events of a session's stream: (stream, kind, step, status)."""
    between = ("message", "progress", "confirmed")
    return [
        (event, data["kind"], data.get("step"), data.get("step_status"))
        for event, data in events
        if data["kind"] not in between
    ]


LOOKED = [
    ("chat", "initiated", None, None),
    ("chat", "step_started", 1, None),
    ("chat", "step_result", 1, "completed"),
    ("chat", "plan", None, None),
]


async def drafts_of(stack: Stack, operator: Operator) -> int:
    """Return how often the chat's history has the activity `draft`."""
    assert stack.services is not None
    chat = stack.services.plans.client.get_workflow_handle(chat_workflow("roller-demo", operator.session))
    kinds = [
        event.activity_task_scheduled_event_attributes.activity_type.name async for event in chat.fetch_history_events()
    ]
    return kinds.count(Activity.DRAFT)


async def test_a_run_begins_with_its_look_and_ends_once(operator: Operator, venue: Roller, looking: Stack) -> None:
    guest = a_name()
    booking = await venue.book(guest)
    watcher = SessionWatcher(operator)
    plan = await operator.plan_for(f"move {guest} to 4pm")
    look, move = plan["actions"]
    assert (look["title"], look["status"], look["read_only"], look["reversible"]) == (
        "Check sessions",
        "completed",
        True,
        True,
    )
    assert (move["step"], move["action_id"], move["status"]) == (2, "reschedule_booking", "pending")
    assert [(r["step"], r["status"], r["message"]) for r in plan["results"]] == [(1, "completed", DONE)]
    before = await watcher.until(lambda event: event["kind"] == "plan")
    assert run_of(before) == LOOKED
    assert await drafts_of(looking, operator) == 1
    # A client that reconnects in between gets the rest, and nothing again.
    again = SessionWatcher(operator, watcher.last)
    done = await operator.settled(await operator.confirm(plan))
    assert (done["status"], [a["status"] for a in done["actions"]]) == ("completed", ["completed", "completed"])
    rest = run_of(await again.until(closing))
    assert rest == [
        ("plan", "step_started", 2, None),
        ("plan", "step_result", 2, "completed"),
        ("plan", "complete", None, None),
        ("plan", "separate_message", None, None),
    ]
    whole = SessionWatcher(operator)
    assert run_of(await whole.until(closing)) == LOOKED + rest
    own = await Watcher(operator, plan).until(closing)
    kinds = [(e["kind"], e.get("step")) for e in own if e["kind"] not in ("progress", "confirmed")]
    assert kinds[:3] == [("initiated", None), ("step_started", 1), ("step_result", 1)]
    assert kinds[3:] == [(kind, step) for _, kind, step, _ in rest]
    assert [e["number"] for e in own] == list(range(1, len(own) + 1))
    assert len(await venue.journal(booking)) == 1


async def test_what_is_behind_a_look_is_edited_and_the_look_is_not(operator: Operator, venue: Roller) -> None:
    guest = a_name()
    await venue.book(guest)
    plan = await operator.plan_for(f"move {guest} to 4pm")
    value = {"step": 1, "parameter": "new_start_time", "value": "15:00"}
    turn = await operator.say("New start time: 15:00", edit={"plan_id": plan["plan_id"], "values": [value]})
    assert turn["type"] == "answer", turn
    turn = await operator.say(
        "New start time: 15:00", edit={"plan_id": plan["plan_id"], "values": [{**value, "step": 2}]}
    )
    look, move = turn["plan"]["actions"]
    assert (look["read_only"], move["parameters"]["new_start_time"]) == (True, "15:00")


async def test_what_was_looked_at_is_not_undone(operator: Operator, venue: Roller) -> None:
    guest = a_name()
    await venue.book(guest)
    plan = await operator.plan_for(f"move {guest} to 4pm")
    refused = await operator.post(f"/v1/plans/{plan['plan_id']}/steps/1/skip", user_id=operator.user)
    assert refused.status_code == 409, refused.text
    done = await operator.settled(await operator.confirm(plan))
    undone = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert undone.status_code == 202, undone.text
    report = (await operator.settled(done))["rollback_report"]
    assert [(row["step"], row["outcome"]) for row in report["steps"]] == [(2, "reversed")]


async def test_without_room_the_run_ends_there(operator: Operator, venue: Roller) -> None:
    guest, day = a_name(), a_day()
    booking = await venue.book(guest, day=day)
    await venue.fill(day, "16:00")
    watcher = SessionWatcher(operator)
    turn = await operator.say(f"move {guest} to 4pm")
    assert turn["type"] != "plan", turn
    events = await watcher.until(lambda event: event["kind"] in ("clarification", "answer"))
    assert run_of(events) == [
        *LOOKED[:2],
        ("chat", "step_result", 1, "failed"),
        ("chat", "complete", None, None),
        ("chat", turn["type"], None, None),
    ]
    assert events[-3][1]["text"] == "Full then."
    heard, reader = [], TokenReader()
    async for _, _, data in shown(operator, f"/v1/sessions/{operator.session}/events", "", format="tokens"):
        heard += reader.feed(data)
        if heard and heard[-1].name == "SEPARATE_MESSAGE":
            break
    assert [token.name for token in heard if token.name != "PROGRESS"] == [
        "MULTI_STEP_INITIATED", "STEP_START", "STEP_RESULT", "MULTI_STEP_COMPLETE", "SEPARATE_MESSAGE",
    ]  # fmt: skip
    assert next(t for t in heard if t.name == "STEP_RESULT").fields == ("step-1", "failed", "Full then.")
    assert await venue.journal(booking) == []


async def test_a_look_that_fails_ends_the_run(operator: Operator, venue: Roller) -> None:
    guest = a_name()
    await venue.book(guest)
    await venue.fault("get-product-availability", "status", status=500, times=60)
    watcher = SessionWatcher(operator)
    answer = await operator.post(
        "/v1/requests", user_message=f"move {guest} to 4pm", session_id=operator.session, user_id=operator.user
    )
    assert answer.status_code == 503, answer.text
    events = await watcher.until(lambda event: event["kind"] == "error")
    assert run_of(events) == [
        *LOOKED[:2],
        ("chat", "step_result", 1, "failed"),
        ("chat", "complete", None, None),
        ("chat", "error", None, None),
    ]
    assert events[-3][1]["text"] == "“Check sessions” could not be found out."


async def test_a_plan_that_is_dropped_ends_its_run(operator: Operator, venue: Roller) -> None:
    guest = a_name()
    await venue.book(guest)
    plan = await operator.plan_for(f"move {guest} to 4pm")
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)).status_code == 202
    events = await SessionWatcher(operator).until(closing)
    assert [kind for _, kind, _, _ in run_of(events)].count("initiated") == 1
    assert [kind for _, kind, _, _ in run_of(events)][-2:] == ["complete", "separate_message"]


async def test_it_is_looked_at_again_before_the_write(operator: Operator, venue: Roller) -> None:
    guest, day = a_name(), a_day()
    booking = await venue.book(guest, day=day)
    plan = await operator.plan_for(f"move {guest} to 4pm")
    await venue.fill(day, "16:00")
    # A request that is sent would get another answer than a full session.
    await venue.fault("update-a-booking", "status", status=403, times=9)
    ended = await operator.settled(await operator.confirm(plan))
    await venue.clear_faults()
    assert (ended["status"], ended["failure"]["step"]) == ("failed", 2), ended
    assert "There is not enough room" in ended["failure"]["message"]
    assert await venue.journal(booking) == []
