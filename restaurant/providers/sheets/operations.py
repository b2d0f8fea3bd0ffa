"""What is wanted of a sheet: one of these a call, gathered and carried out together by the writer."""

import asyncio
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, TypeVar

from restaurant.providers.errors import ConflictError
from restaurant.providers.protocol import Admit, Booking, NewBooking

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class Operation(Generic[T]):
    """One call. `done` is its answer, awaited by the caller. `tries` counts how often it was carried out."""

    done: "asyncio.Future[T]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0

    def succeed(self, answer: T) -> None:
        """Answer the caller, who may have gone."""
        if not self.done.done():
            self.done.set_result(answer)

    def fail(self, error: BaseException) -> None:
        """Answer the caller with an error."""
        if not self.done.done():
            self.done.set_exception(error)
            # A caller who has gone reads no exception, and that is no fault.
            self.done.exception()


@dataclass(eq=False, kw_only=True)
class Create(Operation[Booking]):
    """A new row."""

    wanted: NewBooking
    admit: Admit


@dataclass(eq=False, kw_only=True)
class Change(Operation[Booking]):
    """Other day, time and people of a row."""

    before: Booking
    after: Booking
    admit: Admit

    def refuse_drift(self, now: Booking) -> None:
        """Raises `ConflictError` when the row is no longer as the caller read it."""
        if when(now) != when(self.before):
            raise ConflictError("google_sheets: the row was changed by somebody else")


@dataclass(eq=False, kw_only=True)
class Cancel(Operation[None]):
    """A row less."""

    booking_id: str


@dataclass(eq=False, kw_only=True)
class Purge(Operation[int]):
    """All rows of days before one less."""

    before: date


Any_ = Operation[Any]


def when(booking: Booking) -> tuple[object, ...]:
    """What a change changes."""
    return booking.day, booking.time, booking.people
