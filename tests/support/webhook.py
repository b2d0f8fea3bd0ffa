"""A venue's webhook: a real HTTP server that verifies the calls it gets, and answers as a test scripts."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from infra.http.http_server import http_server
from tests.support.stacks import free_base

SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3QtMTIz"

Reply = Callable[[dict[str, Any]], Response]


def hears(_: dict[str, Any]) -> Response:
    """Acknowledge the call."""
    return Response(status_code=204)


def resolves(message: str, by: str = "") -> Reply:
    """Return the reply of a venue that answers at once."""
    shown = {"resolve": {"message": message, "by": by}}
    return lambda _: Response(json.dumps(shown), media_type="application/json")


def refuses(status: int) -> Reply:
    """Return the reply of a venue that refuses the call."""
    return lambda _: Response(status_code=status, headers={"Location": "/elsewhere"})


@dataclass
class Receiver:
    """The received calls, in order; `replies` are the answers to the next calls, followed by `usual`."""

    port: int
    bodies: list[dict[str, Any]] = field(default_factory=list)
    raw: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    replies: deque[Reply | None] = field(default_factory=deque)
    usual: Reply = hears

    @property
    def address(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.port}/hook"

    def of(self, reference: str) -> list[dict[str, Any]]:
        """Return the calls about one escalation."""
        return [body for body in self.bodies if body["reference"] == reference]

    async def take(self, request: Request) -> Response:
        """Take one call. A reply of None is an answer that is lost on its way back."""
        body = await request.body()
        self.paths.append(request.url.path)
        self.raw.append((dict(request.headers), body))
        self.bodies.append(json.loads(body))
        reply = self.replies.popleft() if self.replies else self.usual
        if reply is None:
            raise ConnectionAbortedError("the answer is lost")
        return reply(self.bodies[-1])


@asynccontextmanager
async def served(receiver: Receiver) -> AsyncIterator[None]:
    """Serve the receiver for as long as the block lasts."""

    async def every(request: Request) -> Response:
        return await receiver.take(request)

    server = http_server(
        Starlette(routes=[Route("/{path:path}", every, methods=["POST", "GET"])]), "127.0.0.1", receiver.port
    )
    server.config.log_level = "critical"
    task = asyncio.create_task(server.serve())
    await server.until_started()
    try:
        yield
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def a_webhook() -> AsyncIterator[Receiver]:
    """Start a receiver."""
    receiver = Receiver(free_base(1))
    async with served(receiver):
        yield receiver
