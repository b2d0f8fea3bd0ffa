"""A stack with several processes of a kind: workers by role or version, APIs, each of which a test may end and
start."""

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Collection
from pathlib import Path

from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack
from tests.support.processes import IQ, ROOT, answers
from tests.support.stacks import free_base
from tests.support.waiting import STARTING


class MultiProcessStack(ProcessStack):
    """A running stack with processes beside its first worker and API, by names; `without` omits those two."""

    def __init__(self, data: Path, redis_url: str, without: Collection[str] = (), **environment: str) -> None:
        super().__init__(data, redis_url, **environment)
        self._without = without
        self.processes: dict[str, Process] = {}
        self.facades: dict[str, str] = {}

    async def start_facade(self) -> None:
        """Start the first one, unless it is omitted."""
        if "facade" not in self._without:
            await super().start_facade()

    async def start_worker(self) -> None:
        """Start the first one, unless it is omitted."""
        if "worker" not in self._without:
            await super().start_worker()

    async def ready(self) -> None:
        """Wait until every part answers; return at once where a part is started later."""
        if not self._without:
            await super().ready()

    async def start(self, name: str, *arguments: str, tree: Path = ROOT, **environment: str) -> None:
        """Start `iq …` under a name, from another copy of the code where one is given; for a worker wait until it
        polls."""
        log = self._data / f"{name}.log"
        seen = len(self.log_of(name))
        with log.open("ab") as out:
            self.processes[name] = await asyncio.create_subprocess_exec(
                *IQ,
                *arguments,
                cwd=tree,
                env={**os.environ, **self._environment, **environment},
                stdout=out,
                stderr=out,
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        if arguments[0] == "worker":
            await self.says(name, "Worker polls", seen)

    async def start_api(self, name: str, *, ready: bool = True, **environment: str) -> str:
        """Start an API, on the same port as before where it had one. Return its address."""
        url = self.facades.setdefault(name, f"http://127.0.0.1:{free_base(1)}")
        await self.start(name, "api", **{**environment, "IQ_PORT": url.rpartition(":")[2]})
        if ready:
            await answers(f"{url}/readyz")
        return url

    async def says(self, name: str, text: str, after: int = 0, within: float = STARTING) -> None:
        """Wait until a process has written this."""
        async with asyncio.timeout(within):
            while text not in self.log_of(name)[after:]:  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.05)

    async def end(self, name: str, how: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to a process and wait until it is gone. Return its exit code."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(how)
        return await process.wait()

    def at(self, name: str, token: str) -> Operator:
        """Return an operator at the API of that name."""
        return Operator(self.facades[name], token=token)

    async def _stop_all(self) -> None:
        for name in list(self.processes):
            await self.end(name)
        await super()._stop_all()
