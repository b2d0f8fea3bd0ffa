"""How a facade stops: it says so at `/readyz` while it still serves, lets watchers go when its port closes, and answers
what it has begun. What has no answer by the end of the drain is cut off, and its answer says that."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clients.words import LONGEST_WORD
from contracts.errors import ServiceError
from infra.settings import Settings
from reasoning import wording

_AROUND = 10.0
"""Seconds around a message's budget or a word's own time: the venue is asked about the token, a place is waited for,
and what got no answer is settled."""

_LOOKS = frozenset({"GET", "HEAD", "OPTIONS"})


def drain_of(settings: Settings) -> float:
    """Seconds within which whatever was begun is answered."""
    return max(settings.turn_budget, LONGEST_WORD) + _AROUND


class Stopping:
    """Whether this process is being stopped, and the requests that it works on."""

    def __init__(self) -> None:
        self.begun = False
        self.closing = False
        self.over = False
        self.requests: set[asyncio.Task[Any]] = set()
        self.watchers: set[asyncio.Task[Any]] = set()
        """Those of the requests whose answer is a stream that its reader asks for again."""

    def begin(self) -> None:
        """Have `/readyz` say that this process stops."""
        self.begun = True

    def watched(self, task: asyncio.Task[Any]) -> None:
        """Note that a request's answer is such a stream."""
        self.watchers.add(task)
        if self.closing:
            task.cancel()

    def let_watchers_go(self) -> None:
        """End the streams that would last longer than any drain; they go on at another process."""
        self.closing = True
        _cancel(self.watchers)

    def cut(self) -> None:
        """End whatever is left, and what still comes before the port is closed."""
        self.over = True
        _cancel(self.requests)


def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in list(tasks):
        task.cancel()


class AnsweredAtAStop:
    """ASGI middleware: a request that is cut off has the documented answer. `forms`: how errors are written for the
    clients of some paths, `answered` for all others."""

    def __init__(
        self,
        app: ASGIApp,
        stopping: Stopping,
        forms: Mapping[str, Callable[[ServiceError], Response]],
        answered: Callable[[ServiceError], Response],
    ) -> None:
        self._app = app
        self._stopping = stopping
        self._forms = forms
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        task = asyncio.current_task()
        if scope["type"] != "http" or task is None:
            await self._app(scope, receive, send)
            return
        if self._stopping.over:
            await self._stopped(scope, "away.not_sent_again")(scope, receive, send)
            return
        begun = False

        async def seen(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                if _watches(scope, message):
                    self._stopping.watched(task)
            await send(message)

        self._stopping.requests.add(task)
        try:
            await self._app(scope, receive, seen)
        except asyncio.CancelledError:
            # Nothing else cancels a request; passed on, it would be a traceback and a 500 in plain text.
            if begun:
                await _ended(send)
            else:
                await self._stopped(scope, "away.stopped_unknown")(scope, receive, send)
        finally:
            self._stopping.requests.discard(task)
            self._stopping.watchers.discard(task)

    def _stopped(self, scope: Scope, then: str) -> Response:
        error = wording.unavailable("stopped", "" if scope["method"] in _LOOKS else then)
        return self._forms.get(scope["path"], self._answered)(error)


def _watches(scope: Scope, start: Message) -> bool:
    kind = Headers(raw=list(start.get("headers", ()))).get("content-type", "")
    return scope["method"] == "GET" and kind.startswith("text/event-stream")


async def _ended(send: Send) -> None:
    """End an answer that has begun, where its length was not promised."""
    with contextlib.suppress(Exception):
        await send({"type": "http.response.body", "body": b"", "more_body": False})
