"""A command that is sent twice under one `request_id` takes effect once (findings E8; HTTP contract). Guarantees:

- Confirm, answer, cancel and undo: once a command has taken effect, a retry returns the plan, whatever its state by
  then; the venue sees it once. The header `Idempotency-Key` is a `request_id`, here and for `/v1/requests`.
- The API checks the plan's owner first; it judges another `request_id` by the plan's present state.
- A refused command is not remembered: a retry is judged again.
- Different ids in body and header are refused, and the message says what to do.
- An answer under a used id with another text or question is refused, too.
- A message's id is bound to it: other text or other typed values under the id are refused with what to do, whatever the
  outcome of the first. A message that a client restored from the chat is the same message.
"""

from typing import Any

import httpx
import pytest

from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, says, then

pytestmark = pytest.mark.asyncio

NOTE = ("edit_note", {"note": "Cake at noon"})
ASK: dict[str, Any] = {"ask_operator": {"question": "Which cake?"}}


async def pending(operator: Operator, roller: Roller, scripted: ScriptedModel, *model: Any) -> Any:
    """Return (a plan that waits, its booking)."""
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, look_up(guest), then(NOTE), *(model or (obey,)))
    return await operator.plan_for(f"note: Cake at noon, for {guest}"), booking


async def say(operator: Operator, plan: dict[str, Any], kind: str, key: str, **extra: Any) -> httpx.Response:
    """Send a command, its id in the header."""
    body = {"user_id": operator.user, **extra}
    return await operator.http.post(f"/v1/plans/{plan['plan_id']}/{kind}", json=body, headers={"Idempotency-Key": key})


async def test_every_word_stated_twice_is_one(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    plan, booking = await pending(operator, roller, scripted, ASK, obey)
    assert (await say(operator, plan, "confirm", "r1")).status_code == 200
    await operator.asked(plan)
    again = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user, request_id="r1")
    assert (again.status_code, again.json()["status"]) == (200, "executing")
    assert (await say(operator, plan, "confirm", "other")).status_code == 409

    assert (await say(operator, plan, "answers", "r1", user_message="chocolate")).status_code == 200
    assert (await operator.settled(plan))["status"] == "completed"
    again = await say(operator, plan, "answers", "r1", user_message="chocolate")
    assert (again.status_code, again.json()["status"]) == (200, "completed")
    expect_error(await say(operator, plan, "answers", "r1", user_message="vanilla"), 422, "invalid_request")
    assert (await say(operator, plan, "answers", "other", user_message="chocolate")).status_code == 409

    assert (await say(operator, plan, "undo", "r1")).status_code == 202
    assert (await operator.settled(plan))["status"] == "rolled_back"
    again = await say(operator, plan, "undo", "r1")
    assert (again.status_code, again.json()["status"]) == (202, "rolled_back")
    assert "notice" not in again.json()
    assert (await say(operator, plan, "undo", "other")).status_code == 409
    assert len(await roller.journal(booking)) == 2, "the note and its undoing"
    assert (await say(operator, plan, "confirm", "r1", user_id="somebody")).status_code == 403


