"""Canaries in every field that a venue or a model can send; no line of the log has any. Guarantees:

- Whatever a venue answers (values, unexpected keys and shapes, error bodies, headers, invalid JSON) at a look-up, at a
  write and at an undo, and whatever a model answers, nothing of it is in a line, at DEBUG.
- Lines of a plan carry its id and its request's; its end is logged once.
- A failure because of an outage or a rejection is logged without a traceback.

The scan can fail: the canaries are found in what the operator was shown.
"""

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request, Response

from api.turns import request_key
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from infra.observability.logging import handler, hashed, quiet_clients
from sandbox import roller as sandbox
from tests.support import http
from tests.support.operator import Operator
from tests.support.roller import Roller, a_day, a_name
from tests.support.scripted_model import ScriptedModel, completion, look_up, obey, then
from tests.support.stacks import a_stack, free_base
from workflows.workflow_ids import request_trace

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

CANARY = {
    "e-mail": "canary.bird@example.net",
    "phone": "+61 491 570 313",
    "name": "Kanarienvogel-Zeisig",
    "token": "tok_canary_9f8e7d6c5b4a39281706",
}
ALL = " / ".join(CANARY.values())
NOTE = ("edit_note", {"note": "Cake at noon"})
MODES = ("values", "types", "keys", "no JSON", "refused", "unreadable refusal", "failing", "moved")


def values(shown: Any) -> Any:
    """Replace every text by a canary."""
    if isinstance(shown, dict):
        return {k: values(v) for k, v in shown.items()}
    return [values(v) for v in shown] if isinstance(shown, list) else ALL if isinstance(shown, str) else shown


def types(shown: Any) -> Any:
    """Replace every number, list and mapping by another type, with a canary in it."""
    if isinstance(shown, dict):
        return {k: types(v) for k, v in shown.items()}
    return {ALL: ALL} if isinstance(shown, list) else [ALL] if isinstance(shown, str) else ALL


def keys(shown: Any) -> Any:
    """Add a canary as a key to every mapping, and as an entry to every list."""
    if isinstance(shown, dict):
        return {**{k: keys(v) for k, v in shown.items()}, ALL: {ALL: ALL}}
    return [*map(keys, shown), ALL] if isinstance(shown, list) else shown


class Venue:
    """ROLLER's sandbox behind a layer that changes its answers."""

    def __init__(self, folder: Path) -> None:
        self._inner = http.client(
            transport=httpx.ASGITransport(app=sandbox.create_app(database=folder / "roller.db", controls=True)),
            base_url="http://roller",
        )
        self.mode = ""
        self.at = ("GET", "PUT", "POST", "PATCH")
        self.app = FastAPI()
        self.app.api_route("/{path:path}", methods=["GET", "PUT", "POST", "PATCH", "DELETE"])(self._answer)

    async def _answer(self, path: str, request: Request) -> Response:
        answer = await self._inner.request(
            request.method, f"/{path}", params=request.query_params, content=await request.body(),
            headers={k: v for k, v in request.headers.items() if k in ("authorization", "content-type")},
        )  # fmt: skip
        if not self.mode or request.method not in self.at or path.startswith(("_sandbox", "token")):
            return Response(answer.content, answer.status_code, media_type="application/json")
        headers = {"X-Guest": ALL.replace("/", "-"), "Retry-After": CANARY["name"], "WWW-Authenticate": CANARY["token"]}
        match self.mode:
            case "values" | "types" | "keys":
                body = {"values": values, "types": types, "keys": keys}[self.mode](
                    answer.json() if answer.content else {}
                )
                return Response(json.dumps(body), answer.status_code, headers, media_type="application/json")
            case "no JSON":
                return Response(f'{{"guest": "{ALL}", ', 200, headers, media_type="application/json")
            case "refused":
                message = {
                    "errors": [{"name": CANARY["name"], "message": ALL, "code": ALL}],
                    "message": ALL,
                    ALL: [ALL],
                }
                return Response(json.dumps(message), 409, headers, media_type="application/json")
            case "unreadable refusal":
                return Response(json.dumps([ALL, {ALL: {"deep": ALL}}]), 422, headers, media_type="application/json")
            case "failing":
                return Response(f"<h1>{ALL}</h1>", 503, headers, media_type="text/html")
        return Response(status_code=302, headers={**headers, "Location": f"http://127.0.0.1:9/{CANARY['e-mail']}"})


