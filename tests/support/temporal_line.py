"""The connection between the API and Temporal, which may hold requests, hold answers, or lose answers.

Bytes are passed on as they are. Workers have a separate connection, so a plan goes on while its operator gets no
answer.
"""

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from typing import Self

_CHUNK = 65_536


class TemporalLine:
    """Listens on `port` and forwards to `upstream` on loopback."""

    def __init__(self, port: int, upstream: int) -> None:
        self.port = port
        self._upstream = upstream
        self._server: asyncio.Server | None = None
        self._asking, self._answering = asyncio.Event(), asyncio.Event()
        self._asking.set()
        self._answering.set()
        self._losing = False
        self.questions = 0
        """How many pieces of what is asked have come."""
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self.cut()

    async def hold_questions(self, seconds: float) -> None:
        """Hold the API's requests to Temporal for so long; then pass all of them on."""
        await self._closed_for(self._asking, seconds)

    async def hold_answers(self, seconds: float) -> None:
        """Hold Temporal's answers to the API for so long; then pass all of them on."""
        await self._closed_for(self._answering, seconds)

    @contextlib.contextmanager
    def answers_held(self) -> Iterator[None]:
        """Hold Temporal's answers to the API within the block; then pass all of them on."""
        self._answering.clear()
        try:
            yield
        finally:
            self._answering.set()

    async def lose_answers(self, seconds: float) -> None:
        """Deliver requests, lose answers, and break the connection after so long."""
        self._losing = True
        try:
            await asyncio.sleep(seconds)
            await self.cut()
        finally:
            self._losing = False

    async def _closed_for(self, gate: asyncio.Event, seconds: float) -> None:
        gate.clear()
        try:
            await asyncio.sleep(seconds)
        finally:
            gate.set()

    async def cut(self) -> None:
        """Break every open connection; new ones may be made."""
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        except OSError:
            writer.transport.abort()
            return
        ways = [
            asyncio.create_task(self._pass(reader, far_writer, self._asking, loses=False)),
            asyncio.create_task(self._pass(far_reader, writer, self._answering, loses=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            writer.transport.abort()
            far_writer.transport.abort()

    async def _pass(self, reader: StreamReader, writer: StreamWriter, gate: asyncio.Event, *, loses: bool) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(_CHUNK):
                self.questions += not loses
                await gate.wait()
                if loses and self._losing:
                    continue
                writer.write(data)
                await writer.drain()
