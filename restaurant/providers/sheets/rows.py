"""Rows and bookings: the columns, and how the values of a row are read.

Rows that a person typed are read leniently: a day as 25/11/2026, a time as 20.30, no id. A row with a day and a time
holds a table; a row with neither is no booking.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from restaurant.providers.errors import SheetNotFoundError
from restaurant.providers.protocol import Booking, NewBooking, Phones

HEADER = ("booking_id", "day", "time", "people", "name", "phone", "notes")
_NAMED = 6
"""Columns whose names are required; `notes` may be missing."""
_DAY = re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-](\d{4})")
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?")


@dataclass(frozen=True)
class SheetRow:
    """A booking and its row. `number` counts from 0, the header's own; `cells` are as they were read."""

    number: int
    booking: Booking
    cells: tuple[Any, ...]

    @property
    def has_id(self) -> bool:
        """Return whether the row has an id of its own, and not one that was generated for a row that a person typed."""
        return bool(str(self.cells[0]).strip())


def read(values: Sequence[Sequence[Any]], phones: Phones) -> list[SheetRow]:
    """Return the bookings of a sheet, in row order. Raises `SheetNotFoundError` if the columns differ, because a table
    in an unreadable row would be booked twice."""
    if not values:
        return []
    names = tuple(str(cell).strip().casefold() for cell in values[0][:_NAMED])
    if names != HEADER[:_NAMED]:
        raise SheetNotFoundError(f"google_sheets: the columns must be {', '.join(HEADER)}")
    found = (_row(number, cells, phones) for number, cells in enumerate(values))
    return [row for row in found if row is not None]


def written(wanted: NewBooking) -> list[Any]:
    """Return the cells of a new booking. Its id is the caller's key, so that a read-back can identify it."""
    return [wanted.key, *when(wanted), wanted.name, wanted.phone, wanted.notes or ""]


def when(booking: Booking | NewBooking) -> list[Any]:
    """Return the cells that a change writes, columns B to D."""
    return [booking.day.isoformat(), f"{booking.time:%H:%M}", booking.people]


def when_range(number: int) -> str:
    """Return the range of those cells in the row with that number."""
    return f"B{number + 1}:D{number + 1}"


def id_range(number: int) -> str:
    """Return the range of the id."""
    return f"A{number + 1}"


def _row(number: int, cells: Sequence[Any], phones: Phones) -> SheetRow | None:
    texts = [str(cell).strip() for cell in cells] + [""] * len(HEADER)
    day, at = _day(texts[1]), _time(texts[2])
    if day is None or at is None:
        return None
    booking = Booking(
        booking_id=texts[0] or _made_up(texts),
        day=day,
        time=at,
        people=int(texts[3]) if texts[3].isdecimal() else 1,
        name=texts[4],
        phone=phones.e164(texts[5]),
        notes=texts[6] or None,
        key=texts[0] or None,
    )
    return SheetRow(number, booking, tuple(cells))


def _made_up(texts: Sequence[str]) -> str:
    """Return an id for a row without one, the same at each read, because the row holds a table and must be
    identifiable."""
    return "row-" + hashlib.sha256("\x1f".join(texts[1:6]).encode()).hexdigest()[:16]


def _day(text: str) -> date | None:
    found = _DAY.fullmatch(text)
    try:
        return date(int(found[3]), int(found[2]), int(found[1])) if found else date.fromisoformat(text)
    except ValueError:
        return None


def _time(text: str) -> time | None:
    found = _TIME.fullmatch(text)
    try:
        return time(int(found[1]), int(found[2])) if found else None
    except ValueError:
        return None
