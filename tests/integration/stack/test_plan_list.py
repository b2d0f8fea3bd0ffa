"""`GET /v1/plans` over HTTP, against the running stack. Guarantees:

- A user's own plans come newest first, in pages that omit none and repeat none, however far apart they were made.
- No user sees another's plan: not by their own list, not with another's cursor, and not where Temporal finds too much.
- With the service key and no operator's token the list is a venue's plans; a token lists one user's.
- `status` filters, repeated or by commas. An invalid status, cursor or limit is a 422 with a message.
- The list shows a plan's present state: pending, closed, cut off. It leaves out a plan whose history is gone.
- A plan's search attributes identify no user; a rotated key finds plans that an older one marked.
"""

import asyncio
import base64
import dataclasses
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest

from api.app import create_app
from cli.stack.dev import Stack
from clients.temporal import plan_list
from clients.temporal.plan_list import PlanFilter, PlanList
from infra.crypto.keyring import new_key_line, parse_ring
from infra.temporal.search_attributes import USER
from tests.support import http
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.waiting import LIMIT, answered, pauses

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key"
AN_ID = "3f0c6f1e-5d3b-4f57-9f6b-0d8a1f6f2d11"
NOTE = ("edit_note", {"note": "Cake at noon"})


@pytest.fixture
async def backend(stack: Stack) -> AsyncIterator[httpx.AsyncClient]:
    """A client with the service key of the same API, which sends no operator's token."""
    assert stack.services is not None
    parts = dataclasses.replace(stack.services, settings=stack.settings.model_copy(update={"service_key": KEY}))
    transport = httpx.ASGITransport(app=create_app(parts))
    async with http.client(transport=transport, base_url="http://iq.test", headers={"X-Service-Key": KEY}) as one:
        yield one


async def a_plan(operator: Operator, party: Party) -> dict[str, Any]:
    """Return a plan that waits, in a chat of its own."""
    guest, _ = await party(NOTE)
    operator.session = f"session-{uuid4().hex[:8]}"
    return await operator.plan_for(f"note: Cake at noon, for {guest}")


async def listed(operator: Operator, **query: Any) -> dict[str, Any]:
    """Return a page of the operator's own plans."""
    response = await operator.http.get("/v1/plans", params={"user_id": operator.user, **query})
    assert response.status_code == 200, response.text
    page: dict[str, Any] = response.json()
    return page


async def until_listed(operator: Operator, ids: set[str], **query: Any) -> list[dict[str, Any]]:
    """Wait until the list has exactly these plans, because visibility is eventually consistent; return them."""
    looks = pauses()
    deadline = asyncio.get_running_loop().time() + LIMIT
    while True:
        found: list[dict[str, Any]] = (await listed(operator, **query))["plans"]
        if {p["plan_id"] for p in found} == ids:
            return found
        assert asyncio.get_running_loop().time() < deadline, [p["plan_id"] for p in found]
        await asyncio.sleep(next(looks))


@pytest.mark.parametrize("span", [timedelta(milliseconds=30), timedelta(minutes=10)], ids=["far apart", "together"])
async def test_one_s_own_plans_come_newest_first_in_pages(
    operator: Operator, party: Party, monkeypatch: pytest.MonkeyPatch, span: timedelta
) -> None:
    monkeypatch.setattr(plan_list, "_FIRST", span)
    plans = [await a_plan(operator, party) for _ in range(5)]
    ids = [p["plan_id"] for p in reversed(plans)]
    found = await until_listed(operator, set(ids))
    assert [p["plan_id"] for p in found] == ids
    assert found == plans[::-1], "each as it stands"

    seen, query = [], {"limit": 2}
    for _ in range(3):
        page = await listed(operator, **query)
        seen.append([p["plan_id"] for p in page["plans"]])
        query["cursor"] = page.get("next_cursor")
    assert seen == [ids[:2], ids[2:4], ids[4:]]
    assert query["cursor"] is None, "the last page says that it is the last"
    assert "next_cursor" not in await listed(operator, limit=5)


async def test_no_one_sees_another_s_plans(
    operator: Operator, stack: Stack, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [(await a_plan(operator, party))["plan_id"] for _ in range(2)]
    await until_listed(operator, set(mine))
    cursor = (await listed(operator, limit=1))["next_cursor"]
    me, operator.user = operator.user, f"user-{uuid4().hex[:8]}"
    theirs = (await a_plan(operator, party))["plan_id"]
    await until_listed(operator, {theirs})
    assert (await listed(operator, cursor=cursor))["plans"] == []
    operator.user = me
    assert stack.services is not None
    wide = stack.services.plan_list._query
    monkeypatch.setattr(PlanList, "_query", lambda _, wanted: wide(PlanFilter(wanted.venue_id)))
    page = await listed(operator, limit=50)
    assert {p["plan_id"] for p in page["plans"]} == set(mine), "whose a plan is, the plan says"


async def test_status_picks(operator: Operator, party: Party) -> None:
    pending, dropped, other = [await a_plan(operator, party) for _ in range(3)]
    for plan in (dropped, other):
        path = f"/v1/plans/{plan['plan_id']}/cancel"
        assert (await operator.post(path, user_id=operator.user)).status_code == 202
        await operator.settled(plan)
    gone = {dropped["plan_id"], other["plan_id"]}
    found = await until_listed(operator, gone, status="cancelled")
    assert {p["status"] for p in found} == {"cancelled"}
    await until_listed(operator, {pending["plan_id"]}, status="pending_confirmation")
    both = {pending["plan_id"], *gone}
    await until_listed(operator, both, status="pending_confirmation,cancelled")
    await until_listed(operator, both, status=["pending_confirmation", "cancelled"])
    await until_listed(operator, set(), status="completed")
    error = expect_error(
        await operator.http.get("/v1/plans", params={"user_id": operator.user, "status": "done"}),
        422,
        "invalid_request",
    )
    assert "status must be one of pending_confirmation, " in error["message"]


def packed(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "", "x", "%%%", "ünicode", "a" * 199, packed([1]), packed({"at": 1, "id": 2}), packed([1e300, AN_ID]),
        packed([0, AN_ID]), packed([10**20, AN_ID]), packed([1_800_000_000_000_000, "plan"]),
        packed([None, None]), packed("[" * 40),
    ],
)  # fmt: skip
async def test_a_cursor_that_is_none_is_reported(operator: Operator, cursor: str) -> None:
    response = await operator.http.get("/v1/plans", params={"user_id": operator.user, "cursor": cursor})
    error = expect_error(response, 422, "invalid_request")
    assert error["message"] == "This cursor is not one that a list of plans was answered with."


