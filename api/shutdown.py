"""The shutdown of an API process. `/readyz` reports it while the process still serves. When the port closes, watchers
are disconnected and open requests are answered. A request without an answer at the end of the drain is cut off with an
error.

Work that finishes even if its client disconnects: a command that is being settled, a turn that was begun. The client
repeats its request to get the result.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clients.commands import LONGEST_WORD
from contracts.errors import ServiceError
from infra.config.settings import Settings
from reasoning import error_messages

_AROUND = 10.0
"""Seconds beside a message's budget or a command's own time: for checking the token at the venue, waiting for a slot,
and settling what got no answer."""

_LOOKS = frozenset({"GET", "HEAD", "OPTIONS"})


def drain_of(settings: Settings) -> float:
    """Return the seconds within which every open request is answered."""
    return max(settings.turn_budget, LONGEST_WORD) + _AROUND


class Shutdown:
    """Whether this process is stopping, and the requests that it works on."""

    def __init__(self) -> None:
        self.begun = False
        self.closing = False
        self.over = False
        self.requests: set[asyncio.Task[Any]] = set()
        self.watchers: set[asyncio.Task[Any]] = set()
        """The requests whose answer is a stream that its client opens again."""

    def begin(self) -> None:
        """Make `/readyz` report that this process stops."""
        self.begun = True

    def watched(self, task: asyncio.Task[Any]) -> None:
        """Record that a request's answer is such a stream."""
        self.watchers.add(task)
        if self.closing:
            task.cancel()

    def let_watchers_go(self) -> None:
        """End the streams, which would last longer than any drain. Clients reopen them at another process."""
        self.closing = True
        _cancel(self.watchers)

    def cut(self) -> None:
        """End the remaining requests, and those that arrive before the port is closed."""
        self.over = True
        _cancel(self.requests)


def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in list(tasks):
        task.cancel()


class AnsweredAtShutdown:
    """ASGI middleware that gives a request that is cut off the documented answer. `forms`: how errors are written for
    the clients of some paths, `answered` for all others."""

    def __init__(
        self,
        app: ASGIApp,
        stopping: Shutdown,
        forms: Mapping[str, Callable[[ServiceError], Response]],
        answered: Callable[[ServiceError], Response],
    ) -> None:
        self._app = app
        self._shutdown = stopping
        self._forms = forms
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        task = asyncio.current_task()
        if scope["type"] != "http" or task is None:
            await self._app(scope, receive, send)
            return
        if self._shutdown.over:
            await self._stopped(scope, "unavailable.not_sent_again")(scope, receive, send)
            return
        begun = False

        async def seen(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                if _watches(scope, message):
                    self._shutdown.watched(task)
            await send(message)

        self._shutdown.requests.add(task)
        try:
            await self._app(scope, receive, seen)
        except asyncio.CancelledError:
            # Only the shutdown cancels a request. Passed on, that would be a traceback and a 500 in plain text.
            if begun:
                await _ended(send)
            else:
                await self._stopped(scope, "unavailable.stopped_unknown")(scope, receive, send)
        finally:
            self._shutdown.requests.discard(task)
            self._shutdown.watchers.discard(task)

    def _stopped(self, scope: Scope, then: str) -> Response:
        error = error_messages.unavailable_error("stopped", "" if scope["method"] in _LOOKS else then)
        return self._forms.get(scope["path"], self._answered)(error)


def _watches(scope: Scope, start: Message) -> bool:
    kind = Headers(raw=list(start.get("headers", ()))).get("content-type", "")
    return scope["method"] == "GET" and kind.startswith("text/event-stream")


async def _ended(send: Send) -> None:
    """End an answer that has begun, if its length was not declared."""
    with contextlib.suppress(Exception):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


T = TypeVar("T")

_UNDER_WAY: set[asyncio.Task[Any]] = set()
"""Strong references, because the event loop holds tasks by weak references only."""


async def shielded(doing: Coroutine[Any, Any, T]) -> T:
    """Return the coroutine's result. The work continues if the waiting caller is cancelled."""
    return await asyncio.shield(spawn(doing))


def spawn(doing: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a coroutine as an independent task, to be awaited behind a shield."""
    task = asyncio.create_task(doing)
    _UNDER_WAY.add(task)
    task.add_done_callback(_put_away)
    return task


def _put_away(task: asyncio.Task[Any]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        # The waiting caller gets the exception. Without one asyncio would log it as never retrieved.
        task.exception()
