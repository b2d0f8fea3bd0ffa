"""HTTP servers that stop on request. This module imports nothing of the service, because a sandbox needs none.

Options of our HTTP servers that differ from the library's defaults.
"""

import asyncio
import contextlib
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

# The worker serves health checks through this module and needs no FastAPI: importing it takes a second.
if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig

DRAIN = 3.0
"""Seconds for running requests after a stop signal, if their time limit is not known."""
CLIENT_WITHIN = 30.0
"""Seconds that a client has for the head of a request, and for the rest of a body that was answered before its end."""


class _Bounded(H11Protocol):
    """uvicorn closes a connection that is idle after a response. This class also closes one that sends data without
    completing a request. The application itself limits the wait for a body that it reads."""

    within = CLIENT_WITHIN
    _ending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._settle()

    def _look(self) -> None:
        theirs, ours = self.conn.their_state, self.conn.our_state
        head = theirs is h11.IDLE and (self.cycle is None or bool(self.conn.trailing_data[0]))
        rest = theirs is h11.SEND_BODY and ours in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
        if not (head or rest):
            self._settle()
        elif self._ending is None:
            self._ending = self.loop.call_later(self.within, self.transport.close)

    def _settle(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


class HttpServer(uvicorn.Server):
    """A uvicorn server that shares its process with others, so it leaves signals to that process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield

    async def until_started(self) -> None:
        """Return once the server accepts connections."""
        # This flag is uvicorn's only sign that it has started.
        while not self.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def http_server(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    log_level: str = "warning",
    timeout: float = CLIENT_WITHIN,
    drain: float = DRAIN,
) -> HttpServer:
    """Return a server for an ASGI app. Its `serve` raises `SystemExit` if the port is taken."""
    return HttpServer(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level=log_level,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=math.ceil(drain),
            lifespan="on",
            http=type("Bounded", (_Bounded,), {"within": timeout}),
        )
    )


TELEMETRY: "TelemetryConfig" = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would otherwise send a span of every request, its address and query included, to the process's tracer
provider; ours come from `infra/observability/observer.py`, masked."""
