"""A recording proxy in front of a venue: it sees every call that workers and API make, and may hold each one.

It passes bytes on as they are, one connection per call, and cuts its own connection where the venue cut its. A call
whose client has gone still reaches the venue, as it would on a real network.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, Self

from sandbox.roller.operations import OPERATIONS


@dataclass(slots=True)
class Call:
    """One call. `status` is None until the venue has answered, and stays None if it never does."""

    at: float
    operation: str | None
    method: str
    path: str
    token: str
    body: Any
    status: int | None = None


Hook = Callable[[Call], Awaitable[None]]


async def _nothing(_: Call) -> None:
    return None


class VenueProxy:
    """Listens on `port` and forwards to `upstream` on loopback. `before` runs before a call is passed on, `after` once
    the venue has answered and before its client gets the answer."""

    def __init__(self, port: int, upstream: int) -> None:
        self.port = port
        self._upstream = upstream
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._token: dict[asyncio.Task[None], str] = {}
        self.calls: list[Call] = []
        self.before: Hook = _nothing
        self.after: Hook = _nothing

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.shut()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def shut(self) -> None:
        """Refuse every new connection; calls that are under way go on."""
        assert self._server is not None
        self._server.close()

    def let_go(self) -> None:
        """Stop holding calls."""
        self.before, self.after = _nothing, _nothing

    async def quiet(self, tokens: Collection[str] | None = None) -> None:
        """Wait until no call is under way any more, or none with one of these tokens, so that every late call has
        arrived."""
        while waiting := {t for t in self._running if tokens is None or self._token.get(t) in tokens}:
            await asyncio.wait(waiting)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._token.pop(task, None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head, body = await _whole(reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        call = _call(head, body)
        self.calls.append(call)
        this = asyncio.current_task()
        assert this is not None
        self._token[this] = call.token
        await self.before(call)
        await self.treat(call, head, body, writer)

    async def treat(self, call: Call, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        """Pass a call on, and its answer back."""
        answer = await self.forward(head, body)
        if answer:
            call.status = status_of(answer)
        await self.after(call)
        if not answer:
            writer.transport.abort()
            return
        try:
            writer.write(answer)
            await writer.drain()
            writer.close()
        except ConnectionError:
            writer.transport.abort()

    async def forward(self, head: bytes, body: bytes) -> bytes:
        """Return the venue's answer; nothing when it cut the connection."""
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:") and line]
        request = b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream)
            writer.write(request)
            answer = await reader.read()
            writer.close()
        except ConnectionError:
            return b""
        return answer


def status_of(answer: bytes) -> int:
    """Return the status in an HTTP answer."""
    return int(answer.split(b" ", 2)[1])


async def _whole(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = _header(head, b"content-length")
    return head[:-4], await reader.readexactly(int(length)) if length else b""


def _header(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip()
    return b""


def _json(body: bytes) -> Any:
    """Return the JSON body; None for a form, which a token request sends."""
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None


def _call(head: bytes, body: bytes) -> Call:
    method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ", 2)
    path = target.partition("?")[0]
    token = _header(head, b"authorization").decode().removeprefix("Bearer ")
    return Call(
        at=time.monotonic(),
        operation=OPERATIONS.of(method, path),
        method=method,
        path=path,
        token=token,
        body=_json(body),
    )
