"""Watching plans, over server-sent events against the running stack (issue "Live", multi-step messaging). Guarantees:

- A stream begins with `initiated`, which has its reasoning and a confidence, and `complete` comes before the closing
  message, on success as on failure; every event names its step; they are numbered without a gap.
- A client that reconnects with its last event's number gets exactly what follows, and 204 when nothing can follow; with
  a number that no event has, it gets all of it.
- The stream has questions, answers, rollback, each reversal and an undo; it also has a plan that was dropped.
- Only a plan's owner can watch it.
- As tokens the same stream has the six forms of the specification, which its own patterns read.
"""

import asyncio
import re
from typing import Any
from uuid import uuid4

import pytest

from api.event_tokens import PATTERNS
from cli.stack.dev import Stack
from contracts.chat_messages import PlanStart
from infra.temporal.client import connect
from tests.support.asking import asking
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_day, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.token_reader import TokenReader
from tests.support.watching import Watcher, closing, kinds, stream
from workflows.plan.workflow import PlanWorkflow

pytestmark = pytest.mark.asyncio

NOTE = ("edit_note", {"note": "Cake at noon"})
GUESTS = ("change_guest_count", {"guest_count": 14})
LATE = "17:30"


async def test_a_plan_is_reported_from_its_first_event_to_its_last(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE, GUESTS)
    plan = await operator.plan_for(asking(guest, NOTE, GUESTS))
    watcher = Watcher(operator, plan)
    watching = asyncio.create_task(watcher.until(closing))
    await operator.confirm(plan)
    events = await watching
    assert kinds(events) == [
        "initiated", "confirmed", "step_started", "step_result", "step_started", "step_result", "complete",
        "separate_message",
    ]  # fmt: skip
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    first, *_, complete, last = events
    assert first["reasoning"] and 1 <= first["confidence"] <= 10
    assert (complete["status"], last["text"]) == ("completed", (await operator.look(plan))["summary"])
    steps = [(e["kind"], e["step"], e["name"]) for e in events if e["kind"].startswith("step_")]
    assert steps == [
        ("step_started", 1, "Edit booking note"), ("step_result", 1, "Edit booking note"),
        ("step_started", 2, "Change guest count"), ("step_result", 2, "Change guest count"),
    ]  # fmt: skip
    assert {e["step"] for e in events if e["kind"] == "progress"} == {1, 2}


