"""How long a provider may take: a voice call cannot wait.

A tool's call is a read, a write, and a read again where nobody knows what became of it: 2 + 3.5 + 2 seconds.
"""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """Seconds for one call of a provider's method, its waits and read-backs included."""

    read: float = 2.0
    write: float = 3.5


class Deadline:
    """The end of one call, by the loop's clock."""

    def __init__(self, seconds: float) -> None:
        self._at = asyncio.get_running_loop().time() + seconds

    def left(self) -> float:
        """Seconds, none below zero."""
        return max(0.0, self._at - asyncio.get_running_loop().time())
