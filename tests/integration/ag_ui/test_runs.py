"""AG-UI: the events of runs, end to end over HTTP. Guarantees:

- A message becomes a plan: the run ends with a `confirmation` interrupt that has its deadline, the plan in its metadata
  and in the state, and says what will change. A question or an answer ends the run without an interrupt.
- Once approved, the run reports the execution: each step and its tool call with its result, the state by deltas that
  add up to the plan as `GET /v1/plans/{id}` shows it, separate messages. A failure is reported to its end, with the
  compensations as steps.
- Commands skip an optional step until it starts, stop a plan, undo one, and follow one; each once.
- A run that was dropped is replayed and continues; a client without any state gets the present one.
- Typed commands ("undo that") work here, too. An Italian venue's runs are in Italian.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Response

from api.app import create_app
from api.sse import EventStreams
from cli.stack.dev import Stack
from tests.support.ag_ui_client import Client, resolved
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, after, arranged, held, look_up, obey, then
from tests.support.stacks import a_stack, own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, NOTE = ("update_contact", {"phone": "0412 345 678"}), ("edit_note", {"note": "Cake at noon"})
COUNT = ("change_guest_count", {"guest_count": 14})
YES = {"approved": True}


@pytest.fixture
async def client(operator: Operator) -> Client:
    """A client with a fresh thread."""
    return Client(operator)


@contextlib.asynccontextmanager
async def elsewhere(client: Client, app: FastAPI) -> AsyncIterator[None]:
    """Let the client speak to another API process meanwhile."""
    one = client.one.http
    there = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=there, base_url="http://iq.test", headers=one.headers) as client.one.http:
        yield
    client.one.http = one


async def as_it_stands(client: Client, plan: dict[str, Any]) -> dict[str, Any]:
    return await client.one.look(plan)


async def test_a_plan_waits_as_a_confirmation(client: Client, party: Party) -> None:
    guest, _ = await party(PHONE, COUNT)
    reported = await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    [one] = reported.interrupts
    plan = one["metadata"]["plan"]
    assert one["reason"] == "confirmation" and one["expiresAt"].startswith(plan["expires_at"][:19])
    assert one["responseSchema"]["properties"]["approved"]["type"] == "boolean"
    assert plan == reported.state["plan"] == await as_it_stands(client, plan)
    assert one["message"] == f"{plan['intent']} Shall this be done?" and "guests 10 → 14" in one["message"]
    assert reported.texts == [plan["intent"]] and reported.messages[-1]["content"] == plan["intent"]
    assert "toolCallId" not in one and reported.state["turn"]["type"] == "plan"


async def test_its_execution_is_reported(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(PHONE, COUNT)
    await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    reported = await client.answer(YES)
    assert reported.outcome == {"type": "success"} and reported.end["result"]["status"] == "completed"
    assert reported.steps == ["Step 1: Update contact details", "Step 2: Change guest count"]
    calls = reported.of("TOOL_CALL_START")
    assert [call["toolCallName"] for call in calls] == ["update_contact", "change_guest_count"]
    assert '"guest_count": 14' in reported.of("TOOL_CALL_ARGS")[1]["delta"]
    results = reported.of("TOOL_CALL_RESULT")
    assert all('"status": "completed"' in result["content"] for result in results) and len(results) == 2
    shown = await as_it_stands(client, reported.state["plan"])
    assert reported.of("STATE_DELTA") and reported.state["plan"] == shown
    assert reported.texts == [shown["summary"]]
    assert [m["role"] for m in reported.messages] == [
        "user",
        *(["assistant"] * 2),
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    custom = [event["name"] for event in reported.of("CUSTOM")]
    assert custom[0] == "iq.confirmed" and custom[-2:] == ["iq.complete", "iq.separate_message"]
    assert len(await roller.journal(booking)) == 2


async def test_a_question_and_an_answer_end_a_run_plainly(client: Client, roller: Roller) -> None:
    asked = await client.say("move it to Saturday")
    assert asked.outcome == {"type": "success"} and "result" not in asked.end
    assert asked.state == {"plan": None, "turn": asked.state["turn"]}
    assert asked.state["turn"]["type"] in ("clarification", "answer") and len(asked.texts) == 1
    guests = [f"{first} Twinworth" for first in ("Anna", "Otto")]
    for guest in guests:
        await roller.book(guest)
    which = await client.say("make it 13 guests for Twinworth")
    assert which.state["turn"]["type"] == "clarification" and len(which.state["turn"]["candidates"]) >= 2


async def test_what_goes_on_meanwhile_is_reported(client: Client, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, after(0.3, look_up(guest)), after(0.3, "That booking is fine."))
    for _ in range(2):
        reported = await client.say(f"what of {guest}?")
        working = [event["value"] for event in reported.of("CUSTOM") if event["name"] == "iq.working"]
        assert [one["phase"] for one in working][:2] == ["reading", "looking_up"], working
        assert working[0]["text"] == "Reading what you said…"
        scripted.script(guest, after(0.3, look_up(guest)), after(0.3, "That booking is fine."))
    again = await client.send(client.body())
    assert not again.of("CUSTOM"), "told again, not worked out again"


async def test_a_failure_is_reported_to_its_end(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(PHONE, COUNT)
    await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    await roller.fault("update-a-booking", "status", status=409, path=f"/bookings/{booking['uniqueId']}")
    reported = await client.answer(YES)
    assert reported.end["result"]["status"] == "rolled_back"
    assert reported.steps[-1] == "Undoing step 1: Update contact details"
    failed = reported.of("TOOL_CALL_RESULT")[1]
    assert '"status": "failed"' in failed["content"]
    [tool] = [m for m in reported.messages if m["id"] == failed["messageId"]]
    assert tool["error"] in failed["content"]
    plan = await as_it_stands(client, reported.state["plan"])
    assert reported.state["plan"] == plan and plan["rollback_report"]["outcome"] == "complete"
    assert plan["failure"]["message"] in reported.texts[-1]


async def test_an_optional_step_is_skipped_until_it_starts(
    client: Client, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    steps = [{"step": 2, "optional": True}]
    scripted.script(guest, look_up(guest), arranged(COUNT, NOTE, steps=steps), obey)
    waits = await client.say(f"14 guests for {guest}, and a note if possible: Cake at noon")
    plan = waits.state["plan"]
    assert "If possible: " in waits.interrupts[0]["message"]
    required = await client.command("skip", plan_id=plan["plan_id"], step=1)
    required.refused("conflict")
    assert (await as_it_stands(client, plan))["actions"][0]["status"] == "pending"
    (await client.command("skip", plan_id=plan["plan_id"], step=3)).refused("not_found")
    skipped = await client.command("skip", plan_id=plan["plan_id"], step=2)
    assert skipped.interrupts[0]["id"] == waits.interrupts[0]["id"]
    assert [a["status"] for a in skipped.state["plan"]["actions"]] == ["pending", "skipped"]
    done = await client.answer(YES)
    assert done.steps == ["Step 1: Change guest count"]
    assert [a["status"] for a in done.state["plan"]["actions"]] == ["completed", "skipped"]
    assert len(await roller.journal(booking)) == 1
    (await client.command("skip", plan_id=plan["plan_id"], step=2)).refused("conflict")


async def test_a_step_is_skipped_while_the_one_before_it_is_prepared(
    client: Client, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    steps, left_out = [{"step": 2, "optional": True}], asyncio.Event()
    scripted.script(guest, look_up(guest), arranged(COUNT, NOTE, steps=steps), held(left_out, obey))
    await client.say(f"14 guests for {guest}, and a note if possible: Cake at noon")
    plan_id = client.state["plan"]["plan_id"]
    running = asyncio.create_task(client.answer(YES))
    other = Client(client.one, client.thread)
    async for event in other.stream(other.body(props={"command": {"do": "watch", "plan_id": plan_id}})):
        if event["type"] == "STEP_STARTED":
            break
    skipped = await other.command("skip", plan_id=plan_id, step=2)
    left_out.set()
    done = await running
    assert skipped.outcome == {"type": "success"} and skipped.state["plan"]["actions"][1]["status"] == "skipped"
    assert done.end["result"]["status"] == "completed"
    assert [a["status"] for a in done.state["plan"]["actions"]] == ["completed", "skipped"]
    assert "iq.step_skipped" in [event["name"] for event in done.of("CUSTOM")]
    assert len(await roller.journal(booking)) == 1


async def test_an_undo_is_reported_and_is_done_once(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(COUNT)
    await client.say(f"{guest}: 14 guests")
    plan = (await client.answer(YES)).state["plan"]
    body = client.body(props={"command": {"do": "undo", "plan_id": plan["plan_id"]}})
    reported = await client.send(body)
    assert reported.outcome == {"type": "success"} and reported.end["result"]["status"] == "rolled_back"
    assert reported.steps == ["Undoing step 1: Change guest count"]
    assert reported.state["plan"] == await as_it_stands(client, plan)
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10
    written = await roller.journal(booking)
    again = await client.send(client.body(runId=body["runId"], props={"command": body["forwardedProps"]["command"]}))
    assert again.end["result"]["status"] == "rolled_back"
    (await client.command("undo", plan_id=plan["plan_id"])).refused("conflict")
    assert await roller.journal(booking) == written


async def test_what_is_typed_undoes_and_drops(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(COUNT)
    await client.say(f"{guest}: 14 guests")
    await client.answer(YES)
    undone = await client.say("undo that")
    assert undone.end["result"]["status"] == "rolled_back" and undone.steps == ["Undoing step 1: Change guest count"]
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10


async def test_commands_on_anothers_plan_or_thread(client: Client, party: Party) -> None:
    guest, _ = await party(COUNT)
    plan = (await client.say(f"{guest}: 14 guests")).state["plan"]
    elsewhere = Client(client.one, f"{client.thread}-2")
    async with Operator(client.one.base_url) as other:
        for do in ("cancel", "undo", "watch"):
            (await elsewhere.command(do, plan_id=plan["plan_id"])).refused("not_found")
            (await Client(other).command(do, plan_id=plan["plan_id"])).refused("forbidden")
    (await client.command("cancel", plan_id="no-such-plan")).refused("not_found")
    (await client.command("undo", plan_id=plan["plan_id"])).refused("conflict")
    assert (await as_it_stands(client, plan))["status"] == "pending_confirmation"
    dropped = await client.command("cancel", plan_id=plan["plan_id"])
    assert dropped.outcome == {"type": "cancelled"} and not client.interrupts


async def test_a_dropped_run_goes_on_and_is_reported_again(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(PHONE, COUNT)
    await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=4)
    body = client.body(resume=[resolved(client.interrupts[0], YES)])
    async with contextlib.aclosing(client.stream(body)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if event["type"] == "TOOL_CALL_RESULT":
                break
    reported = await client.send(body)
    assert reported.outcome == {"type": "success"} and len(reported.of("TOOL_CALL_RESULT")) == 2
    assert reported.state["plan"]["status"] == "completed" and len(await roller.journal(booking)) == 2


async def test_a_run_that_lasts_too_long_says_so_and_its_plan_goes_on(
    client: Client, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(COUNT)
    await client.say(f"{guest}: 14 guests")
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=4)
    body = client.body(resume=[resolved(client.interrupts[0], YES)])
    assert stack.services is not None
    app = create_app(stack.services)
    app.state.streams = EventStreams(5, longest=10.5)
    async with elsewhere(client, app):
        reported = await client.send(body)
    assert "The plan goes on without it." in reported.refused("service_unavailable")["message"]
    assert (await client.send(body)).end["result"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


async def test_any_facade_takes_the_answer_to_what_another_asked(
    client: Client, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(COUNT)
    reported = await client.say(f"{guest}: 14 guests")
    assert stack.services is not None
    async with elsewhere(client, create_app(stack.services)):
        done = await client.answer(YES)
    assert done.end["result"]["status"] == "completed" and reported.interrupts
    assert len(await roller.journal(booking)) == 1


async def test_a_message_whose_run_was_dropped_is_worked_out(
    client: Client, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, after(0.5, look_up(guest)), then(COUNT))
    body = client.body(f"{guest}: 14 guests")
    async with contextlib.aclosing(client.stream(body)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if event["type"] == "CUSTOM":
                break
    first = await client.send(body)
    client.messages = first.messages
    again = await client.send({**client.body(), "runId": "another"})
    assert [i["id"] for i in again.interrupts] == [i["id"] for i in first.interrupts]
    chat = (await client.one.http.get(f"/v1/sessions/{client.thread}", params={"user_id": client.one.user})).json()
    assert [m["kind"] for m in chat["messages"]] == ["message", "plan"], "said once, and nothing failed"


async def test_a_client_that_holds_nothing_is_reported_how_all_stands(client: Client, party: Party) -> None:
    guest, _ = await party(COUNT)
    first = await client.say(f"{guest}: 14 guests")
    again = Client(client.one, client.thread)
    reported = await again.command("watch")
    assert reported.interrupts == first.interrupts and reported.state["plan"] == first.state["plan"]
    assert [(m["role"], m["content"]) for m in reported.messages] == [(m["role"], m["content"]) for m in first.messages]
    resent = await again.send(again.body())
    assert [i["id"] for i in resent.interrupts] == [i["id"] for i in first.interrupts], "sent again, not a new message"
    done = await again.answer(YES)
    assert done.end["result"]["status"] == "completed"
    assert (await Client(client.one, client.thread).command("watch")).end["result"]["status"] == "completed"
    nothing = await Client(client.one, f"{client.thread}-empty").command("watch")
    assert nothing.outcome == {"type": "success"} and nothing.messages == []


async def test_a_plan_that_another_client_confirmed_is_followed(client: Client, roller: Roller, party: Party) -> None:
    guest, booking = await party(COUNT)
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=1.0)
    plan = (await client.say(f"{guest}: 14 guests")).state["plan"]
    await client.one.confirm(plan)
    reported = await Client(client.one, client.thread).command("watch", plan_id=plan["plan_id"])
    assert reported.end["result"]["status"] == "completed" and reported.steps == ["Step 1: Change guest count"]


async def test_capabilities(operator: Operator) -> None:
    answer = await operator.http.get("/v1/ag-ui/capabilities")
    assert answer.status_code == 200
    declared = answer.json()
    assert declared["humanInTheLoop"]["interrupts"] and declared["tools"]["clientProvided"] is False
    assert declared["state"] == {"snapshots": True, "deltas": True, "persistentState": True}
    assert not [key for group in declared.values() for key, value in group.items() if value is None]


async def test_a_model_that_is_down_ends_the_run_and_changes_nothing(client: Client, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, lambda _: Response(status_code=500))
    reported = await client.say(f"move {key} to Saturday")
    error = reported.refused("service_unavailable")
    assert "No booking was changed by this message." in error["message"]
    assert error["metadata"]["iq"]["retry_after_seconds"] > 0
    scripted.script(key, "Hello there.")
    again = await client.send(client.body())
    assert again.outcome == {"type": "success"} and again.texts[0].startswith("Hello there."), (
        "the same message, said again"
    )


async def test_an_undoing_that_waits_for_a_sign_in_goes_on_with_the_next_run(
    client: Client, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(NOTE, COUNT)
    await client.say(f"note: Cake at noon, and 14 guests, for {guest}")
    await roller.fault("update-a-booking", "expire_token", path=f"/bookings/{booking['uniqueId']}", skip=1)
    body = client.body(resume=[resolved(client.interrupts[0], YES)])
    async with contextlib.aclosing(client.stream(body)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if event["type"] == "TEXT_MESSAGE_CONTENT":
                assert event["delta"] == "Sign in again: the undoing waits for it."
                break
    client.one.http.headers["Authorization"] = f"Bearer {await own_token(stack)}"
    reported = await client.send(body)
    assert reported.end["result"]["status"] == "rolled_back"
    assert reported.state["plan"]["rollback_report"]["outcome"] == "complete"
    assert reported.steps[-1] == "Undoing step 1: Edit booking note"


async def test_an_italian_venue_is_reported_in_italian(model_url: str, tmp_path: Path) -> None:
    async with a_stack(tmp_path, venue={"locale: en-AU": "locale: it-IT"}, model_base_url=model_url) as italian:
        here = f"http://127.0.0.1:{italian.ports.facade}"
        async with Operator(here) as one, Roller(f"http://127.0.0.1:{italian.ports.roller}") as venue:
            guest = a_name()
            await venue.book(guest)
            client = Client(one)
            asked = await client.say(f"porta {guest} a 14 ospiti")
            assert asked.interrupts[0]["message"].endswith("Procedere?")
            alone = await client.say("ciao")
            assert alone.refused("conflict")["message"].startswith("Questo thread attende una risposta a plan:")
            client.messages.pop()
            done = await client.answer(YES)
            assert done.steps[0].startswith("Passo 1: ") and "14 ospiti" in done.texts[-1]
