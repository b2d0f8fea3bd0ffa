"""`iq dev`: the whole stack in one process beside one Temporal server, on neighbouring ports.

One process, because the API and the worker share the memory vault; every part uses real HTTP or gRPC on loopback.
"""

import asyncio
import contextlib
import json
import logging
import random
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from starlette.types import ASGIApp
from temporalio.client import Client

import offline_planner
from api.app import create_app
from api.routes.page import Demo
from api.shutdown import Shutdown
from cli.stack import temporal_server
from cli.stack.data_dir import StackInfo, lock_data_dir, write_info
from cli.stack.sandboxes import SANDBOXES, wanted
from cli.stack.worker import Workers
from clients.services import Services, assemble
from contracts.enums import ParameterRole
from infra.config.pack_variables import override
from infra.config.settings import Settings
from infra.errors import DependencyUnavailableError
from infra.http.http_server import HttpServer, http_server
from infra.temporal.client import connect
from infra.temporal.sdk_metrics import measured
from registry import Pack

log = logging.getLogger(__name__)

DEMO_TOKEN = "demo-operator"
_GRACE = 5.0
"""Seconds that running activities get when the stack stops; short, because a developer waits at the prompt."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The port of each part: the base and its neighbours, in a fixed order so that later parts keep their place."""

    base: int

    @classmethod
    def free(cls) -> "Ports":
        """Return ports that are free now, at a random place below the system's ephemeral ports, because several stacks
        may be starting at once. Raises `OSError`."""
        for _ in range(200):
            ports = cls(random.SystemRandom().randrange(22_000, 32_000, 10))
            with contextlib.suppress(OSError):
                ports.refuse_taken()
                return ports
        raise OSError("No eight free ports in a row were found.")

    @property
    def facade(self) -> int:
        """Return the port of the HTTP API."""
        return self.base

    @property
    def roller(self) -> int:
        """Return the port of the ROLLER sandbox."""
        return self.sandbox("roller")

    @property
    def restaurant(self) -> int:
        """Return the port of the restaurants' reservations service."""
        return self.sandbox("restaurant")

    @property
    def calendar(self) -> int:
        """Return the port of the calendar sandbox."""
        return self.sandbox("calendar")

    @property
    def model(self) -> int:
        """Return the port of the offline planner."""
        return self.base + 4

    @property
    def temporal(self) -> int:
        """Return the port of Temporal's gRPC address."""
        return self.base + 5

    @property
    def temporal_ui(self) -> int:
        """Return the port of Temporal's web page."""
        return self.base + 6

    def sandbox(self, pack: str) -> int:
        """Return the port of the simulation of a pack's API. Raises KeyError for a pack without one."""
        return self.base + SANDBOXES[pack].port

    @property
    def bookeo(self) -> int:
        """Return the port of the Bookeo sandbox."""
        return self.sandbox("bookeo")

    def refuse_taken(self) -> None:
        """Raise `OSError`, naming the port, if one of ours is in use."""
        for name in ("facade", "roller", "restaurant", "calendar", "model", "temporal", "temporal_ui", "bookeo"):
            port = getattr(self, name)
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError as error:
                    raise OSError(
                        f"Port {port} ({name.replace('_', ' ')}) is taken. Stop what uses it, or choose others with "
                        f"--port-base."
                    ) from error


