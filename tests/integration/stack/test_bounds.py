"""No answer of a model or a venue blocks a workflow (over HTTP against the running stack). Guarantees:

- A model's reply that is too deep, too long, of the wrong kind or with too many calls is a mistake that the model may
  correct; otherwise it ends the turn or the plan with a message. This holds while drafting and at the second step of a
  running plan, which is then rolled back.
- A venue's answer that is too large, too deep or of another kind is a failure with a message: at a look-up, a snapshot,
  a write, its read-back and its compensation.
- No workflow task fails, and the chat answers afterwards.
"""

import asyncio
import json
from typing import Any

import pytest
from fastapi import Response

from cli.stack.dev import Stack
from infra.temporal.client import connect
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import own_token
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE, MOVE = ("edit_note", {"note": "Cake"}), ("reschedule_booking", {"new_start_time": "15:00"})


def nested(depth: int) -> str:
    """Return arguments that are this many levels deep."""
    return '{"note": ' + "[" * depth + "]" * depth + "}"


def completion(*calls: tuple[Any, Any, Any], text: Any = None) -> Any:
    """Return a raw completion with these calls: (id, name, arguments) of each."""
    raw = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    message = {"role": "assistant", "content": text, "tool_calls": raw or None}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": None}  # fmt: skip


MONSTERS: dict[str, Any] = {
    "arguments 215 deep": completion(("c1", "edit_note", nested(215))),
    "arguments 100,000 deep": completion(("c1", "edit_note", nested(100_000))),
    "1.3 MB of text": completion(text="very " * 260_000),
    "2.5 MB of text": completion(text="very " * 500_000),
    "1.3 MB of arguments": completion(("c1", "edit_note", json.dumps({"note": "x" * 1_300_000}))),
    "1.3 MB of a question": completion(("c1", "ask_operator", json.dumps({"question": "x" * 1_300_000}))),
    "a question that is a list": completion(("c1", "ask_operator", json.dumps({"question": ["Which?"] * 5}))),
    "300 look-ups": completion(*[(f"c{n}", "find_bookings", '{"keywords": "Smith"}') for n in range(300)]),
    "10,000 calls": completion(*[(f"c{n}", "edit_note", "{}") for n in range(10_000)]),
    "a huge id and name": completion(("i" * 500_000, "n" * 500_000, "{}")),
    "ids that are no texts": completion((["c1"], {"name": 1}, ["{}"])),
    "a list where an object belongs": completion(("c1", "edit_note", "[1, 2]")),
    "calls that are no objects": {**completion(), "choices": [{"message": {"tool_calls": ["a", 1, None]}}]},
    "a text that is an object": completion(text={"a": 1}),
    "numbers that are none": completion(("c1", "edit_note", '{"note": NaN, "booking_id": 1e999}')),
    "lone surrogates and NUL": completion(("c1", "edit_note", '{"note": "\\ud800\\u0000"}'), text="\ud800 a\0b"),
}  # fmt: skip


def raw(body: Any) -> Any:
    """Return a reply of the scripted model with this very body."""
    return lambda _: Response(json.dumps(body), media_type="application/json")


async def troubled(stack: Stack) -> list[str]:
    """Return the workflows whose tasks keep failing, as the on-call report lists them."""
    query = "TemporalReportedProblems IS NOT NULL"
    client = await connect(stack.settings)
    return [w.id async for w in client.list_workflows(query)]


async def written_out(operator: Operator, message: str) -> dict[str, Any]:
    """Return the service's answer, which must have the documented shape."""
    answer = await operator.post(
        "/v1/requests", user_message=message, session_id=operator.session, user_id=operator.user
    )
    assert answer.status_code in (200, 503), answer.text
    found: dict[str, Any] = answer.json()
    assert len(answer.content) < 40_000
    return found


@pytest.mark.parametrize("monster", MONSTERS)
async def test_a_monstrous_reply_while_planning_leaves_a_chat_that_answers(
    stack: Stack, operator: Operator, roller: Roller, scripted: ScriptedModel, monster: str
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, raw(MONSTERS[monster]))
    await written_out(operator, f"note Cake for {guest}")
    scripted.script(guest, look_up(guest), then(NOTE), obey)
    plan = await operator.plan_for(f"note Cake for {guest}, please")
    assert plan["actions"][0]["action_id"] == "edit_note"
    assert await troubled(stack) == []


@pytest.mark.parametrize("monster", MONSTERS)
async def test_a_monstrous_reply_at_the_second_step_is_mended_or_rolled_back(
    stack: Stack, operator: Operator, roller: Roller, party: Party, monster: str
) -> None:
    guest, before = await party(MOVE, NOTE, model=(obey, raw(MONSTERS[monster])))
    plan = await operator.plan_for(f"{guest} to 3pm, and the note Cake")
    await operator.confirm(plan)
    if "question" in monster:
        found = await operator.until(
            plan, lambda p: p["status"] in ("failed", "rolled_back") or p.get("blocking_prompt"), 30
        )
        if found.get("blocking_prompt"):
            assert len(found["blocking_prompt"]["question"]) <= 1000
            assert (await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)).is_success
    found = await operator.settled(plan)
    assert found["status"] == "rolled_back", found
    assert found["rollback_report"]["outcome"] == "complete"
    assert content(await roller.booking(before["uniqueId"])) == content(before)
    assert await troubled(stack) == []


