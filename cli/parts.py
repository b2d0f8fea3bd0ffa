"""The stack's parts as processes of their own, against one Temporal service."""

import asyncio
import logging
import signal

from starlette.types import ASGIApp

from cli.web import HttpServer, http_server
from infra.settings import Settings

log = logging.getLogger(__name__)


async def run_worker(settings: Settings) -> None:
    """Work until told to stop; running activities get the venue call budget to finish."""
    from cli.serving import worker
    from clients.services import assemble
    from infra.temporal import connect

    client = await connect(settings)
    services = assemble(settings, client)
    _warn_about_memory(settings)
    await services.attributes.tell_missing()
    one = worker(services, client, grace=settings.call_timeout)
    stopping = _until_told()
    task = asyncio.create_task(one.run())
    print(f"Worker polls {settings.task_queue} at {settings.temporal_address}.", flush=True)
    loading = asyncio.create_task(asyncio.to_thread(services.model.load))
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    await loading
    if task.done():
        task.result()
    await one.shutdown()
    await task
    await services.close()


async def run_api(settings: Settings) -> None:
    """Serve the facade until told to stop."""
    from api.app import create_app
    from clients.services import assemble
    from infra.temporal import connect

    client = await connect(settings)
    services = assemble(settings, client)
    _warn_about_memory(settings)
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