class Stack:
    """All parts, started in order and stopped in reverse."""

    def __init__(self, settings: Settings, ports: Ports, *, controls: bool) -> None:
        self.ports = ports
        self._controls = controls
        self.simulated = wanted(settings)
        self.settings = settings.model_copy(
            update={
                "port": ports.facade,
                "ui_origins": (
                    *settings.ui_origins,
                    f"http://127.0.0.1:{ports.temporal_ui}",
                    f"http://localhost:{ports.temporal_ui}",
                ),
                "temporal_address": f"127.0.0.1:{ports.temporal}",
                "temporal_profile": None,
                "temporal_config_file": None,
                "venue_urls": {
                    **settings.venue_urls,
                    **{pack: f"http://127.0.0.1:{ports.sandbox(pack)}" for pack in wanted(settings)},
                },
                "temporal_ui_url": settings.temporal_ui_url or f"http://127.0.0.1:{ports.temporal_ui}",
                "model_base_url": settings.model_base_url
                if "model_base_url" in settings.model_fields_set
                else f"http://127.0.0.1:{ports.model}/v1",
            }
        )
        self._closing = contextlib.AsyncExitStack()
        self._server: temporal_server.TemporalServer | None = None
        self.services: Services | None = None

    async def __aenter__(self) -> "Stack":
        """Start every part; return once all accept connections."""
        try:
            await self._start()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop every part."""
        await self._closing.aclose()

    async def _start(self) -> None:
        data = self.settings.data
        # The folder before the ports: if both are taken, the error should name the folder's holder.
        self._closing.enter_context(lock_data_dir(data, f"http://127.0.0.1:{self.ports.facade}/"))
        self.ports.refuse_taken()
        config = temporal_server.read_config()
        server = await temporal_server.start(
            config,
            data,
            port=self.ports.temporal,
            ui_port=self.ports.temporal_ui,
            codec=f"http://127.0.0.1:{self.ports.facade}/codec",
            named=self.settings.temporal_binary,
        )
        self._closing.push_async_callback(server.stop)
        self._server = server
        for pack in self.simulated:
            self._closing.enter_context(override(SANDBOXES[pack].keys))
            await self._serve(self._venue(pack), self.ports.sandbox(pack))
        await self._serve(offline_planner.create_app(), self.ports.model)
        client = await self._connected(server)
        await temporal_server.keep_for(client, config.retention_days)
        await temporal_server.register(client, config.search_attributes)
        self.services = assemble(self.settings, client)
        self._closing.push_async_callback(self.services.close)
        self.services.temporal.start()
        await self._store_answers(self.services)
        await self._work(self._worker(self.services, client, _GRACE))
        await self.services.ledger.opened()
        facade = create_app(self.services, self._demo())
        await self._serve(facade, self.ports.facade, host=self.settings.host, stopping=facade.state.stopping)
        info = StackInfo(temporal=self.settings.temporal_address, temporal_ui=str(self.settings.temporal_ui_url))
        self._closing.enter_context(write_info(data, info))
        loading = asyncio.create_task(asyncio.to_thread(self.services.model.load))
        self._closing.push_async_callback(asyncio.wait, {loading})

    async def until_temporal_ends(self) -> str:
        """Wait until the Temporal server ends by itself. Return the error message with the way out."""
        assert self._server is not None
        code = await self._server.process.wait()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return (
            f"The Temporal server {how}; {self.settings.data / 'temporal.log'} may say why. Nothing runs without it, "
            f"so this ends. Plans are kept in {self.settings.data.resolve()}: start `iq dev` again, and they go on."
        )

    async def _store_answers(self, services: Services) -> None:
        # A stack that reports ready must be able to store a token.
        try:
            await services.vault.wipe(await services.vault.put("probe", 1))
        except DependencyUnavailableError:
            raise OSError(
                "Nothing answers at REDIS_URL. Start that Redis, or leave REDIS_URL out to keep tokens in memory."
            ) from None

    def _demo(self) -> Demo | None:
        """Return the user that a visitor of the page is signed in as, if the venue is simulated."""
        assert self.services is not None
        pack = self.services.registries.registry.default_venue
        if pack.profile.pack not in self.simulated:
            return None
        return Demo(DEMO_TOKEN, SANDBOXES[pack.profile.pack].tries_in(pack.profile.locale) or (_to_try(pack),))

    def _venue(self, pack: str) -> ASGIApp:
        return SANDBOXES[pack].create(self.settings.data, self._controls)

    def _worker(self, services: Services, client: Client, grace: float) -> Workers:
        return Workers(services, client, grace=grace)

    async def _connected(self, server: temporal_server.TemporalServer) -> Client:
        connecting = asyncio.create_task(connect(self.settings, wait=20, runtime=measured().runtime))
        dying = asyncio.create_task(server.process.wait())
        await asyncio.wait({connecting, dying}, return_when=asyncio.FIRST_COMPLETED)
        if not connecting.done():
            connecting.cancel()
            raise ConnectionError(f"The Temporal server stopped at once; see {self.settings.data / 'temporal.log'}.")
        dying.cancel()
        return connecting.result()

    async def _serve(self, app: ASGIApp, port: int, host: str = "127.0.0.1", stopping: Shutdown | None = None) -> None:
        server: HttpServer = http_server(app, host, port)
        task = asyncio.create_task(server.serve())

        async def stop() -> None:
            server.should_exit = True
            if stopping is not None:
                stopping.let_watchers_go()
            await asyncio.wait({task}, timeout=5)
            task.cancel()

        self._closing.push_async_callback(stop)
        started = asyncio.create_task(server.until_started())
        await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            started.cancel()
            raise OSError(f"Nothing could be served on port {port}.")

    async def _work(self, one: Workers) -> None:
        task = asyncio.create_task(one.run())

        async def stop() -> None:
            await one.shutdown()
            await asyncio.wait({task}, timeout=_GRACE + 5)

        self._closing.push_async_callback(stop)


def banner(stack: Stack, seconds: float) -> str:
    """Return the addresses, the simulated parts, and one request to try."""
    ports, settings = stack.ports, stack.settings
    offline = settings.model_base_url.startswith(f"http://127.0.0.1:{ports.model}/")
    model = (
        "offline-planner: rules, not a language model" if offline else f"{settings.model} at {settings.model_base_url}"
    )
    assert stack.services is not None
    texts = {
        "user_message": _to_try(stack.services.registries.registry.default_venue),
        "session_id": "s1",
        "user_id": "me",
    }
    body = json.dumps(texts, ensure_ascii=False).replace("'", "'\\''")
    venues = "\n".join(_venues(stack))
    return f"""
