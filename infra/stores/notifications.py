"""Notifications: a process that changed something wakes the watchers of a topic, which then read the new state.

A notification has no content. A lost one delays a watcher only briefly, because watchers also poll.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import ClassVar


class Notifications:
    """Notifications within one process. A topic is an id without personal data."""

    def __init__(self) -> None:
        self._listening: dict[str, set[asyncio.Event]] = {}
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def notify(self, topic: str) -> None:
        """Notify all listeners, from any thread. Returns at once and never raises, because workflows call it."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it every listener
                self._loop.call_soon_threadsafe(self._tell, topic)

    @contextlib.contextmanager
    def listen(self, topic: str) -> Iterator[asyncio.Event]:
        """Return an event that every notification sets while the context lasts."""
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
        """Close the connections."""
        self._loop = None

    def _begin(self) -> None:
        """Prepare for a first listener; a subclass subscribes here."""

    def _tell(self, topic: str) -> None:
        self._deliver(topic)

    def _deliver(self, topic: str) -> None:
        """Set the events of all listeners in this process."""
        for rung in self._listening.get(topic, ()):
            rung.set()

    def ring_all(self) -> None:
        """Notify the listeners of every topic."""
        for topic in self._listening:
            self._deliver(topic)


class ProcessNotifications:
    """The notifications of this process, for its workflows, which cannot be passed an object. Does nothing before
    `begin`. If a process runs several services, each of them is notified."""

    _open: ClassVar[list[Notifications]] = []

    @classmethod
    def notify(cls, topic: str) -> None:
        """Notify the listeners of every service. See `Notifications.notify`."""
        for wakes in tuple(cls._open):
            wakes.notify(topic)

    @classmethod
    def begin(cls, wakes: Notifications) -> None:
        """Add a service's notifications."""
        cls._open.append(wakes)

    @classmethod
    def end(cls, wakes: Notifications) -> None:
        """Remove a service's notifications."""
        if wakes in cls._open:
            cls._open.remove(wakes)
