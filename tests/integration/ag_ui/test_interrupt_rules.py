"""AG-UI's rules of interrupts, each against a client that breaks them (AG-UI 1.0, "Interrupts", "Contract rules";
docs/ag-ui.md has the table). A refusal is a RUN_ERROR with our `error_type`, and changes nothing. Guarantees:

- While an interrupt is open, a message alone is refused; with the interrupt cancelled it amends the plan. A message
  together with an answer, and a yes together with a cancelled plan, are refused.
- One `resume` names every open interrupt, each once, each one of this thread and of this user.
- An answer fits its schema: of the right type, one of the choices, without other fields.
- The same answer again succeeds and writes nothing, whichever front end sent the first; another one is a conflict.
- An interrupt that expired, was replaced or was settled elsewhere accepts no other answer, but can still be abandoned.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.stack.dev import Stack
from tests.support.ag_ui_client import Client, cancelled, resolved
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, then
from tests.support.stacks import own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE, COUNT = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})
YES, NO = {"approved": True}, {"approved": False}
ASK = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
REFUND = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}


@pytest.fixture
async def client(operator: Operator) -> Client:
    """A client with a fresh thread."""
    return Client(operator)


@pytest.fixture
async def somebody(stack: Stack) -> AsyncIterator[Operator]:
    """Another operator of the same venue."""
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as one:
        yield one


async def pending(client: Client, party: Party) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (interrupt, booking) of a plan that waits in the client's thread."""
    guest, booking = await party(NOTE)
    await client.say(f"{guest}: note: Cake at noon")
    [one] = client.interrupts
    return one, booking


