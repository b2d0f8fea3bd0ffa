"""The context of every tool: the restaurants with their providers, the clock, the counters, and the caller."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import TypeVar

from restaurant import messages_it
from restaurant.clock import Clock
from restaurant.errors import TECHNICAL, Code, RefusalError
from restaurant.knowledge import DAY, KnowledgeBase, minutes
from restaurant.providers import NotConfiguredError, OutcomeUnknownError, Provider, ProviderError
from restaurant.providers.http import looked_for
from restaurant.providers.timeouts import LOOKS, Deadline, KeyedLock

log = logging.getLogger("restaurant")


class CallCounters:
    """Every call since the process started, by tool and outcome. Codes that are not for guests are logged, too. No
    personal data: only a restaurant's id, a tool, a code, and a reason that names no guest."""

    def __init__(self) -> None:
        self._ended: Counter[tuple[str, str]] = Counter()

    def answered(self, tool: str) -> None:
        """Count a call that succeeded."""
        self._ended[tool, "ok"] += 1

    def refused(self, tool: str, restaurant: str, error: RefusalError) -> None:
        """Count a call that was answered with an error."""
        self.code(tool, restaurant, error.code, error.why)

    def code(self, tool: str, restaurant: str, code: Code, why: str) -> None:
        """Count and log a code, whether it was answered or not (LIST_BY_DAY_ERROR is not)."""
        self._ended[tool, code.value] += 1
        if code in TECHNICAL or why:
            log.warning("%s of %s: %s: %s", tool, restaurant or "-", code.value, why or "no reason given")

    def by_tool(self) -> dict[str, dict[str, int]]:
        """Return counts by tool and code; "ok" for calls that succeeded."""
        found: dict[str, dict[str, int]] = {}
        for (tool, code), number in sorted(self._ended.items()):
            found.setdefault(tool, {})[code] = number
        return found


T = TypeVar("T")

_TURN = 4.0
"""Seconds to wait for another call of the same phone."""


@dataclass(frozen=True)
class RestaurantCaller:
    """Whose bookings may be seen and changed. `phone` None: all, because the caller is the operator's own backend;
    E.164: only that phone's; "": none, because the call proves no number."""

    phone: str | None = None

    def may(self, phone: str) -> bool:
        """Return whether the caller may access a phone's bookings."""
        return self.phone is None or (self.phone != "" and self.phone == phone)


BACKEND = RestaurantCaller()


@dataclass(frozen=True)
class Restaurant:
    """One restaurant and its provider."""

    kb: KnowledgeBase
    provider: Provider
    clock: Clock
    turns: KeyedLock = field(default_factory=KeyedLock, repr=False, compare=False)
    """Locks for operations that two calls of this process must not do at once."""
    looks: Sequence[float] = LOOKS
    """Seconds before each look that reads back a write."""

    def now(self) -> datetime:
        """Return the present moment by the restaurant's clock."""
        return self.clock.now(self.kb.zone)

    def today(self) -> date:
        """Return the present day by the restaurant's calendar."""
        return self.now().date()

    def earliest(self, day: date) -> int:
        """Return the minute after midnight before which a day is past: none for a future day, all for a past one."""
        now = self.now()
        if day == now.date():
            return minutes(now.time())
        return 0 if day > now.date() else DAY

    @asynccontextmanager
    async def in_turn(self, phone: str) -> AsyncIterator[None]:
        """Serialize calls of this process for one phone. A voice assistant repeats a call that takes long; the second
        then checks for duplicates once the outcome of the first is known."""
        async with self.turns(phone, Deadline.writing(_TURN)):
            yield

    async def read_back(self, unknown: OutcomeUnknownError, look: Callable[[], Awaitable[T | None]]) -> T:
        """Return a write's result if a look shows it. Raises the reason of its response if none does."""
        found = await looked_for(look, self.looks)
        if found is None:
            raise unknown.because
        return found

    def is_past(self, day: date, at: time) -> bool:
        """Return whether a time of a day has passed. The current minute has not."""
        return minutes(at) < self.earliest(day)


@dataclass
class ToolContext:
    """The whole service, without its routes."""

    restaurants: dict[str, Restaurant]
    clock: Clock
    counts: CallCounters = field(default_factory=CallCounters)
    call_within: float = 7.5
    """Seconds for all provider calls of one tool call, including read-backs. A voice call waits for eight."""

    def restaurant(self, restaurant_id: str, code: Code = Code.VALIDATION_ERROR) -> Restaurant:
        """Return a restaurant by its id. Raises `RefusalError` with `code`: only `is_open_now` documents one of its
        own."""
        found = self.restaurants.get(restaurant_id)
        if found is None:
            raise RefusalError(code, messages_it.unknown_restaurant(restaurant_id), why="")
        return found


def provider_error(error: ProviderError, provider: Provider, otherwise: Code, message: str) -> RefusalError:
    """Return a provider's failure as a tool's answer. resOS without its key has a code of its own."""
    missing = isinstance(error, NotConfiguredError) and provider.name == "resos"
    code = Code.RESOS_NOT_CONFIGURED if missing else otherwise
    return RefusalError(code, message, why=f"{provider.name}: {type(error).__name__}: {error}")
