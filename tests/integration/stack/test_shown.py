"""A chat's transcript, for its owner, over HTTP (issue "Live": a page shows a session again after a reload).
Guarantees:

- Each message and its answer is there as the operator saw it, once, numbered; a plan by its id.
- A client can read on from a number; a retried request adds nothing; other users cannot read it.
- It outlives the chat's history: a fresh history continues the count.
"""

from pathlib import Path
from typing import Any

import pytest

from infra.temporal.client import connect
from tests.support.asking import asking
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.patience import chat_closed
from tests.support.stacks import a_stack
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})


async def shown(operator: Operator, after: int = 0) -> dict[str, Any]:
    query = {"user_id": operator.user, "after": str(after)}
    response = await operator.http.get(f"/v1/sessions/{operator.session}/messages", params=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_what_was_stated_and_reported_is_shown_again(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    text = asking(guest, NOTE)
    plan = await operator.plan_for(text, request_id="one")
    assert (await operator.plan_for(text, request_id="one"))["plan_id"] == plan["plan_id"]
    entries = (await shown(operator))["entries"]
    assert [e["kind"] for e in entries] == ["message", "plan"] and entries[0]["number"] == 1
    assert [e["request_id"] for e in entries] == ["one", "one"]
    last = entries[-1]["number"]
    assert entries[0]["text"] == text and entries[1]["plan_id"] == plan["plan_id"]
    turn = await operator.say("no thanks")
    later = await shown(operator, after=last)
    assert [(e["number"], e["text"]) for e in later["entries"]] == [
        (last + 1, "no thanks"),
        (last + 2, turn["message"]),
    ]
    assert later["next"] == last + 2 and (await shown(operator, after=last + 2)) == {"entries": [], "next": last + 2}


async def test_only_its_owner_reads_it(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    address = f"/v1/sessions/{operator.session}/messages"
    expect_error(await operator.http.get(address, params={"user_id": operator.user}), 404, "not_found")
    await operator.plan_for(asking(guest, NOTE))
    expect_error(await operator.http.get(address, params={"user_id": "stranger"}), 403, "forbidden")


async def test_it_outlives_the_chats_history(model_url: str, tmp_path: Path) -> None:
    """A fresh history after twenty events, and a chat that was closed because it was idle."""
    short: dict[str, Any] = {"model_base_url": model_url, "chat_max_events": 20, "chat_idle": 1}
    async with (
        a_stack(tmp_path, **short) as stack,
        Operator(f"http://127.0.0.1:{stack.ports.facade}") as one,
    ):
        for number in range(1, 5):
            await one.say(f"what can you do? {number}")
        await chat_closed(stack, one)
        await one.say("what can you do? 5")
        entries = (await shown(one))["entries"]
        client = await connect(stack.settings)

        async def several_runs() -> bool:
            return len([run async for run in client.list_workflows('WorkflowType = "Conversation"')]) > 2

        await soon(several_runs)  # some runs continued as new, and one was closed
    numbers = [e["number"] for e in entries]
    assert len(numbers) == 10 and numbers == sorted(set(numbers)), "counted on"
    assert [e["text"][-1] for e in entries[::2]] == ["1", "2", "3", "4", "5"]
