"""Event streams of the API: how long one lasts, how often a quiet one sends a comment, and how many one user may hold
open.

Retries for dependencies that are briefly unavailable. A run has time to retry, unlike a tap on a phone.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Header
from sse_starlette import EventSourceResponse, ServerSentEvent

from clients.errors import ServiceUnavailableError, api_error
from contracts.enums import ServiceErrorType
from language.messages.catalogue import translate

T = TypeVar("T")

_PING = 15
"""Seconds between comments that keep proxies from closing a quiet stream."""
_FULL = 10.0
"""Seconds after which a user with too many streams may try again."""
_BEGINS_WITHIN = 10.0
"""Seconds for which a slot is reserved, because a client that disconnects before its stream begins never uses it."""
_LOOKS = 5.0
"""Seconds between checks whether a page is still signed in."""

LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=4000, description="The `id` of the last event that was had")
]


class EventStreams:
    """The open streams of this API process, by owner; `limit` for each. An owner is a token and a user, so that a
    caller cannot use up another user's streams by the user's id alone. `longest`: seconds that a stream lasts; a
    watcher then reconnects, and is authorized again."""

    def __init__(self, limit: int, longest: float = 600.0) -> None:
        self._limit = limit
        self.longest = longest
        self._open: Counter[str] = Counter()
        self._promised: dict[str, list[float]] = {}

    def reserve(self, user_id: str, token: str) -> str:
        """Reserve a slot for a user's next stream, and return its owner. Raises `ApiError`: rate_limited."""
        owner = hashlib.sha256(f"{user_id}\n{token}".encode()).hexdigest()
        now = time.monotonic()
        promised = [until for until in self._promised.get(owner, ()) if until > now]
        if self._open[owner] + len(promised) >= self._limit:
            message, way = (
                translate("refuse.too_many_streams", n=self._limit),
                translate("refuse.too_many_streams_next"),
            )
            error = api_error(ServiceErrorType.RATE_LIMITED, message, way)
            error.answer.retry_after_seconds = _FULL
            raise error
        self._promised[owner] = [*promised, now + _BEGINS_WITHIN]
        return owner

    def response(
        self,
        owner: str,
        events: AsyncGenerator[T, None],
        written: Callable[[T], ServerSentEvent | bytes | None],
        still: Callable[[], Awaitable[bool]],
        line_end: str | None = None,
    ) -> EventSourceResponse:
        """Return a stream of the events, for the owner of a reserved slot. Events for which `written` returns nothing
        are left out. The stream ends once `still` is false. `line_end`: the line ending, if a protocol requires one."""
        headers = {"X-Accel-Buffering": "no"}
        counted = self._counted(owner, events, written, still)
        return EventSourceResponse(counted, ping=_PING, headers=headers, sep=line_end)

    async def _counted(
        self,
        owner: str,
        events: AsyncGenerator[T, None],
        written: Callable[[T], ServerSentEvent | bytes | None],
        still: Callable[[], Awaitable[bool]],
    ) -> AsyncGenerator[ServerSentEvent | bytes, None]:
        # Counted only here, because a stream whose client disconnects at once neither begins nor ends.
        promised = self._promised.pop(owner, [])[1:]
        if promised:
            self._promised[owner] = promised
        self._open[owner] += 1
        over = asyncio.create_task(_over(still, self.longest))
        following: asyncio.Task[T] | None = None
        try:
            while True:
                following = asyncio.ensure_future(anext(events))
                await asyncio.wait({following, over}, return_when=asyncio.FIRST_COMPLETED)
                if over.done():
                    return
                one = written(following.result())
                if one is not None:
                    yield one
        except StopAsyncIteration:
            return
        finally:
            self._open[owner] -= 1
            if not self._open[owner]:
                del self._open[owner]
            over.cancel()
            if following is not None and not following.done():
                following.cancel()
                await asyncio.wait({following})
            await events.aclose()


async def _over(still: Callable[[], Awaitable[bool]], longest: float) -> None:
    """Return when a stream has lasted long enough, or its reader is signed out."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(longest):
            # No event reports the end of a session: it expires in the store, or another API process ends it.
            while await still():  # noqa: ASYNC110
                await asyncio.sleep(_LOOKS)


log = logging.getLogger(__name__)

_AGAIN, _WITHIN = 0.5, 15.0
"""Seconds between tries, and for all of them. Temporal waits ten seconds for a lost worker before it uses another
one."""


async def patiently(ask: Callable[[], Awaitable[T]], enough: Callable[[T], bool] = lambda _: True) -> T:
    """Return the first answer for which `enough` is true, else the last one. Raises what `ask` raises, but
    `ServiceUnavailableError` only from the last try."""
    until = time.monotonic() + _WITHIN
    while time.monotonic() < until:
        try:
            answer = await ask()
        except ServiceUnavailableError as away:
            log.debug("%s did not answer; asking again", away.part)
        else:
            if enough(answer):
                return answer
        await asyncio.sleep(_AGAIN)
    return await ask()
