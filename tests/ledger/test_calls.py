"""A model call from the activity to the ledger, against a real endpoint. Guarantees:

- tokens are the endpoint's own, cached ones apart; what it tells of them that cannot be is left out;
- an activity that is tried again, by this worker or another, is one call; two activities are two;
- the row has the venue's tariff and multiplier, its mode, and what the call was for; the first call of a message, and
  only that, counts as a message;
- the mode is asked for once a message, and the reply tells it.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from temporalio.testing import ActivityEnvironment

from activities.model import Model
from cli.web import http_server
from clients.model import ModelClient
from clients.modes import Modes
from clients.registries import Registries
from contracts.enums import AiMode
from contracts.model import ChatMessage, ModelReply, ReasonRequest
from infra.ledger.database import Database
from infra.ledger.schema import CALLS
from infra.published_version import MemoryPublishedVersion
from infra.settings import ROOT, Settings
from registry import Registry
from registry.tariffs import read_tariffs
from tests.support.ledgers import NOON, Books
from tests.support.stacks import free_base


class Endpoint:
    """An endpoint that says hello, and tells of its tokens what it is set to tell."""

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        self.asked = 0
        self.url = ""
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._complete)

    async def _complete(self) -> dict[str, Any]:
        self.asked += 1
        message = {"role": "assistant", "content": "Hello there."}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return {
            "id": "c", "object": "chat.completion", "created": 1, "model": "claude-sonnet-4-20260101",
            "choices": [choice], "usage": self.usage,
        }  # fmt: skip


@pytest.fixture
async def endpoint() -> AsyncIterator[Endpoint]:
    found, port = Endpoint(), free_base(1)
    server = http_server(found.app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    found.url = f"http://127.0.0.1:{port}/v1"
    yield found
    server.should_exit = True
    await task


@pytest.fixture(scope="module")
def registries() -> Registries:
    return Registries(Registry((ROOT / "overlays" / "roller",)), MemoryPublishedVersion())


@pytest.fixture
def model(endpoint: Endpoint, books: Books, ledger: Database, registries: Registries) -> Model:
    settings = Settings(_env_file=None, model_base_url=endpoint.url, model="claude-sonnet-4")
    return Model(ModelClient(settings, books.observer), registries, Modes(read_tariffs()[0], ledger))


def a_request(**fields: Any) -> ReasonRequest:
    said = (ChatMessage(role="user", content="hello"),)
    return ReasonRequest(**{"venue_id": "roller-demo", "now": NOON, "messages": said, "trace_id": "r-1", **fields})


async def reasoned(model: Model, request: ReasonRequest, activity: str = "1", attempt: int = 1) -> ModelReply:
    environment = ActivityEnvironment()
    environment.info = replace(environment.info, activity_id=activity, attempt=attempt)
    return await environment.run(model.reason, request)


async def kept(books: Books, ledger: Database) -> list[Any]:
    assert await asyncio.to_thread(books.writer.flush, 10)
    return ledger.run(lambda c: list(c.execute(select(CALLS).order_by(CALLS.c.call_id))), 5)


async def test_the_row_of_a_call(model: Model, books: Books, ledger: Database, endpoint: Endpoint) -> None:
    endpoint.usage["prompt_tokens_details"] = {"cached_tokens": 40}
    reply = await reasoned(model, a_request(plan_id="p-1"))
    [row] = await kept(books, ledger)
    assert (row.input_tokens, row.cached_tokens, row.output_tokens) == (100, 40, 7)
    assert (row.venue_id, row.tariff, row.mode, row.purpose) == ("roller-demo", "pro", "adaptive", "plan")
    assert (row.model, row.plan_id, row.opens_turn, row.critique_triggered) == ("claude-sonnet-4", "p-1", True, False)
    price = (100 * 3 + 7 * 15) * 1000
    assert (row.price_nano, row.cost_nano) == (price, price * 1.2)
    assert row.latency_ms > 0
    assert (reply.mode, reply.cached_tokens) == (AiMode.ADAPTIVE, 40)


@pytest.mark.parametrize("told", [{"cached_tokens": 4000}, {"cached_tokens": "many"}, {"cached_tokens": -3}, {}, None])
async def test_what_cannot_be_is_not_counted(
    model: Model, books: Books, ledger: Database, endpoint: Endpoint, told: Any
) -> None:
    endpoint.usage["prompt_tokens_details"] = told
    await reasoned(model, a_request())
    [row] = await kept(books, ledger)
    assert row.input_tokens == 100
    assert 0 <= row.cached_tokens <= 100


async def test_an_activity_that_is_tried_again_is_one_call(
    model: Model, books: Books, ledger: Database, endpoint: Endpoint
) -> None:
    await reasoned(model, a_request())
    await reasoned(model, a_request(), attempt=2)
    await reasoned(model, a_request(mode=AiMode.STANDARD), activity="2")
    first, second = await kept(books, ledger)
    assert endpoint.asked == 3
    assert (first.opens_turn, second.opens_turn) == (True, False)
    assert second.mode == "standard"


async def test_a_call_of_a_running_plan_opens_no_turn(model: Model, books: Books, ledger: Database) -> None:
    await reasoned(model, a_request(goal=(), plan_id="p-1"))
    [row] = await kept(books, ledger)
    assert (row.purpose, row.opens_turn, row.plan_id) == ("execute", False, "p-1")
