"""The operations on a sheet: one per call, collected and carried out together by the writer."""

import asyncio
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, TypeVar

from restaurant.providers.errors import ConflictError
from restaurant.providers.protocol import Admit, Booking, NewBooking

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class Operation(Generic[T]):
    """One call. The caller awaits `done`, the answer. `tries` counts the attempts."""

    done: "asyncio.Future[T]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0

    def succeed(self, answer: T) -> None:
        """Answer the caller, who may have stopped waiting."""
        if not self.done.done():
            self.done.set_result(answer)

    def fail(self, error: BaseException) -> None:
        """Answer the caller with an error."""
        if not self.done.done():
            self.done.set_exception(error)
            # A caller that has stopped waiting reads no exception, and asyncio must not log it as unretrieved.
            self.done.exception()


@dataclass(eq=False, kw_only=True)
class Create(Operation[Booking]):
    """A new row."""

    wanted: NewBooking
    admit: Admit


@dataclass(eq=False, kw_only=True)
class Change(Operation[Booking]):
    """New day, time and people for a row."""

    before: Booking
    after: Booking
    admit: Admit

    def refuse_drift(self, now: Booking) -> None:
        """Raise `ConflictError` if the row has changed since the caller read it."""
        if when(now) != when(self.before):
            raise ConflictError("google_sheets: the row was changed by somebody else")


@dataclass(eq=False, kw_only=True)
class Cancel(Operation[None]):
    """One row to delete."""

    booking_id: str


@dataclass(eq=False, kw_only=True)
class Purge(Operation[int]):
    """All rows of days before one, to delete."""

    before: date


Any_ = Operation[Any]


def when(booking: Booking) -> tuple[object, ...]:
    """Return the fields that a change writes."""
    return booking.day, booking.time, booking.people
