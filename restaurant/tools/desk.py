"""What every tool stands at: the restaurants with their providers, the clock, the counts, and who calls."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import TypeVar

from restaurant import wording
from restaurant.clock import Clock
from restaurant.codes import Code, RefusalError
from restaurant.counting import Counts
from restaurant.knowledge import DAY, KnowledgeBase, minutes
from restaurant.providers import NotConfiguredError, OutcomeUnknownError, Provider, ProviderError
from restaurant.providers.alone import OneAtATime
from restaurant.providers.looking import looked_for
from restaurant.providers.patience import LOOKS, Deadline

T = TypeVar("T")

_TURN = 4.0
"""Seconds to wait for another call of the same phone."""


@dataclass(frozen=True)
class Caller:
    """Whose bookings may be seen and changed. `phone` None: anybody's, for it is the operator's own backend that asks;
    E.164: that phone's alone; "": nobody's, for the call proves no number."""

    phone: str | None = None

    def may(self, phone: str) -> bool:
        """Whether a phone's bookings are the caller's."""
        return self.phone is None or (self.phone != "" and self.phone == phone)


BACKEND = Caller()


@dataclass(frozen=True)
class Restaurant:
    """One restaurant, with where its bookings are kept."""

    kb: KnowledgeBase
    provider: Provider
    clock: Clock
    turns: OneAtATime = field(default_factory=OneAtATime, repr=False, compare=False)
    """For what two calls of this process must not do at once."""
    looks: Sequence[float] = LOOKS
    """Seconds before each look for what became of a write."""

    def now(self) -> datetime:
        """The present moment by its clock."""
        return self.clock.now(self.kb.zone)

    def today(self) -> date:
        """The present day by its calendar."""
        return self.now().date()

    def earliest(self, day: date) -> int:
        """Minutes after midnight before which a day is past: none of a day to come, all of one that was."""
        now = self.now()
        if day == now.date():
            return minutes(now.time())
        return 0 if day > now.date() else DAY

    @asynccontextmanager
    async def in_turn(self, phone: str) -> AsyncIterator[None]:
        """Of two calls of this process for one phone, which a voice assistant that loses patience makes, the second
        looks for duplicates when it is known what became of the first."""
        async with self.turns(phone, Deadline.writing(_TURN)):
            yield

    async def read_back(self, unknown: OutcomeUnknownError, look: Callable[[], Awaitable[T | None]]) -> T:
        """Return what a look shows of a write. Raises the reason of its answer where none shows it."""
        found = await looked_for(look, self.looks)
        if found is None:
            raise unknown.because
        return found

    def is_past(self, day: date, at: time) -> bool:
        """Whether a time of a day has passed. The minute that is now has not."""
        return minutes(at) < self.earliest(day)


@dataclass
class Desk:
    """The whole service, without its doors."""

    restaurants: dict[str, Restaurant]
    clock: Clock
    counts: Counts = field(default_factory=Counts)
    call_within: float = 7.5
    """Seconds for all that a call asks of its provider, reading back included. A voice call waits for eight."""

    def restaurant(self, restaurant_id: str, code: Code = Code.VALIDATION_ERROR) -> Restaurant:
        """A restaurant by its id. Raises `RefusalError` with `code`: only `is_open_now` documents one of its own."""
        found = self.restaurants.get(restaurant_id)
        if found is None:
            raise RefusalError(code, wording.unknown_restaurant(restaurant_id), why="")
        return found


def not_done(error: ProviderError, provider: Provider, otherwise: Code, message: str) -> RefusalError:
    """A provider's failure as a tool's answer: resOS without its key has a code of its own."""
    missing = isinstance(error, NotConfiguredError) and provider.name == "resos"
    code = Code.RESOS_NOT_CONFIGURED if missing else otherwise
    return RefusalError(code, message, why=f"{provider.name}: {type(error).__name__}: {error}")
