"""One watch of a thing for all who watch it in this process."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

_LINGER = 10.0
"""Seconds for which a watch goes on when nobody watches: who reconnects is given the rest at once."""


class Watch(Protocol):
    """What watches one thing; `watchers` is how many it does so for."""

    watchers: int

    async def run(self) -> None:
        """Watch until nothing more can be seen."""


W = TypeVar("W", bound=Watch)


class SharedWatches(Generic[W]):
    """The watches of one kind, each made when somebody first asks for its thing."""

    def __init__(self, make: Callable[[str], W]) -> None:
        self._make = make
        self._watches: dict[str, W] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @contextlib.contextmanager
    def of(self, thing: str) -> Iterator[W]:
        """The watch of a thing, which goes on at least as long as the context."""
        watch = self._watches.get(thing)
        if watch is None:
            watch = self._watches[thing] = self._make(thing)
            self._tasks[thing] = asyncio.create_task(self._keep(thing, watch))
        watch.watchers += 1
        try:
            yield watch
        finally:
            watch.watchers -= 1

    def known(self, thing: str) -> W | None:
        """The watch of a thing, if there is one."""
        return self._watches.get(thing)

    async def close(self) -> None:
        """End every watch."""
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
            # First: who comes while this one ends begins a watch of its own.
            del self._watches[thing], self._tasks[thing]
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
