"""HTTP servers that stop when they are told to. Nothing of the service is imported: a sandbox needs none."""

import asyncio
import contextlib
import math
from collections.abc import Iterator

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

DRAIN = 3.0
"""Seconds that what was begun has once its server is told to stop, where its length is not known."""
CLIENT_WITHIN = 30.0
"""Seconds that a client has for the head of a request, and for the rest of a body that was answered before its end."""


class _Bounded(H11Protocol):
    """uvicorn ends a connection that says nothing after an answer; here one ends as well that says something, but comes
    to no end. A body that is waited for is the application's own matter."""

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


def http_server(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    log_level: str = "warning",
    within: float = CLIENT_WITHIN,
    drain: float = DRAIN,
) -> HttpServer:
    """A server for an ASGI app. Raises `SystemExit` at `serve` when the port is taken."""
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
            http=type("Bounded", (_Bounded,), {"within": within}),
        )
    )