class Shown:
    """The log as `iq worker` writes it."""

    def __init__(self) -> None:
        self._written = io.StringIO()
        self.handler = handler(self._written, as_json=True)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._written.getvalue().splitlines()]

    @property
    def text(self) -> str:
        return self._written.getvalue()


@pytest.fixture(scope="module")
def shown() -> Iterator[Shown]:
    one, root = Shown(), logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    quiet_clients()
    root.addHandler(one.handler)
    yield one
    root.removeHandler(one.handler)
    root.setLevel(level)


class Ground:
    def __init__(self, stack: Stack, venue: Venue, url: str, scripted: ScriptedModel) -> None:
        self.stack, self.venue, self.url, self.scripted = stack, venue, url, scripted
        self.shown: list[str] = []
        self.plans: list[dict[str, Any]] = []
        self.traces: list[str] = []

    async def plan(self, operator: Operator, guest: str, request_id: str) -> dict[str, Any]:
        request_id = request_id.replace(" ", "-")
        key = request_key(operator.user, request_id)
        self.traces.append(request_trace("roller-demo", operator.session, operator.user, key))
        return await operator.plan_for(f"note for {guest}: Cake at noon", request_id=request_id)

    async def operator(self) -> Operator:
        token = f"token-{a_name().split()[1]}"
        async with http.client(base_url=self.url) as venue:
            assert (await venue.post("/_sandbox/tokens", json={"token": token})).is_success
        return Operator(f"http://127.0.0.1:{self.stack.ports.facade}", token=token)


@pytest.fixture(scope="module")
async def ground(
    shown: Shown, model_url: str, scripted: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Ground]:
    folder = tmp_path_factory.mktemp("canaries")
    venue, port = Venue(folder), free_base(1)
    server = http_server(venue.app, "127.0.0.1", port)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    url = f"http://127.0.0.1:{port}"
    patience = {"call_timeout": 10, "rollback_timeout": 3, "sign_in_timeout": 1}
    profile = {"settle_seconds: ": "settle_seconds: 1 # "}
    async with a_stack(
        folder, venue=profile, venue_urls={"roller": url}, model_base_url=model_url, answer_timeout=1.0, **patience
    ) as stack:
        yield Ground(stack, venue, url, scripted)
    server.should_exit = True
    await serving


async def booked(ground: Ground) -> str:
    ground.venue.mode = ""
    async with Roller(ground.url) as roller:
        guest = a_name()
        await roller.book(guest)
        return guest


def named(at: str, mode: str) -> str:
    """Return a request's id from a careless caller: one with a person's address."""
    return f"{at}-{mode.replace(' ', '-')}-{CANARY['e-mail']}"


@pytest.mark.parametrize("mode", MODES)
async def test_what_a_venue_says_is_in_no_line(ground: Ground, mode: str) -> None:
    guest = await booked(ground)
    ground.scripted.script(guest, look_up(guest), then(NOTE), obey)
    async with await ground.operator() as one:
        who = {"session_id": one.session, "user_id": one.user}
        ground.venue.mode, ground.venue.at = mode, ("GET", "PUT", "POST", "PATCH")
        answer = await one.post("/v1/requests", user_message=f"note for {guest}: Cake at noon", **who)
        ground.shown.append(answer.text)
        ground.venue.mode = ""
    for at in (("PUT", "POST", "PATCH"), ("GET",)):
        ground.scripted.script(guest, look_up(guest), then(NOTE), obey)
        async with await ground.operator() as one:
            plan = await ground.plan(one, guest, named(at[0], mode))
            ground.venue.mode, ground.venue.at = mode, at
            await one.confirm(plan)
            ground.venue.mode = mode
            ended = await one.settled(plan, within=100)
            ground.shown.append(json.dumps(ended, ensure_ascii=False))
            ground.plans.append(ended)
            ground.venue.mode = ""


