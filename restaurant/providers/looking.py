"""Looks for what became of a write that was not answered with success."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from restaurant.providers.errors import BookingNotFoundError, ProviderError
from restaurant.providers.patience import Deadline

T = TypeVar("T")


async def looked_for(
    look: Callable[[], Awaitable[T | None]], pauses: Sequence[float], deadline: Deadline | None = None
) -> T | None:
    """Return what the first look that shows something shows, None where none does. One that fails shows nothing.
    Raises `BookingNotFoundError` where a look does."""
    deadline = deadline or Deadline.reading(float("inf"))
    for pause in pauses:
        # Time for the look itself is left, whatever the pause.
        await asyncio.sleep(min(pause, deadline.left() / 2))
        try:
            found = await look()
        except BookingNotFoundError:
            raise
        except ProviderError:
            continue
        if found is not None:
            return found
    return None
