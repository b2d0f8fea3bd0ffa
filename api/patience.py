"""Patience with parts that are away for a moment: a run is no tap on a phone, and has time to ask again."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from clients.errors import UnansweredError

T = TypeVar("T")

log = logging.getLogger(__name__)

_AGAIN, _WITHIN = 0.5, 15.0
"""Seconds between tries, and for all of them: Temporal asks a worker that is lost for ten before it asks another."""


async def patiently(ask: Callable[[], Awaitable[T]], enough: Callable[[T], bool] = lambda _: True) -> T:
    """The first answer that is enough, else the last one. Raises what `ask` raises; `UnansweredError` only of the last
    try."""
    until = time.monotonic() + _WITHIN
    while time.monotonic() < until:
        try:
            answer = await ask()
        except UnansweredError as away:
            log.debug("%s did not answer; asking again", away.part)
        else:
            if enough(answer):
                return answer
        await asyncio.sleep(_AGAIN)
    return await ask()
