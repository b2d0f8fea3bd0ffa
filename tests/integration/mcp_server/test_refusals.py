"""What the MCP server refuses before a tool is called: JSON-RPC errors with our messages, what to do, and `data`.
Guarantees:

- It refuses a body that is too large, a session that is gone or never began, and a request of another shape.
- The refusal of an answer to no open question says what to do.
"""

from typing import Any

import pytest

from tests.integration.mcp_server.test_door import COUNT, YES, Raw, session_of
from tests.support.operator import Operator
from tests.support.party import Party


def shown_of(answer: Any, kind: str) -> str:
    """Return the message of a refusal, after asserting its kind and its suggestions."""
    error = answer["error"]
    assert error["data"]["error_type"] == kind, error
    assert error["data"]["suggestions"], "a way out"
    for text in (error["data"]["message"].rstrip("."), *error["data"]["suggestions"]):
        assert text in error["message"]
    return str(error["message"])


async def test_a_session_that_is_gone_or_was_never_begun(operator: Operator) -> None:
    headers = await session_of(operator)
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    gone = await operator.http.post("/mcp", json=listing, headers={**headers, "Mcp-Session-Id": "nowhere"})
    assert gone.status_code == 404 and "initialize" in shown_of(gone.json(), "not_found")
    del headers["Mcp-Session-Id"]
    never = await operator.http.post("/mcp", json=listing, headers=headers)
    assert never.status_code == 400 and "docs/mcp.md" in shown_of(never.json(), "invalid_request")


@pytest.mark.parametrize(
    ("change", "status"),
    [({"Accept": "text/html"}, 406), ({"Content-Type": "text/plain"}, 400), ({"Mcp-Session-Id": "x" * 5000}, 404)],
)
async def test_requests_of_another_shape(operator: Operator, change: dict[str, str], status: int) -> None:
    headers = {**await session_of(operator), **change}
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = await operator.http.post("/mcp", json=listing, headers=headers)
    assert answer.status_code == status
    shown_of(answer.json(), "not_found" if status == 404 else "invalid_request")


@pytest.mark.parametrize("hidden", ["\x00", "\u202e", "\u200d"])
@pytest.mark.parametrize(("tool", "field"), [
    ("propose_change", "session_id"), ("propose_change", "request_id"), ("get_plan", "plan_id"),
    ("get_answers", "session_id"),
])  # fmt: skip
async def test_a_name_with_a_character_that_is_not_seen(operator: Operator, tool: str, field: str, hidden: str) -> None:
    given = {**({"message": "hi"} if tool == "propose_change" else {}), field: f"a{hidden}b"}
    answer = await Raw(operator).call(tool, given)
    shown = str(answer)
    assert "invalid_request" in shown and field in shown and ("not seen" in shown or "may hold" in shown)


async def test_a_body_that_is_too_large_is_reported_as_everything_else(operator: Operator) -> None:
    answer = await Raw(operator).post("propose_change", {"message": "x" * 200_000})
    assert answer.status_code == 413 and answer.json()["jsonrpc"] == "2.0"
    shown_of(answer.json(), "too_large")


async def test_an_answer_to_no_question_that_stands_is_reported_the_way_out(operator: Operator, party: Party) -> None:
    raw = Raw(operator)
    plan, _ = await raw.pending(party)
    of_plan, state = {"plan_id": plan["plan_id"]}, await raw.asked(plan)
    for tool, sealed in (("confirm_plan", state[:-4] + "AAAA"), ("undo_plan", state)):
        answer = await raw.call(tool, of_plan, inputResponses=YES, requestState=sealed)
        assert "again without it" in shown_of(answer, "invalid_request")
        assert answer["error"]["data"]["reason"] == "invalid_request_state"
    again = await raw.call("confirm_plan", of_plan)
    assert again["result"]["resultType"] == "input_required", "the way out works"


async def test_a_form_of_an_undo_says_only_what_is_so(operator: Operator, party: Party) -> None:
    """A field without a value before is not shown as set to empty, and a note about what stays is in the past tense."""
    raw = Raw(operator)
    plan, _ = await raw.pending(party)
    state = await raw.asked(plan)
    await raw.call("confirm_plan", {"plan_id": plan["plan_id"]}, inputResponses=YES, requestState=state)
    form = (await raw.call("undo_plan", {"plan_id": plan["plan_id"]}))["result"]["inputRequests"]["answer"]["params"]
    assert "→ empty" not in form["message"] and COUNT[1]["guest_count"] == 14
    assert "14 →" in form["message"]
    assert "This was carried out: " in form["message"] and "Shall it be undone?" in form["message"]


async def test_a_word_that_a_plan_cannot_take_is_reported_the_way_out(operator: Operator, party: Party) -> None:
    raw = Raw(operator)
    plan, _ = await raw.pending(party)
    of_plan = {"plan_id": plan["plan_id"]}
    for tool, more, why in (
        ("undo_plan", {}, "Nothing of this plan was carried out"),
        ("answer_question", {}, "not waiting for an answer"),
        ("skip_step", {"step": 1}, "left"),
        ("skip_step", {"step": 99}, "There is no step 99"),
    ):
        shown = (await raw.call(tool, {**of_plan, **more}))["result"]
        data = shown["_meta"]["iq/error"]
        assert shown["isError"] and why in data["message"], shown
        assert data["suggestions"] == ["Confirm the plan, or cancel it"], (tool, data)
        assert data["suggestions"][0] in shown["content"][0]["text"]
    for _ in range(2):
        dropped = (await raw.call("cancel_plan", of_plan))["result"]
        assert dropped["structuredContent"]["message"] == "The plan was dropped. None of it was carried out."
    shown = (await raw.call("undo_plan", of_plan))["result"]["_meta"]["iq/error"]
    assert shown["suggestions"] == ["Look at the plan, then say in the chat what should be changed"]
