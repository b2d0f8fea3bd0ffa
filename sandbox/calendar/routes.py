"""The operations of the calendar, one handler each, by the paths and names of its document."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from sandbox.calendar.clock import CalendarClock, read, written
from sandbox.calendar.events import EventChanges, Events, NewEvent, openings
from sandbox.calendar.people import BY_ID, PEOPLE
from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore

_LONGEST = timedelta(days=62)


class EventSpan(BaseModel):
    """A period, from two instants."""

    start: str = Field(alias="from")
    end: str = Field(alias="to")

    def moments(self) -> tuple[datetime, datetime]:
        """Return both moments. Raises `SandboxError`."""
        first, last = read("from", self.start), read("to", self.end)
        if last < first or last - first > _LONGEST:
            raise SandboxError(400, "`to` comes after `from`, 62 days later at most", "bad_stretch")
        return first, last


class OfOne(EventSpan):
    """A period of one person."""

    personId: str = ""


class EventQuery(OfOne):
    """The query for possible meeting times."""

    minutes: int = Field(default=30, ge=5, le=720)


class EventListQuery(EventSpan):
    """The query for meetings."""

    personId: str | None = None
    includeCancelled: bool = False


def api_routes(store: DocumentStore, events: Events, clock: CalendarClock) -> APIRouter:
    """Return the routes of every operation over one store."""
    router = APIRouter(prefix="/v1")
    _add_people(router, events, clock)
    _add_events(router, store, events)
    return router


def _add_people(router: APIRouter, events: Events, clock: CalendarClock) -> None:
    @router.get("/account", operation_id="get-account")
    async def account() -> dict[str, Any]:
        return {"name": "Calendar sandbox", "timeZone": str(clock.zone)}

    @router.get("/people", operation_id="list-people")
    async def people() -> dict[str, Any]:
        return {"people": [person.document() for person in PEOPLE]}

    @router.get("/busy-times", operation_id="list-busy-times")
    async def busy(asked: Annotated[OfOne, Query()]) -> dict[str, Any]:
        first, last = asked.moments()
        times = events.busy(asked.personId, first, last)
        rows = [{"startsAt": written(start), "endsAt": written(end)} for start, end in times]
        return {"known": asked.personId in BY_ID, "busy": rows}

    @router.get("/openings", operation_id="list-openings")
    async def free(asked: Annotated[EventQuery, Query()]) -> dict[str, Any]:
        first, last = asked.moments()
        known = asked.personId in BY_ID
        found = openings(events, clock, asked.personId, first, last, asked.minutes) if known else ()
        return {"known": known, "openings": [{"startsAt": written(s), "endsAt": written(e)} for s, e in found]}


def _add_events(router: APIRouter, store: DocumentStore, events: Events) -> None:
    @router.get("/events", operation_id="list-events")
    async def listed(asked: Annotated[EventListQuery, Query()]) -> dict[str, Any]:
        first, last = asked.moments()
        found = events.between(first, last, cancelled=asked.includeCancelled, person=asked.personId)
        return {"events": found}

    @router.post("/events", operation_id="create-event", status_code=201)
    async def create(request: Request, body: NewEvent) -> dict[str, Any]:
        sent = await request.json()
        with store.transaction():
            made = events.make(body)
            store.note("create-event", made["id"], sent)
        return made

    @router.get("/events/{event}", operation_id="get-event")
    async def one(event: str) -> dict[str, Any]:
        return events.find(event)

    @router.patch("/events/{event}", operation_id="change-event")
    async def change(request: Request, event: str, body: EventChanges) -> dict[str, Any]:
        sent = await request.json()
        with store.transaction():
            changed = events.change(event, body)
            store.note("change-event", event, sent)
        return changed

    @router.delete("/events/{event}", operation_id="cancel-event")
    async def cancel(event: str) -> dict[str, Any]:
        with store.transaction():
            cancelled = events.cancel(event)
            store.note("cancel-event", event, {})
        return cancelled
