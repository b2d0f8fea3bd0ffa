"""The stack's parts as separate processes, against one Temporal service."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from infra.config.settings import Settings
from infra.http.http_server import DRAIN, HttpServer, http_server
from infra.temporal.task_queues import ALL_ROLES, Role

if TYPE_CHECKING:
    from api.shutdown import Shutdown
    from cli.stack.worker import Workers
    from clients.services import Services

log = logging.getLogger(__name__)


async def run_worker(settings: Settings, roles: Sequence[Role] = ALL_ROLES) -> None:
    """Work until stopped; running activities get the venue call budget to finish. A second signal ends the process at
    once."""
    from cli.stack.worker import Workers
    from clients.services import assemble
    from clients.temporal.search_attributes import log_missing_attributes, log_undecryptable
    from infra.stores.worker_config import log_mismatches
    from infra.temporal.client import connect
    from infra.temporal.sdk_metrics import measured

    client = await connect(settings, runtime=measured().runtime)
    services = assemble(settings, client)
    services.temporal.start()
    _warn_about_memory(settings)
    await log_missing_attributes(client)
    await log_undecryptable(client, settings.ring())
    await log_mismatches(services.worker_configs)
    workers = Workers(services, client, grace=settings.call_timeout, roles=roles)
    stopping = _until_signal()
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
    """Accept nothing new and let running tasks finish; at a second signal end at once, as a lost worker does."""
    again = _until_signal()
    waits = f"waits up to {grace:.0f} s for {workers.running}" if str(workers.running) else "nothing runs"
    print(f"Worker takes nothing new; {waits}. A second signal ends it at once.", flush=True)
    ending = asyncio.create_task(workers.shutdown())
    await asyncio.wait({ending, again}, return_when=asyncio.FIRST_COMPLETED)
    if not ending.done():
        print(f"Worker ends at once, in the middle of {workers.running}.", flush=True)
        os._exit(1)
    again.cancel()


def _serve_metrics(services: "Services") -> tuple[HttpServer, asyncio.Task[None]] | tuple[None, None]:
    """Start to serve this worker's metrics if a port is set; the task ends when the server ends."""
    settings = services.settings
    if settings.metrics_port is None:
        return None, None
    # The server is loaded only if metrics are served.
    from api.routes.metrics import create_metrics_app

    server: HttpServer = http_server(create_metrics_app(services), settings.metrics_host, settings.metrics_port)
    return server, asyncio.create_task(_served(server, settings.metrics_port))


async def _served(server: HttpServer, port: int) -> None:
    # uvicorn ends the program if its port is taken, but a worker must continue.
    try:
        await server.serve()
    except SystemExit:
        log.error("no metrics: nothing could be served on port %d (IQ_METRICS_PORT). The worker works on", port)


async def run_api(settings: Settings) -> None:
    """Serve the API until stopped."""
    from api.app import create_app
    from api.shutdown import drain_of
    from clients.services import assemble
    from clients.temporal.search_attributes import log_missing_attributes, log_undecryptable
    from infra.temporal.client import connect
    from infra.temporal.sdk_metrics import measured

    client = await connect(settings, runtime=measured().runtime)
    services = assemble(settings, client)
    services.temporal.start()
    _warn_about_memory(settings)
    await log_missing_attributes(client)
    await log_undecryptable(client, settings.ring())
    await services.ledger.opened()
    app = create_app(services)
    leaving = ShutdownNotice(app.state.stopping, settings.stop_notice, drain_of(settings))
    await serve_http(app, settings.host, settings.port, leaving=leaving)
    await services.close()


@dataclass(frozen=True)
class ShutdownNotice:
    """How an API process stops. `notice`: seconds for which it reports the stop while it still serves; `drain`: seconds
    that requests in progress have after that."""

    shutdown: "Shutdown"
    notice: float
    drain: float


async def serve_http(
    app: ASGIApp, host: str, port: int, *, drain: float = DRAIN, leaving: ShutdownNotice | None = None
) -> None:
    """Serve one ASGI app until a signal; requests in progress then have `drain` seconds, or end as `leaving` sets."""
    server: HttpServer = http_server(app, host, port, drain=leaving.drain + DRAIN if leaving else drain)
    stopping = _until_signal()
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


async def _leave(server: HttpServer, serving: asyncio.Task[None], how: ShutdownNotice, number: signal.Signals) -> None:
    """Report the stop, close the port, and let requests in progress be answered; at a second signal cut them off."""
    again = _until_signal()
    how.shutdown.begin()
    # Ctrl-C comes from a terminal, with no load balancer that must notice.
    notice = how.notice if number is signal.SIGTERM else 0.0
    print(
        f"API says at /readyz that it stops, for {notice:.0f} s; then what was begun has {how.drain:.0f} s. A second "
        "signal ends it at once.",
        flush=True,
    )
    await asyncio.wait({again}, timeout=notice)
    server.should_exit = True
    how.shutdown.let_watchers_go()
    await asyncio.wait({serving, again}, timeout=how.drain, return_when=asyncio.FIRST_COMPLETED)
    again.cancel()
    how.shutdown.cut()


async def _until_stopped(server: HttpServer) -> None:
    # uvicorn ends the program if its port is taken, before a caller could name the port.
    with contextlib.suppress(SystemExit):
        await server.serve()


def _until_signal() -> asyncio.Task[signal.Signals]:
    """Return a task that ends with the next signal to stop."""
    loop = asyncio.get_running_loop()
    received: asyncio.Future[signal.Signals] = loop.create_future()

    def hear(number: signal.Signals) -> None:
        if not received.done():
            received.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, hear, number)
    return asyncio.create_task(_heard(received))


async def _heard(received: asyncio.Future[signal.Signals]) -> signal.Signals:
    return await received


def _warn_about_memory(settings: Settings) -> None:
    if not settings.redis_url:
        log.warning("REDIS_URL is not set: tokens stay in this process, so facade and worker cannot be two processes")
