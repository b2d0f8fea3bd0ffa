"""An API and a worker, each its own process, that real signals stop.

- An API that gets SIGTERM reports `stopping` at /readyz while it still serves, ends watchers' streams when its port
  closes, and answers what it has begun: a message that takes longer than any fixed drain gets its 200.
- At a second signal it cuts off the rest: each answer is the documented JSON, and gives as reason that this
  service was stopped, not that another part was too slow.
- None of that, and no worker that serves metrics, writes a traceback.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.http.http_server import DRAIN
from tests.support import http, needs
from tests.support.multi_process_stack import MultiProcessStack
from tests.support.operator import Operator
from tests.support.process_stack import own_redis
from tests.support.processes import answers
from tests.support.roller import a_name
from tests.support.scripted_model import held, look_up, then
from tests.support.stacks import free_base
from tests.support.waiting import LIMIT, STARTING

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

SLOW = {"IQ_TURN_BUDGET": "60", "IQ_MODEL_TIMEOUT": "60"}
"""A message may take longer than every part of the stop but the drain, which is made of this."""


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MultiProcessStack]:
    """A stack with each part in its own process; each test starts the APIs that it stops."""
    needs.redis()
    data: Path = tmp_path_factory.mktemp("stopping")
    async with own_redis() as url, MultiProcessStack(data, url, **SLOW) as running:
        yield running


def note_for(process_stack: MultiProcessStack, guest: str, asked: asyncio.Event, go_on: asyncio.Event) -> str:
    """Return a message whose plan the model makes once `go_on` is set; `asked` is set when the model is called."""

    def found(body: dict[str, Any]) -> Any:
        last = body["messages"][-1]["role"]
        return then(("edit_note", {"note": "Cake at noon"}))(body) if last == "tool" else look_up(guest)  # type: ignore[operator]

    waiting = held(go_on, found)

    async def reply(body: dict[str, Any]) -> Any:
        asked.set()
        return await waiting(body)  # type: ignore[operator]

    process_stack.scripted.script(guest, reply)
    return f"a note for {guest}: Cake at noon"


def say(operator: Operator, text: str) -> asyncio.Task[httpx.Response]:
    body = {"user_message": text, "session_id": operator.session, "user_id": operator.user}
    return asyncio.create_task(operator.http.post("/v1/requests", json=body, timeout=STARTING))


async def until_ready_says(url: str, status: str) -> httpx.Response:
    """Poll /readyz on new connections until it reports this status."""
    async with asyncio.timeout(LIMIT):
        while True:
            async with http.client() as asking:
                found = await asking.get(f"{url}/readyz")
            if found.json()["status"] == status:
                return found
            await asyncio.sleep(0.05)


async def until_closed(url: str) -> None:
    """Wait until the port refuses connections."""
    async with asyncio.timeout(LIMIT):
        while True:
            async with http.client() as asking:
                try:
                    await asking.get(f"{url}/healthz")
                except httpx.ConnectError:
                    return
            await asyncio.sleep(0.05)


async def watched(operator: Operator) -> str:
    """Return everything that a watcher of the chat receives until its stream ends; fail on an error."""
    path, asked = f"/v1/sessions/{operator.session}/events", {"user_id": operator.user}
    async with operator.http.stream("GET", path, params=asked, timeout=STARTING) as stream:
        return (await stream.aread()).decode()


def quiet(log: str) -> None:
    assert "Traceback" not in log and "Exception in" not in log, log[-4000:]


async def test_an_api_that_gets_sigterm_says_so_and_answers_what_it_has_begun(process_stack: MultiProcessStack) -> None:
    url = await process_stack.start_api("leaving", IQ_STOP_NOTICE="20")
    asked, go_on = asyncio.Event(), asyncio.Event()
    guest = a_name()
    async with process_stack.roller() as venue:
        await venue.book(guest)
    async with (
        process_stack.at("leaving", "demo-operator") as operator,
        process_stack.at("leaving", "demo-operator") as another,
    ):
        saying = say(operator, note_for(process_stack, guest, asked, go_on))
        async with asyncio.timeout(LIMIT):
            await asked.wait()
        watching = asyncio.create_task(watched(operator))
        process_stack.processes["leaving"].send_signal(signal.SIGTERM)
        stopping = await until_ready_says(url, "stopping")
        assert (stopping.status_code, stopping.json()) == (503, {"status": "stopping"})
        assert (await say(another, "what can you do?")).status_code == 200, "it serves as before until its port closes"
        await until_closed(url)
        assert guest in await watching
        # The model takes longer than a server that does not know about messages would wait.
        asyncio.get_running_loop().call_later(DRAIN + 2, go_on.set)
        answer = await saying
    assert (answer.status_code, answer.json()["type"]) == (200, "plan"), answer.text
    assert await process_stack.processes.pop("leaving").wait() == 0
    quiet(process_stack.log_of("leaving"))


async def test_an_api_that_gets_two_signals_cuts_off_what_is_left_and_says_that(
    process_stack: MultiProcessStack,
) -> None:
    url = await process_stack.start_api("cut", IQ_STOP_NOTICE="60")
    go_on = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        saying, operators = [], []
        for _ in range(12):
            operator = await stack.enter_async_context(process_stack.at("cut", "demo-operator"))
            operators.append(operator)
            asked = asyncio.Event()
            saying.append(say(operator, note_for(process_stack, a_name(), asked, go_on)))
            async with asyncio.timeout(LIMIT):
                await asked.wait()
        watching = asyncio.create_task(watched(operator))
        mcp = asyncio.create_task(_half_a_body(url))
        process_stack.processes["cut"].send_signal(signal.SIGTERM)
        await until_ready_says(url, "stopping")
        # The messages are at every stage of their handling when the API is cut off.
        late = [say(one, "what can you do?") for one in operators]
        process_stack.processes["cut"].send_signal(signal.SIGTERM)
        answered = await asyncio.gather(*saying)
        await asyncio.gather(watching, *late, return_exceptions=True)
        unread = await mcp
        go_on.set()
    for answer in answered + [one.result() for one in late if one.exception() is None]:
        if answer.status_code == 200:
            continue
        shown = answer.json()["error"]
        assert (answer.status_code, shown["error_type"]) == (503, "service_unavailable"), answer.text
        assert "was stopped before it had an answer" in shown["message"], shown
        assert answer.headers["X-Request-Id"] and int(answer.headers["Retry-After"]) > 0
    assert b"503" in unread.partition(b"\r\n")[0] and b'"jsonrpc"' in unread
    assert await process_stack.processes.pop("cut").wait() == 0
    quiet(process_stack.log_of("cut"))


async def _half_a_body(url: str) -> bytes:
    """Return the answer to an MCP client whose body had not arrived completely."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer demo-operator\r\nX-User-Id: anna\r\n"
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
    await writer.drain()
    try:
        return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_worker_that_serves_metrics_ends_without_a_traceback(
    process_stack: MultiProcessStack, how: signal.Signals
) -> None:
    name, port = f"measured-{how.name}", free_base(1)
    await process_stack.start(name, "worker", IQ_METRICS_PORT=str(port))
    await answers(f"http://127.0.0.1:{port}/metrics")
    assert await process_stack.end(name, how) == 0
    quiet(process_stack.log_of(name))


async def test_an_idle_api_ends_at_once_at_ctrl_c(process_stack: MultiProcessStack) -> None:
    await process_stack.start_api("idle", IQ_STOP_NOTICE="120")
    async with asyncio.timeout(LIMIT):
        assert await process_stack.end("idle", signal.SIGINT) == 0
    quiet(process_stack.log_of("idle"))
