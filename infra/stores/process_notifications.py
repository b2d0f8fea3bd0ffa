"""The notifications of this process, for its workflows: these cannot be passed an object, and load no client of a
store (`infra.stores.notifications`)."""

from collections.abc import Callable
from typing import ClassVar


class ProcessNotifications:
    """Does nothing before `begin`. If a process runs several services, each of them is notified."""

    _open: ClassVar[list[Callable[[str], None]]] = []

    @classmethod
    def notify(cls, topic: str) -> None:
        """Notify the listeners of every service. Returns at once and never raises."""
        for notify in tuple(cls._open):
            notify(topic)

    @classmethod
    def begin(cls, notify: Callable[[str], None]) -> None:
        """Add a service, by its `Notifications.notify`."""
        cls._open.append(notify)

    @classmethod
    def end(cls, notify: Callable[[str], None]) -> None:
        """Remove a service."""
        if notify in cls._open:
            cls._open.remove(notify)