async def test_a_cancel_stated_twice_is_one(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    plan, booking = await pending(operator, roller, scripted)
    for _ in range(2):
        answer = await say(operator, plan, "cancel", "r1")
        assert (answer.status_code, answer.json()["status"]) == (202, "cancelled")
    assert (await say(operator, plan, "cancel", "other")).status_code == 409
    assert await roller.journal(booking) == []


async def test_a_typed_yes_stated_twice_is_one(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    plan, booking = await pending(operator, roller, scripted)
    text = {"user_message": "yes", "session_id": operator.session, "user_id": operator.user}
    turns = [await operator.http.post("/v1/requests", json=text, headers={"Idempotency-Key": "y1"}) for _ in range(2)]
    assert [t.status_code for t in turns] == [200, 200], turns[0].text
    assert turns[0].json() == turns[1].json()
    assert (await operator.settled(plan))["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


async def test_a_refused_word_is_judged_again(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    plan, _ = await pending(operator, roller, scripted)
    assert (await say(operator, plan, "undo", "r1")).status_code == 409
    await operator.confirm(plan)
    await operator.settled(plan)
    assert (await say(operator, plan, "undo", "r1")).status_code == 202


async def test_a_key_that_is_no_identifier_is_named(operator: Operator) -> None:
    text = {"user_message": "hello", "session_id": operator.session, "user_id": operator.user}
    answer = await operator.http.post("/v1/requests", json=text, headers={"Idempotency-Key": "no good"})
    assert answer.status_code == 422 and "Idempotency-Key" in answer.json()["error"]["message"]
    assert "header." not in answer.text


async def heard(operator: Operator, words: str, key: str, **extra: Any) -> httpx.Response:
    """Send a message under an id."""
    text = {"user_message": words, "session_id": operator.session, "user_id": operator.user, "request_id": key}
    return await operator.http.post("/v1/requests", json={**text, **extra})


async def test_other_words_under_an_id_are_not_the_first_ones(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), then(NOTE))
    first = await heard(operator, f"note: Cake at noon, for {guest}", "m1")
    other = await heard(operator, f"note: no cake, for {guest}", "m1")
    error = expect_error(other, 422, "invalid_request")
    assert "request_id" in error["message"] and "new request_id" in error["suggestions"][0]
    assert (await heard(operator, f"note: Cake at noon, for {guest}", "m1")).json() == first.json()
    assert first.json()["type"] == "plan"
    shown = (await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})).json()
    assert "no cake" not in str(shown), "nothing came of it"


async def test_other_values_under_an_id_are_not_the_first_ones(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    plan, _ = await pending(operator, roller, scripted)

    def edit(note: str) -> dict[str, Any]:
        return {"plan_id": plan["plan_id"], "values": [{"step": 1, "parameter": "note", "value": note}]}

    first = await heard(operator, "Note: no nuts", "m1", edit=edit("no nuts"))
    expect_error(await heard(operator, "Note: no nuts", "m1", edit=edit("nuts")), 422, "invalid_request")
    assert (await heard(operator, "Note: no nuts", "m1", edit=edit("no nuts"))).json() == first.json()
    restored = await heard(operator, "Note: no nuts", "m1")
    assert restored.json() == first.json(), "what the chat shows of it has no values any more"


async def test_what_came_to_nothing_may_be_tried_again_as_it_was(operator: Operator, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, says(500), says(500), says(500), says(500), "Hello there.")
    assert (await heard(operator, f"move {key} to Saturday", "m1")).status_code == 503
    expect_error(await heard(operator, f"cancel {key}", "m1"), 422, "invalid_request")
    scripted.script(key, "Hello there.")
    assert (await heard(operator, f"move {key} to Saturday", "m1")).status_code == 200


@pytest.mark.slow
async def test_a_message_that_is_stated_again_too_late_takes_no_plan_s_place(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    planned: Any = then(NOTE)

    def heard(body: dict[str, Any]) -> Any:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return planned(body)
        return look_up(guest) if guest in last["content"] else "Hello there."

    scripted.script(guest, heard)
    text = {"user_message": f"note: Cake at noon, for {guest}", "session_id": operator.session}
    first = await operator.post("/v1/requests", **text, user_id=operator.user, request_id="first")
    assert first.json()["type"] == "plan"
    for _ in range(20):
        assert (await operator.say("hello"))["type"] == "answer"
    waits = await operator.plan_for(text["user_message"])
    late = await operator.post("/v1/requests", **text, user_id=operator.user, request_id="first")
    assert "answered already" in expect_error(late, 409, "conflict")["message"]
    assert (await operator.look(waits))["status"] == "pending_confirmation"
    await operator.confirm(waits)


async def test_two_ids_that_differ_are_refused(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    plan, _ = await pending(operator, roller, scripted)
    body = {"user_id": operator.user, "request_id": "one"}
    path, other = f"/v1/plans/{plan['plan_id']}/confirm", {"Idempotency-Key": "other"}
    text = {"user_message": "hello", "session_id": operator.session, **body}
    for answer in (
        await operator.http.post(path, json=body, headers=other),
        await operator.http.post("/v1/requests", json=text, headers=other),
    ):
        error = expect_error(answer, 422, "invalid_request")
        assert "request_id" in error["message"] and "Idempotency-Key" in error["message"]
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    same = await operator.http.post(path, json=body, headers={"Idempotency-Key": "one"})
    assert same.status_code == 200


async def test_a_number_that_is_out_of_bounds_is_reported_its_bound(operator: Operator) -> None:
    answer = await operator.http.get("/v1/plans", params={"user_id": operator.user, "limit": 51})
    assert "limit must be at most 50" in expect_error(answer, 422, "invalid_request")["message"]
