"""What is done to its end though its reader goes: a word that is being settled is settled, a turn that was begun is
worked out. Its reader asks for the run again."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_UNDER_WAY: set[asyncio.Task[Any]] = set()
"""The loop itself holds tasks by weak references only."""


async def whole(doing: Coroutine[Any, Any, T]) -> T:
    """What comes of doing something, which goes on if whoever waits here is cancelled."""
    return await asyncio.shield(begun(doing))


def begun(doing: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Something that goes on by itself; to be waited for behind a shield."""
    task = asyncio.create_task(doing)
    _UNDER_WAY.add(task)
    task.add_done_callback(_put_away)
    return task


def _put_away(task: asyncio.Task[Any]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        # Told to whoever waits; where nobody does any more, asyncio would log it as lost.
        task.exception()
