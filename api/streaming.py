"""Event streams as they leave the facade: how long one lasts, how often a quiet one is heard of, and how many one user
may hold open."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from typing import Annotated, TypeVar

from fastapi import Header
from sse_starlette import EventSourceResponse, ServerSentEvent

from clients.errors import refuse
from contracts.enums import ServiceErrorType
from language.catalogue import say

T = TypeVar("T")

_PING = 15
"""Seconds between comments that keep proxies from closing a quiet stream."""
_LONGEST = 600.0
"""Seconds: then a watcher comes again, and who it is is looked at anew."""
_FULL = 10.0
"""Seconds after which somebody with too many streams may try again."""

LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=4000, description="The `id` of the last event that was had")
]


class Streams:
    """The streams that this facade holds open, by whose they are; `most` for each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def make_room(self, user_id: str) -> None:
        """Refuse a user's next stream if there are too many. Raises `RequestError`: rate_limited."""
        if self._open[user_id] >= self._most:
            message, way = say("refuse.too_many_streams", n=self._most), say("refuse.too_many_streams_next")
            error = refuse(ServiceErrorType.RATE_LIMITED, message, way)
            error.answer.retry_after_seconds = _FULL
            raise error

    def answer(
        self, user_id: str, told: AsyncGenerator[T, None], written: Callable[[T], ServerSentEvent | None]
    ) -> EventSourceResponse:
        """A user's stream of what is told; what `written` makes nothing of is left out."""
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return EventSourceResponse(self._counted(user_id, told, written), ping=_PING, headers=headers)

    async def _counted(
        self, user_id: str, told: AsyncGenerator[T, None], written: Callable[[T], ServerSentEvent | None]
    ) -> AsyncGenerator[ServerSentEvent, None]:
        # Counted here and not before: a stream whose reader is gone at once never begins, nor ends.
        self._open[user_id] += 1
        until = asyncio.get_running_loop().time() + _LONGEST
        try:
            while True:
                async with asyncio.timeout_at(until):
                    one = written(await anext(told))
                if one is not None:
                    yield one
        except (StopAsyncIteration, TimeoutError):
            return
        finally:
            self._open[user_id] -= 1
            await told.aclose()
