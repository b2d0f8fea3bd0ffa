"""A venue at its worst: a raw TCP server that answers, hangs or hangs up as a test sets it, and keeps what it
received.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from contracts.base import Json

DROP = "drop"
"""Hang up without a byte once the request is in."""
HANG = "hang"
"""Never answer."""
HALF = "half"
"""Begin an answer and hang up."""
DRIP = "drip"
"""Give an answer a byte at a time, for an hour."""
_TLS_HANDSHAKE = b"\x16"
"""The first byte of a client that speaks TLS: this server does not."""


class RawServer:
    """A server whose `reply` goes to every request: raw bytes, or one of the constants above."""

    def __init__(self) -> None:
        self.reply: bytes | str = answer(200, {})
        self.heard: list[bytes] = []
        self.url = ""
        self.connections = 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                first = await reader.readexactly(1)
                if first == _TLS_HANDSHAKE:
                    writer.write(answer(400))
                    break
                head = first + await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (
                        int(line.split(b":")[1])
                        for line in head.lower().splitlines()
                        if line.startswith(b"content-length")
                    ),
                    0,
                )
                self.heard.append(head + await reader.readexactly(length))
                if self.reply == HANG:
                    await asyncio.Event().wait()
                if self.reply == HALF:
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
                    await writer.drain()
                if self.reply == DRIP:
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 36000\r\n\r\n")
                    for _ in range(36_000):
                        writer.write(b" ")
                        await writer.drain()
                        await asyncio.sleep(0.1)
                if isinstance(self.reply, str):
                    break
                writer.write(self.reply)
                await writer.drain()
        writer.close()


def answer(status: int, body: Json = None, *, text: str | None = None, **headers: str) -> bytes:
    """Return an HTTP answer: JSON, or `text` unchanged."""
    content = (json.dumps(body) if text is None else text).encode() if body is not None or text is not None else b""
    named = {"Content-Length": str(len(content)), **{k.replace("_", "-"): v for k, v in headers.items()}}
    lines = [f"HTTP/1.1 {status} Status", *(f"{k}: {v}" for k, v in named.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + content


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[RawServer]:
    """Run a server on a free loopback port."""
    raw = RawServer()
    tasks: set[asyncio.Task[Any]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(raw._serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    raw.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield raw
    for task in list(tasks):
        task.cancel()
    server.close()
