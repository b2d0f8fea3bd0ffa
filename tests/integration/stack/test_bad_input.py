"""Bad input and broken dependencies: each gets the documented error body, and no booking changes (HTTP contract).
Guarantees:

- The API answers 422 to a malformed request, 401 or 403 to a stranger, and 404 to what does not exist.
- A command that is impossible in the plan's present state gets a 409 that carries the plan.
- A venue or a model that is down, answers nonsense or takes too long leads to a 503 that changes nothing.
"""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import ScriptedModel, after, look_up, obey, says, then
from tests.support.tables import for_test_all

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("message", ["", "   ", "x" * 5000], ids=["empty", "blank", "5,000 characters"])
async def test_a_message_that_is_none_is_refused(operator: Operator, message: str) -> None:
    response = await operator.post(
        "/v1/requests", user_message=message, session_id=operator.session, user_id=operator.user
    )
    error = expect_error(response, 422, "invalid_request")
    assert "user_message" in error["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"user_message": "hi", "user_id": "u"},
        {"user_message": "hi", "session_id": "s", "user_id": ""},
        {"user_message": "hi", "session_id": "a b\n", "user_id": "u"},
        {"user_message": "hi", "session_id": "s" * 200, "user_id": "u"},
        {"user_message": "hi", "session_id": "s", "user_id": "u", "surprise": 1},
        {"user_message": 7, "session_id": "s", "user_id": "u"},
        ["not", "an", "object"],
    ],
    ids=["no session", "empty user", "odd session", "long session", "unknown field", "wrong type", "no object"],
)
async def test_a_malformed_body_is_refused_in_our_own_shape(operator: Operator, body: Any) -> None:
    expect_error(await operator.http.post("/v1/requests", json=body), 422, "invalid_request")


@pytest.mark.parametrize("hidden", ["\x00", "\u202e", "\u200d", "\x1b"], ids=["NUL", "turned", "joiner", "escape"])
@pytest.mark.parametrize("field", ["session_id", "user_id", "venue_id", "request_id"])
async def test_a_name_with_a_character_that_is_not_seen_is_refused(operator: Operator, field: str, hidden: str) -> None:
    body = {"user_message": "hi", "session_id": "s", "user_id": "u", field: f"a{hidden}b"}
    error = expect_error(await operator.http.post("/v1/requests", json=body), 422, "invalid_request")
    assert field in error["message"]


@pytest.mark.parametrize("hidden", ["%00", "%E2%80%AE", "%E2%80%8D"], ids=["NUL", "turned", "joiner"])
@pytest.mark.parametrize("path", [
    "/v1/sessions/{}?user_id=u", "/v1/sessions/s?user_id={}", "/v1/sessions/s?user_id=u&venue_id={}",
    "/v1/plans?user_id={}", "/v1/plans?user_id=u&cursor={}", "/v1/escalations/{}", "/v1/escalations?venue_id={}",
    "/v1/sessions/{}/events?user_id=u", "/v1/sessions/s/events?user_id=u&after={}",
])  # fmt: skip
async def test_so_is_one_in_an_address(operator: Operator, path: str, hidden: str) -> None:
    error = expect_error(await operator.http.get(path.format(f"a{hidden}b")), 422, "invalid_request")
    assert "not seen" in error["message"] or "may hold" in error["message"]


async def test_a_body_that_is_not_json_is_refused(operator: Operator) -> None:
    response = await operator.http.post("/v1/requests", content=b"{nope", headers={"Content-Type": "application/json"})
    expect_error(response, 422, "invalid_request")


async def test_an_unknown_venue_is_not_found_and_the_known_ones_are_named(operator: Operator) -> None:
    response = await operator.post("/v1/requests", user_message="hi", session_id="s", user_id="u", venue_id="atlantis")
    error = expect_error(response, 404, "not_found")
    assert "roller-demo" in error["suggestions"][0]


