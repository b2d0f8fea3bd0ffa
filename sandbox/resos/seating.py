"""Tables, and whether one is free: the smallest that seats the party for the whole stay."""

from collections.abc import Sequence
from typing import Any

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import Json

HOLDING = frozenset({"request", "approved", "arrived", "seated"})
"""Statuses that keep a table. That `request` does is an assumption."""
NO_TABLE = "no suitable table found"


class Seating:
    """The tables of one restaurant, one for each number of seats."""

    def __init__(self, seats: Sequence[int]) -> None:
        self._seats = {f"tbl_{number}": seats_ for number, seats_ in enumerate(seats, 1)}

    def documents(self) -> list[Json]:
        """Return the tables in resOS's form."""
        return [
            {"_id": id_, "name": id_.removeprefix("tbl_"), "seatsMin": 1, "seatsMax": seats}
            for id_, seats in self._seats.items()
        ]

    def seat(self, booking: Json, others: Sequence[Json]) -> list[str]:
        """Return the tables for a booking beside `others`. Raises `SandboxError` 422 if there are none."""
        found = self.free(booking, others)
        if not found:
            raise SandboxError(422, NO_TABLE)
        return [min(found, key=lambda id_: self._seats[id_])]

    def free(self, booking: Json, others: Sequence[Json]) -> list[str]:
        """Return the free tables that are large enough."""
        taken = {
            table
            for other in others
            if other["_id"] != booking.get("_id") and other["status"] in HOLDING and _overlap(booking, other)
            for table in other["tables"]
        }
        return [id_ for id_, seats in self._seats.items() if id_ not in taken and seats >= booking["people"]]


def minutes(text: str) -> int:
    """Return the minutes since midnight of HH:mm."""
    hours, _, rest = text.partition(":")
    return int(hours) * 60 + int(rest)


def _overlap(one: Json, other: Json) -> bool:
    if one["date"] != other["date"]:
        return False
    (start, end), (begin, finish) = _stay(one), _stay(other)
    return start < finish and begin < end


def _stay(booking: dict[str, Any]) -> tuple[int, int]:
    start = minutes(booking["time"])
    return start, start + booking["duration"]
