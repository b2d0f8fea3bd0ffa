"""A venue filled with given bookings, instead of the invented ones."""

import json
import sqlite3
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sandbox.roller.booking_writes import add_item
from sandbox.roller.guests import add_guest
from sandbox.roller.schemas import Guest, NewItem
from sandbox.roller.seed.catalogue import BY_VARIATION, ROOM_HIRE
from sandbox.roller.seed.venue import VenueClock
from sandbox.roller.store import insert
from sandbox.roller.tokens import SEEDED_TOKENS, register


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


FIRST_NAMES = _parts("""
    Aisha|Alistair|Amelia|Arjun|Beatrice|Callum|Carmen|Charlotte|Damian|Daniela|Eleanor|Ewan|Fatima|Felix|Freya|
    Gabriel|Harriet|Imogen|Isaac|Jasmine|Kieran|Leila|Matteo|Nadia|Patrick|Priscilla|Quentin|Rebecca|Rohan|Tamara|
    Theodore|Ursula|Victor|Xavier|Yasmin
""")
LAST_NAMES = _parts("""
    Abbott|Ashworth|Bannister|Blackwood|Callaghan|Castellano|Dunmore|Eastwood|Fairweather|Gallagher|Hargreaves|Iyer|
    Jankowski|Kowalczyk|Lindqvist|MacGregor|Nakamura|Okafor|Pemberton|Quigley|Rasmussen|Sutherland|Takahashi|Underhill|
    Vandenberg|Whitlock|Yilmaz|Zielinski|Montague|Delacroix
""")
OCCASIONS = _parts("""
    {first}'s birthday party|{last} family|{first} {last}|{first} {last}|{last} birthday|Year 4 class treat|
    Football team night|Scouts outing
""")
COMMENTS = ("",) * 4 + _parts("""
    Arriving by minibus|One guest uses a wheelchair|Bringing their own cake|Nut allergy in the group|
    Would like a quiet corner
""")


@dataclass(frozen=True, slots=True)
class FixtureBooking:
    """One booking: `day` is YYYY-MM-DD, `start_time` HH:MM, `reference` a number."""

    reference: int
    guest: str
    title: str
    day: str
    start_time: str
    guests: int
    cancelled: bool = False


def unique_id_of(reference: int) -> str:
    """Return the id of a rehearsed booking."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, str(reference)))


def rehearsed(rows: Sequence[FixtureBooking]) -> Callable[[sqlite3.Connection, VenueClock], None]:
    """Return a seeding with exactly these bookings, each created through the API in a room with a start every five
    minutes."""

    def fill(connection: sqlite3.Connection, clock: VenueClock) -> None:
        for token in SEEDED_TOKENS:
            register(connection, token)
        guests: dict[str, int] = {}
        for row in rows:
            if row.guest not in guests:
                guests[row.guest] = add_guest(connection, _guest(row.guest, len(guests)))
            _insert(connection, clock, row, guests[row.guest])

    return fill


def _guest(name: str, number: int) -> Guest:
    first, _, last = name.partition(" ")
    email = f"{name.replace(' ', '.')}@guest.example".lower()
    return Guest(firstName=first, lastName=last or first, email=email, phone=f"+61 3 7010 {2000 + number}")


def _insert(connection: sqlite3.Connection, clock: VenueClock, row: FixtureBooking, guest_id: int) -> None:
    variation = ROOM_HIRE.variations[0].id
    unique_id = unique_id_of(row.reference)
    insert(
        connection,
        "bookings",
        unique_id=unique_id,
        reference=row.reference,
        external_id=f"PARTNER-{row.reference}",
        created=(clock.utc() - timedelta(days=30)).isoformat(),
        channel="Api",
        state="cancelled" if row.cancelled else "active",
        name=row.title,
        guest_id=guest_id,
        metadata=json.dumps({"source": "partner-portal"}),
    )
    item = NewItem(productId=variation, quantity=row.guests, bookingDate=row.day, startTime=row.start_time)
    add_item(connection, unique_id, row.reference, item, BY_VARIATION[variation])