@pytest.mark.parametrize("plan_id", ["nonsense", "1", "044ff488-bc6d-466f-8224-a02b541d2c0d", "p-x", "%00", "a" * 300])
async def test_a_plan_that_is_none_is_not_found(operator: Operator, plan_id: str) -> None:
    expect_error(await operator.http.get(f"/v1/plans/{plan_id}", params={"user_id": "u"}), 404, "not_found")
    expect_error(await operator.post(f"/v1/plans/{plan_id}/confirm", user_id="u"), 404, "not_found")
    expect_error(await operator.post(f"/v1/plans/{plan_id}/answers", user_id="u", user_message="x"), 404, "not_found")
    expect_error(await operator.post(f"/v1/plans/{plan_id}/cancel", user_id="u"), 404, "not_found")
    expect_error(await operator.post(f"/v1/plans/{plan_id}/undo", user_id="u"), 404, "not_found")


async def test_an_address_that_is_none_is_not_found_in_our_own_shape(operator: Operator) -> None:
    expect_error(await operator.http.get("/v1/nothing"), 404, "not_found")
    expect_error(await operator.http.get("/v1/sessions/never-spoken", params={"user_id": "u"}), 404, "not_found")


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Basic abc", "Bearer wrong-token"])
async def test_without_a_token_that_the_venue_accepts_nothing_is_reported(
    operator: Operator, party: Party, authorization: str | None
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    del operator.http.headers["Authorization"]
    if authorization is not None:
        operator.http.headers["Authorization"] = authorization
    path, who = f"/v1/plans/{plan['plan_id']}", {"user_id": operator.user}
    expect_error(await operator.http.get(path, params=who), 401, "unauthorized")
    expect_error(await operator.post(f"{path}/confirm", **who), 401, "unauthorized")
    body = {"user_message": "hi", "session_id": operator.session, **who}
    expect_error(await operator.post("/v1/requests", **body), 401, "unauthorized")
    expect_error(await operator.http.get(f"/v1/sessions/{operator.session}", params=who), 401, "unauthorized")


async def test_another_user_s_plan_and_chat_are_forbidden(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    path = f"/v1/plans/{plan['plan_id']}"
    expect_error(await operator.http.get(path, params={"user_id": "stranger"}), 403, "forbidden")
    for what in ("confirm", "cancel", "undo"):
        expect_error(await operator.post(f"{path}/{what}", user_id="stranger"), 403, "forbidden")
    expect_error(await operator.post(f"{path}/answers", user_id="stranger", user_message="x"), 403, "forbidden")
    body = {"user_message": "hello", "session_id": operator.session, "user_id": "stranger"}
    expect_error(await operator.post("/v1/requests", **body), 403, "forbidden")
    session = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": "stranger"})
    expect_error(session, 403, "forbidden")
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    assert await roller.journal(booking) == []


async def test_a_retried_request_of_another_user_does_not_get_the_turn(operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    await operator.plan_for(f"note for {guest}: bring socks", request_id="r-1")
    body = {"user_message": "x", "session_id": operator.session, "user_id": "stranger", "request_id": "r-1"}
    expect_error(await operator.post("/v1/requests", **body), 403, "forbidden")


async def test_an_answer_when_nothing_was_asked_is_a_conflict_that_carries_the_plan(
    operator: Operator, party: Party
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    error = expect_error(await operator.answer(plan, "yes"), 409, "conflict")
    assert error["plan"]["plan_id"] == plan["plan_id"]


async def test_an_answer_to_another_question_is_a_conflict(operator: Operator, party: Party) -> None:
    guest, _ = await party(
        ("edit_note", {"note": "bring socks"}), model=({"ask_operator": {"question": "Sure?"}}, obey)
    )
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    await operator.confirm(plan)
    waiting = await operator.asked(plan)
    expect_error(await operator.answer(plan, "yes", prompt_id=str(uuid4())), 409, "conflict")
    right = await operator.answer(plan, "yes", prompt_id=waiting["blocking_prompt"]["prompt_id"])
    assert right.status_code == 200
    assert (await operator.settled(plan))["status"] == "completed"


async def test_a_venue_that_refuses_its_own_key_or_is_busy_is_reported_apart(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    scripted.script(guest, look_up(guest))
    await roller.fault("search-for-bookings", "rate_limit", seconds=7)
    body = {"user_message": guest, "session_id": operator.session, "user_id": operator.user}
    error = expect_error(await operator.post("/v1/requests", **body), 429, "rate_limited")
    assert error["retry_after_seconds"] == 7
    assert "7 seconds" in error["message"]


async def test_a_venue_that_is_down_is_service_unavailable(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    scripted.script(guest, look_up(guest))
    await roller.fault("search-for-bookings", "status", status=503, times=10)
    body = {"user_message": guest, "session_id": operator.session, "user_id": operator.user}
    expect_error(await operator.post("/v1/requests", **body), 503, "service_unavailable")


@pytest.mark.parametrize(
    "reply",
    [
        says(500, {"error": {"message": "boom"}}),
        says(200, {"object": "chat.completion", "choices": []}),
        *for_test_all(
            says(200, "not an object"), says(401, {"error": {"message": "wrong key"}}), after(30, "too late")
        ),
    ],
    ids=["fails", "no choices", "no completion", "refuses the key", "never finishes"],
)
async def test_a_model_that_does_not_answer_usably_is_service_unavailable(
    operator: Operator, roller: Roller, scripted: ScriptedModel, reply: Any
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, reply)
    body = {"user_message": f"note for {guest}: bring socks", "session_id": operator.session, "user_id": operator.user}
    expect_error(await operator.post("/v1/requests", **body), 503, "service_unavailable")
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


@pytest.mark.parametrize(
    "reply",
    [
        {"no_such_tool": {"x": 1}},
        {"edit_note": "{not json"},
        {"edit_note": "[1, 2]"},
        {"edit_note": {"booking_id": "made-up", "note": "bring socks"}},
        {"change_guest_count": {"guest_count": "many"}},
        {"find_bookings": {}},
        "",
    ],
    ids=["unknown tool", "broken JSON", "no object", "invented booking", "wrong type", "missing", "silence"],
)
async def test_a_model_that_talks_nonsense_ends_in_advice_and_no_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel, reply: Any
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, reply)
    turn = await operator.say(f"do something for {guest}")
    assert turn["type"] == "answer"
    assert "another way" in turn["message"]
    assert turn["quick_actions"]
    assert await roller.journal(booking) == []


async def test_a_failed_turn_is_not_remembered_so_a_retry_runs_again(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    broken = says(500, {"error": {}})
    scripted.script(guest, broken, broken, look_up(guest), then(("edit_note", {"note": "bring socks"})), obey)
    text = f"note for {guest}: bring socks"
    body = {"user_message": text, "session_id": operator.session, "user_id": operator.user, "request_id": "r1"}
    expect_error(await operator.post("/v1/requests", **body), 503, "service_unavailable")
    assert (plan := await operator.say(text, request_id="r1"))["type"] == "plan", plan
    assert (await operator.post("/v1/requests", **body)).json() == plan


async def test_a_model_that_goes_away_during_execution_fails_the_plan_and_undoes_it(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 3})]
    scripted.script(guest, look_up(guest), then(*calls), obey, says(500, {"error": {}}))
    plan = await operator.do(f"{guest}: 3 guests, note: Cake at noon")
    assert plan["status"] == "rolled_back", plan
    assert plan["failure"]["error_type"] == "server_error"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


async def test_every_answer_carries_a_request_id(operator: Operator) -> None:
    given = await operator.http.get("/v1/nothing", headers={"X-Request-Id": "mine-1"})
    assert given.headers["X-Request-Id"] == "mine-1"
    odd = await operator.http.get("/healthz", headers={"X-Request-Id": "a b\t;"})
    assert odd.headers["X-Request-Id"] not in ("", "a b\t;")
    text = {"user_message": "hello", "session_id": operator.session, "user_id": operator.user, "request_id": "r-1"}
    for sent, shown in ((None, "r-1"), ("mine-2", "mine-2")):
        heard = await operator.http.post("/v1/requests", json=text, headers={"X-Request-Id": sent} if sent else {})
        assert heard.status_code == 200 and heard.headers["X-Request-Id"] == shown


async def test_the_api_documents_every_route_with_examples_and_errors(operator: Operator) -> None:
    document = (await operator.http.get("/openapi.json")).json()
    for path, method in (("/v1/requests", "post"), ("/v1/plans/{plan_id}/confirm", "post")):
        operation = document["paths"][path][method]
        assert {"401", "403", "404", "422", "503"} <= set(operation["responses"])
        assert operation["responses"]["403"]["content"]["application/json"]["example"]["type"] == "error"
    assert document["components"]["schemas"]["RequestBody"]["example"]["user_message"]
    # FastAPI names two routes of one name `module__Name`, and generators of clients strip the module again.
    assert not [name for name in document["components"]["schemas"] if "__" in name]
