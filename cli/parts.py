"""The stack's parts as processes of their own, against one Temporal service."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from cli.web import DRAIN, HttpServer, http_server
from infra.roles import EVERY, Role
from infra.settings import Settings

if TYPE_CHECKING:
    from api.stopping import Stopping
    from cli.serving import Workers
    from clients.services import Services

log = logging.getLogger(__name__)


async def run_worker(settings: Settings, roles: Sequence[Role] = EVERY) -> None:
    """Work until told to stop; running activities get the venue call budget to finish. Told a second time, end at
    once."""
    from cli.serving import Workers
    from clients.old_keys import tell_unreadable
    from clients.services import assemble
    from infra.sdk_metrics import measured
    from infra.setups import tell_apart
    from infra.temporal import connect

    client = await connect(settings, runtime=measured().runtime)
    services = assemble(settings, client)
    services.temporal.begin()
    _warn_about_memory(settings)
    await services.attributes.tell_missing()
    await tell_unreadable(client, settings.ring())
    await tell_apart(services.setups)
    workers = Workers(services, client, grace=settings.call_timeout, roles=roles)
    stopping = _until_told()
    task = asyncio.create_task(workers.run())
    print(f"Worker polls {', '.join(workers.queues)} at {settings.temporal_address}.", flush=True)
    listening, serving = _serve_metrics(services)
    if Role.MODEL in roles or Role.PLAN in roles:
        await asyncio.to_thread(services.model.load)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        await _drained(workers, settings.call_timeout)
    try:
        await task
    finally:
        if listening is not None and serving is not None:
            listening.should_exit = True
            await serving
    await services.close()


async def _drained(workers: "Workers", grace: float) -> None:
    """Take nothing new and let what runs end; told again, end at once, as a lost worker does."""
    again = _until_told()
    waits = f"waits up to {grace:.0f} s for {workers.running}" if str(workers.running) else "nothing runs"
    print(f"Worker takes nothing new; {waits}. A second signal ends it at once.", flush=True)
    ending = asyncio.create_task(workers.shutdown())
    await asyncio.wait({ending, again}, return_when=asyncio.FIRST_COMPLETED)
    if not ending.done():
        print(f"Worker ends at once, in the middle of {workers.running}.", flush=True)
        os._exit(1)
    again.cancel()


def _serve_metrics(services: "Services") -> tuple[HttpServer, asyncio.Task[None]] | tuple[None, None]:
    """Begin to serve what this worker counts, where a port is set; the task is over once the server has ended."""
    settings = services.settings
    if settings.metrics_port is None:
        return None, None
    # What serves it is loaded only where it is served.
    from api.metrics import create_metrics_app

    server: HttpServer = http_server(create_metrics_app(services), settings.metrics_host, settings.metrics_port)
    return server, asyncio.create_task(_served(server, settings.metrics_port))


async def _served(server: HttpServer, port: int) -> None:
    # uvicorn ends the program where its port is taken; a worker works on.
    try:
        await server.serve()
    except SystemExit:
        log.error("no metrics: nothing could be served on port %d (IQ_METRICS_PORT). The worker works on", port)


async def run_api(settings: Settings) -> None:
    """Serve the facade until told to stop."""
    from api.app import create_app
    from api.stopping import drain_of
    from clients.old_keys import tell_unreadable
    from clients.services import assemble
    from infra.sdk_metrics import measured
    from infra.temporal import connect

    client = await connect(settings, runtime=measured().runtime)
    services = assemble(settings, client)
    services.temporal.begin()
    _warn_about_memory(settings)
    await services.attributes.tell_missing()
    await tell_unreadable(client, settings.ring())
    await services.ledger.opened()
    app = create_app(services)
    leaving = Leaving(app.state.stopping, settings.stop_notice, drain_of(settings))
    await run_http(app, settings.host, settings.port, leaving=leaving)
    await services.close()


@dataclass(frozen=True)
class Leaving:
    """How a facade stops. `notice`: seconds for which it says so while it serves; `drain`: those that what was begun
    has then."""

    stopping: "Stopping"
    notice: float
    drain: float


async def run_http(app: ASGIApp, host: str, port: int, *, drain: float = DRAIN, leaving: Leaving | None = None) -> None:
    """Serve one ASGI app until a signal; what was begun then has `drain` seconds, or ends as `leaving` says."""
    server: HttpServer = http_server(app, host, port, drain=leaving.drain + DRAIN if leaving else drain)
    stopping = _until_told()
    task = asyncio.create_task(_until_stopped(server))
    started = asyncio.create_task(server.until_started())
    await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        raise OSError(f"Nothing could be served on port {port}: is it taken?")
    print(f"Serving on http://{host}:{port}", flush=True)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if leaving is not None and not task.done():
        await _leave(server, task, leaving, await stopping)
    server.should_exit = True
    await task


async def _leave(server: HttpServer, serving: asyncio.Task[None], how: Leaving, number: signal.Signals) -> None:
    """Say that this ends, close the port, and let what was begun be answered; at a second signal cut it off."""
    again = _until_told()
    how.stopping.begin()
    # Ctrl-C comes from a terminal, with no load balancer that must notice.
    notice = how.notice if number is signal.SIGTERM else 0.0
    print(
        f"API says at /readyz that it stops, for {notice:.0f} s; then what was begun has {how.drain:.0f} s. A second "
        "signal ends it at once.",
        flush=True,
    )
    await asyncio.wait({again}, timeout=notice)
    server.should_exit = True
    how.stopping.let_watchers_go()
    await asyncio.wait({serving, again}, timeout=how.drain, return_when=asyncio.FIRST_COMPLETED)
    again.cancel()
    how.stopping.cut()


async def _until_stopped(server: HttpServer) -> None:
    # uvicorn ends the program where its port is taken, before anybody could say which.
    with contextlib.suppress(SystemExit):
        await server.serve()


def _until_told() -> asyncio.Task[signal.Signals]:
    """The next signal to stop."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[signal.Signals] = loop.create_future()

    def hear(number: signal.Signals) -> None:
        if not told.done():
            told.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, hear, number)
    return asyncio.create_task(_heard(told))


async def _heard(told: asyncio.Future[signal.Signals]) -> signal.Signals:
    return await told


def _warn_about_memory(settings: Settings) -> None:
    if not settings.redis_url:
        log.warning("REDIS_URL is not set: tokens stay in this process, so facade and worker cannot be two processes")
