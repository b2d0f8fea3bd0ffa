"""The operations of resOS, one handler each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json
from sandbox.resos.bookings import NewBooking, ResosBookings, ResosChanges, of_phone
from sandbox.resos.seating import Seating, minutes

_PAGE = 100
_STEP = 30


@dataclass(frozen=True, slots=True)
class Opening:
    """The first and last booking time of a weekday (1 is Monday), both HH:mm."""

    day: int
    name: str
    first: str
    last: str

    def document(self) -> Json:
        """Return the opening in the sandbox's form."""
        id_ = f"opn_{self.day}_{self.name.lower()}"
        return {"_id": id_, "day": self.day, "name": self.name, "open": self.first, "close": self.last}


class ResosListQuery(BaseModel):
    """The query for bookings. Moments are the restaurant's wall clock, "2026-11-25T00:00:00", both ends included."""

    model_config = ConfigDict(extra="ignore")

    skip: int = Field(default=0, ge=0)
    limit: int = Field(default=_PAGE, ge=1)
    fromDateTime: str = ""
    toDateTime: str = ""
    customQuery: str | None = None

    def holds(self, booking: Json) -> bool:
        """Return whether a booking starts within the period."""
        start = f"{booking['date']}T{booking['time']}:00"
        return start >= self.fromDateTime and (not self.toDateTime or start <= self.toDateTime)


def api_routes(
    store: DocumentStore, bookings: ResosBookings, seating: Seating, openings: Sequence[Opening], *, phone_filter: bool
) -> APIRouter:
    """Return the routes of every operation over one store."""
    router = APIRouter(prefix="/v1")
    _add_reads(router, bookings, seating, openings)
    _add_bookings(router, store, bookings, phone_filter)
    return router


def _add_reads(router: APIRouter, bookings: ResosBookings, seating: Seating, openings: Sequence[Opening]) -> None:
    @router.get("/healthcheck")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/tables")
    async def tables() -> list[Json]:
        return seating.documents()

    @router.get("/openingHours")
    async def hours() -> list[Json]:
        return [opening.document() for opening in openings]

    @router.get("/bookingFlow/times")
    async def times(date: date, people: Annotated[int, Query(ge=1)]) -> list[Json]:
        return [
            {"_id": opening.document()["_id"], "name": opening.name, "availableTimes": _free(opening, date, people)}
            for opening in openings
            if opening.day == date.isoweekday()
        ]

    def _free(opening: Opening, day: date, people: int) -> list[str]:
        grid = range(minutes(opening.first), minutes(opening.last) + 1, _STEP)
        starts = (f"{at // 60:02}:{at % 60:02}" for at in grid)
        return [start for start in starts if bookings.free_tables(day.isoformat(), start, people)]


def _add_bookings(router: APIRouter, store: DocumentStore, bookings: ResosBookings, phone_filter: bool) -> None:
    @router.get("/bookings")
    async def listed(asked: Annotated[ResosListQuery, Query()]) -> list[Json]:
        found = [booking for booking in bookings.all() if asked.holds(booking)]
        if phone_filter and asked.customQuery is not None:
            found = of_phone(found, asked.customQuery)
        # A larger limit still returns one page, so a client that relies on a larger limit loses bookings.
        return found[asked.skip : asked.skip + min(asked.limit, _PAGE)]

    @router.post("/bookings")
    async def create(request: Request, body: NewBooking) -> str:
        sent = await request.json()
        with store.transaction():
            made = bookings.make(body)
            store.note("create-booking", made, sent)
        return made

    @router.get("/bookings/{booking}")
    async def one(booking: str) -> Json:
        return bookings.find(booking)

    @router.put("/bookings/{booking}")
    async def change(request: Request, booking: str, body: ResosChanges) -> bool:
        sent: Any = await request.json()
        with store.transaction():
            bookings.change(booking, body)
            store.note("update-booking", booking, sent)
        return True

    @router.delete("/bookings/{booking}")
    async def delete(booking: str) -> None:
        raise SandboxError(400, f"{booking} cannot be deleted: a booking is cancelled by its status")
