"""The stack's parts as processes of their own, against one Temporal service."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from cli.web import HttpServer, http_server
from infra.roles import EVERY, Role
from infra.settings import Settings

if TYPE_CHECKING:
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
    listening = _serve_metrics(services)
    if Role.MODEL in roles or Role.PLAN in roles:
        await asyncio.to_thread(services.model.load)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if listening is not None:
        listening.should_exit = True
    if not task.done():
        await _drained(workers, settings.call_timeout)
    await task
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


def _serve_metrics(services: "Services") -> HttpServer | None:
    """Begin to serve what this worker counts, where a port is set."""
    settings = services.settings
    if settings.metrics_port is None:
        return None
    # What serves it is loaded only where it is served.
    from api.metrics import create_metrics_app

    server: HttpServer = http_server(create_metrics_app(services), settings.metrics_host, settings.metrics_port)
    serving = asyncio.create_task(_served(server, settings.metrics_port))
    _SERVING.add(serving)
    serving.add_done_callback(_SERVING.discard)
    return server


async def _served(server: HttpServer, port: int) -> None:
    # uvicorn ends the program where its port is taken; a worker works on.
    try:
        await server.serve()
    except SystemExit:
        log.error("no metrics: nothing could be served on port %d (IQ_METRICS_PORT). The worker works on", port)


_SERVING: set[asyncio.Task[None]] = set()
"""Kept, as the loop itself does not."""


async def run_api(settings: Settings) -> None:
    """Serve the facade until told to stop."""
    from api.app import create_app
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
    await run_http(create_app(services), settings.host, settings.port)
    await services.close()


async def run_http(app: ASGIApp, host: str, port: int) -> None:
    """Serve one ASGI app until told to stop."""
    server: HttpServer = http_server(app, host, port)
    stopping = _until_told()
    task = asyncio.create_task(_until_stopped(server))
    started = asyncio.create_task(server.until_started())
    await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        raise OSError(f"Nothing could be served on port {port}: is it taken?")
    print(f"Serving on http://{host}:{port}", flush=True)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await task


async def _until_stopped(server: HttpServer) -> None:
    # uvicorn ends the program where its port is taken, before anybody could say which.
    with contextlib.suppress(SystemExit):
        await server.serve()


def _until_told() -> asyncio.Task[bool]:
    event = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, event.set)
    return asyncio.create_task(event.wait())


def _warn_about_memory(settings: Settings) -> None:
    if not settings.redis_url:
        log.warning("REDIS_URL is not set: tokens stay in this process, so facade and worker cannot be two processes")
