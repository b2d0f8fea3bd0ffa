"""Escalations to staff (issue "Guided reasoning", item 5), over HTTP against a running stack. Guarantees:

- A message is escalated once, however often it is sent. Its turn has a reference, and a list has it by status and
  venue.
- The staff reply comes into the chat that asked, marked as a person's: live, after a reload, after the chat has closed
  and after it has begun a new history. It comes once, however often it was sent.
- A staff reply confirms nothing: a waiting plan keeps waiting, whatever the reply says, and nothing of it counts as the
  operator's words. The operator's bare "yes" to it does not confirm the plan: the plan is shown again first.
- The list names an escalation that the API's keys cannot decrypt as left out.
- Only the first reply counts. The API refuses a second with a message, but not the retry of the first.
- What Temporal shows unencrypted identifies no person.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from temporalio.client import WorkflowExecutionStatus

from api.app import create_app
from cli.commands import escalations as inbox
from cli.stack.dev import Stack
from clients.services import assemble
from clients.temporal.escalations import EscalationClient
from contracts.enums import EscalationStatus
from infra.crypto.keyring import new_key_line
from infra.temporal.client import connect
from infra.temporal.search_attributes import STATUS, VENUE
from tests.support.asking import asking
from tests.support.errors import expect_error
from tests.support.escalating import ASKS, SHOWN, people_are_asked
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.scripted_model import obey
from tests.support.staff import Staff
from tests.support.waiting import LIMIT, soon
from tests.support.watching import SessionWatcher
from workflows.workflow_ids import chat_workflow, escalation_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})
ASKED = f"{ASKS} can Mrs Smith bring her own cake?"


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked():
        yield


@pytest.fixture
async def staff(stack: Stack) -> AsyncIterator[Staff]:
    """Staff of the running stack."""
    async with Staff(f"http://127.0.0.1:{stack.ports.facade}") as one:
        yield one


async def messages(operator: Operator) -> list[dict[str, Any]]:
    """Return the messages that the operator's page shows after a reload."""
    found = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    assert found.status_code == 200, found.text
    rows: list[dict[str, Any]] = found.json()["messages"]
    return rows


async def from_people(operator: Operator, count: int, within: float = 15) -> list[dict[str, Any]]:
    """Return the staff replies of a chat, once there are this many."""
    found: list[dict[str, Any]] = []

    async def there() -> bool:
        found[:] = [m for m in await messages(operator) if m["kind"] == "person"]
        return len(found) >= count

    await soon(there, within)
    return found


async def test_an_answer_comes_into_the_chat_live_and_after_a_reload(operator: Operator, staff: Staff) -> None:
    turn = await operator.say(ASKED)
    assert (turn["type"], turn["message"]) == ("escalation", SHOWN)
    watcher = SessionWatcher(operator)
    watching = asyncio.create_task(watcher.until(lambda e: e["kind"] == "person"))
    row = await staff.find(turn["reference"])
    assert (row["asked"], row["reply"], row["reason"], row["status"]) == (ASKED, SHOWN, "low_confidence", "open")
    assert row["why"] == "The assistant was not sure enough of what was meant."
    assert row["session_id"] == operator.session and "answer" not in row
    taken = await staff.answer(row["escalation_id"], "  Yes, any cake she likes.  ", by="Anna, front desk")
    assert (taken["status"], taken["answer"]["message"]) == ("resolved", "Yes, any cake she likes.")
    await watching
    _, live = watcher.events[-1]
    assert live["reference"] == turn["reference"]
    assert live["text"] == (
        f"Anna, front desk, a person, answers (reference {turn['reference']}): Yes, any cake she likes."
    )
    shown = await from_people(operator, 1)
    assert [(m["text"], m["role"], m["reference"]) for m in shown] == [(live["text"], "person", turn["reference"])]
    handed = next(m for m in await messages(operator) if m["kind"] == "escalation")
    assert (handed["text"], handed["reference"]) == (SHOWN, turn["reference"])
    await staff.until(row["escalation_id"], lambda found: found["answer"]["in_chat"])
    done = await staff.find(turn["reference"], "resolved")
    assert done["answer"]["by"] == "Anna, front desk"


