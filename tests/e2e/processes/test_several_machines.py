"""Two workers and two APIs, each its own process, with Redis and PostgreSQL, while one after the other of them is
killed with SIGKILL and started again.

- Every message leads to its plan and every plan to its end, with each write once and the bookings as requested, though
  workers and APIs are killed in turn meanwhile (ten plans).
- A client that is cut off, or asked to retry, sends the same message with the same `request_id` to the other API, and
  needs to do nothing else.
- The ledger holds each plan at most once, and no other plan.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.support import http, needs
from tests.support.ledgers import a_database
from tests.support.multi_process_stack import MultiProcessStack
from tests.support.operator import SETTLED
from tests.support.process_stack import own_redis
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PLANS = 10
AT_ONCE = 8
"""Operators at a time: a machine of two cores serves no more of them in time beside its parts."""
BETWEEN = (1.0, 3.0)
"""Seconds between two kills."""
SEED = 17
STEPS = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))

WORKERS, FACADES = ("worker 1", "worker 2"), ("facade 1", "facade 2")


@pytest.fixture(scope="module")
async def machines(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[MultiProcessStack, str]]:
    """Temporal, venue, model, two workers, two APIs; and where the ledger is."""
    needs.redis()
    with a_database() as ledger:
        async with own_redis() as url:
            data, first = tmp_path_factory.mktemp("machines"), ("worker", "facade")
            async with MultiProcessStack(data, url, first, IQ_LEDGER_URL=ledger) as running:
                workers = (running.start(name, "worker") for name in WORKERS)
                await asyncio.gather(*workers, *(running.start_api(name) for name in FACADES))
                yield running, ledger


class Client:
    """An operator's phone: it sends a failed request again with the same id to the other API."""

    def __init__(self, process_stack: MultiProcessStack, token: str) -> None:
        self._urls = [process_stack.facades[name] for name in FACADES]
        self._http = http.client(headers={"Authorization": f"Bearer {token}"})
        self.again = 0
        self._user, self._session = uuid4().hex, uuid4().hex

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def _until_answered(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        for number in count():
            with contextlib.suppress(httpx.HTTPError):
                answer = await self._http.request(method, self._urls[number % 2] + path, **given)
                if answer.status_code in (200, 202):
                    found: dict[str, Any] = answer.json()
                    return found
                assert answer.status_code in (429, 503), answer.text
            self.again += 1
            await asyncio.sleep(0.5)
        raise AssertionError("unreachable")

    async def carried_out(self, message: str) -> dict[str, Any]:
        """Send a message, confirm its plan, and wait for its end. Return the plan."""
        text = {"user_message": message, "session_id": self._session, "user_id": self._user}
        turn = await self._until_answered("POST", "/v1/requests", json={**text, "request_id": uuid4().hex})
        assert turn["type"] == "plan", turn
        path = f"/v1/plans/{turn['plan']['plan_id']}"
        word = {"user_id": self._user, "request_id": uuid4().hex}
        await self._until_answered("POST", f"{path}/confirm", json=word)
        while True:
            plan = await self._until_answered("GET", path, params={"user_id": self._user})
            if plan["status"] in SETTLED and plan.get("rollback", {}).get("state", "done") == "done":
                return plan
            await asyncio.sleep(0.4)


async def killing(process_stack: MultiProcessStack, names: tuple[str, ...], killed: list[str]) -> None:
    """Kill one after the other at random, never the last of its kind, and start it again."""
    chance = random.Random(SEED)
    while True:
        await asyncio.sleep(chance.uniform(*BETWEEN))
        name = chance.choice(names)
        await process_stack.end(name)
        killed.append(name)
        await (process_stack.start(name, "worker") if name in WORKERS else process_stack.start_api(name))


async def an_operator(process_stack: MultiProcessStack, room: asyncio.Semaphore) -> tuple[dict[str, Any], int]:
    """Run one plan from its message to its end. Return it, and how often a request was repeated."""
    guest, token = a_name(), f"op-{uuid4().hex}"
    await process_stack.grant(token)
    async with process_stack.roller() as venue:
        booking = await venue.book(guest)
        process_stack.scripted.script(guest, look_up(guest), then(*STEPS), obey)
        async with room, Client(process_stack, token) as client:
            plan = await client.carried_out(f"14 guests and a note for {guest}: Cake at noon")
        assert plan["status"] == "completed", plan
        after = await venue.booking(booking["uniqueId"])
        assert after["items"][0]["quantity"] == 14 and "Cake at noon" in str(after), after
        written = await venue.journal(booking)
        assert len(written) == len(STEPS), f"each write once: {[row['operation'] for row in written]}"
    return plan, client.again


@pytest.mark.timeout(900)
async def test_nothing_is_lost_or_doubled(machines: tuple[MultiProcessStack, str]) -> None:
    running, ledger = machines
    killed: list[str] = []
    killers = [asyncio.create_task(killing(running, names, killed)) for names in (WORKERS, FACADES)]
    room = asyncio.Semaphore(AT_ONCE)
    try:
        ended = await asyncio.gather(*(an_operator(running, room) for _ in range(PLANS)))
    finally:
        for killer in killers:
            killer.cancel()
        await asyncio.wait(killers)
    print(f"{PLANS} plans, killed {killed}, said again {sum(again for _, again in ended)} times")
    assert {name.split()[0] for name in killed} == {"worker", "facade"}, "both kinds were killed meanwhile"
    plans = {plan["plan_id"] for plan, _ in ended}
    assert len(plans) == PLANS
    with psycopg.connect(ledger) as rows:
        kept = [str(row[0]) for row in rows.execute("SELECT plan_id FROM plans")]
    assert len(kept) == len(set(kept))
    assert set(kept) <= plans
