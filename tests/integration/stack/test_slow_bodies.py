"""A request body that does not arrive, over sockets against an API over the running stack. Guarantees:

- A client that sends headers and then nothing, or a byte now and then, gets a 408 with the documented body once the
  time for a body (`IQ_BODY_TIMEOUT`) is up, on every route that reads one, and the connection is closed.
- On a route that reads none, a stream of events among them, such a connection is closed as well.
- A byte now and then keeps no connection open after an answer, nor does a request head that does not end.
- A body that arrives slowly, but in time, is read.
"""

import asyncio
import contextlib
import dataclasses
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI

from api.app import create_app
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from tests.support.stacks import free_base
from tests.support.waiting import LIMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 1.0
FORM = "/page/enter"
NOW_AND_THEN = LIMIT / 99
"""Seconds between two bytes: such a body would go on for as long as a test waits."""


@pytest.fixture
async def facade(stack: Stack) -> AsyncIterator[tuple[FastAPI, int]]:
    """An API that allows one second for a body, and its port."""
    assert stack.services is not None
    settings = stack.settings.model_copy(update={"body_timeout": WITHIN})
    app = create_app(dataclasses.replace(stack.services, settings=settings))
    async with at_a_port(app, WITHIN) as port:
        yield app, port


@asynccontextmanager
async def at_a_port(app: FastAPI, within: float) -> AsyncIterator[int]:
    """Serve the application; yield its port."""
    port = free_base(1)
    server = http_server(app, "127.0.0.1", port, timeout=within)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    yield port
    server.should_exit = True
    await serving


async def sent(port: int, method: str, path: str, body: bytes = b"", pause: float = 0) -> tuple[int, bytes, bool]:
    """Announce a body of 100 bytes, send `body` byte by byte, and read until the connection is closed. Return the
    status, the body, and whether all had been sent by then.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    all_sent = asyncio.Event()
    head = f"{method} {path} HTTP/1.1\r\nHost: iq\r\nAuthorization: Bearer demo-operator\r\nX-User-Id: u\r\n"
    kind = "application/x-www-form-urlencoded" if path == FORM else "application/json"
    writer.write(f"{head}Content-Type: {kind}\r\nContent-Length: 100\r\n\r\n".encode())

    async def dribble() -> None:
        with contextlib.suppress(OSError):
            for byte in body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(pause)
            all_sent.set()

    dribbling = asyncio.create_task(dribble())
    async with asyncio.timeout(LIMIT):
        answer = await reader.read()
    whole = all_sent.is_set()
    dribbling.cancel()
    writer.close()
    found = re.match(rb"HTTP/1.1 (\d+)", answer)
    assert found is not None, (method, path, answer)
    return int(found[1]), answer.partition(b"\r\n\r\n")[2], whole


async def test_every_door_closes_on_a_body_that_does_not_come(facade: tuple[FastAPI, int]) -> None:
    app, port = facade
    doors = {(m.upper(), p): "requestBody" in o for p, by in app.openapi()["paths"].items() for m, o in by.items()}
    reading = [*(door for door, reads in doors.items() if reads), ("POST", "/mcp"), ("POST", "/codec/decode")]
    assert len(reading) > 10, reading
    shown = await asyncio.gather(*(sent(port, m, _some(p)) for m, p in reading))
    for door, (status, body, _) in zip(reading, shown, strict=True):
        assert status == 408, (door, status, body)
        assert b"within 1 second" in body, (door, body)
    error = json.loads(shown[reading.index(("POST", "/v1/requests"))][1])
    assert (error["type"], error["error"]["error_type"]) == ("error", "invalid_request")
    assert json.loads(shown[reading.index(("POST", "/mcp"))][1])["jsonrpc"] == "2.0"
    others = [door for door in doors if door not in reading]
    await asyncio.gather(*(sent(port, m, _some(p)) for m, p in others))


async def test_a_byte_now_and_then_holds_no_connection(facade: tuple[FastAPI, int]) -> None:
    _, port = facade
    status, _, whole = await sent(port, "POST", "/v1/requests", b"{" * 99, NOW_AND_THEN)
    assert (status, whole) == (408, False)


async def test_nor_at_a_door_that_has_answered_already(facade: tuple[FastAPI, int]) -> None:
    _, port = facade
    for method, path, status in (("GET", "/healthz", 200), ("DELETE", "/page/session", None)):
        shown, _, whole = await sent(port, method, path, b"{" * 99, NOW_AND_THEN)
        assert status in (None, shown)
        assert not whole, path


async def test_nor_a_head_that_does_not_end(facade: tuple[FastAPI, int]) -> None:
    _, port = facade
    for head in (b"", b"GET /healthz HTTP/1.1\r\nX: "):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head)
        async with asyncio.timeout(LIMIT):
            assert await reader.read() == b""
        writer.close()


async def test_a_connection_is_used_again(facade: tuple[FastAPI, int]) -> None:
    _, port = facade
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(3):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: iq\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        assert length is not None
        await reader.readexactly(int(length[1]))
        await asyncio.sleep(WITHIN)
    writer.close()


async def test_a_slow_body_that_comes_in_time_is_read(stack: Stack) -> None:
    assert stack.services is not None
    patient = stack.settings.model_copy(update={"body_timeout": LIMIT})
    async with at_a_port(create_app(dataclasses.replace(stack.services, settings=patient)), LIMIT) as port:
        status, body, _ = await sent(port, "POST", "/v1/requests", b'{"user_message": "hi"' + b" " * 78 + b"}", 0.002)
    assert (status, b"session_id" in body) == (422, True), body


def _some(path: str) -> str:
    return re.sub(r"\{\w+\}", "1", path)
