"""The product's parts as separate processes, each of which a test may kill and start again: Temporal on a database
file, ROLLER sandbox behind a recording proxy, worker, API. Tokens are in a Redis database that only this run uses; the
scripted model and the proxy run in the test process."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Self

import redis.asyncio
from temporalio.client import Client
from temporalio.service import RPCError

import offline_planner
from cli.stack import temporal_server
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line
from infra.http.http_server import http_server
from infra.temporal.client import connect
from tests.support import needs
from tests.support.hostile_proxy import HostileProxy
from tests.support.operator import Operator
from tests.support.processes import IQ, ROOT, answers
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import free_base
from tests.support.waiting import STARTING, soon

SETTLE = 2.0
"""Seconds."""

PATIENT = {
    "IQ_MODEL_TIMEOUT": "10",
    "IQ_CALL_TIMEOUT": "10",
    "IQ_TURN_BUDGET": "25",
    "IQ_SIGN_IN_TIMEOUT": "60",
    "IQ_ROLLBACK_TIMEOUT": "60",
    "IQ_ANSWER_TIMEOUT": "300",
}
"""So long that a busy machine's pauses are no failures. A test that waits for one of these to pass sets its own."""

HURRIED = {
    "IQ_MODEL_TIMEOUT": "3",
    "IQ_CALL_TIMEOUT": "2",
    "IQ_TURN_BUDGET": "6",
    "IQ_SIGN_IN_TIMEOUT": "10",
    "IQ_ROLLBACK_TIMEOUT": "60",
    "IQ_ANSWER_TIMEOUT": "4",
}
"""For runs of hundreds of plans, each of which waits for some of these. A venue call of theirs may come late by less
than the call's time-out and `SETTLE` together."""

_CLAIM = "iq:test:process"

_FACADE, _ROLLER, _PROXY, _MODEL, _TEMPORAL, _UI, _LINE, _STORE = range(8)


@contextlib.asynccontextmanager
async def own_redis() -> AsyncIterator[str]:
    """Yield the URL of a Redis database that no other run uses, emptied at the end. Raises `RuntimeError` when all are
    in use."""
    for number in range(10, 16):
        url = f"redis://127.0.0.1:6379/{number}"
        async with redis.asyncio.from_url(url, decode_responses=True) as store:
            if not _alive(await store.get(_CLAIM)):
                await store.delete(_CLAIM)
            if not await store.set(_CLAIM, os.getpid(), nx=True, ex=7200):
                continue
            try:
                yield url
            finally:
                await store.flushdb()
            return
    raise RuntimeError("every Redis database from 10 to 15 is in use")


class RedisProcess:
    """A Redis that one test may let hang."""

    def __init__(self, process: Process, url: str) -> None:
        self._process = process
        self.url = url

    def freeze(self) -> None:
        """Accept calls and answer none, until it is thawed."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Answer again."""
        self._process.send_signal(signal.SIGCONT)


@contextlib.asynccontextmanager
async def redis_process(folder: Path) -> AsyncIterator[RedisProcess]:
    """A running Redis that keeps nothing on disk."""
    port = free_base(1)
    arguments = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder))
    process = await asyncio.create_subprocess_exec(
        needs.redis_server(), *arguments, stdout=asyncio.subprocess.DEVNULL, start_new_session=True
    )
    try:
        async with redis.asyncio.from_url(f"redis://127.0.0.1:{port}") as store:

            async def answers_pings() -> bool:
                with contextlib.suppress(redis.exceptions.ConnectionError):
                    return bool(await store.ping())
                return False

            await soon(answers_pings, STARTING)
        yield RedisProcess(process, f"redis://127.0.0.1:{port}/0")
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        await process.wait()


def _alive(process: str | bytes | None) -> bool:
    return process is not None and Path("/proc", str(process)).exists()


