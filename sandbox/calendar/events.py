"""Meetings: created, moved, cancelled, returned, and the times that they occupy. A refusal is an `SandboxError`."""

import secrets
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from sandbox.calendar.clock import CalendarClock, read, written
from sandbox.calendar.people import BY_ID
from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json

_LONGEST = timedelta(hours=12)


class NewEvent(BaseModel):
    """The fields of a new meeting. `reference` is the caller's own, stored unchanged."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=200)
    personId: str
    startsAt: str
    endsAt: str
    timeZone: str
    externalUserName: str = Field(default="", max_length=200)
    reference: str = Field(default="", max_length=200)


class EventChanges(BaseModel):
    """The changeable fields of a meeting; those left out keep their value."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = Field(default=None, min_length=1, max_length=200)
    startsAt: str | None = None
    endsAt: str | None = None
    status: str | None = Field(default=None, pattern="^(confirmed|cancelled)$")


class Events:
    """The meetings of one team."""

    def __init__(self, store: DocumentStore, clock: CalendarClock) -> None:
        self._store, self._clock = store, clock

    def find(self, event: str) -> Json:
        """Return one meeting. Raises `SandboxError`."""
        found = self._store.get("event", event)
        if found is None:
            raise SandboxError(404, f"There is no event {event}", "no_event")
        return found

    def between(self, start: datetime, end: datetime, *, cancelled: bool, person: str | None = None) -> list[Json]:
        """Return the meetings that overlap a period, soonest first."""
        kept = [
            e
            for e in self._store.all("event")
            if _start(e) < end and _end(e) > start
            if cancelled or e["status"] == "confirmed"
            if person is None or e["person"]["id"] == person
        ]
        return sorted(kept, key=lambda e: (e["startsAt"], e["id"]))

    def busy(self, person: str, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """Return the busy times of a person in a period, soonest first."""
        return [(_start(e), _end(e)) for e in self.between(start, end, cancelled=False, person=person)]

    def make(self, new: NewEvent, *, past: bool = False) -> Json:
        """Create a meeting with a new id."""
        person = BY_ID.get(new.personId)
        if person is None:
            raise SandboxError(404, f"No person has the id {new.personId!r}", "no_person")
        start, end = self._stretch(new.startsAt, new.endsAt, past)
        _check_zone(new.timeZone)
        self._refuse_overlap(person.id, start, end)
        document: dict[str, Any] = {
            "id": f"evt_{secrets.token_hex(8)}",
            "status": "confirmed",
            "title": new.title,
            "person": person.document(),
            "startsAt": written(start),
            "endsAt": written(end),
            "timeZone": new.timeZone,
            "externalUserName": new.externalUserName,
            "reference": new.reference,
        }
        self._store.put("event", document["id"], document)
        return document

    def change(self, event: str, changes: EventChanges) -> Json:
        """Return the meeting with the changes applied."""
        old = self.find(event)
        if old["status"] == "cancelled" and changes.status != "confirmed":
            raise SandboxError(409, f"Event {event} is cancelled", "cancelled")
        moved = changes.startsAt is not None or changes.endsAt is not None
        start, end = _start(old), _end(old)
        if moved:
            start, end = self._stretch(changes.startsAt or old["startsAt"], changes.endsAt or old["endsAt"], False)
        new = {**old, "title": changes.title or old["title"], "startsAt": written(start), "endsAt": written(end)}
        new["status"] = changes.status or old["status"]
        if new["status"] == "confirmed":
            self._refuse_overlap(old["person"]["id"], start, end, but=event)
        self._store.put("event", event, new)
        return new

    def cancel(self, event: str) -> Json:
        """Return the cancelled meeting, which occupies no time."""
        old = self.find(event)
        if old["status"] == "cancelled":
            raise SandboxError(409, f"Event {event} is cancelled already", "cancelled")
        new = {**old, "status": "cancelled"}
        self._store.put("event", event, new)
        return new

    def _stretch(self, start: str, end: str, past: bool) -> tuple[datetime, datetime]:
        first, last = read("startsAt", start), read("endsAt", end)
        if not timedelta() < last - first <= _LONGEST:
            raise SandboxError(400, "An event ends after it starts, twelve hours later at most", "bad_length")
        if first < self._clock.now() and not past:
            raise SandboxError(400, "That has passed", "in_past")
        return first, last

    def _refuse_overlap(self, person: str, start: datetime, end: datetime, but: str = "") -> None:
        others = [e for e in self.between(start, end, cancelled=False, person=person) if e["id"] != but]
        if others:
            name = BY_ID[person].name
            raise SandboxError(409, f"{name} has something else at that time", "overlap")


def _start(event: Json) -> datetime:
    return read("startsAt", event["startsAt"])


def _end(event: Json) -> datetime:
    return read("endsAt", event["endsAt"])


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise SandboxError(400, f"{name!r} is no time zone", "bad_zone") from None


OPENS, CLOSES = time(9), time(18)
"""The team's working hours, by its own clock, on every day."""
_EVERY = timedelta(minutes=30)


def openings(
    events: Events, clock: CalendarClock, person: str, start: datetime, end: datetime, minutes: int
) -> Iterator[tuple[datetime, datetime]]:
    """Yield (start, end) of each possible meeting of `minutes` between two moments, soonest first."""
    long = timedelta(minutes=minutes)
    busy = events.busy(person, start, end + long)
    day = start.astimezone(clock.zone).date()
    while day <= end.astimezone(clock.zone).date():
        at, last = clock.at(day, OPENS), clock.at(day, CLOSES)
        while at + long <= last:
            free = all(at + long <= first or until <= at for first, until in busy)
            if free and start <= at <= end and at > clock.now():
                yield at, at + long
            at += _EVERY
        day += timedelta(days=1)
