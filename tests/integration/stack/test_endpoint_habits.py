"""What real model endpoints do otherwise than the protocol changes nothing of what an operator gets. Guarantees:

- With every habit of `offline_planner.endpoint_habits`, a message gets the plan that a plain endpoint gives, its steps
  are carried out with the same values, and a critique of a cancellation lets it go on.
- An endpoint that refuses a tool's schema is asked in plainer keywords, and after that first refusal at once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI, Request, Response

import offline_planner
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from offline_planner.endpoint_habits import LIKE
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import brief_of
from tests.support.stacks import a_stack, free_base, own_token

pytestmark = pytest.mark.asyncio


class Endpoint(NamedTuple):
    """An endpoint that imitates others, and (task, status) of each call."""

    app: FastAPI
    url: str
    calls: list[tuple[str, int]]


@pytest.fixture(scope="module")
async def endpoint() -> AsyncIterator[Endpoint]:
    app, port, calls = offline_planner.create_app(), free_base(1), list[tuple[str, int]]()

    @app.middleware("http")
    async def noted(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        task = str(brief_of(await request.json()).get("task"))
        response = await answer(request)
        calls.append((task, response.status_code))
        return response

    server = http_server(app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield Endpoint(app, f"http://127.0.0.1:{port}/v1", calls)
    server.should_exit = True
    await task


@pytest.fixture(scope="module")
async def asking(endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack that calls this endpoint."""
    async with a_stack(tmp_path_factory.mktemp("habits"), model_base_url=endpoint.url) as running:
        yield running


async def carried_out(stack: Stack) -> list[tuple[str, Any, str]]:
    """Plan and carry out a change of two steps and a cancellation; return (action, values, status) of each step."""
    steps = []
    url = f"http://127.0.0.1:{stack.ports.roller}"
    async with Roller(url) as venue:
        guest = a_name()
        booking = await venue.book(guest)
        for message in (
            f"for {guest}: make it 14 guests, and set the note to “bring cake 12”",
            f"cancel {guest}'s booking",
        ):
            token = await own_token(stack)
            async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=token) as operator:
                plan = await operator.plan_for(message)
                done = await operator.settled(await operator.confirm(plan))
            own = {booking["uniqueId"], booking["bookingReference"]}
            for action in done["actions"]:
                values = {k: v for k, v in action["parameters"].items() if v not in own}
                steps.append((action["action_id"], values, action["status"]))
    return steps


PLAIN = [
    ("change_guest_count", {"guest_count": 14}, "completed"),
    ("edit_note", {"note": "bring cake 12"}, "completed"),
    ("cancel_booking", {}, "completed"),
]


@pytest.mark.parametrize("like", ["", *LIKE])
async def test_every_endpoint_gets_the_plan_of_a_plain_one(asking: Stack, endpoint: Endpoint, like: str) -> None:
    endpoint.app.state.like = like
    endpoint.calls.clear()
    assert await carried_out(asking) == PLAIN
    assert {task for task, status in endpoint.calls if status == 200} == {"plan", "execute", "critique"}


async def test_a_refused_schema_is_then_sent_in_plainer_keywords(asking: Stack, endpoint: Endpoint) -> None:
    endpoint.app.state.like = "strict"
    await carried_out(asking)
    endpoint.calls.clear()
    # What it thought is refused each time it comes back; its tools no more.
    assert await carried_out(asking) == PLAIN
    refused = [task for task, status in endpoint.calls if status == 400]
    assert "critique" not in refused and refused.count("plan") <= 2