def odd_replies() -> Iterator[Any]:
    def raw(body: Any, status: int = 200) -> Any:
        text = body if isinstance(body, str) else json.dumps(body)
        return lambda _: Response(text, status, media_type="application/json")

    call = completion({"edit_note": {"note": ALL, ALL: [ALL]}})
    yield raw({"error": {"message": ALL, "type": ALL, "code": ALL}}, 400)
    yield raw({"error": {"message": ALL}}, 500)
    yield raw(f'{{"choices": [{ALL}')
    yield raw({"choices": [{"message": ALL}], "model": ALL, "usage": ALL})
    yield raw({"choices": [{"message": {"content": [ALL], "tool_calls": ALL}}], "usage": {"prompt_tokens": ALL}})
    yield raw(call | {"model": ALL, "id": ALL, "system_fingerprint": ALL})
    yield {ALL: {ALL: ALL}}
    yield {"edit_note": {"booking_id": ALL, "note": {ALL: ALL}}}
    yield {"find_bookings": {"query": ALL, "date": ALL, ALL: ALL}}
    yield f"I do not know {ALL}"


@pytest.mark.parametrize("reply", list(odd_replies()), ids=lambda _: "reply")
async def test_what_a_model_says_is_in_no_line(ground: Ground, reply: Any) -> None:
    guest = await booked(ground)
    async with await ground.operator() as one:
        ground.scripted.script(guest, reply)
        answer = await one.post(
            "/v1/requests", user_message=f"note for {guest}: Cake at noon", session_id=one.session, user_id=one.user
        )
        ground.shown.append(answer.text)
    async with await ground.operator() as one:
        ground.scripted.script(guest, look_up(guest), then(NOTE), reply)
        plan = await ground.plan(one, guest, a_name())
        await one.confirm(plan)
        ended = await one.settled(plan, within=100)
        ground.shown.append(json.dumps(ended, ensure_ascii=False))
        ground.plans.append(ended)


async def test_no_line_holds_a_canary(ground: Ground, shown: Shown) -> None:
    """This runs last, because it checks all lines."""
    assert any(CANARY["name"] in text for text in ground.shown), "they came as far as the operator"
    held = {kind: [line for line in shown.text.splitlines() if one in line][:2] for kind, one in CANARY.items()}
    assert {kind: lines for kind, lines in held.items() if lines} == {}
    assert "Cake at noon" not in shown.text


async def test_lines_are_found_by_plan_and_request(ground: Ground, shown: Shown) -> None:
    ours = {plan["plan_id"] for plan in ground.plans}
    # Stacks of other tests may still run in this process.
    ends = [line for line in shown.lines if line["event"] == "a plan ended" and line["plan_id"] in ours]
    assert sorted(line["plan_id"] for line in ends) == sorted(plan["plan_id"] for plan in ground.plans)
    by_id = {line["plan_id"]: line for line in ends}
    for plan in ground.plans:
        shown_of = by_id[plan["plan_id"]]
        # A rollback that fails leaves the plan partly rolled back.
        assert shown_of["outcome"] == plan["status"] and "seconds" in shown_of and shown_of["request_id"]
        assert [s["action"] for s in shown_of["steps"]] in ([], ["edit_note"])
    assert {line["request_id"] for line in ends} == {hashed(trace) for trace in ground.traces}, "as Langfuse has it"
    of_work = [line for line in shown.lines if "activity" in line or line["logger"].startswith("temporalio.workflow")]
    assert of_work and all("workflow_id" in line for line in of_work)
    of_plans = [line for line in of_work if line["workflow_id"].startswith("plan-")]
    assert of_plans and all("plan_id" in line and "request_id" in line for line in of_plans)
    answered = [line for line in shown.lines if line["event"] == "a request was answered"]
    assert any(line.get("plan_id") in by_id for line in answered) and all("http_id" in line for line in answered)


async def test_what_is_expected_is_reported_without_a_traceback(ground: Ground, shown: Shown) -> None:
    expected = [line for line in shown.lines if line["event"] == "an activity failed as it may"]
    assert expected and all(line["error"] and " at " not in line["error"] for line in expected)
    assert "Traceback" not in shown.text
    assert not [line for line in shown.lines if "\x1b" in json.dumps(line)]


async def test_a_refused_day_is_no_error_of_ours(ground: Ground, shown: Shown) -> None:
    async with await ground.operator() as one:
        for path in (f"/v1/plans/{CANARY['e-mail']}", f"/v1/plans/{a_day()}?user_id={CANARY['name']}"):
            await one.http.get(path)
        strange = {"X-Request-Id": CANARY["e-mail"]}
        await one.http.get("/v1/plans", params={"user_id": CANARY["name"]}, headers=strange)
    assert not [kind for kind, word in CANARY.items() if word in shown.text]
    assert any(line.get("http_id") == hashed(CANARY["e-mail"]) for line in shown.lines)
