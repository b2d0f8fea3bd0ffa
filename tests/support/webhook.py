"""A venue's webhook: a real HTTP server that verifies what it is sent, and answers as a test says."""

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
    """The venue has heard, and that is all."""
    return Response(status_code=204)


def resolves(message: str, by: str = "") -> Reply:
    """The venue answers at once."""
    shown = {"resolve": {"message": message, "by": by}}
    return lambda _: Response(json.dumps(shown), media_type="application/json")


def refuses(status: int) -> Reply:
    """The venue does not take it."""
    return lambda _: Response(status_code=status, headers={"Location": "/elsewhere"})


@dataclass
class Receiver:
    """What came in, in order; `replies` are what the next calls are answered, after those `usual`."""

    port: int
    bodies: list[dict[str, Any]] = field(default_factory=list)
    raw: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    replies: deque[Reply | None] = field(default_factory=deque)
    usual: Reply = hears

    @property
    def address(self) -> str:
        """Where it is called."""
        return f"http://127.0.0.1:{self.port}/hook"

    def of(self, reference: str) -> list[dict[str, Any]]:
        """What came in of one escalation."""
        return [body for body in self.bodies if body["reference"] == reference]

    async def take(self, request: Request) -> Response:
        """One call. A reply of None is an answer that is lost on its way back."""
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
    """The receiver, up and answering for as long as the block lasts."""

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
    """A receiver that is up."""
    receiver = Receiver(free_base(1))
    async with served(receiver):
        yield receiver