async def test_who_comes_back_is_given_what_follows(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    events = await Watcher(operator, plan).until(closing)
    number = len(events)
    for after in (1, number - 1):
        seen = []
        async for row in stream(operator, plan, after):
            seen.append(int(row[0]))
            if row[1] == "separate_message":
                break
        assert seen == list(range(after + 1, number + 1))


async def test_a_number_behind_the_last_event_begins_again(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    events = await Watcher(operator, plan).until(closing)
    for behind in (len(events) + 1, 10**6):
        seen = []
        async for row in stream(operator, plan, behind):
            seen.append(int(row[0]))
            if row[1] == "separate_message":
                break
        assert seen == [event["number"] for event in events], "never silence for what was never told"


async def test_a_failure_tells_each_reversal(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest, day = a_name(), a_day()
    await roller.book(guest)
    calls = [NOTE, ("reschedule_booking", {"new_date": day, "new_start_time": LATE}), GUESTS]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.plan_for(asking(guest, *calls))
    await roller.fill(day, LATE)
    watcher = Watcher(operator, plan)
    await operator.confirm(plan)
    events = await watcher.until(closing)
    assert kinds(events) == [
        "initiated", "confirmed", "step_started", "step_result", "step_started", "step_result", "step_skipped",
        "rolling_back", "reversal", "complete", "separate_message",
    ]  # fmt: skip
    ended = await operator.look(plan)
    results = [(e["step"], e["step_status"], e["text"]) for e in events if e["kind"] == "step_result"]
    assert results == [
        (r["step"], r["status"].replace("reversed", "completed"), r["message"]) for r in ended["results"]
    ]
    reversals = [(e["step"], e["outcome"], e["text"]) for e in events if e["kind"] == "reversal"]
    assert reversals == [(s["step"], s["outcome"], s["message"]) for s in ended["rollback_report"]["steps"]]
    assert events[-2]["status"] == "rolled_back"
    message = [ended["failure"]["message"], ended["summary"], *ended["failure"]["suggestions"]]
    assert all(words in events[-1]["text"] for words in message), "what happened, what stands, and what to do"


async def test_an_undo_is_reported_behind_the_end_and_completes_nothing_again(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    watcher = Watcher(operator, plan)
    await watcher.until(closing)
    known = len(watcher.events)
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert response.status_code == 202, response.text
    events = await watcher.until(closing)
    assert kinds(events[known:]) == ["rolling_back", "reversal", "separate_message"]
    for _ in range(40):
        rest = await operator.http.get(
            f"/v1/plans/{plan['plan_id']}/events",
            params={"user_id": operator.user},
            headers={"Last-Event-ID": str(len(events))},
        )
        assert rest.status_code == 204, f"what is no stream takes up no place: {rest.text}"


async def test_a_question_and_its_answer_are_reported(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    asks = {"ask_operator": {"question": "Which cake?", "choices": ["Lemon", "Nut"], "parameter": "note"}}
    scripted.script(guest, look_up(guest), then(NOTE), asks, obey)
    plan = await operator.plan_for(asking(guest, NOTE))
    await operator.confirm(plan)
    asked = await operator.asked(plan)
    prompt = asked["blocking_prompt"]
    assert (await operator.answer(plan, "Lemon")).status_code == 200
    events = await Watcher(operator, plan).until(closing)
    opened, answered = (e for e in events if e["kind"].startswith("prompt_"))
    assert (opened["kind"], opened["text"], opened["choices"]) == (
        "prompt_opened",
        prompt["question"],
        ["Lemon", "Nut"],
    )
    assert (answered["kind"], answered["text"]) == ("prompt_answered", "Lemon")
    assert {opened["prompt_id"], answered["prompt_id"]} == {prompt["prompt_id"]}
    assert {opened["step"], answered["step"]} == {1}


@pytest.mark.slow
async def test_a_plan_whose_workflow_was_ended_by_hand_is_reported_as_it_was_seen(
    stack: Stack, operator: Operator, party: Party
) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    client = await connect(stack.settings)
    await client.get_workflow_handle(f"plan-{plan['plan_id']}").terminate("by hand")
    events = await Watcher(operator, plan).until(closing)
    assert kinds(events) == ["initiated", "complete", "separate_message"]
    assert events[1]["status"] == "cancelled" and "ended unexpectedly" in events[2]["text"]


@pytest.mark.slow
async def test_a_plan_whose_workflow_was_ended_before_any_worker_took_it_up_is_reported_too(
    stack: Stack, operator: Operator, party: Party
) -> None:
    guest, _ = await party(NOTE)
    drafted = await operator.plan_for(asking(guest, NOTE))
    client = await connect(stack.settings)
    began = await anext(client.get_workflow_handle(f"plan-{drafted['plan_id']}").fetch_history_events())
    given = began.workflow_execution_started_event_attributes.input
    [start] = await client.data_converter.decode_wrapper(given, [PlanStart])
    plan = start.plan.model_copy(update={"plan_id": str(uuid4())})
    handle = await client.start_workflow(
        PlanWorkflow.run, start.model_copy(update={"plan": plan}), id=f"plan-{plan.plan_id}", task_queue="nobody",
        memo={"plan": plan},
    )  # fmt: skip
    await handle.terminate("by hand")
    events = await Watcher(operator, {"plan_id": plan.plan_id}).until(closing)
    assert kinds(events) == ["initiated", "complete", "separate_message"]
    assert events[0]["text"] == drafted["intent"] and events[0]["confidence"] == start.confidence
    assert events[0]["reasoning"] == start.reasoning and "ended unexpectedly" in events[2]["text"]


@pytest.mark.slow
async def test_a_plan_whose_workflow_was_ended_in_the_middle_of_an_undo_has_a_last_word(
    stack: Stack, operator: Operator, roller: Roller, party: Party
) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    await operator.settled(await operator.confirm(plan))
    await roller.fault("update-a-booking", "delay", seconds=3)
    watching = asyncio.create_task(Watcher(operator, plan).until(lambda event: event["kind"] == "rolling_back"))
    undo = asyncio.create_task(operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user))
    heard = len(await watching)
    await (await connect(stack.settings)).get_workflow_handle(f"plan-{plan['plan_id']}").terminate("by hand")
    await undo
    last = Watcher(operator, plan)
    events = await last.until(lambda event: closing(event) and event["number"] > heard)
    assert kinds(events).count("complete") == 1 and "ended unexpectedly" in events[-1]["text"]
    seen = await operator.look(plan)
    assert (seen["status"], [action["status"] for action in seen["actions"]]) == ("failed", ["unknown"]), seen
    assert "More of it may have been done than is shown here" in seen["failure"]["message"], seen


@pytest.mark.slow
async def test_many_who_watch_and_poll_are_all_answered_live(operator: Operator, party: Party) -> None:
    """While a workflow is busy Temporal queues one query and rejects the others."""
    guest, _ = await party(NOTE, GUESTS)
    plan = await operator.plan_for(asking(guest, NOTE, GUESTS))
    watching = [asyncio.create_task(Watcher(operator, plan).until(closing)) for _ in range(8)]
    await operator.confirm(plan)
    looks: list[bool] = []
    while not all(task.done() for task in watching):
        looks += [one["stale"] for one in await asyncio.gather(*(operator.look(plan) for _ in range(3)))]
    every = await asyncio.gather(*watching)
    assert all(events == every[0] for events in every)
    # Of three reads at once two would be rejected; one may come too late on a busy machine.
    assert sum(looks) * 2 < len(looks)


async def test_a_dropped_plan_is_complete_too(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)
    events = await Watcher(operator, plan).until(closing)
    assert kinds(events) == ["initiated", "complete", "separate_message"]
    assert events[-1]["text"] == "The plan was dropped. None of it was carried out."


async def test_only_its_owner_watches_a_plan(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    address = f"/v1/plans/{plan['plan_id']}/events"
    expect_error(await operator.http.get(address, params={"user_id": "stranger"}), 403, "forbidden")
    no_one = {"Authorization": "Bearer nobody-s-token"}
    expect_error(
        await operator.http.get(address, params={"user_id": operator.user}, headers=no_one), 401, "unauthorized"
    )
    wrong = {"user_id": operator.user, "format": "xml"}
    expect_error(await operator.http.get(address, params=wrong), 422, "invalid_request")


async def test_as_tokens_the_stream_has_the_six_forms(operator: Operator, party: Party) -> None:
    note: tuple[str, dict[str, Any]] = ("edit_note", {"note": "[[PERIN_PROGRESS:x]] at 14:00"})
    guest, _ = await party(note)
    plan = await operator.do(asking(guest, note))
    events = await Watcher(operator, plan).until(closing)
    text, reader, read = "", TokenReader(), []
    async for _, _, data in stream(operator, plan, format="tokens"):
        text += data
        read += reader.feed(data)
        if data.startswith("[[PERIN_SEPARATE_MESSAGE:"):
            break
    assert len(read) == len(events)
    found = {name: len(re.findall(pattern, text)) for name, pattern in PATTERNS.items()}
    assert found == {
        "MULTI_STEP_INITIATED": 1, "STEP_START": 1, "STEP_RESULT": 1, "MULTI_STEP_COMPLETE": 1, "SEPARATE_MESSAGE": 1,
        "PROGRESS": len(events) - 5,
    }  # fmt: skip
    assert read[-1].fields == (events[-1]["text"],)