async def asking(client: Client, party: Party) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (interrupt, booking) of a plan that asks how a refund was made."""
    guest, booking = await party(("cancel_booking", {"issue_refund": True}), model=(ASK, REFUND))
    await client.say(f"cancel and record the refund of {guest}")
    await client.answer(YES)
    [one] = client.interrupts
    assert one["reason"] == "input_required"
    return one, booking


async def status_of(client: Client, interrupt: dict[str, Any]) -> str:
    plan = interrupt["metadata"]["plan"]
    return str((await client.one.look(plan))["status"])


async def test_a_message_alone_is_refused_while_a_plan_waits(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    shown = await client.say("make it 15 guests")
    error = shown.refused("conflict")
    assert one["id"] in error["message"] and error["metadata"]["iq"]["plan"]["status"] == "pending_confirmation"
    assert await status_of(client, one) == "pending_confirmation"


async def test_a_message_alone_is_refused_while_a_question_waits(client: Client, party: Party) -> None:
    one, _ = await asking(client, party)
    shown = await client.say("in cash")
    shown.refused("conflict")
    assert await status_of(client, one) == "executing"


async def test_a_message_amends_with_its_cancelled_resume(client: Client, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    await client.say(f"make it 13 guests for {guest}")
    [first] = client.interrupts
    await client.say("make it 14 guests", resume=[cancelled(first)])
    [second] = client.interrupts
    assert second["id"] != first["id"] and await status_of(client, first) == "cancelled"
    tab = Client(client.one, client.thread)
    tab.messages = client.messages[:-1]
    again = await tab.send(tab.body(resume=[cancelled(first)]))
    assert again.texts == [client.messages[-1]["content"]]
    assert [i["id"] for i in again.interrupts] == [second["id"]], "the same message makes no third plan"
    assert client.state["plan"]["actions"][0]["parameters"]["guest_count"] == 14


async def test_what_a_message_does_not_replace_waits_on(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    shown = await client.say("what did you just change?", resume=[cancelled(one)])
    assert [i["id"] for i in shown.interrupts] == [one["id"]] and shown.texts
    assert await status_of(client, one) == "pending_confirmation"


async def test_a_yes_with_the_plan_cancelled_confirms_nothing(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    for words in ("yes", "yes, do it", "ok"):
        (await client.say(words, resume=[cancelled(one)])).refused("invalid_request")
    assert await status_of(client, one) == "pending_confirmation"


async def test_a_message_with_an_answer_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    for payload in (YES, NO):
        (await client.say("and 15 guests", resume=[resolved(one, payload)])).refused("invalid_request")
    assert await status_of(client, one) == "pending_confirmation"


async def test_an_approval_of_another_shape_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    shapes = [
        None, True, "yes", [], {}, {"approved": "true"}, {"approved": 1}, {"approved": None}, {"Approved": True},
        {"approved": True, "x": 1}, [{"approved": True}],
    ]  # fmt: skip
    for payload in shapes:
        (await client.answer(payload)).refused("invalid_request")
    assert await status_of(client, one) == "pending_confirmation"


async def test_cancelled_with_a_payload_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    shown = await client.send(client.body(resume=[{**cancelled(one), "payload": YES}]))
    shown.refused("invalid_request")
    assert await status_of(client, one) == "pending_confirmation"


async def test_a_forged_interrupt_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    plan_id = one["metadata"]["plan"]["plan_id"]
    forged = [
        "", "x", "plan:1:confirm", "plan:00000000-0000-4000-8000-000000000000:confirm", f"plan:{plan_id}",
        f"plan:{plan_id}:question:no", f"plan:{plan_id}:confirm\n", f"plan:{plan_id.upper()}:confirm",
        f"chat-{plan_id}", f"plan:../{plan_id}:confirm",
    ]  # fmt: skip
    for name in forged:
        for entries in ([{"id": name}], [one, {"id": name}]):
            shown = await client.send(client.body(resume=[resolved(entry, YES) for entry in entries]))
            shown.refused("not_found")
    assert await status_of(client, one) == "pending_confirmation"


async def test_another_users_interrupt_is_refused(client: Client, somebody: Operator, party: Party) -> None:
    one, _ = await pending(client, party)
    shown = await Client(somebody).send(Client(somebody).body(resume=[resolved(one, YES)]))
    shown.refused("forbidden")
    stolen = Client(somebody, client.thread).body(resume=[resolved(one, YES)])
    answer = await somebody.post("/v1/ag-ui", **stolen)
    assert answer.status_code == 403 and answer.json()["error"]["error_type"] == "forbidden"
    assert await status_of(client, one) == "pending_confirmation"


async def test_an_interrupt_of_another_thread_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    elsewhere = Client(client.one, f"{client.thread}-2")
    shown = await elsewhere.send(elsewhere.body(resume=[resolved(one, YES)]))
    shown.refused("not_found")
    assert await status_of(client, one) == "pending_confirmation"


async def test_an_interrupt_named_twice_is_refused(client: Client, party: Party) -> None:
    one, _ = await pending(client, party)
    shown = await client.send(client.body(resume=[resolved(one, YES), resolved(one, NO)]))
    shown.refused("invalid_request")
    assert await status_of(client, one) == "pending_confirmation"


async def test_one_resume_answers_all_that_waits(
    client: Client, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    question, booking = await asking(client, party)
    other = a_name()
    noted = await roller.book(other)
    text = f"{other}: note: Cake at noon"
    scripted.script(text, look_up(other), then(NOTE))
    # The page accepts a request while a question waits; a run of AG-UI does not.
    await client.one.plan_for(text)
    shown = await client.command("watch")
    ids = [one["id"] for one in shown.interrupts]
    assert len(ids) == 2 and question["id"] in ids
    [plan] = [one for one in shown.interrupts if one["id"] != question["id"]]
    partial = await client.send(client.body(resume=[resolved(question, {"answer": "Cash"})]))
    assert plan["id"] in partial.refused("conflict")["message"]
    assert await status_of(client, question) == "executing" and await roller.journal(booking) == []
    scripted.script(text, {"edit_note": {"note": "Cake at noon"}})
    whole = [resolved(question, {"answer": "Cash"}), resolved(plan, YES)]
    done = await client.send(client.body(resume=whole))
    assert done.outcome == {"type": "success"}
    assert await status_of(client, question) == await status_of(client, plan) == "completed"
    assert len(await roller.journal(noted)) == 1


async def test_an_answer_of_another_shape_is_refused(client: Client, party: Party) -> None:
    one, _ = await asking(client, party)
    shapes = [
        None, {}, {"answer": ""}, {"answer": "  "}, {"answer": 1}, {"answer": "Beans"}, {"answer": "cash"},
        {"answer": "Cash", "more": 1}, "Cash",
    ]  # fmt: skip
    for payload in shapes:
        (await client.answer(payload)).refused("invalid_request")
    assert await status_of(client, one) == "executing"


async def test_the_same_answer_again_writes_nothing_and_another_is_a_conflict(
    client: Client, roller: Roller, party: Party
) -> None:
    one, booking = await asking(client, party)
    done = await client.answer({"answer": "Cash"})
    assert done.outcome == {"type": "success"} and done.state["plan"]["status"] == "completed"
    written = await roller.journal(booking)
    again = await client.send(client.body(resume=[resolved(one, {"answer": "Cash"})]))
    assert again.outcome == {"type": "success"} and again.messages == done.messages
    (await client.send(client.body(resume=[resolved(one, {"answer": "CreditCard"})]))).refused("conflict")
    (await client.send(client.body(resume=[cancelled(one)]))).refused("conflict")
    assert await roller.journal(booking) == written and len(written) == 1


async def test_a_question_that_was_answered_elsewhere(client: Client, party: Party) -> None:
    one, _ = await asking(client, party)
    assert (await client.one.answer(one["metadata"]["plan"], "Cash")).status_code == 200
    other = await client.send(client.body(resume=[resolved(one, {"answer": "CreditCard"})]))
    assert "It was answered with “Cash”" in other.refused("conflict")["message"]
    done = await client.send(client.body(resume=[resolved(one, {"answer": "Cash"})]))
    assert done.outcome == {"type": "success"} and done.state["plan"]["status"] == "completed"


async def test_an_abandoned_question_stops_its_plan(client: Client, roller: Roller, party: Party) -> None:
    one, booking = await asking(client, party)
    shown = await client.send(client.body(resume=[cancelled(one)]))
    assert shown.outcome == {"type": "cancelled"} and await roller.journal(booking) == []
    again = await client.send(client.body(resume=[cancelled(one)]))
    assert again.outcome == {"type": "cancelled"}
    (await client.send(client.body(resume=[resolved(one, {"answer": "Cash"})]))).refused("conflict")


async def test_the_same_approval_again_and_another(client: Client, roller: Roller, party: Party) -> None:
    one, booking = await pending(client, party)
    done = await client.answer(YES)
    again = await client.send(client.body(resume=[resolved(one, YES)]))
    assert done.outcome == again.outcome == {"type": "success"}
    assert again.steps == done.steps and again.messages == done.messages and not again.texts
    for other in (resolved(one, NO), cancelled(one)):
        (await client.send(client.body(resume=[other]))).refused("conflict")
    assert len(await roller.journal(booking)) == 1


async def test_two_resumes_at_once_confirm_once(client: Client, roller: Roller, party: Party) -> None:
    one, booking = await pending(client, party)
    tabs = [Client(client.one, client.thread) for _ in range(4)]
    shown = await asyncio.gather(*(tab.send(tab.body(resume=[resolved(one, YES)])) for tab in tabs))
    assert all(each.outcome == {"type": "success"} for each in shown)
    assert len(await roller.journal(booking)) == 1


async def test_a_yes_and_a_no_at_once_have_one_winner(client: Client, roller: Roller, party: Party) -> None:
    """The second answer learns what the first one was: a no never stops what was confirmed before it."""
    for number, first in enumerate((YES, NO) * 3):
        asked = Client(client.one, f"{client.thread}-{number}")
        one, booking = await pending(asked, party)
        answers = [resolved(one, first), resolved(one, NO if first is YES else YES)]
        tabs = [Client(client.one, asked.thread) for _ in answers]
        shown = dict(
            zip(
                ("yes", "no") if first is YES else ("no", "yes"),
                await asyncio.gather(*(t.send(t.body(resume=[a])) for t, a in zip(tabs, answers, strict=True))),
                strict=True,
            )
        )
        plan = await client.one.settled(one["metadata"]["plan"])
        assert plan["status"] in ("completed", "cancelled"), "never confirmed and stopped"
        won, lost = ("yes", "no") if plan["status"] == "completed" else ("no", "yes")
        assert shown[won].outcome == {"type": "success" if won == "yes" else "cancelled"}
        shown[lost].refused("conflict")
        assert len(await roller.journal(booking)) == (1 if won == "yes" else 0)
        again = await tabs[0].send(tabs[0].body(resume=[resolved(one, YES if won == "yes" else NO)]))
        assert again.outcome == shown[won].outcome, "the same answer again is told the same"


async def test_a_refused_plan_stays_refused(client: Client, roller: Roller, party: Party) -> None:
    one, booking = await pending(client, party)
    for entry in (resolved(one, NO), resolved(one, NO), cancelled(one)):
        shown = await client.send(client.body(resume=[entry]))
        assert shown.outcome == {"type": "cancelled"} and shown.state["plan"]["status"] == "cancelled"
    (await client.send(client.body(resume=[resolved(one, YES)]))).refused("conflict")
    assert await roller.journal(booking) == []


async def test_a_plan_that_was_confirmed_elsewhere(client: Client, roller: Roller, party: Party) -> None:
    one, booking = await pending(client, party)
    await client.one.settled(await client.one.confirm(one["metadata"]["plan"]))
    refused = await client.send(client.body(resume=[cancelled(one)]))
    assert "approved" in refused.refused("conflict")["message"], "the way out is told"
    shown = await client.send(client.body(resume=[resolved(one, YES)]))
    assert shown.outcome == {"type": "success"} and shown.steps == ["Step 1: Edit booking note"]
    assert len(await roller.journal(booking)) == 1


async def test_a_plan_that_was_replaced_elsewhere(client: Client, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    await client.say(f"make it 13 guests for {guest}")
    [first] = client.interrupts
    await client.one.plan_for("make it 14 guests")
    shown = await client.send(client.body(resume=[resolved(first, YES)]))
    error = shown.refused("conflict")
    assert "replaced" in error["message"]
    moved = await client.send(client.body(resume=[cancelled(first)]))
    [second] = moved.interrupts
    assert second["id"] != first["id"] and await roller.journal(booking) == []


async def test_a_plan_that_expired(hasty: Operator, hasty_roller: Roller) -> None:
    client, guest = Client(hasty), a_name()
    booking = await hasty_roller.book(guest)
    await client.say(f"make it 13 guests for {guest}")
    [one] = client.interrupts
    await hasty.until(one["metadata"]["plan"], lambda plan: plan["status"] == "expired", 15)
    shown = await client.send(client.body(resume=[resolved(one, YES)]))
    shown.refused("conflict")
    for entry in (cancelled(one), resolved(one, NO)):
        moved = await client.send(client.body(resume=[entry]))
        assert moved.outcome == {"type": "success"} and moved.end["result"]["status"] == "expired"
    again = await client.say(f"make it 13 guests for {guest}")
    assert again.interrupts and await hasty_roller.journal(booking) == []


async def test_a_question_whose_time_is_up(hasty: Operator, hasty_roller: Roller, scripted: ScriptedModel) -> None:
    client, guest = Client(hasty), a_name()
    booking = await hasty_roller.book(guest)
    scripted.script(guest, look_up(guest), then(("cancel_booking", {"issue_refund": True})), ASK, REFUND)
    await client.say(f"cancel and record the refund of {guest}")
    await client.answer(YES)
    [one] = client.interrupts
    await hasty.settled(one["metadata"]["plan"])
    (await client.send(client.body(resume=[resolved(one, {"answer": "Cash"})]))).refused("conflict")
    moved = await client.send(client.body(resume=[cancelled(one)]))
    assert moved.outcome == {"type": "success"} and moved.end["result"]["status"] == "failed"
    assert await hasty_roller.journal(booking) == []


async def test_a_new_message_stops_a_plan_whose_question_is_abandoned(
    client: Client, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    one, booking = await asking(client, party)
    guest = a_name()
    await roller.book(guest)
    text = f"make it 13 guests for {guest}"
    scripted.script(text, look_up(guest), then(("change_guest_count", {"guest_count": 13})))
    shown = await client.say(text, resume=[cancelled(one)])
    assert await status_of(client, one) == "cancelled" and await roller.journal(booking) == []
    [waits] = shown.interrupts
    assert waits["metadata"]["plan"]["plan_id"] != one["metadata"]["plan"]["plan_id"] and guest in waits["message"]


async def test_one_plan_is_dropped_while_another_is_answered(
    client: Client, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    question, _ = await asking(client, party)
    other = a_name()
    noted = await roller.book(other)
    text = f"{other}: note: Cake at noon"
    scripted.script(text, look_up(other), then(NOTE))
    await client.one.plan_for(text)
    ids = [one["id"] for one in (await client.command("watch")).interrupts]
    [plan] = [one for one in ids if one != question["id"]]
    scripted.script(text, REFUND)
    done = await client.send(client.body(resume=[resolved(question, {"answer": "Cash"}), resolved({"id": plan}, NO)]))
    assert done.outcome == {"type": "success"} and done.end["result"]["status"] == "completed", done.end
    assert await roller.journal(noted) == []