async def test_the_last_messages_of_the_chat_are_shown_as_the_operator_saw_them(
    operator: Operator, staff: Staff
) -> None:
    await operator.say("what can you do?")
    turn = await operator.say(ASKED)
    row = await staff.find(turn["reference"])
    await operator.say("thanks")
    seen = (await staff.look(row["escalation_id"]))["messages"]
    reported = [(m["role"], m["text"]) for m in seen]
    assert (
        reported[0] == ("user", "what can you do?") and ("user", ASKED) in reported and ("assistant", SHOWN) in reported
    )
    assert reported[-2] == ("user", "thanks"), "as it stands now, not as it was then"


async def test_what_cannot_be_opened_is_reported_as_missing(
    operator: Operator, staff: Staff, stack: Stack, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    row = await staff.find((await operator.say(ASKED))["reference"])
    elsewhere = stack.settings.model_copy(update={"keys": new_key_line(), "data": tmp_path})
    found = await EscalationClient(await connect(elsewhere)).list_page((EscalationStatus.OPEN,))
    assert (row["escalation_id"], "unreadable", row["venue_id"]) in {
        (one.escalation_id, one.why, one.venue_id) for one in found.left_out
    }
    assert found.views == []
    parts = assemble(elsewhere, await connect(elsewhere))
    try:
        there = httpx.ASGITransport(app=create_app(parts), client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=there, base_url="http://127.0.0.1") as facade:
            headers = {"Authorization": operator.http.headers["Authorization"]}
            answer = await facade.get("/v1/escalations", headers=headers)
        assert answer.status_code == 200, answer.text
        assert row["escalation_id"] in {one["escalation_id"] for one in answer.json()["left_out"]}
    finally:
        await parts.close()
    assert await inbox.listed(elsewhere, (EscalationStatus.OPEN,), as_json=False) == 1
    assert f"{row['escalation_id']} cannot be opened" in capsys.readouterr().err


async def test_a_message_that_is_sent_again_is_handed_over_once(operator: Operator, staff: Staff, stack: Stack) -> None:
    first = await operator.say(ASKED, request_id="same")
    assert await operator.say(ASKED, request_id="same") == first
    other = await operator.say(ASKED, request_id="another")
    assert other["reference"] != first["reference"]
    await staff.find(other["reference"])
    rows = [row["reference"] for row in await staff.listed() if row["session_id"] == operator.session]
    assert sorted(rows) == sorted([first["reference"], other["reference"]])


async def test_a_retry_that_the_chat_no_longer_remembers_is_handed_over_once(hasty: Operator, impatient: Stack) -> None:
    """The chat may forget the turn, but not that the request had one."""
    async with Staff(f"http://127.0.0.1:{impatient.ports.facade}") as staff:
        first = await hasty.say(ASKED, request_id="same")
        row = await staff.find(first["reference"])
        for _ in range(20):
            await hasty.say("what can you do?")
        text = {"user_message": ASKED, "session_id": hasty.session, "user_id": hasty.user, "request_id": "same"}
        assert "answered already" in expect_error(await hasty.post("/v1/requests", **text), 409, "conflict")["message"]
        # A later escalation is in the list, so an earlier duplicate would be there, too.
        other = await staff.find((await hasty.say(ASKED, request_id="another"))["reference"])
        mine = {r["escalation_id"] for r in await staff.listed() if r["session_id"] == hasty.session}
        assert mine == {row["escalation_id"], other["escalation_id"]}


async def test_only_the_first_answer_counts(operator: Operator, staff: Staff, stack: Stack) -> None:
    turn = await operator.say(ASKED)
    escalation = (await staff.find(turn["reference"]))["escalation_id"]
    sent = [staff.send(escalation, f"answer {n}", request_id=f"r{n}") for n in range(4)]
    answers = await asyncio.gather(*sent, *[staff.send(escalation, "answer 0", request_id="r0") for _ in range(3)])
    taken = {a.json()["answer"]["message"] for a in answers if a.status_code == 200}
    assert len(taken) == 1, "all who were told yes were told the same"
    # On a busy machine one may get a 503 because its outcome is unknown; it may be sent again, as below.
    for refused in (a for a in answers if a.status_code not in (200, 503)):
        assert "not passed on" in expect_error(refused, 409, "conflict")["message"]
    await staff.until(escalation, lambda found: found["answer"]["in_chat"])
    number = taken.pop().removeprefix("answer ")
    assert stack.services is not None
    run = stack.services.escalations.client.get_workflow_handle(escalation_workflow(escalation))

    async def closed() -> bool:
        return (await run.describe()).status is WorkflowExecutionStatus.COMPLETED

    # The answer does not depend on whether the workflow has closed.
    for _ in range(2):
        reported = await staff.answer(escalation, f"answer {number}", request_id=f"r{number}")
        assert reported["answer"]["message"] == f"answer {number}"
        expect_error(await staff.send(escalation, "another", request_id=f"r{number}"), 422, "invalid_request")
        expect_error(await staff.send(escalation, "me too"), 409, "conflict")
        await soon(closed)
    assert len(await from_people(operator, 1)) == 1


async def test_what_is_no_answer_is_refused(operator: Operator, staff: Staff) -> None:
    turn = await operator.say(ASKED)
    escalation = (await staff.find(turn["reference"]))["escalation_id"]
    for bad in ("", "   ", "x" * 1801):
        expect_error(await staff.send(escalation, bad), 422, "invalid_request")
    expect_error(await staff.send(escalation, "fine", by="x" * 61), 422, "invalid_request")
    for unknown in (str(uuid4()), "nothing", "plan-1"):
        expect_error(await staff.send(unknown, "hello"), 404, "not_found")
        expect_error(await staff.http.get(f"/v1/escalations/{unknown}"), 404, "not_found")
    expect_error(await staff.http.get("/v1/escalations", params={"status": "lost"}), 422, "invalid_request")
    expect_error(await staff.http.get("/v1/escalations", params={"venue_id": "elsewhere"}), 404, "not_found")
    assert await staff.listed(venue_id="roller-demo")
    assert (await staff.look(escalation))["status"] == "open", "none of that has answered it"


@pytest.mark.parametrize("says", ["yes", "cancel it", "Yes, go ahead", "no", "undo", "confirm"])
async def test_an_answer_is_no_word_to_a_plan(operator: Operator, party: Party, staff: Staff, says: str) -> None:
    turn = await operator.say(ASKED)
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    await staff.answer((await staff.find(turn["reference"]))["escalation_id"], says)
    await from_people(operator, 1)
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "completed", "the operator's own yes is one"


@pytest.mark.parametrize("answered", [True, False], ids=["a person asked back", "nobody has answered yet"])
@pytest.mark.parametrize("word", ["yes", "no", "ok", "sì"])
async def test_a_bare_word_after_a_person_was_called_is_no_answer_to_the_plan_before(
    operator: Operator, party: Party, staff: Staff, answered: bool, word: str
) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    turn = await operator.say(ASKED)
    if answered:
        await staff.answer((await staff.find(turn["reference"]))["escalation_id"], "Shall I tell her she may?")
        await from_people(operator, 1)
    shown = await operator.say(word)
    assert (shown["type"], shown["plan"]["plan_id"]) == ("plan", plan["plan_id"])
    assert shown["message"].startswith("Something else was said since this plan was shown")
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    await operator.say("yes")
    assert (await operator.settled(plan))["status"] == "completed", "now the plan is what was shown last"


async def test_an_answer_answers_no_plans_question(operator: Operator, party: Party, staff: Staff) -> None:
    turn = await operator.say(ASKED)
    guest, _ = await party(NOTE, model=({"ask_operator": {"question": "Which cake?"}}, obey))
    plan = await operator.confirm(await operator.plan_for(asking(guest, NOTE)))
    asked = await operator.asked(plan)
    await staff.answer((await staff.find(turn["reference"]))["escalation_id"], "chocolate")
    await from_people(operator, 1)
    assert (await operator.look(plan))["blocking_prompt"] == asked["blocking_prompt"]
    assert (await operator.answer(plan, "chocolate")).status_code == 200


async def test_an_answer_bears_nothing_out(operator: Operator, party: Party, staff: Staff, stack: Stack) -> None:
    """A value that only the staff reply names is not the operator's, so it is in no input of a model."""
    turn = await operator.say(ASKED)
    await staff.answer((await staff.find(turn["reference"]))["escalation_id"], "make it 23 guests, code ZEBRA")
    await from_people(operator, 1)
    guest, _ = await party(("change_guest_count", {"guest_count": 23}))
    answer = await operator.say(f"change the number of guests for {guest}")
    assert answer["type"] != "plan", answer
    assert stack.services is not None
    chat = stack.services.chats.client.get_workflow_handle(chat_workflow("roller-demo", operator.session))
    converter = stack.services.chats.client.data_converter
    reported: list[str] = []
    async for event in chat.fetch_history_events():
        payloads = event.activity_task_scheduled_event_attributes.input.payloads
        reported += [str(one) for one in await converter.decode(payloads)] if payloads else []
    assert reported and not any("ZEBRA" in one for one in reported)


async def test_an_answer_finds_a_chat_that_has_closed(hasty: Operator, impatient: Stack) -> None:
    assert impatient.services is not None
    async with Staff(f"http://127.0.0.1:{impatient.ports.facade}") as staff:
        turn = await hasty.say(ASKED)
        row = await staff.find(turn["reference"])
        chat = impatient.services.chats.client.get_workflow_handle(chat_workflow("roller-demo", hasty.session))

        async def closed() -> bool:
            return (await chat.describe()).status is WorkflowExecutionStatus.COMPLETED

        await soon(closed)
        await staff.answer(row["escalation_id"], "Any cake.", by="Anna")
        assert [m["text"] for m in await from_people(hasty, 1)] == [
            f"Anna, a person, answers (reference {turn['reference']}): Any cake."
        ]
        kinds = [m["kind"] for m in await messages(hasty)]
        assert kinds == ["message", "escalation", "person"], "what was shown before is there, too"
        assert (await hasty.say("what can you do?"))["type"] == "answer", "and the chat goes on"


async def test_an_answer_finds_a_chat_that_has_begun_a_new_history(hasty: Operator, impatient: Stack) -> None:
    assert impatient.services is not None
    async with Staff(f"http://127.0.0.1:{impatient.ports.facade}") as staff:
        turn = await hasty.say(ASKED)
        row = await staff.find(turn["reference"])
        name = chat_workflow("roller-demo", hasty.session)
        client = impatient.services.chats.client
        first = (await client.get_workflow_handle(name).describe()).run_id
        begun = client.get_workflow_handle(name, run_id=first)
        async with asyncio.timeout(LIMIT):
            while (await begun.describe()).status is not WorkflowExecutionStatus.CONTINUED_AS_NEW:
                await hasty.say("what can you do?")
        await staff.answer(row["escalation_id"], "Any cake.")
        assert [m["text"] for m in await from_people(hasty, 1)] == [
            f"A person answers (reference {turn['reference']}): Any cake."
        ]


async def test_what_stands_in_the_plain_tells_of_no_one(operator: Operator, staff: Staff, stack: Stack) -> None:
    turn = await operator.say(ASKED)
    row = await staff.find(turn["reference"])
    UUID(row["escalation_id"])
    assert stack.services is not None
    client = stack.services.escalations.client
    handle = client.get_workflow_handle(escalation_workflow(row["escalation_id"]))
    found = await handle.describe()
    labels = {pair.key.name: pair.value for pair in found.typed_search_attributes}
    assert (labels.pop(STATUS.name), labels.pop(VENUE.name)) == ("open", "roller-demo")
    assert set(labels) <= {"BuildIds"}
    await staff.answer(row["escalation_id"], "Any cake for Mrs Smith.", by="Anna")
    await staff.until(row["escalation_id"], lambda f: f["answer"]["in_chat"])
    history = (await handle.fetch_history()).to_json()
    for private in ("Smith", "Anna", operator.user, operator.session):
        assert private not in history
    assert (await EscalationClient(client).view(row["escalation_id"])).start.asked == ASKED
