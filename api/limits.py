"""How much a caller may ask: messages a minute, by user and by venue, and the size of a body.

Counts are kept in memory, or in Redis when several facades share the load.
"""

import logging
import math
import time
from collections.abc import Callable, Mapping

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import error_response
from clients.errors import refuse
from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from infra.settings import Settings
from language.catalogue import say

_FACTORS = {"/codec/": 100, "/v1/ag-ui": 16}
"""The Temporal UI sends whole histories to be decoded, an AG-UI client its whole conversation with every run."""

log = logging.getLogger(__name__)


class RateLimits:
    """The limits of one facade."""

    def __init__(self, settings: Settings) -> None:
        storage: Storage = (
            RedisStorage(f"async+{settings.redis_url}", implementation="redispy", wrap_exceptions=True)
            if settings.redis_url
            else MemoryStorage()
        )
        self._limiter = MovingWindowRateLimiter(storage)
        self._by = {"user": parse(settings.rate_user), "venue": parse(settings.rate_venue)}

    async def count(self, *, venue: str, user: str) -> None:
        """Count one message. Raises `RequestError`: rate_limited, with the seconds until there is room again."""
        for kind, key in (("user", f"{venue}/{user}"), ("venue", venue)):
            limit = self._by[kind]
            try:
                if await self._limiter.hit(limit, kind, key):
                    continue
                window = await self._limiter.get_window_stats(limit, kind, key)
            except StorageError:
                log.exception("messages could not be counted; letting this one through")
                return
            raise _too_many(limit, window.reset_time, kind)


def _too_many(limit: RateLimitItem, reset: float, kind: str) -> Exception:
    wait = max(1, math.ceil(reset - time.time()))
    error = refuse(
        ServiceErrorType.RATE_LIMITED,
        say(f"refuse.too_many_{kind}", n=limit.amount, seconds=wait),
        say("next.rate_limited", seconds=wait),
    )
    error.answer.retry_after_seconds = float(wait)
    return error


class _TooLargeError(Exception):
    """More came than is allowed."""


class BodyLimit:
    """ASGI middleware that refuses large bodies, announced or not, before anything reads them. `told`: the paths whose
    clients read errors in another form."""

    def __init__(self, app: ASGIApp, most: int, told: Mapping[str, Callable[[ServiceError], JSONResponse]]) -> None:
        self._app = app
        self._most = most
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most * next((n for start, n in _FACTORS.items() if scope["path"].startswith(start)), 1)
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        seen, begun = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise _TooLargeError
            return message

        async def noticed(message: Message) -> None:
            nonlocal begun
            # FastAPI takes a body that cannot be read for a malformed one; what it says of it is not sent.
            if begun or seen <= most:
                begun = True
                await send(message)

        try:
            if announced.isdigit() and int(announced) > most:
                raise _TooLargeError
            await self._app(scope, counted, noticed)
            if seen > most and not begun:
                raise _TooLargeError
        except _TooLargeError:
            if begun:
                raise
            error = ServiceError(
                error_type=ServiceErrorType.TOO_LARGE,
                message=say("refuse.too_large", kib=most // 1024),
                suggestions=[say("refuse.too_large_next")],
            )
            await self._told.get(scope["path"], error_response)(error)(scope, receive, send)
