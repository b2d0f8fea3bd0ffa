"""Wake-ups: a process that changed something tells those that watch it to look. They carry no news, only where there is
some: a wake-up that is lost costs a watcher a moment, since it looks now and then by itself.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import ClassVar


class Wakes:
    """Wake-ups within one process. A topic is an id that holds nothing personal."""

    def __init__(self) -> None:
        self._listening: dict[str, set[asyncio.Event]] = {}
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def wake(self, topic: str) -> None:
        """Tell all who listen, from any thread. Returns at once and never raises: a workflow says it."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and everybody with it
                self._loop.call_soon_threadsafe(self._tell, topic)

    @contextlib.contextmanager
    def listen(self, topic: str) -> Iterator[asyncio.Event]:
        """An event that is set by every wake-up while the context lasts."""
        rung = asyncio.Event()
        self._listening.setdefault(topic, set()).add(rung)
        self._begin()
        try:
            yield rung
        finally:
            self._listening[topic].discard(rung)
            if not self._listening[topic]:
                del self._listening[topic]

    async def close(self) -> None:
        """Let go of connections."""
        self._loop = None

    def _begin(self) -> None:
        """Somebody listens."""

    def _tell(self, topic: str) -> None:
        self.ring(topic)

    def ring(self, topic: str) -> None:
        """Set the events of all who listen here."""
        for rung in self._listening.get(topic, ()):
            rung.set()

    def ring_all(self) -> None:
        """The same for every topic."""
        for topic in self._listening:
            self.ring(topic)


class ThisProcessWakes:
    """Where workflows of this process tell: they have nobody to hand it to them. Silent until it is put together; where
    a process holds several services, all of them hear."""

    _open: ClassVar[list[Wakes]] = []

    @classmethod
    def wake(cls, topic: str) -> None:
        """As `Wakes.wake` does."""
        for wakes in tuple(cls._open):
            wakes.wake(topic)

    @classmethod
    def begin(cls, wakes: Wakes) -> None:
        """Tell these, too."""
        cls._open.append(wakes)

    @classmethod
    def end(cls, wakes: Wakes) -> None:
        """Tell these no more."""
        if wakes in cls._open:
            cls._open.remove(wakes)
