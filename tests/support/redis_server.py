"""A Redis of a single run, which may be stalled, killed and started again, which loses its data."""

import asyncio
import contextlib
import shutil
import signal
import time
from asyncio.subprocess import DEVNULL, Process
from typing import Self

import redis.asyncio

from tests.support.waiting import STARTING


class RedisServer:
    """Listens on `port` of loopback and keeps nothing on disk."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._process: Process | None = None
        self.url = f"redis://127.0.0.1:{port}/0"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, unless it runs, and wait until it answers. Raises `RuntimeError` where none is installed."""
        if self._process is not None:
            return
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("no redis-server is installed")
        arguments = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
        self._process = await asyncio.create_subprocess_exec(
            program, *arguments, stdout=DEVNULL, stderr=DEVNULL, stdin=DEVNULL, start_new_session=True
        )
        until = time.monotonic() + STARTING
        async with redis.asyncio.from_url(self.url) as store:
            while True:
                with contextlib.suppress(redis.exceptions.RedisError, OSError):
                    await store.ping()
                    return
                if time.monotonic() > until:
                    raise RuntimeError("Redis did not start")
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """Kill it with all its data, stalled or not."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    def stall(self) -> None:
        """Let it answer nothing; connections stay open."""
        self._tell(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again, also the calls that came meanwhile."""
        self._tell(signal.SIGCONT)

    def _tell(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)
