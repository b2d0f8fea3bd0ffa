"""The MCP server against clients that break its rules. Raw HTTP, as the protocols define it. Guarantees:

- A foreign page's `Origin` is a 403 before anything else; a listed one gets an answer with its CORS header. Without a
  token 401, without a user 422, without the service key 401: each with a message that an MCP client shows.
- Another user's plan, an unknown plan or tool, and arguments that do not fit are refused with a message, and nothing is
  done.
- On 2026-07-28 an answer counts only with its sealed question, from the operator who was asked: not alone, not forged,
  not for another plan or tool, not by another operator. Sent again it writes nothing twice.
- A session of the handshake protocols belongs to its opener alone. A request sent again on it is the same request.
- Too many messages get a 429's message; a body that is too large is a 413.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.app import create_app
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from tests.support import http
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, free_base, own_token

COUNT = ("change_guest_count", {"guest_count": 14})
MODERN = "2026-07-28"
FORMS = {"elicitation": {"form": {}}}
YES = {"answer": {"action": "accept", "content": {"confirm": True}}}


@pytest.fixture
async def somebody(stack: Stack) -> AsyncIterator[Operator]:
    """Another operator of the same venue."""
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as one:
        yield one


class Raw:
    """Calls of 2026-07-28, one POST each, with any headers and params."""

    def __init__(self, operator: Operator, at: str | None = None, capabilities: Any = FORMS, **headers: str) -> None:
        self.one, self.at, self.capabilities, self.number = operator, at or operator.base_url, capabilities, 0
        self.headers = {
            "Authorization": operator.http.headers["authorization"],
            "X-User-Id": operator.user,
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            **headers,
        }

    async def post(self, tool: str, arguments: Any, **more: Any) -> httpx.Response:
        """Return the HTTP answer to a call."""
        self.number += 1
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta, **more}
        body = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": params}
        headers = {k: v for k, v in {**self.headers, "Mcp-Method": "tools/call", "Mcp-Name": tool}.items() if v}
        headers["Content-Type"] = "application/json"
        return await self.one.http.post(f"{self.at}/mcp", content=json.dumps(body), headers=headers)

    async def call(self, tool: str, arguments: Any, **more: Any) -> Any:
        """Return the JSON-RPC answer to a call."""
        return message_of(await self.post(tool, arguments, **more))

    async def pending(self, party: Party) -> tuple[Any, Any]:
        """Return (plan, booking) of a plan that waits."""
        guest, booking = await party(COUNT)
        answer = await self.call("propose_change", {"message": f"{guest}: 14 guests"})
        return answer["result"]["structuredContent"]["plan"], booking

    async def asked(self, plan: Any) -> str:
        """Return the sealed question before a plan is confirmed."""
        answer = await self.call("confirm_plan", {"plan_id": plan["plan_id"]})
        assert answer["result"]["resultType"] == "input_required", answer
        form = answer["result"]["inputRequests"]["answer"]["params"]
        assert form["requestedSchema"]["required"] == ["confirm"] and "10 → 14" in form["message"]
        return str(answer["result"]["requestState"])


def message_of(response: httpx.Response) -> Any:
    """Return the JSON-RPC answer, from a body or from the last event of a stream."""
    if response.headers["content-type"].startswith("application/json"):
        return response.json()
    rows = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
    return json.loads(rows[-1])


async def status_of(operator: Operator, plan: Any) -> str:
    return str((await operator.look(plan))["status"])


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "http://localhost:1", "http://127.0.0.1:8700"])
async def test_a_foreign_page_is_kept_out_first(operator: Operator, origin: str) -> None:
    for headers in ({}, {"Authorization": ""}, {"MCP-Protocol-Version": ""}):
        answer = await Raw(operator, Origin=origin, **headers).post("get_plan", {"plan_id": "x"})
        assert answer.status_code == 403 and origin in answer.json()["error"]["message"]
        assert "access-control-allow-origin" not in answer.headers
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    assert (await operator.http.options("/mcp", headers=asked)).status_code == 400
    assert (await operator.http.get("/mcp", headers={"Origin": origin})).status_code == 403


NO_ONE = {
    "no token": ({"Authorization": ""}, 401, "unauthorized"),
    "no bearer": ({"Authorization": "Basic eDp5"}, 401, "unauthorized"),
    "no user": ({"X-User-Id": ""}, 422, "invalid_request"),
    "no name": ({"X-User-Id": "an na"}, 422, "invalid_request"),
    "no venue": ({"X-Venue-Id": "nowhere"}, 404, "not_found"),
}


@pytest.mark.parametrize(("headers", "status", "kind"), NO_ONE.values(), ids=NO_ONE)
@pytest.mark.parametrize("version", [MODERN, ""])
async def test_who_calls_must_be_stated(
    operator: Operator, headers: dict[str, str], status: int, kind: str, version: str
) -> None:
    shown = {k: v for k, v in operator.http.headers.items() if k != "authorization"}
    async with http.client(base_url=operator.base_url, headers=shown) as bare:
        raw = Raw(operator, **{"MCP-Protocol-Version": version, **headers})
        given = {k: v for k, v in raw.headers.items() if v}
        answer = await bare.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize"}, headers=given)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["data"]["error_type"] == kind and error["message"].startswith(error["data"]["message"])


async def test_a_token_that_the_venue_refuses_opens_no_session_and_does_nothing(operator: Operator) -> None:
    raw = Raw(operator, Authorization="Bearer not-a-token")
    shown = await raw.call("find_bookings", {"query": "anybody"})
    assert shown["result"]["isError"] and shown["result"]["_meta"]["iq/error"]["error_type"] == "unauthorized"
    headers = {**raw.headers, "MCP-Protocol-Version": "2025-06-18"}
    answer = await operator.http.post("/mcp", json=opening(), headers=headers)
    assert answer.status_code == 401 and "mcp-session-id" not in answer.headers


async def test_what_is_not_there_or_not_one_s_own(operator: Operator, somebody: Operator, party: Party) -> None:
    plan, _ = await Raw(operator).pending(party)
    raw = Raw(somebody)
    for tool in ("get_plan", "confirm_plan", "cancel_plan", "undo_plan", "answer_question"):
        for plan_id, kind in ((plan["plan_id"], "forbidden"), ("0" * 32, "not_found"), ("x", "not_found")):
            shown = (await raw.call(tool, {"plan_id": plan_id}))["result"]
            assert shown["isError"] and shown["_meta"]["iq/error"]["error_type"] == kind, (tool, shown)
    shown = (await raw.call("skip_step", {"plan_id": plan["plan_id"], "step": 1}))["result"]
    assert shown["isError"] and shown["_meta"]["iq/error"]["error_type"] == "forbidden"
    text = {"message": "make it 15", "session_id": plan["session_id"]}
    shown = (await raw.call("propose_change", text))["result"]
    assert shown["isError"] and shown["_meta"]["iq/error"]["error_type"] == "forbidden"
    assert await status_of(operator, plan) == "pending_confirmation"
    assert "error" in await raw.call("confirm", {"plan_id": plan["plan_id"]})


ODD: list[tuple[str, Any]] = [
    ("propose_change", {}),
    ("propose_change", {"message": ""}),
    ("propose_change", {"message": "x" * 4001}),
    ("propose_change", {"message": 7}),
    ("propose_change", {"message": "hello", "user_id": "somebody"}),
    ("propose_change", {"message": "hello", "session_id": "a b"}),
    ("get_plan", {"plan_id": "x", "wait_seconds": 3600}),
    ("skip_step", {"plan_id": "x", "step": 0}),
    ("find_bookings", {"query": "x" * 201}),
    ("get_plan", {"plan_id": [[[[[[[["x"]]]]]]]]}),
]


@pytest.mark.parametrize(("tool", "arguments"), ODD)
async def test_arguments_that_do_not_fit(operator: Operator, tool: str, arguments: Any) -> None:
    shown = (await Raw(operator).call(tool, arguments))["result"]
    assert shown["isError"] and shown["_meta"]["iq/error"]["error_type"] == "invalid_request", shown


async def test_a_message_with_half_a_character_is_heard(operator: Operator) -> None:
    shown = await Raw(operator).call("propose_change", {"message": "hello \ud83c"})
    assert not shown["result"]["isError"], shown


async def test_an_answer_alone_or_forged_confirms_nothing(operator: Operator, roller: Roller, party: Party) -> None:
    raw = Raw(operator)
    plan, booking = await raw.pending(party)
    of_plan = {"plan_id": plan["plan_id"]}
    alone = (await raw.call("confirm_plan", of_plan, inputResponses=YES))["result"]
    assert alone["resultType"] == "input_required", "it is asked"
    state = await raw.asked(plan)
    for forged in ("", "v1.x", state[:-4] + "AAAA", f"confirm {plan['plan_id']}"):
        shown = await raw.call("confirm_plan", of_plan, inputResponses=YES, requestState=forged)
        assert "error" in shown or shown["result"].get("resultType") == "input_required", shown
    for tool in ("cancel_plan", "undo_plan", "answer_question"):
        shown = await raw.call(tool, of_plan, inputResponses=YES, requestState=state)
        assert "error" in shown, shown
    other, _ = await raw.pending(party)
    shown = await raw.call("confirm_plan", {"plan_id": other["plan_id"]}, inputResponses=YES, requestState=state)
    assert "error" in shown
    for answers in ({}, {"other": YES["answer"]}, {"answer": {"action": "accept"}}, {"answer": {"action": "cancel"}}):
        shown = await raw.call("confirm_plan", of_plan, inputResponses=answers, requestState=state)
        assert await status_of(operator, plan) == "pending_confirmation", shown
    assert await status_of(operator, other) == "pending_confirmation" and not await roller.journal(booking)


async def test_an_answer_is_its_operator_s(operator: Operator, somebody: Operator, party: Party) -> None:
    raw = Raw(operator)
    plan, _ = await raw.pending(party)
    state, of_plan = await raw.asked(plan), {"plan_id": plan["plan_id"]}
    shown = await Raw(somebody).call("confirm_plan", of_plan, inputResponses=YES, requestState=state)
    assert "error" in shown
    # The same user id with another token is not the same operator either.
    posing = Raw(somebody, **{"X-User-Id": operator.user})
    shown = await posing.call("confirm_plan", of_plan, inputResponses=YES, requestState=state)
    assert "error" in shown and await status_of(operator, plan) == "pending_confirmation"


async def test_an_answer_sent_again_writes_nothing_twice_at_any_facade(
    stack: Stack, operator: Operator, roller: Roller, party: Party
) -> None:
    port = free_base(1)
    server = http_server(create_app(stack.services), "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    try:
        raw, elsewhere = Raw(operator), Raw(operator, at=f"http://127.0.0.1:{port}")
        plan, booking = await raw.pending(party)
        state, of_plan = await raw.asked(plan), {"plan_id": plan["plan_id"]}
        answers = await asyncio.gather(
            *(one.call("confirm_plan", of_plan, inputResponses=YES, requestState=state) for one in (raw, elsewhere) * 2)
        )
        answers.append(await elsewhere.call("confirm_plan", of_plan, inputResponses=YES, requestState=state))
    finally:
        server.should_exit = True
        await task
    for answer in answers:
        assert answer["result"]["structuredContent"]["plan"]["status"] == "completed", answer
    assert len(await roller.journal(booking)) == 1


async def test_a_message_sent_again_is_the_same_message(operator: Operator, party: Party) -> None:
    guest, _ = await party(COUNT)
    text = {"message": f"{guest}: 14 guests", "request_id": "one"}
    first, again = [await Raw(operator).call("propose_change", text) for _ in range(2)]
    assert first["result"]["structuredContent"] == again["result"]["structuredContent"]


def opening(version: str = "2025-06-18", **capabilities: Any) -> dict[str, Any]:
    client = {"name": "raw", "version": "1"}
    params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


async def session_of(operator: Operator, **capabilities: Any) -> dict[str, str]:
    """Open a session; return its headers."""
    headers = {**Raw(operator).headers, "MCP-Protocol-Version": "2025-06-18"}
    answer = await operator.http.post("/mcp", json=opening(**capabilities), headers=headers)
    assert answer.status_code == 200, answer.text
    headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await operator.http.post("/mcp", json=ready, headers=headers)).status_code == 202
    return headers


async def test_a_session_is_its_opener_s_alone(operator: Operator, somebody: Operator) -> None:
    headers = await session_of(operator)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert (await operator.http.post("/mcp", json=body, headers=headers)).status_code == 200
    stolen = {**headers, "Authorization": somebody.http.headers["authorization"]}
    assert (await somebody.http.post("/mcp", json=body, headers=stolen)).status_code == 404
    renamed = {**headers, "X-User-Id": somebody.user}
    assert (await operator.http.post("/mcp", json=body, headers=renamed)).status_code == 404


async def test_a_request_sent_again_on_a_session_is_the_same(
    operator: Operator, party: Party, scripted: ScriptedModel
) -> None:
    guest, _ = await party(COUNT)
    headers = await session_of(operator)
    params = {"name": "propose_change", "arguments": {"message": f"{guest}: 14 guests"}}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    shown = [message_of(await operator.http.post("/mcp", json=body, headers=headers)) for _ in range(2)]
    ids = {one["result"]["structuredContent"]["plan"]["plan_id"] for one in shown}
    assert len(ids) == 1
    key = a_name()
    scripted.script(key, "Hello there.")
    other = {**params, "arguments": {"message": f"{key} says hello"}}
    body = {**body, "params": other}
    heard = message_of(await operator.http.post("/mcp", json=body, headers=headers))
    assert heard["result"]["structuredContent"]["type"] == "answer", "a client that counts again says something else"


async def test_a_client_that_shows_only_addresses_is_asked_nothing(operator: Operator, party: Party) -> None:
    raw = Raw(operator, capabilities={"elicitation": {"url": {}}})
    plan, _ = await raw.pending(party)
    shown = await raw.call("confirm_plan", {"plan_id": plan["plan_id"]})
    assert shown["result"]["structuredContent"]["waits_for"] == "confirmation"


@pytest.fixture(scope="module")
async def strict(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack with a service key, a listed origin, and low limits."""
    limits: dict[str, Any] = {"rate_user": "2/hour", "max_body": 2048}
    keys: dict[str, Any] = {"service_key": "sesame", "mcp_origins": ("https://assistant.example",)}
    folder: Path = tmp_path_factory.mktemp("strict")
    async with a_stack(folder, model_base_url=model_url, **limits, **keys) as running:
        yield running


@pytest.mark.slow
async def test_the_service_key_limits_and_a_listed_origin(strict: Stack) -> None:
    async with Operator(f"http://127.0.0.1:{strict.ports.facade}", token=await own_token(strict)) as one:
        answer = await Raw(one).post("get_plan", {"plan_id": "x"})
        assert answer.status_code == 401 and answer.json()["error"]["data"]["error_type"] == "unauthorized"
        page = Raw(one, Origin="https://assistant.example", **{"X-Service-Key": "sesame"})
        answer = await page.post("get_plan", {"plan_id": "x"})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "https://assistant.example"
        for _ in range(2):
            assert not (await page.call("propose_change", {"message": "hello"}))["result"]["isError"]
        for tool, given in (("propose_change", {"message": "hello"}), ("find_bookings", {"query": "Smith"})):
            shown = (await page.call(tool, given))["result"]
            assert shown["isError"] and shown["_meta"]["iq/error"]["error_type"] == "rate_limited"
            assert shown["_meta"]["iq/error"]["retry_after_seconds"] > 0
        assert (await page.post("propose_change", {"message": "x" * 3000})).status_code == 413