class ProcessStack:
    """A running stack. `data` is its folder, `redis_url` a separate Redis database; `environment` adds to the settings
    of worker and API, `of_facade` to those of the API alone."""

    def __init__(
        self, data: Path, redis_url: str, *, of_facade: Mapping[str, str] | None = None, **environment: str
    ) -> None:
        self._data = data
        self._base = free_base(8)
        self._closing = contextlib.AsyncExitStack()
        self.redis_url = redis_url
        self._pack = data / "overlays" / "roller"
        self.vault: redis.asyncio.Redis = redis.asyncio.from_url(redis_url, decode_responses=True)
        self.scripted = ScriptedModel(offline_planner.create_app())
        self.proxy = HostileProxy(self._base + _PROXY, self._base + _ROLLER)
        self.facade_url = f"http://127.0.0.1:{self._base + _FACADE}"
        self._temporal: temporal_server.TemporalServer | None = None
        self._worker: Process | None = None
        self._facade: Process | None = None
        self._worker_log = 0
        self._one_at_a_time = asyncio.Lock()
        self._keys = new_key_line()
        self._environment = {
            "IQ_DATA": str(data),
            "IQ_KEYS": self._keys,
            "IQ_PORT": str(self._base + _FACADE),
            "IQ_PACKS": str(self._pack),
            "IQ_VENUE_URLS": f'{{"roller": "http://127.0.0.1:{self._base + _PROXY}"}}',
            "IQ_MODEL_BASE_URL": f"http://127.0.0.1:{self._base + _MODEL}/v1",
            **PATIENT,
            "TEMPORAL_ADDRESS": f"127.0.0.1:{self._base + _TEMPORAL}",
            "REDIS_URL": redis_url,
            **environment,
        }
        self.port_of_temporal, self.port_of_line = self._base + _TEMPORAL, self._base + _LINE
        self.port_of_store = self._base + _STORE
        self._of_facade = dict(of_facade or {})
        """Settings of the facade alone."""
        self.venue_says = ""
        """Added to the venue's profile."""
        self.client: Client
        self.settings: Settings

    def use_redis(self, url: str) -> None:
        """Keep tokens and commands there; call it before the start."""
        self.redis_url = self._environment["REDIS_URL"] = url
        self.vault = redis.asyncio.from_url(url, decode_responses=True)

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._closing.aclose()

    async def _start(self) -> None:
        shutil.copytree(ROOT / "overlays" / "roller", self._pack)
        profile = self._pack / "venue.yaml"
        settled = re.sub(r"settle_seconds: .*", f"settle_seconds: {SETTLE}", profile.read_text())
        profile.write_text(settled + self.venue_says)
        self._closing.push_async_callback(self.vault.aclose)
        await self.forget_tokens()
        self._closing.push_async_callback(self._stop_all)
        await self.start_temporal()
        await self._closing.enter_async_context(self.proxy)
        await self._serve_model()
        roller = ("sandbox", "roller", "--port", str(self._base + _ROLLER), "--data", str(self._data), "--controls")
        self._keep(await self._iq("roller", *roller))
        await self.start_facade()
        await self.start_worker()
        self.settings = Settings(
            _env_file=None, keys=self._keys, temporal_address=f"127.0.0.1:{self._base + _TEMPORAL}"
        )
        self.client = await connect(self.settings, wait=STARTING)
        await self.ready()

    async def _serve_model(self) -> None:
        server = http_server(self.scripted.app, "127.0.0.1", self._base + _MODEL)
        task = asyncio.create_task(server.serve())
        await server.until_started()

        async def stop() -> None:
            server.should_exit = True
            await task

        self._closing.push_async_callback(stop)

    async def ready(self) -> None:
        """Wait until every part answers. Temporal still lists a worker that has just died, so the current one has to
        report itself that it polls."""
        await answers(f"{self.facade_url}/readyz")
        await self.worker_polls()

    async def worker_polls(self) -> None:
        """Wait until the worker that was started last polls."""
        until = asyncio.get_running_loop().time() + STARTING
        while "Worker polls" not in self.log_of("worker")[self._worker_log :]:
            assert asyncio.get_running_loop().time() < until, self.log_of("worker")[-2000:]
            await asyncio.sleep(0.05)

    def operator(self, token: str = "demo-operator") -> Operator:
        """Return an operator at the API."""
        return Operator(self.facade_url, token=token)

    def roller(self) -> Roller:
        """Return the venue's own system, not through the proxy."""
        return Roller(f"http://127.0.0.1:{self._base + _ROLLER}")

    async def grant(self, token: str) -> None:
        """Let the venue accept this token."""
        async with self.roller() as venue:
            response = await venue.http.post("/_sandbox/tokens", json={"token": token})
            assert response.is_success, response.text

    async def tokens_kept(self) -> list[str]:
        """Return references of the tokens that the vault holds."""
        return [str(key) for key in await self.vault.keys("iq:token:*")]

    def stall_temporal(self) -> None:
        """Let Temporal answer nothing; connections stay open."""
        if self._temporal is not None:
            self._temporal.process.send_signal(signal.SIGSTOP)

    def temporal_goes_on(self) -> None:
        """Let it answer again."""
        if self._temporal is not None and self._temporal.process.returncode is None:
            self._temporal.process.send_signal(signal.SIGCONT)

    async def forget_tokens(self) -> None:
        """Empty the vault."""
        kept = await self.tokens_kept()
        if kept:
            await self.vault.delete(*kept)

    async def pause_worker(self, seconds: float) -> None:
        """Suspend the worker for so long."""
        self.stop_worker()
        await asyncio.sleep(seconds)
        self.worker_goes_on()

    def stop_worker(self) -> None:
        """Suspend the worker until it is resumed."""
        assert self._worker is not None
        self._worker.send_signal(signal.SIGSTOP)

    def worker_goes_on(self) -> None:
        """Resume it."""
        assert self._worker is not None
        self._worker.send_signal(signal.SIGCONT)

    async def kill_worker(self) -> None:
        """SIGKILL the worker, if one runs."""
        async with self._one_at_a_time:
            worker, self._worker = self._worker, None
            if worker is not None and worker.returncode is None:
                worker.kill()
                await worker.wait()

    async def kill_facade(self) -> None:
        """SIGKILL the API, if one runs: every stream that it holds breaks."""
        facade, self._facade = self._facade, None
        if facade is not None and facade.returncode is None:
            facade.kill()
            await facade.wait()

    async def start_facade(self) -> None:
        """Start the API on the same port, unless one runs."""
        if self._facade is None:
            self._facade = await self._iq("api", "api")

    async def start_worker(self) -> None:
        """Start the worker, unless one runs."""
        async with self._one_at_a_time:
            if self._worker is None or self._worker.returncode is not None:
                self._worker_log = len(self.log_of("worker"))
                self._worker = await self._iq("worker", "worker")

    async def stop_temporal(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End Temporal and wait until it is gone."""
        async with self._one_at_a_time:
            server, self._temporal = self._temporal, None
            if server is None:
                return
            if how is signal.SIGKILL:
                server.process.kill()
                await server.process.wait()
            else:
                await server.stop()

    async def start_temporal(self) -> None:
        """Start Temporal on the same file and ports, unless it runs."""
        async with self._one_at_a_time:
            if self._temporal is None:
                self._temporal = await temporal_server.start(
                    temporal_server.read_config(), self._data, port=self._base + _TEMPORAL, ui_port=self._base + _UI
                )

    def freeze_temporal(self) -> None:
        """Let Temporal hang: it accepts calls and answers none, until it is thawed."""
        assert self._temporal is not None
        self._temporal.process.send_signal(signal.SIGSTOP)

    def thaw_temporal(self) -> None:
        """Let it answer again."""
        if self._temporal is not None:
            self._temporal.process.send_signal(signal.SIGCONT)

    async def temporal_answers(self) -> None:
        """Wait until Temporal serves again."""
        await soon(self._healthy, STARTING)

    async def _healthy(self) -> bool:
        try:
            return bool(await self.client.service_client.check_health(timeout=timedelta(seconds=5)))
        except RPCError:
            return False

    async def _iq(self, name: str, *arguments: str) -> Process:
        with (self._data / f"{name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *IQ,
                *arguments,
                cwd=ROOT,
                env={**os.environ, **self._environment, **(self._of_facade if name == "api" else {})},
                stdout=log,
                stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )

    def _keep(self, process: Process) -> None:
        async def stop() -> None:
            if process.returncode is None:
                process.kill()
            await process.wait()

        self._closing.push_async_callback(stop)

    async def _stop_all(self) -> None:
        await self.kill_facade()
        await self.kill_worker()
        await self.stop_temporal(signal.SIGTERM)

    def log_of(self, name: str) -> str:
        """Return the log of a part so far."""
        path = self._data / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""
