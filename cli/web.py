"""HTTP servers that stop when they are told to. Nothing of the service is imported: a sandbox needs none."""

import asyncio
import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp


class HttpServer(uvicorn.Server):
    """A uvicorn server that shares its process with others, so it leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handlers alone."""
        yield

    async def until_started(self) -> None:
        """Return once it accepts connections."""
        # uvicorn tells that it has started by this flag alone.
        while not self.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def http_server(app: ASGIApp, host: str, port: int, *, log_level: str = "warning") -> HttpServer:
    """A server for an ASGI app. Raises `SystemExit` at `serve` when the port is taken."""
    return HttpServer(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level=log_level,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=3,
            lifespan="on",
        )
    )