iQ booking updates is ready ({seconds:.1f} s). Ctrl-C stops everything.

  Page            http://127.0.0.1:{ports.facade}/
  Staff's inbox   http://127.0.0.1:{ports.facade}/staff/inbox.html
  API             http://127.0.0.1:{ports.facade}/docs
  Temporal UI     http://127.0.0.1:{ports.temporal_ui}
{venues}
  Model           {model}
  State           {settings.data.resolve()}

Try:
  curl -s http://127.0.0.1:{ports.facade}/v1/requests -H 'Authorization: Bearer {DEMO_TOKEN}' \\
    -H 'Content-Type: application/json' -d '{body}'
"""


def _to_try(pack: Pack) -> str:
    """Return a request that the pack understands and that can be undone; about an existing booking, if one is known."""
    sandbox = SANDBOXES.get(pack.profile.pack)
    if sandbox is not None and (tries := sandbox.tries_in(pack.profile.locale)):
        return tries[0]
    writes = [a for a in pack.actions.values() if not a.read_only]
    writes.sort(key=lambda a: not (a.reversible and a.with_role(ParameterRole.BOOKING)))
    return next((example.say for a in writes for example in a.examples), "what can you do?")


def _venues(stack: Stack) -> Iterator[str]:
    """Yield each served pack, and the address of its API."""
    assert stack.services is not None
    for pack in stack.services.registries.registry.packs:
        name = pack.profile.pack
        simulated = name in stack.simulated
        title = SANDBOXES[name].title if simulated else name
        kind = SANDBOXES[name].kind if simulated else "not simulated by us"
        page = SANDBOXES[name].page if simulated else ""
        yield f"  {title:<15} {pack.profile.base_url}{page}   ({kind})"


async def run(settings: Settings, ports: Ports, *, controls: bool) -> None:
    """Run the stack until Ctrl-C or SIGTERM. Raises `ConnectionError` if its Temporal server ends before."""
    began = time.monotonic()
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    async with Stack(settings, ports, controls=controls) as stack:
        print(banner(stack, time.monotonic() - began), flush=True)
        stopped, ended = asyncio.create_task(stopping.wait()), asyncio.create_task(stack.until_temporal_ends())
        await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
        # Ctrl-C reaches the whole terminal, so Temporal's end is expected then.
        if not stopped.done():
            raise ConnectionError(ended.result())
        ended.cancel()
        print("Stopping …", flush=True)


def data_folder(path: Path | None, settings: Settings) -> Settings:
    """Return the settings with another data folder, if one is named."""
    return settings if path is None else settings.model_copy(update={"data": path})
