"""A model call from the activity to the ledger, against a real endpoint. Guarantees:

- Tokens are the endpoint's own, cached ones separate. An impossible count, in whatever form, is left out, fails no turn
  and costs no row; where the endpoint reports none, the cost is unknown.
- Each answered call is one row: a retry is another call and another cost, whatever the first answer was. A record that
  is written again, by this worker or another, adds none; a message is counted once.
- The row has the venue's tariff and multiplier, its mode, and the purpose of the call; the first call of a message, and
  only that, counts as a message.
- The mode is read once a message, and is in the reply.
- A message and its plan cost by the mode that served the message, whatever the venue switches to since.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.reason import ReasonActivity
from clients.model import ModelClient
from clients.modes import Modes
from clients.registry import Registries
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest
from contracts.enums import AiMode
from infra.config.settings import Settings
from infra.http.http_server import http_server
from infra.ledger.database import Database
from infra.ledger.records import CallRecord
from infra.ledger.reports import report
from infra.ledger.schema import CALLS
from infra.ledger.upserts import write
from registry.tariffs import read_tariffs
from tests.support.ledgers import NOON, Books, a_call
from tests.support.shipped import served
from tests.support.stacks import free_base


class Endpoint:
    """An endpoint that answers hello, and reports its tokens as set."""

    def __init__(self) -> None:
        self.choices: list[Any] | None = None
        self.usage: Any = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        self.asked = 0
        self.url = ""
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._complete)

    async def _complete(self) -> dict[str, Any]:
        self.asked += 1
        message = {"role": "assistant", "content": "Hello there."}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        choices = [choice] if self.choices is None else self.choices
        return {
            "id": "c", "object": "chat.completion", "created": 1, "model": "claude-sonnet-4-20260101",
            "choices": choices, "usage": self.usage,
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
    return served("roller")


@pytest.fixture
def model(endpoint: Endpoint, books: Books, ledger: Database, registries: Registries) -> ReasonActivity:
    settings = Settings(_env_file=None, model_base_url=endpoint.url, model="claude-sonnet-4")
    return ReasonActivity(ModelClient(settings, books.observer), registries, Modes(read_tariffs()[0], ledger))


def a_request(**fields: Any) -> ReasonRequest:
    text = (ChatMessage(role="user", content="hello"),)
    return ReasonRequest(**{"venue_id": "roller-demo", "now": NOON, "messages": text, "trace_id": "r-1", **fields})


async def reasoned(model: ReasonActivity, request: ReasonRequest, activity: str = "1", attempt: int = 1) -> ModelReply:
    environment = ActivityEnvironment()
    environment.info = replace(environment.info, activity_id=activity, attempt=attempt)
    return await environment.run(model.reason, request)


async def kept(books: Books, ledger: Database) -> list[Any]:
    assert await asyncio.to_thread(books.writer.flush, 10)
    return ledger.run(lambda c: list(c.execute(select(CALLS).order_by(CALLS.c.call_id))), 60)


async def test_the_row_of_a_call(model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint) -> None:
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


@pytest.mark.parametrize("shown", [{"cached_tokens": 4000}, {"cached_tokens": "many"}, {"cached_tokens": -3}, {}, None])
async def test_what_cannot_be_is_not_counted(
    model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint, shown: Any
) -> None:
    endpoint.usage["prompt_tokens_details"] = shown
    await reasoned(model, a_request())
    [row] = await kept(books, ledger)
    assert row.input_tokens == 100
    assert 0 <= row.cached_tokens <= 100


@pytest.mark.parametrize(("usage", "shown"), [
    ({"prompt_tokens": "12", "completion_tokens": 10.5}, (12, 0, 10)),
    ({"prompt_tokens": "12.9", "completion_tokens": " 7 "}, (12, 0, 7)),
    ({"prompt_tokens": None, "completion_tokens": 7}, (0, 0, 7)),
    ({"prompt_tokens": -5, "completion_tokens": 7}, (0, 0, 7)),
    ({"prompt_tokens": 10**30, "completion_tokens": 7}, (0, 0, 7)),
    ({"prompt_tokens": "9" * 400, "completion_tokens": 7}, (0, 0, 7)),
    ({"prompt_tokens": 1e308, "completion_tokens": True}, (0, 0, 0)),
    ({"prompt_tokens": 12, "prompt_tokens_details": {"cached_tokens": "5"}}, (12, 5, 0)),
    ({"prompt_tokens": 12, "prompt_tokens_details": [5]}, (12, 0, 0)),
    ({"prompt_tokens": {"n": 5}, "completion_tokens": [5]}, (0, 0, 0)),
    ({}, (0, 0, 0)), (None, (0, 0, 0)), ([], (0, 0, 0)), ("many", (0, 0, 0)), (7, (0, 0, 0)),
])  # fmt: skip
async def test_odd_counts_fail_no_turn_and_cost_no_row(
    model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint, usage: Any, shown: tuple[int, int, int]
) -> None:
    endpoint.usage = usage
    reply = await reasoned(model, a_request())
    assert reply.text == "Hello there."
    assert (reply.input_tokens, reply.cached_tokens, reply.output_tokens) == shown
    [row] = await kept(books, ledger)
    assert (row.input_tokens, row.cached_tokens, row.output_tokens) == shown
    assert (row.price_nano is None) == (shown == (0, 0, 0)), "what nobody knows is not free"


@pytest.mark.parametrize("apart", [True, False])
async def test_each_call_that_was_answered_is_one_row(
    model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint, apart: bool
) -> None:
    for attempt in (1, 2, 3):
        await reasoned(model, a_request(), attempt=attempt)
        if apart:
            await kept(books, ledger)
    await reasoned(model, a_request(mode=AiMode.STANDARD), activity="2")
    rows = await kept(books, ledger)
    assert endpoint.asked == len(rows) == 4
    assert [row.opens_turn for row in rows].count(True) == 1 and not rows[-1].opens_turn
    assert rows[-1].mode == "standard"
    assert len({row.cost_nano for row in rows[:3]}) == 1 and rows[0].cost_nano > 0


async def test_a_message_costs_by_the_mode_that_served_it(
    model: ReasonActivity, books: Books, ledger: Database
) -> None:
    """However often the venue switches, also between the calls of a message and of its plan."""
    profile = model._registries.registry.default_venue.profile
    price = (100 * 3 + 7 * 15) * 1000

    async def switch(mode: AiMode | None) -> None:
        await model._modes.switch("venue", profile.venue_id, mode, by="ada", profiles=[profile])

    served = await reasoned(model, a_request(), activity="1")
    await switch(AiMode.STANDARD)
    await reasoned(model, a_request(mode=served.mode), activity="2")
    await reasoned(model, a_request(goal=(), plan_id="p-1", mode=served.mode), activity="3")
    other = await reasoned(model, a_request(trace_id="r-2"), activity="4")
    await switch(None)
    await reasoned(model, a_request(goal=(), plan_id="p-2", mode=other.mode), activity="5")
    await reasoned(model, a_request(trace_id="r-3"), activity="6")
    rows = await kept(books, ledger)
    assert [(row.mode, row.cost_nano) for row in rows] == [
        ("adaptive", price * 1.2), ("adaptive", price * 1.2), ("adaptive", price * 1.2),
        ("standard", price), ("standard", price), ("adaptive", price * 1.2),
    ]  # fmt: skip
    always = (NOON.date() - timedelta(days=400), NOON.date() + timedelta(days=4000))
    used = {row.name: row for row in ledger.run(lambda c: report(c, "mode", *always), 60).usage}
    assert [(used[mode].calls, used[mode].multiplier) for mode in ("adaptive", "standard")] == [(4, 1.2), (2, 1.0)]
    assert used["standard"].cost_usd == pytest.approx(2 * price / 1e9)


@pytest.mark.parametrize("apart", [True, False])
async def test_an_answer_that_no_one_can_use_was_paid_for(
    model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint, apart: bool
) -> None:
    endpoint.choices = []
    with pytest.raises(ApplicationError) as unusable:
        await reasoned(model, a_request())
    assert endpoint.asked == 1, unusable.value
    if apart:
        await kept(books, ledger)
    endpoint.choices = None
    await reasoned(model, a_request(), attempt=2)
    spoilt, good = await kept(books, ledger)
    assert [(row.input_tokens, row.output_tokens) for row in (spoilt, good)] == [(100, 7)] * 2
    assert (spoilt.opens_turn, good.opens_turn) == (True, False)


async def test_a_call_that_was_not_answered_is_no_row(
    model: ReasonActivity, books: Books, ledger: Database, endpoint: Endpoint
) -> None:
    nothing: tuple[Any, ...] = ({"prompt_tokens": "many"}, {}, None, [])
    for usage in nothing:
        endpoint.choices, endpoint.usage = [], usage
        with pytest.raises(ApplicationError):
            await reasoned(model, a_request())
    assert await kept(books, ledger) == []


async def test_a_record_that_is_written_again_is_one_row(ledger: Database) -> None:
    """As after a transaction of unknown outcome."""
    record = CallRecord(
        usage=a_call("run:1:1").model_copy(update={"opens_turn": True}), at=NOON, model="m", input_tokens=1,
        cached_tokens=0, output_tokens=1, latency_ms=1, price_nano=1,
    )  # fmt: skip
    later = record.model_copy(update={"usage": record.usage.model_copy(update={"call_id": "run:1:2"})})
    for records in ([record], [record], [later, record], [later]):
        ledger.run(lambda connection, them=records: write(connection, them), 60, writes=True)  # type: ignore[misc]
    rows = ledger.run(lambda c: list(c.execute(select(CALLS).order_by(CALLS.c.call_id))), 60)
    assert [(row.call_id, row.opens_turn) for row in rows] == [("run:1:1", True), ("run:1:2", False)]


async def test_a_call_of_a_running_plan_opens_no_turn(model: ReasonActivity, books: Books, ledger: Database) -> None:
    await reasoned(model, a_request(goal=(), plan_id="p-1"))
    [row] = await kept(books, ledger)
    assert (row.purpose, row.opens_turn, row.plan_id) == ("execute", False, "p-1")
