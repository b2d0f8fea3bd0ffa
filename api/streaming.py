"""Event streams as they leave the facade: how long one lasts, how often a quiet one is heard of, and how many one user
may hold open."""

import asyncio
import contextlib
import hashlib
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Header
from sse_starlette import EventSourceResponse, ServerSentEvent

from clients.errors import refuse
from contracts.enums import ServiceErrorType
from language.catalogue import say

T = TypeVar("T")

_PING = 15
"""Seconds between comments that keep proxies from closing a quiet stream."""
_FULL = 10.0
"""Seconds after which somebody with too many streams may try again."""
_BEGINS_WITHIN = 10.0
"""Seconds for which a place is kept: a reader that is gone before its stream begins never takes it."""
_LOOKS = 5.0
"""Seconds between looks at whether a page is still signed in."""

LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=4000, description="The `id` of the last event that was had")
]


class Streams:
    """The streams that this facade holds open, by whose they are; `most` for each. Whose: by token and user, so that
    nobody uses up another's by a name alone. `longest`: seconds that one lasts; a watcher then comes again, and is
    authorized again."""

    def __init__(self, most: int, longest: float = 600.0) -> None:
        self._most = most
        self.longest = longest
        self._open: Counter[str] = Counter()
        self._promised: dict[str, list[float]] = {}

    def make_room(self, user_id: str, token: str) -> str:
        """Keep a place for a user's next stream; whose it is. Raises `RequestError`: rate_limited."""
        whose = hashlib.sha256(f"{user_id}\n{token}".encode()).hexdigest()
        now = time.monotonic()
        promised = [until for until in self._promised.get(whose, ()) if until > now]
        if self._open[whose] + len(promised) >= self._most:
            message, way = say("refuse.too_many_streams", n=self._most), say("refuse.too_many_streams_next")
            error = refuse(ServiceErrorType.RATE_LIMITED, message, way)
            error.answer.retry_after_seconds = _FULL
            raise error
        self._promised[whose] = [*promised, now + _BEGINS_WITHIN]
        return whose

    def answer(
        self,
        whose: str,
        told: AsyncGenerator[T, None],
        written: Callable[[T], ServerSentEvent | bytes | None],
        still: Callable[[], Awaitable[bool]],
        line_end: str | None = None,
    ) -> EventSourceResponse:
        """A stream of what is told, for whom a place was kept; what `written` makes nothing of is left out. It ends
        once its reader is `still` there no longer. `line_end`: how lines end, where a protocol wants one way."""
        headers = {"X-Accel-Buffering": "no"}
        told_to_reader = self._counted(whose, told, written, still)
        return EventSourceResponse(told_to_reader, ping=_PING, headers=headers, sep=line_end)

    async def _counted(
        self,
        whose: str,
        told: AsyncGenerator[T, None],
        written: Callable[[T], ServerSentEvent | bytes | None],
        still: Callable[[], Awaitable[bool]],
    ) -> AsyncGenerator[ServerSentEvent | bytes, None]:
        # Counted here and not before: a stream whose reader is gone at once never begins, nor ends.
        promised = self._promised.pop(whose, [])[1:]
        if promised:
            self._promised[whose] = promised
        self._open[whose] += 1
        over = asyncio.create_task(_over(still, self.longest))
        following: asyncio.Task[T] | None = None
        try:
            while True:
                following = asyncio.ensure_future(anext(told))
                await asyncio.wait({following, over}, return_when=asyncio.FIRST_COMPLETED)
                if over.done():
                    return
                one = written(following.result())
                if one is not None:
                    yield one
        except StopAsyncIteration:
            return
        finally:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]
            over.cancel()
            if following is not None and not following.done():
                following.cancel()
                await asyncio.wait({following})
            await told.aclose()


async def _over(still: Callable[[], Awaitable[bool]], longest: float) -> None:
    """Returns when a stream has lasted long enough, or its reader is signed out."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(longest):
            # Nobody tells when a session is over: it ends by itself in the store, or by another facade.
            while await still():  # noqa: ASYNC110
                await asyncio.sleep(_LOOKS)