async def test_who_asks_is_known(operator: Operator, stack: Stack) -> None:
    path = "/v1/plans"
    error = expect_error(await operator.http.get(path), 422, "invalid_request")
    assert "user_id is missing" in error["message"]
    for wrong in ({"limit": 0}, {"limit": 51}, {"cursor": "a" * 201}):
        answer = await operator.http.get(path, params={"user_id": operator.user, **wrong})
        expect_error(answer, 422, "invalid_request")
    who = {"user_id": operator.user}
    expect_error(await operator.http.get(path, params={**who, "venue_id": "nowhere"}), 404, "not_found")
    operator.http.headers["Authorization"] = "Bearer never-heard-of"
    expect_error(await operator.http.get(path, params=who), 401, "unauthorized")
    del operator.http.headers["Authorization"]
    expect_error(await operator.http.get(path, params=who), 401, "unauthorized")
    expect_error(await operator.http.get(path), 401, "unauthorized")


async def test_with_the_service_key_a_venue_s_plans(
    operator: Operator, backend: httpx.AsyncClient, party: Party
) -> None:
    first = await a_plan(operator, party)
    me, operator.user = operator.user, f"user-{uuid4().hex[:8]}"
    second = await a_plan(operator, party)
    await until_listed(operator, {second["plan_id"]})
    page = (await backend.get("/v1/plans", params={"limit": 2})).json()
    assert [p["plan_id"] for p in page["plans"]] == [second["plan_id"], first["plan_id"]]
    assert page["next_cursor"]
    of_one = (await backend.get("/v1/plans", params={"user_id": me})).json()
    assert [p["plan_id"] for p in of_one["plans"]] == [first["plan_id"]]
    expect_error(await backend.get("/v1/plans", headers={"X-Service-Key": "wrong"}), 401, "unauthorized")
    token = {"Authorization": operator.http.headers["Authorization"]}
    expect_error(await backend.get("/v1/plans", headers=token), 422, "invalid_request")
    rejected = {"Authorization": "Bearer never-heard-of"}
    expect_error(await backend.get("/v1/plans", headers=rejected, params={"user_id": me}), 401, "unauthorized")


async def test_what_was_cut_off_is_reported_and_what_is_gone_is_left_out(
    operator: Operator, stack: Stack, party: Party
) -> None:
    assert stack.services is not None
    client = stack.services.plans.client
    ended, gone, kept = [(await a_plan(operator, party))["plan_id"] for _ in range(3)]
    await until_listed(operator, {ended, gone, kept})
    await client.get_workflow_handle(f"plan-{ended}").terminate()
    found = PlanList(stack.services.plans, stack.settings.ring())
    places = await found._places(found._query(PlanFilter("roller-demo", operator.user)), None, 9)
    await client.workflow_service.delete_workflow_execution(
        DeleteWorkflowExecutionRequest(
            namespace=client.namespace, workflow_execution=WorkflowExecution(workflow_id=f"plan-{gone}")
        )
    )
    left = await until_listed(operator, {ended, kept})
    assert {p["plan_id"]: p["status"] for p in left} == {ended: "cancelled", kept: "pending_confirmation"}
    # Visibility may still find plans that are gone.
    wanted, gate = PlanFilter("roller-demo", operator.user), asyncio.Semaphore(1)
    assert [await found._plan(p.plan_id, wanted, gate) is None for p in places] == [False, True, False]


async def test_a_mark_tells_nothing_and_survives_a_rotation(operator: Operator, stack: Stack, party: Party) -> None:
    assert stack.services is not None
    operator.user = f"ada+{uuid4().hex[:8]}@party.example"
    plan = (await a_plan(operator, party))["plan_id"]
    await until_listed(operator, {plan})
    described = stack.services.plans
    description = await answered(lambda: described.describe(plan))
    mark = description.typed_search_attributes.get(USER)
    assert mark is not None and len(mark) == 32 and int(mark, 16)
    own = stack.settings.ring()
    assert mark == own.pseudonyms("roller-demo", operator.user)[0]
    assert mark != parse_ring(new_key_line()).pseudonyms("roller-demo", operator.user)[0], "it needs the key"
    assert mark != own.pseudonyms("another-venue", operator.user)[0], "and says nothing of one person at two venues"
    lines = (stack.settings.data / "keys").read_text()
    rotated = parse_ring(f"{new_key_line()}\n{lines}")
    found = PlanList(stack.services.plans, rotated)
    page = await found.page(PlanFilter("roller-demo", operator.user), None, 5)
    assert [p.plan_id for p in page.plans] == [plan]
