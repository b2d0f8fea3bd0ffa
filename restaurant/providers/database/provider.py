"""Bookings in a database table: a row is a booking. Cancelling deletes the row, as the contract requires for sheets.

No two writers count the same table: SQLite's transactions begin with its write lock (BEGIN IMMEDIATE), and in
PostgreSQL a writer to a day of a restaurant holds an advisory lock of that day until the transaction ends.
"""

from collections.abc import Callable, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from infra.errors import DependencyUnavailableError
from infra.ledger.database import Database, ledger_url
from restaurant.knowledge import minutes
from restaurant.providers.database.schema import BOOKINGS, bring_up_to_date
from restaurant.providers.errors import (
    BookingNotFoundError,
    ConflictError,
    FailedError,
    OutcomeUnknownError,
    ProviderUnavailableError,
)
from restaurant.providers.protocol import Admit, Booking, NewBooking
from restaurant.providers.timeouts import Deadline

T = TypeVar("T")

_WITHIN = 10.0
"""Seconds for one transaction, including its wait for other writers."""

_COLUMNS = BOOKINGS.c


def sheet_url(url: str | None, data: Path) -> str:
    """Return the sheet's address in SQLAlchemy's form; `restaurant.db` in the data folder if no URL is given."""
    return ledger_url(url, data) if url else f"sqlite:///{data.absolute() / 'restaurant.db'}"


def sheet_database(url: str) -> Database:
    """Return the database of all restaurants' sheets. The first call creates its table."""
    return Database(url, tables=bring_up_to_date)


class DatabaseProvider:
    """The bookings of one restaurant in a database that other restaurants share. Implements `Provider`."""

    name = "database"
    server_decides = False

    def __init__(self, database: Database, restaurant_id: str) -> None:
        self._database = database
        self._restaurant = restaurant_id

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """See `Provider`."""

        def work(connection: Connection) -> Booking:
            self._lock(connection, wanted.day)
            admit(self._day(connection, wanted.day))
            row = {
                "booking_id": wanted.key,
                "restaurant_id": self._restaurant,
                "day": wanted.day,
                "minute": minutes(wanted.time),
                "people": wanted.people,
                "name": wanted.name,
                "phone": wanted.phone,
                "notes": wanted.notes,
            }
            connection.execute(insert(BOOKINGS).values(row))
            return self._one(connection, wanted.key)

        return await self._write(work)

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """See `Provider`."""
        query = self._mine().where(_COLUMNS.phone == phone, _COLUMNS.day >= since)
        return await self._read(lambda connection: _bookings(connection, query))

    async def of_day(self, day: date) -> list[Booking]:
        """See `Provider`."""
        return await self._read(lambda connection: self._day(connection, day))

    async def by_id(self, booking_id: str) -> Booking:
        """See `Provider`."""
        return await self._read(lambda connection: self._one(connection, booking_id))

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """See `Provider`."""

        def work(connection: Connection) -> Booking:
            self._lock(connection, after.day)
            if not _same(self._one(connection, before.booking_id), before):
                raise ConflictError("the booking was changed by somebody else")
            admit(self._day(connection, after.day))
            written = connection.execute(
                update(BOOKINGS)
                .where(
                    _COLUMNS.restaurant_id == self._restaurant,
                    _COLUMNS.booking_id == before.booking_id,
                    _COLUMNS.day == before.day,
                    _COLUMNS.minute == minutes(before.time),
                    _COLUMNS.people == before.people,
                )
                .values(day=after.day, minute=minutes(after.time), people=after.people)
            )
            if written.rowcount != 1:
                raise ConflictError("the booking was changed by somebody else")
            return self._one(connection, before.booking_id)

        return await self._write(work)

    async def cancel(self, booking_id: str) -> None:
        """See `Provider`."""

        def work(connection: Connection) -> None:
            gone = connection.execute(
                delete(BOOKINGS).where(_COLUMNS.restaurant_id == self._restaurant, _COLUMNS.booking_id == booking_id)
            )
            if gone.rowcount != 1:
                raise BookingNotFoundError("there is no such booking")

        await self._write(work)

    async def purge(self, before: date) -> int | None:
        """See `Provider`."""

        def work(connection: Connection) -> int:
            return connection.execute(
                delete(BOOKINGS).where(_COLUMNS.restaurant_id == self._restaurant, _COLUMNS.day < before)
            ).rowcount

        return await self._write(work)

    async def close(self) -> None:
        """Do nothing: the code that opened the database closes it."""

    def _lock(self, connection: Connection, day: date) -> None:
        if connection.dialect.name == "postgresql":
            key = f"restaurant {self._restaurant} {day.isoformat()}"
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": key})

    def _mine(self) -> Select[Any]:
        return select(BOOKINGS).where(_COLUMNS.restaurant_id == self._restaurant)

    def _day(self, connection: Connection, day: date) -> list[Booking]:
        return _bookings(connection, self._mine().where(_COLUMNS.day == day))

    def _one(self, connection: Connection, booking_id: str) -> Booking:
        found = _bookings(connection, self._mine().where(_COLUMNS.booking_id == booking_id))
        if not found:
            raise BookingNotFoundError("there is no such booking")
        return found[0]

    async def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self._database.ask(work, Deadline.reading(_WITHIN).left())
        except DependencyUnavailableError as error:
            raise ProviderUnavailableError(f"the bookings' database: {error}") from None
        except DBAPIError as error:
            raise FailedError(f"the bookings' database: {type(error.orig).__name__}") from None

    async def _write(self, work: Callable[[Connection], T]) -> T:
        timeout = Deadline.writing(_WITHIN).left()
        if not timeout:
            raise ProviderUnavailableError("the bookings' database: no time is left")
        try:
            return await self._database.ask(work, timeout, writes=True)
        except DependencyUnavailableError as error:
            # The transaction may have been committed before the connection was lost, or may still be waiting for a
            # lock.
            raise OutcomeUnknownError(f"the bookings' database: {error}") from None
        except DBAPIError as error:
            raise FailedError(f"the bookings' database: {type(error.orig).__name__}") from None


def _bookings(connection: Connection, query: Select[Any]) -> list[Booking]:
    ordered = query.order_by(_COLUMNS.day, _COLUMNS.minute, _COLUMNS.booking_id)
    return _read_rows(connection.execute(ordered).all())


def _read_rows(rows: Sequence[Row[Any]]) -> list[Booking]:
    return [
        Booking(
            booking_id=row.booking_id,
            day=row.day,
            time=time(row.minute // 60, row.minute % 60),
            people=row.people,
            name=row.name,
            phone=row.phone,
            notes=row.notes,
            key=row.booking_id,
        )
        for row in rows
    ]


def _same(one: Booking, other: Booking) -> bool:
    return (one.day, one.time, one.people) == (other.day, other.time, other.people)
