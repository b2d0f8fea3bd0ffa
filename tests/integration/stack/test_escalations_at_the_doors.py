"""Staff replies for front ends that receive nothing between their calls.

AG-UI:
- The next run delivers the reply once, as a message of its own, whatever that run is about; so does an empty `watch`. A
  client without any messages gets it with the rest.
- Each of two replies is a message. A client that does not know of an escalation from another front end does not get its
  reply.
- The run's state has the escalation's reference, and so has the token in the session's stream.

MCP:
- An escalation has its reference. `get_answers` returns the status of each, waits for a reply if asked to, and is
  refused to other users.
- The answer to the next message of the conversation begins with the reply; later answers do not repeat it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from cli.stack.dev import Stack
from tests.integration.stack.test_escalations import ASKED, from_people
from tests.support.ag_ui_client import Client
from tests.support.escalating import SHOWN, people_are_asked
from tests.support.mcp_client import LEGACY, MODERN, Person, assistant, decline
from tests.support.operator import Operator
from tests.support.staff import Staff
from tests.support.waiting import LIMIT
from tests.support.watching import shown as session_stream

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked():
        yield


@pytest.fixture
async def staff(stack: Stack) -> AsyncIterator[Staff]:
    """Staff of the running stack."""
    async with Staff(f"http://127.0.0.1:{stack.ports.facade}") as one:
        yield one


async def answered(operator: Operator, staff: Staff, reference: str, message: str, count: int = 1) -> str:
    """Send a staff reply; return its text in the chat."""
    row = await staff.find(reference)
    await staff.answer(row["escalation_id"], message, by="Anna")
    return str((await from_people(operator, count))[-1]["text"])


async def reference_of(operator: Operator) -> str:
    """Return the reference of the chat's last escalation."""
    found = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    return str([m for m in found.json()["messages"] if m["kind"] == "escalation"][-1]["reference"])


async def test_the_next_ag_ui_run_tells_it_once(operator: Operator, staff: Staff) -> None:
    client = Client(operator)
    shown = await client.say(ASKED)
    assert shown.texts == [SHOWN]
    first = await answered(operator, staff, await reference_of(operator), "Any cake.")
    shown = await client.say("what can you do?")
    assert shown.texts[-1] == first and len(shown.texts) == 2
    assert [m["content"] for m in shown.messages].count(first) == 1
    assert (await client.say("what can you do?")).texts.count(first) == 0
    await client.say(ASKED)
    second = await answered(operator, staff, await reference_of(operator), "None today.", 2)
    shown = await client.command("watch")
    assert shown.texts == [second] and shown.outcome == {"type": "success"}
    contents = [m["content"] for m in shown.messages]
    assert contents.count(first) == contents.count(second) == 1
    assert (await client.command("watch")).texts == []
    # Another device, which has no messages, gets them all.
    fresh = Client(operator)
    shown = await fresh.command("watch")
    contents = [m["content"] for m in shown.messages]
    assert contents.count(first) == contents.count(second) == 1 and shown.texts == []


async def test_the_reference_is_in_ag_uis_state_and_in_the_token(operator: Operator) -> None:
    client = Client(operator)
    shown = await client.say(ASKED)
    reference = await reference_of(operator)
    assert shown.state["turn"] == {
        "type": "escalation", "reason": shown.state["turn"]["reason"], "reference": reference, "quick_actions": []
    }, shown.state  # fmt: skip
    seen: list[str] = []
    heard = session_stream(operator, f"/v1/sessions/{operator.session}/events", "", format="tokens")
    async with asyncio.timeout(LIMIT), contextlib.aclosing(heard):
        async for _, _, data in heard:
            seen.append(data)
            if data == f"[[PERIN_SEPARATE_MESSAGE:{SHOWN} ({reference})]]":
                break
    assert reference in seen[-1], seen


async def test_a_client_that_was_reported_of_no_hand_over_is_reported_of_no_answer(
    operator: Operator, staff: Staff
) -> None:
    await operator.say(ASKED)
    await answered(operator, staff, await reference_of(operator), "Any cake.")
    assert len((await Client(operator).say("what can you do?")).texts) == 1


@pytest.mark.parametrize("protocol", [MODERN, LEGACY])
async def test_mcp_looks_and_is_reported_with_the_next_message(protocol: str, operator: Operator, staff: Staff) -> None:
    async with assistant(operator, protocol, Person(decline)) as model:
        handed = await model.call("propose_change", message=ASKED, session_id=operator.session)
        reference = handed["reference"]
        assert (handed["type"], handed["message"], handed["from_people"]) == ("escalation", SHOWN, [])
        waits = {"reference": reference, "status": "waiting", "text": ""}
        look = await model.call("get_answers", session_id=operator.session)
        assert look["handed"] == [waits] and look["message"] == f"Not answered by a person yet: {reference}."
        waiting = asyncio.create_task(model.call("get_answers", session_id=operator.session, wait_seconds=30))
        text = await answered(operator, staff, reference, "Any cake.")
        there: list[dict[str, Any]] = [{"reference": reference, "status": "answered", "text": text}]
        look = await waiting
        assert look["handed"] == there and look["message"] == text
        shown = await model.call("propose_change", message="what can you do?", session_id=operator.session)
        assert shown["from_people"] == there and shown["message"].startswith(f"{text} ")
        shown = await model.call("propose_change", message="what can you do?", session_id=operator.session)
        assert shown["from_people"] == [] and text not in shown["message"]
        assert (await model.call("get_answers", session_id=operator.session))["handed"] == there
        assert (await model.refused("get_answers", session_id="nowhere"))[0] == "not_found"
    async with (
        Operator(operator.base_url, user=f"{operator.user}-2") as other,
        assistant(other, protocol, Person(decline)) as model,
    ):
        assert (await model.refused("get_answers", session_id=operator.session))[0] == "forbidden"
        nothing = await model.call("propose_change", message="what can you do?")
        look = await model.call("get_answers", session_id=nothing["session_id"])
        assert look["handed"] == [] and "Nothing" in look["message"]
