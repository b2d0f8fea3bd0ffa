"""One model call, over the real OpenAI protocol, against a server with scripted replies.

Guarantees:
- A reply becomes text, calls and token counts, with each call's arguments checked against its action's schema.
- A number written as a text, and a text written as a number, are converted where nothing is lost by it.
- Nonsense in a call (broken JSON, no object, unknown tool, unknown or wrong arguments) becomes `problems` that the
  model can read, never an exception.
- An endpoint that fails, hangs, hangs up, or answers with no completion is one typed, retryable `ApplicationError`; its
  message has nothing of prompt or answer; the client never repeats a call by itself.
- The model is sent the prompt, the transcript, every action's tool and the built-in tools; while a plan runs, only that
  plan's actions; a blocked action never, on any path.
- No operator token, service key or base URL of the venue is sent; the endpoint's key is in its header.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response
from fastapi.responses import StreamingResponse
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from contracts.chat_completion import ChatMessage, ReasonRequest, ToolCall
from contracts.enums import AiMode, SafetyTier, StepStatus
from registry.loading.folder_registry import FolderRegistry
from tests.integration.activities.model_endpoint import (
    TEXT,
    VENUE,
    Endpoint,
    a_goal,
    a_model,
    endpoint,
    pack,
    user_message,
)
from tests.integration.activities.raw_server import DRIP, DROP, HALF, running
from tests.support.scripted_model import Reply, after, brief_of, executes, says
from tests.support.waiting import LIMIT

__all__ = ["endpoint", "pack"]


async def test_a_text_is_a_text(endpoint: Endpoint) -> None:
    reply = await endpoint.reason("Which John?")

    assert (reply.text, reply.tool_calls, reply.model) == ("Which John?", (), "scripted")
    assert (reply.input_tokens, reply.output_tokens) == (1, 1)
    assert reply.quick_actions[0] == "Move a booking", "the venue's shortcuts come along"


async def test_a_good_call_is_a_call(endpoint: Endpoint) -> None:
    [call] = (
        await endpoint.reason({"reschedule_booking": {"booking_id": "b-1", "new_start_time": "15:00"}})
    ).tool_calls

    assert (call.name, call.kind, call.problems) == ("reschedule_booking", "write", ())
    assert call.arguments == {"booking_id": "b-1", "new_start_time": "15:00"}
    assert call.bookings == ("booking_id",)


async def test_several_calls_keep_their_order_and_kind(endpoint: Endpoint) -> None:
    reply = await endpoint.reason([
        {"find_bookings": {"keywords": "John"}}, {"ask_operator": {"question": "Which?"}},
        {"edit_note": {"booking_id": "b-1", "note": "x"}},
    ])  # fmt: skip

    assert [(c.name, c.kind) for c in reply.tool_calls] == [
        ("find_bookings", "read"), ("ask_operator", "builtin"), ("edit_note", "write"),
    ]  # fmt: skip


async def test_null_arguments_count_as_left_out(endpoint: Endpoint) -> None:
    call = {"reschedule_booking": {"booking_id": "b-1", "new_date": None, "new_start_time": "15:00"}}

    [checked] = (await endpoint.reason(call)).tool_calls

    assert "new_date" not in checked.arguments
    assert checked.problems == ()


@pytest.mark.parametrize(("arguments", "problem"), [
    ("{broken", "The arguments are not valid JSON."), ('{"booking_id": "b-1"', "The arguments are not valid JSON."),
    ("[1, 2]", "The arguments must be a JSON object."), ('"text"', "The arguments must be a JSON object."),
    ("null", "The arguments must be a JSON object."),
])  # fmt: skip
async def test_arguments_that_are_no_object_are_a_problem(endpoint: Endpoint, arguments: str, problem: str) -> None:
    [call] = (await endpoint.reason({"reschedule_booking": arguments})).tool_calls

    assert (call.arguments, call.problems) == ({}, (problem,))


async def test_no_arguments_at_all_are_an_empty_object(endpoint: Endpoint) -> None:
    [call] = (await endpoint.reason({"reschedule_booking": ""})).tool_calls

    assert call.arguments == {}
    assert any("booking_id: is required" in problem for problem in call.problems)


@pytest.mark.parametrize("name", ["fly_to_the_moon", "", "peek_booking", "find-bookings"])
@pytest.mark.parametrize("arguments", ["{}", "{broken", "[]"])
async def test_a_tool_that_is_not_there_is_unknown(endpoint: Endpoint, name: str, arguments: str) -> None:
    [call] = (await endpoint.reason({name: arguments})).tool_calls

    assert (call.name, call.kind, call.arguments) == (name, "unknown", {})


@pytest.mark.parametrize(("arguments", "problem"), [
    ({"booking_id": "b-1"}, "give at least one of new_date, new_start_time"),
    ({"new_date": "2026-11-28"}, "booking_id: is required"),
    ({"booking_id": "b-1", "new_start_time": "3pm"}, "new_start_time: '3pm' is not a time of day"),
    ({"booking_id": "b-1", "new_date": "Saturday"}, "new_date: 'Saturday' is not a day"),
    ({"booking_id": "b-1", "new_date": "2026-11-28", "colour": "red"}, "colour: this action has no such argument"),
    ({"booking_id": {"a": 1}, "new_date": "2026-11-28"}, "booking_id: {'a': 1} must be text"),
    ({"booking_id": [8231], "new_date": "2026-11-28"}, "booking_id: [8231] must be text"),
])  # fmt: skip
async def test_arguments_that_do_not_fit_the_schema_are_problems(
    endpoint: Endpoint, arguments: dict[str, Any], problem: str
) -> None:
    [call] = (await endpoint.reason({"reschedule_booking": arguments})).tool_calls

    assert any(problem in found for found in call.problems), call.problems


async def test_numbers_as_texts_and_texts_as_numbers_are_what_was_meant(endpoint: Endpoint, pack: Path) -> None:
    given = {"booking_id": 8231, "guest_count": "15"}
    actions = (FolderRegistry((pack,)).default_venue.actions["change_guest_count"],)
    goal = a_goal().model_copy(
        update={"action_id": "change_guest_count", "parameters": {"booking_id": "8231", "guest_count": 15}}
    )

    [planned] = (await endpoint.reason({"change_guest_count": given})).tool_calls
    [looked_at] = (await endpoint.reason({"get_booking": {"booking_id": 8231}})).tool_calls
    [carried_out] = (await endpoint.reason({"change_guest_count": given}, goal=(goal,), actions=actions)).tool_calls
    [lossy] = (await endpoint.reason({"change_guest_count": {**given, "guest_count": "15.5"}})).tool_calls

    meant = {"booking_id": "8231", "guest_count": 15}
    assert (planned.arguments, planned.problems) == (meant, ())
    assert (looked_at.arguments, looked_at.problems) == ({"booking_id": "8231"}, ())
    assert (carried_out.arguments["guest_count"], carried_out.problems) == (15, ())
    assert lossy.problems == ("guest_count: '15.5' must be a whole number",)


async def test_while_a_plan_is_carried_out_what_was_confirmed_fills_what_is_left_out(
    endpoint: Endpoint, pack: Path
) -> None:
    actions = (FolderRegistry((pack,)).default_venue.actions["reschedule_booking"],)

    [call] = (await endpoint.reason({"reschedule_booking": {}}, goal=(a_goal(),), actions=actions)).tool_calls
    [done] = (
        await endpoint.reason({"reschedule_booking": {}}, goal=(a_goal(StepStatus.COMPLETED),), actions=actions)
    ).tool_calls

    assert (call.arguments, call.problems) == ({}, ())
    assert done.problems, "a completed step fills nothing"


NO_ANSWERS: dict[str, Reply] = {
    "500": says(500, {"error": {"message": TEXT}}),
    "400": says(400, {"error": {"message": TEXT}}),
    "401": says(401, {"error": "no"}),
    "429, for money": says(429, {"error": {"code": "insufficient_quota"}}),
    "503": says(503, {}),
    "an empty object": says(200, {}),
    "no choice": says(200, {"choices": []}),
    "null for choices": says(200, {"choices": None}),
    "a choice without a message": says(200, {"choices": [{}]}),
    "choices that are no objects": says(200, {"choices": ["text"]}),
    "a message that is no object": says(200, {"choices": [{"message": "text"}]}),
    "a list": says(200, []),
    "a text": says(200, "text"),
    "null": says(200, None),
    "a page": lambda _: Response("<html>busy</html>", media_type="text/html"),
    "broken JSON": lambda _: Response("{broken", media_type="application/json"),
    "nothing": lambda _: Response("", media_type="application/json"),
    "too late": after(300, "too late"),
}


@pytest.mark.parametrize("what", NO_ANSWERS)
async def test_an_answer_that_is_none_is_one_typed_error(endpoint: Endpoint, what: str) -> None:
    with pytest.raises(ApplicationError) as error:
        await endpoint.reason(NO_ANSWERS[what], within=5 if what == "too late" else LIMIT)

    assert error.value.type == "model_unavailable"
    assert error.value.non_retryable is False
    assert "John" not in error.value.message
    assert len(endpoint.scripted.seen["John"]) == 1, "the client never repeats a call"


async def test_what_is_over_the_bound_is_not_even_read(endpoint: Endpoint) -> None:
    calls = [
        {
            "id": f"c{n}" if n < 12 else None,
            "type": "function",
            "function": {"name": "find_bookings", "arguments": "{}"},
        }
        for n in range(13)
    ]
    body = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": calls}}]}

    reply = await endpoint.reason(says(200, body))

    assert len(reply.tool_calls) == 12
    assert all("at most 12" in call.problems[0] for call in reply.tool_calls)


@pytest.mark.parametrize("how", [DROP, HALF, DRIP, b"SMTP hello\r\n\r\n"])
async def test_a_connection_that_breaks_is_the_same_typed_error(pack: Path, how: Any) -> None:
    async with running() as raw:
        raw.reply = how
        model = a_model(f"{raw.url}/v1", pack, model_timeout=2 if how == DRIP else 60)
        request = ReasonRequest(venue_id=VENUE, now=datetime.now(UTC), messages=(user_message(TEXT),))

        with pytest.raises(ApplicationError, match="the model did not answer") as error:
            await ActivityEnvironment().run(model.reason, request)

        assert error.value.type == "model_unavailable"
        assert len(raw.heard) == 1
        await model._client.close()


@pytest.mark.parametrize("status", [200, 500])
async def test_fifty_megabytes_are_the_same_typed_error(endpoint: Endpoint, status: int) -> None:
    piece = b'{"choices": [{"message": {"content": "' + b"x" * 1_000_000

    def flood(_: dict[str, Any]) -> StreamingResponse:
        return StreamingResponse((piece for _ in range(50)), status, media_type="application/json")

    with pytest.raises(ApplicationError) as error:
        await endpoint.reason(flood, within=LIMIT)
    assert error.value.type == "model_unavailable" and len(error.value.message) < 200


async def test_a_hanging_model_is_given_up_on(endpoint: Endpoint, pack: Path) -> None:
    hasty = a_model(endpoint.url, pack, model_timeout=0.4)

    with pytest.raises(ApplicationError, match="Timeout"):
        await Endpoint(endpoint.scripted, endpoint.url, hasty).reason(after(30, "too late"))

    await hasty._client.close()


async def test_a_venue_that_no_one_serves_is_not_found_for_good(endpoint: Endpoint) -> None:
    with pytest.raises(ApplicationError) as error:
        await endpoint.reason("x", venue_id="nowhere")

    assert (error.value.type, error.value.non_retryable) == ("not_found", True)


async def test_the_model_is_sent_prompt_transcript_and_tools(endpoint: Endpoint, pack: Path) -> None:
    call = ToolCall(id="c1", name="find_bookings", arguments={"keywords": "John"}, kind="read")
    transcript = (
        user_message(TEXT), ChatMessage(role="assistant", tool_calls=(call,)),
        ChatMessage(role="tool", content="[]", tool_call_id="c1"),
    )  # fmt: skip

    await endpoint.reason("?", messages=transcript)

    assert [m["role"] for m in endpoint.asked["messages"]] == ["system", "user", "assistant", "tool"]
    clock = brief_of(endpoint.asked)["clock"]
    assert (clock["weekday"], clock["now"], clock["zone"]) == ("Friday", "2026-11-27 11:00", "Australia/Melbourne")
    assert endpoint.asked["messages"][2]["tool_calls"][0]["id"] == endpoint.asked["messages"][3]["tool_call_id"] == "c1"
    assert endpoint.asked["model"] == "scripted"
    offered = [tool["function"]["name"] for tool in endpoint.asked["tools"]]
    assert offered == [*FolderRegistry((pack,)).default_venue.actions, "ask_operator", "cannot_help", "resolve_when"]


async def test_while_a_plan_is_carried_out_only_its_actions_are_offered(endpoint: Endpoint, pack: Path) -> None:
    actions = (FolderRegistry((pack,)).default_venue.actions["reschedule_booking"],)

    await endpoint.reason("?", goal=(a_goal(),), actions=actions, intent="Move John")

    offered = [tool["function"]["name"] for tool in endpoint.asked["tools"]]
    assert offered == ["reschedule_booking", "ask_operator", "cannot_help"]
    assert executes(endpoint.asked)


async def test_a_blocked_action_is_never_offered(endpoint: Endpoint, pack: Path) -> None:
    blocked = (
        FolderRegistry((pack,))
        .default_venue.actions["get_booking"]
        .model_copy(update={"name": "peek_booking", "safety": SafetyTier.BLOCKED})
    )

    await endpoint.reason("?")
    assert "peek_booking" not in json.dumps(endpoint.asked)

    await endpoint.reason("?", goal=(a_goal(),), actions=(blocked,))
    assert "peek_booking" not in json.dumps(endpoint.asked)


async def test_nothing_secret_is_sent(pack: Path) -> None:
    async with running() as raw:
        raw.reply = b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
        model = a_model(f"{raw.url}/v1", pack, keys=None)
        request = ReasonRequest(
            venue_id=VENUE, now=datetime.now(UTC), messages=(user_message(TEXT),), trace_id="trace-1"
        )
        with pytest.raises(ApplicationError):
            await ActivityEnvironment().run(model.reason, request)
        await model._client.close()

    head, _, body = raw.heard[0].partition(b"\r\n\r\n")
    assert b"authorization: bearer sk-endpoint" in head.lower()
    assert b"sk-endpoint" not in body
    for secret in (b"svc-key", b"tok-", b"api.roller.app", b"x-service-key"):
        assert secret not in raw.heard[0].lower()


async def test_a_greeting_is_sent_without_a_list_of_tools(endpoint: Endpoint) -> None:
    """OpenAI answers 400 to an empty one."""
    greeting = (user_message("John"), ChatMessage(role="assistant", content="Yes?"), user_message("thanks"))
    assert (await endpoint.reason("You are welcome.", messages=greeting, mode=AiMode.ADAPTIVE)).text
    assert "tools" not in endpoint.asked
