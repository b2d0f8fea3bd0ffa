"""Subscriptions shared by all watchers of the same plan or chat in this process."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

_LINGER = 10.0
"""Seconds for which a subscription continues without watchers, so that a client that reconnects gets the rest
at once."""


class Subscription(Protocol):
    """A subscription to one plan or chat; `watchers` is the number of its watchers."""

    watchers: int

    async def run(self) -> None:
        """Run until nothing more can come."""


W = TypeVar("W", bound=Subscription)


class SharedSubscriptions(Generic[W]):
    """The subscriptions of one kind, each created on first use."""

    def __init__(self, make: Callable[[str], W]) -> None:
        self._make = make
        self._watches: dict[str, W] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @contextlib.contextmanager
    def get(self, thing: str) -> Iterator[W]:
        """Yield the subscription of a plan or chat, which runs at least as long as the context."""
        watch = self._watches.get(thing)
        if watch is None:
            watch = self._watches[thing] = self._make(thing)
            self._tasks[thing] = asyncio.create_task(self._keep(thing, watch))
        watch.watchers += 1
        try:
            yield watch
        finally:
            watch.watchers -= 1

    def existing(self, thing: str) -> W | None:
        """Return the existing subscription, or None."""
        return self._watches.get(thing)

    async def close(self) -> None:
        """Close every subscription."""
        for task in list(self._tasks.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _keep(self, thing: str, watch: W) -> None:
        running = asyncio.create_task(watch.run())
        try:
            idle = 0.0
            while idle < _LINGER:
                await asyncio.sleep(1)
                idle = 0.0 if watch.watchers else idle + 1
        finally:
            # Removed first: a watcher that arrives while this one ends starts a new subscription.
            del self._watches[thing], self._tasks[thing]
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