async def test_three_hundred_look_ups_are_not_made(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    scripted.script(guest, raw(MONSTERS["300 look-ups"]), "Nothing to do.")
    await operator.say(f"look at {guest}")
    shown = [m["content"] for m in scripted.seen[guest][1]["messages"] if m["role"] == "tool"]
    assert len(shown) <= 12 and all("at most 12" in text for text in shown)


ANSWERS: dict[str, Any] = {
    "4.5 MB": "x" * 4_500_000,
    "150 deep": json.loads("[" * 150 + "]" * 150),
    "a number": 7,
    "null": None,
    "text": "Hello",
    "a list": [1, 2],
    "an object of another kind": {"page": [1]},
    "a 300 KB document": {"items": [], "x": "y" * 300_000},
}


async def answering(roller: Roller, operation: str, answer: str, **more: Any) -> None:
    """Make the venue answer the next such call with 200 and this body."""
    await roller.fault(operation, "status", status=200, body=ANSWERS[answer], **more)


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_monstrous_answer_to_a_look_up_is_reported(
    stack: Stack, operator: Operator, roller: Roller, scripted: ScriptedModel, answer: str
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), "I looked, and found nothing.")
    await answering(roller, "search-for-bookings", answer)
    await written_out(operator, f"look at {guest}")
    scripted.script(guest, look_up(guest), then(NOTE), obey)
    await operator.plan_for(f"note Cake for {guest}")
    assert await troubled(stack) == []


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_monstrous_snapshot_stops_the_plan_in_words(
    stack: Stack, operator: Operator, roller: Roller, party: Party, answer: str
) -> None:
    guest, before = await party(MOVE, NOTE)
    plan = await operator.plan_for(f"{guest} to 3pm, and the note Cake")
    await answering(roller, "get-booking-detail", answer, skip=3, times=3)
    await operator.confirm(plan)
    found = await operator.settled(plan)
    assert found["status"] in ("failed", "rolled_back"), found
    assert found["failure"]["message"] and found["failure"]["error_type"] in ("server_error", "bad_request", "conflict")
    await roller.clear_faults()
    assert (await roller.booking(before["uniqueId"]))["comments"] == before["comments"]
    assert await troubled(stack) == []


async def test_a_monstrous_answer_to_a_write_is_looked_into(
    stack: Stack, roller: Roller, scripted: ScriptedModel
) -> None:
    """The sandbox answers without having written, so no message may say that the write was done. Each check takes a
    while, so the plans run at once.
    """
    next_write = asyncio.Lock()

    async def struck() -> bool:
        return not await roller.faults()

    async def answered(answer: str) -> None:
        guest = a_name()
        before = await roller.book(guest)
        scripted.script(guest, look_up(guest), then(MOVE), obey)
        async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as operator:
            # Planned in turn, because eight at once keep a busy machine longer than a turn may take.
            async with next_write:
                plan = await operator.plan_for(f"{guest} to 3pm")
                await answering(roller, "update-a-booking", answer)
                await operator.confirm(plan)
                await soon(struck)
            found = await operator.settled(plan)
        assert found["failure"]["error_type"] in ("server_error", "unknown_outcome"), (answer, found)
        assert "now on" not in str(found["results"]), (answer, "nobody saw it")
        assert found["status"] == "failed" or found["rollback_report"]["manual_steps"], (answer, found)
        assert content(await roller.booking(before["uniqueId"])) == content(before), answer

    await asyncio.gather(*(answered(answer) for answer in ANSWERS))
    assert await troubled(stack) == []


@pytest.mark.parametrize("answer", ["4.5 MB", "150 deep", "null", "a list"])
async def test_a_monstrous_answer_while_undoing_does_not_stop_the_undoing(
    stack: Stack, operator: Operator, roller: Roller, party: Party, answer: str
) -> None:
    guest, before = await party(NOTE)
    done = await operator.do(f"note Cake for {guest}")
    assert done["status"] == "completed"
    await answering(roller, "update-a-booking", answer)
    assert (await operator.post(f"/v1/plans/{done['plan_id']}/undo", user_id=operator.user)).status_code == 202
    found = await operator.settled(done)
    assert found["status"] == "rolled_back", found
    complete = found["rollback_report"]["outcome"] == "complete"
    assert complete == (content(await roller.booking(before["uniqueId"])) == content(before)), "what is said is so"
    assert await troubled(stack) == []
