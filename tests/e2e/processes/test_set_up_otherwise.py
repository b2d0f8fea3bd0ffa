"""Processes whose settings differ from the others', on purpose or not, each a real one with Redis between them.

- An API that shares no keys with a living worker is not ready and names the key it lacks; the others stay ready. It
  answers a plan that it cannot read with an id that its log has, on a connection that stays open.
- A worker with other keys, or with another address of a venue, reports it at start; `/readyz` notes it as long as that
  worker lives, and every API stays ready.
- Keys rotate one process after the other, as docs/deploy.md describes: at each step messages become plans, and earlier
  plans are confirmed and end.
- Where Redis is unavailable or hangs, `/readyz` names it and its setting while it still hangs; the same for an API
  without a Redis setting.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from infra.crypto.keyring import new_key_line
from tests.support import http, needs
from tests.support.multi_process_stack import MultiProcessStack
from tests.support.operator import Operator
from tests.support.process_stack import own_redis, redis_process
from tests.support.processes import answers
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import STARTING, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

SLOW = "no answer within"
"""How /readyz tells of a part that a busy machine has not let answer."""

NOTE = ("edit_note", {"note": "Cake at noon"})


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MultiProcessStack]:
    """Temporal, venue, model, an API and a worker."""
    needs.redis()
    async with (
        own_redis() as url,
        MultiProcessStack(
            tmp_path_factory.mktemp("otherwise"), url, ("worker", "facade"), IQ_CALL_TIMEOUT="8"
        ) as running,
    ):
        await asyncio.gather(running.start("worker", "worker"), running.start_api("facade"))
        yield running


async def readyz(process_stack: MultiProcessStack, facade: str) -> tuple[int, dict[str, Any]]:
    async with http.client() as asking:
        answer = await asking.get(f"{process_stack.facades[facade]}/readyz")
    return answer.status_code, answer.json()


async def until_noted(process_stack: MultiProcessStack, facade: str, notes: list[str]) -> None:
    """Wait until these notes appear; they take no API out of service for a moment."""

    async def noted() -> bool:
        status, text = await readyz(process_stack, facade)
        # On a busy machine a part may not answer in time, and then /readyz reports that.
        assert status == 200 or any(shown.startswith(SLOW) for shown in text["parts"].values()), text
        return bool(text.get("notes", []) == notes)

    await soon(noted, STARTING)


async def until_written(process_stack: MultiProcessStack, facade: str) -> tuple[int, dict[str, Any]]:
    """Return the answer of /readyz once each part has answered it in time."""
    while True:
        status, text = await readyz(process_stack, facade)
        if not any(shown.startswith(SLOW) for shown in text["parts"].values()):
            return status, text


async def a_plan(process_stack: MultiProcessStack, operator: Operator) -> dict[str, Any]:
    guest = a_name()
    async with process_stack.roller() as venue:
        await venue.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(NOTE), obey)
    return await operator.plan_for(f"a note for {guest}: Cake at noon")


async def test_a_facade_with_other_keys_is_not_ready(process_stack: MultiProcessStack) -> None:
    async with process_stack.at("facade", "demo-operator") as one:
        plan = await a_plan(process_stack, one)
    other = new_key_line()
    url = await process_stack.start_api("odd", ready=False, IQ_KEYS=other)
    await answers(f"{url}/healthz")
    status, text = await until_written(process_stack, "odd")
    ours, theirs = process_stack._keys.partition(":")[0], other.partition(":")[0]
    assert (status, text["parts"]["keys"]) == (
        503,
        f"a worker does not have key {theirs}, which this process writes with; "
        f"a worker writes with key {ours}, which this process does not have: give all the same IQ_KEYS",
    )
    assert (await until_written(process_stack, "facade"))[0] == 200

    reading, writing = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    for _ in range(2):
        call = uuid4().hex
        path = f"/v1/plans/{plan['plan_id']}?user_id={plan['user_id']}"
        headers = f"Host: 127.0.0.1\r\nAuthorization: Bearer demo-operator\r\nX-Request-Id: {call}"
        writing.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        head = (await reading.readuntil(b"\r\n\r\n")).decode().lower()
        body = json.loads(await reading.readexactly(int(head.partition("content-length: ")[2].partition("\r")[0])))
        assert head.startswith("http/1.1 503") and body["error"]["error_type"] == "service_unavailable"
        assert f"x-request-id: {call}" in head and "cache-control: no-store" in head
        lines = [json.loads(line) for line in process_stack.log_of("odd").splitlines() if call in line]
        assert [line["level"] for line in lines] == ["error", "info"], "what failed, and how it was answered"
    writing.close()
    await process_stack.end("odd")


@pytest.mark.parametrize("setting", ["IQ_KEYS", "IQ_VENUE_URLS"])
async def test_a_worker_that_is_set_up_otherwise_is_noted(process_stack: MultiProcessStack, setting: str) -> None:
    other = new_key_line()
    given = {"IQ_KEYS": other, "IQ_VENUE_URLS": '{"roller": "http://127.0.0.1:9"}'}[setting]
    ours, theirs = process_stack._keys.partition(":")[0], other.partition(":")[0]
    await until_noted(process_stack, "facade", [])
    # A task queue that no other process uses: its effect on other plans is not tested here.
    await process_stack.start("odd", "worker", "--role", "venue", **{setting: given, "IQ_SPLIT_QUEUES": "true"})
    notes = {
        "IQ_KEYS": [
            f"a worker does not have key {ours}, which this process writes with",
            f"a worker writes with key {theirs}, which this process does not have",
        ],
        "IQ_VENUE_URLS": ["processes call venues at different addresses: give all the same IQ_VENUE_URLS"],
    }[setting]
    await until_noted(process_stack, "facade", notes)
    log = process_stack.log_of("odd")
    assert "this process and living workers are set up differently" in log
    await process_stack.end("odd")
    await until_noted(process_stack, "facade", [])


async def test_keys_rotate_one_process_after_the_other(process_stack: MultiProcessStack) -> None:
    old, new = process_stack._keys, new_key_line()
    async with process_stack.at("facade", "demo-operator") as one:
        waiting = await a_plan(process_stack, one)
        for ring in (f"{old},{new}", f"{new},{old}"):
            for name, arguments in (("worker", ("worker",)), ("facade", ("api",))):
                await process_stack.end(name)
                if name == "facade":
                    await process_stack.start_api(name, IQ_KEYS=ring)
                else:
                    await process_stack.start(name, *arguments, IQ_KEYS=ring)
                await answers(f"{process_stack.facades['facade']}/readyz")
                async with process_stack.at("facade", "demo-operator") as another:
                    then_made = await a_plan(process_stack, another)
                    await another.confirm(then_made)
                    assert (await another.settled(then_made))["status"] == "completed"
        await one.confirm(waiting)
        assert (await one.settled(waiting))["status"] == "completed"
        page = await one.http.get("/v1/plans", params={"user_id": one.user})
        assert [plan["plan_id"] for plan in page.json()["plans"]] == [waiting["plan_id"]]


async def test_a_facade_without_redis_is_not_ready(process_stack: MultiProcessStack) -> None:
    await process_stack.start_api("alone", ready=False, REDIS_URL="")
    await answers(f"{process_stack.facades['alone']}/healthz")
    status, text = await until_written(process_stack, "alone")
    assert status == 503
    wrong = {part: shown for part, shown in text["parts"].items() if shown != "ok"}
    assert wrong.keys() == {"vault"} and "REDIS_URL is not set" in wrong["vault"]
    await process_stack.end("alone")


async def test_readyz_names_redis_and_its_setting(process_stack: MultiProcessStack, tmp_path: Path) -> None:
    async with redis_process(tmp_path) as store:
        await process_stack.start_api("lonely", ready=False, REDIS_URL=store.url)
        await answers(f"{process_stack.facades['lonely']}/healthz")
    _, text = await until_written(process_stack, "lonely")
    shown = "no answer at REDIS_URL"
    assert text["parts"]["vault"] == shown, text
    assert {text["parts"][part] for part in ("worker", "keys")} == {f"not known: {shown}"}, text
    await process_stack.end("lonely")


async def test_a_redis_that_hangs_is_named_in_time(process_stack: MultiProcessStack, tmp_path: Path) -> None:
    async with redis_process(tmp_path) as store:
        await process_stack.start_api("patient", ready=False, REDIS_URL=store.url)
        await answers(f"{process_stack.facades['patient']}/healthz")
        store.freeze()
        try:
            _, text = await readyz(process_stack, "patient")
        finally:
            store.thaw()
    assert text["parts"]["vault"] == "no answer at REDIS_URL", text
    await process_stack.end("patient")
