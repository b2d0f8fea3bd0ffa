"""The stack's parts as processes of their own, against one Temporal service."""

import asyncio
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

log = logging.getLogger(__name__)


async def run_worker(settings: Settings, roles: Sequence[Role] = EVERY) -> None:
    """Work until told to stop; running activities get the venue call budget to finish. Told a second time, end at
    once."""
    from cli.serving import Workers
    from clients.old_keys import tell_unreadable
    from clients.services import assemble
    from infra.temporal import connect

    client = await connect(settings)
    services = assemble(settings, client)
    _warn_about_memory(settings)
    await services.attributes.tell_missing()
    await tell_unreadable(client, settings.ring())
    workers = Workers(services, client, grace=settings.call_timeout, roles=roles)
    stopping = _until_told()
    task = asyncio.create_task(workers.run())
    print(f"Worker polls {', '.join(workers.queues)} at {settings.temporal_address}.", flush=True)
    if Role.MODEL in roles or Role.PLAN in roles:
        await asyncio.to_thread(services.model.load)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
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


async def run_api(settings: Settings) -> None:
    """Serve the facade until told to stop."""
    from api.app import create_app
    from clients.old_keys import tell_unreadable
    from clients.services import assemble
    from infra.temporal import connect

    client = await connect(settings)
    services = assemble(settings, client)
    _warn_about_memory(settings)
    await services.attributes.tell_missing()
    await tell_unreadable(client, settings.ring())
    await run_http(create_app(services), settings.host, settings.port)
    await services.close()


async def run_http(app: ASGIApp, host: str, port: int) -> None:
    """Serve one ASGI app until told to stop."""
    server: HttpServer = http_server(app, host, port)
    stopping = _until_told()
    task = asyncio.create_task(server.serve())
    started = asyncio.create_task(server.until_started())
    await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        raise OSError(f"Nothing could be served on port {port}: is it taken?")
    print(f"Serving on http://{host}:{port}", flush=True)
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await task


def _until_told() -> asyncio.Task[bool]:
    event = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, event.set)
    return asyncio.create_task(event.wait())


def _warn_about_memory(settings: Settings) -> None:
    if not settings.redis_url:
        log.warning("REDIS_URL is not set: tokens stay in this process, so facade and worker cannot be two processes")
