"""The bookings of a new database: equal for the same day and zone, about 200.

Starring guests, each with one upcoming booking, for rehearsals: John Smith (a party next week, a medical flag), Emma
Brown, Emma Clarke, Emma Wilson, Olivia Chen (channel Online, so it cannot be cancelled) and booking 8231. One party
session is full; every other session keeps close to half of its places or more.
"""

import json
import random
import sqlite3
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from sandbox.roller.booking_writes import add_item, add_payment
from sandbox.roller.guests import add_guest
from sandbox.roller.schemas import Flag, Guest, NewItem
from sandbox.roller.seed.catalogue import BY_VARIATION, JUMP, NINJA, PARTY, SOCKS, TODDLER, Product
from sandbox.roller.seed.fixtures import COMMENTS, FIRST_NAMES, LAST_NAMES, OCCASIONS
from sandbox.roller.seed.venue import VenueClock
from sandbox.roller.store import insert
from sandbox.roller.tokens import SEEDED_TOKENS, register

Seeding = Callable[[sqlite3.Connection, VenueClock], None]
"""Fills an empty venue, its tokens included."""

SEED = 8231
ORDINARY_BOOKINGS = 190
# Fewer than bookings, because some guests come twice.
ORDINARY_GUESTS = 170
FIRST_REFERENCE = 8000
KNOWN_REFERENCE = 8231
DAYS_BACK, DAYS_AHEAD = 14, 28
FULL_SESSION_DAYS_AHEAD, FULL_SESSION_START = 3, "11:30"
_CHANNELS = ("Api", "Api", "Api", "Api", "VenueManager", "VenueManager", "Online", "Online", "POS", "Forms")
# First ids, far apart, so that ids of different kinds cannot be confused.
_ID_STARTS = {"guests": 30_110_000, "items": 52_000_100, "tickets": 740_000, "payments": 910_000}


@dataclass(frozen=True)
class _Order:
    """A booking to be seeded. `created` is days before today."""

    guest: Guest
    name: str
    variation: int
    quantity: int
    day: date
    start_time: str
    channel: str = "Api"
    comments: str = ""
    created: int = 1
    socks: int = 0
    paid: float = 1.0


def seed(connection: sqlite3.Connection, clock: VenueClock) -> None:
    """Fill an empty database. Takes well under half a second; depends only on the day and a fixed seed."""
    today = clock.today()
    source = random.Random(f"{SEED} {today.isoformat()}")
    for table, start in _ID_STARTS.items():
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, start))
    for token in SEEDED_TOKENS:
        register(connection, token)
    orders = [*_ordinary(source, today), *_full_session(source, today)]
    known = _starring(today)
    source.shuffle(orders)
    reference = FIRST_REFERENCE
    guests: dict[str, int] = {}
    for order in orders:
        reference += source.choice((1, 1, 2, 3))
        if reference == KNOWN_REFERENCE:
            reference += 1
        _insert(connection, source, clock, order, reference, guests)
    for order in known[1:]:
        reference += source.choice((1, 2))
        _insert(connection, source, clock, order, reference, guests)
    _insert(connection, source, clock, known[0], KNOWN_REFERENCE, guests)


def _starring(today: date) -> list[_Order]:
    """Return the guests that rehearsals name; the first one holds booking 8231. John's party is never on a Saturday."""
    john = _guest("John", "Smith", "+61 491 570 006").model_copy(
        update={
            "acceptMarketing": True,
            "flags": [
                Flag(type="Medical", comment="Carries an EpiPen for a peanut allergy"),
                Flag(type="VIP", comment="Annual pass holder"),
            ],
        }
    )
    party, child, ninja = (product.variations[0].id for product in (PARTY, JUMP, NINJA))
    harriet = _guest("Harriet", "Winterbourne", "+61 491 570 110")
    brown, clarke = _guest("Emma", "Brown", "+61 491 570 156"), _guest("Emma", "Clarke", "+61 491 570 157")
    wilson, olivia = _guest("Emma", "Wilson", "+61 491 570 158"), _guest("Olivia", "Chen", "+61 491 570 159")

    def ahead(days: int) -> date:
        return today + timedelta(days=days)

    midweek = ahead(9 - today.weekday())
    return [
        _Order(harriet, "Winterbourne birthday", party, 10, ahead(8), "13:00", created=6, paid=0.5),
        _Order(john, "John Smith's birthday party", party, 12, midweek, "14:00", comments="Host name: Sam", created=5),
        _Order(brown, "Emma Brown", child, 4, ahead(2), "10:30", created=4),
        _Order(clarke, "Emma Clarke", party, 9, ahead(6), "15:00", created=3),
        _Order(wilson, "Wilson family", ninja, 3, ahead(11), "16:00", created=2),
        _Order(olivia, "Olivia Chen", child, 5, ahead(5), "12:00", channel="Online", created=2),
    ]


def _ordinary(source: random.Random, today: date) -> list[_Order]:
    people = [_person(source, index) for index in range(ORDINARY_GUESTS)]
    used: dict[tuple[int, date, str], int] = {}
    orders: list[_Order] = []
    while len(orders) < ORDINARY_BOOKINGS:
        product = source.choices((PARTY, JUMP, NINJA, TODDLER), weights=(4, 4, 2, 1))[0]
        variation = source.choice(product.variations)
        quantity = source.randint(8, 16) if product is PARTY else source.randint(1, 6)
        day = today + timedelta(days=source.randint(-DAYS_BACK, DAYS_AHEAD))
        start_time = source.choice(product.start_times)
        session = (product.id, day, start_time)
        slots = used.get(session, 0) + quantity * variation.group_size
        if _is_full_session(product, today, day, start_time) or slots > (product.capacity or 3 * slots) // 3:
            continue
        used[session] = slots
        guest = people[len(orders) % len(people)]
        occasion = source.choice(OCCASIONS).format(first=guest.firstName, last=guest.lastName)
        name = occasion if product is PARTY else f"{guest.firstName} {guest.lastName}"
        channel, comments = source.choice(_CHANNELS), source.choice(COMMENTS)
        created = max(0, (today - day).days) + source.randint(1, 40)
        socks = quantity if source.random() < 0.15 else 0
        paid = source.choice((0.0, 0.25, 1.0, 1.0, 1.0))
        sold = (variation.id, quantity, day, start_time)
        orders.append(_Order(guest, name, *sold, channel, comments, created, socks, paid))
    return orders


def _full_session(source: random.Random, today: date) -> list[_Order]:
    """Return four groups that together take every place of one party session."""
    groups = 4
    quantity = (PARTY.capacity or 0) // groups
    day = today + timedelta(days=FULL_SESSION_DAYS_AHEAD)
    return [
        _Order(
            guest, f"{guest.lastName} birthday", PARTY.variations[0].id, quantity, day, FULL_SESSION_START, created=9
        )
        for guest in (_person(source, ORDINARY_GUESTS + index) for index in range(groups))
    ]


def _is_full_session(product: Product, today: date, day: date, start_time: str) -> bool:
    ahead = (day - today).days
    return product is PARTY and ahead == FULL_SESSION_DAYS_AHEAD and start_time == FULL_SESSION_START


def _person(source: random.Random, index: int) -> Guest:
    """Return a person. The index decides the name, so that no two people share one; the rest is random."""
    first = FIRST_NAMES[index % len(FIRST_NAMES)]
    last = LAST_NAMES[(index + index // len(FIRST_NAMES)) % len(LAST_NAMES)]
    guest = _guest(first, last, f"+61 3 7010 {1000 + index * 37 % 9000:04d}")
    if source.random() < 0.1:
        guest = guest.model_copy(update={"flags": [Flag(type="Alert", comment="Paid late last time")]})
    return guest


def _guest(first: str, last: str, phone: str) -> Guest:
    return Guest(firstName=first, lastName=last, email=f"{first}.{last}@example.com".lower(), phone=phone)


def _insert(
    connection: sqlite3.Connection,
    source: random.Random,
    clock: VenueClock,
    order: _Order,
    reference: int,
    guests: dict[str, int],
) -> None:
    email = order.guest.email or ""
    if email not in guests:
        guests[email] = add_guest(connection, order.guest)
    unique_id = str(uuid.UUID(int=source.getrandbits(128), version=4))
    created = (clock.utc() - timedelta(days=order.created)).replace(
        hour=source.randint(0, 23), minute=source.randint(0, 59), second=source.randint(0, 59), microsecond=0
    )
    ours = order.channel == "Api"
    insert(
        connection,
        "bookings",
        unique_id=unique_id,
        reference=reference,
        external_id=f"PARTNER-{reference * 7 + 100_000}" if ours else None,
        created=created.isoformat(),
        channel=order.channel,
        name=order.name,
        guest_id=guests[email],
        comments=order.comments,
        metadata=json.dumps({"source": "partner-portal"} if ours else {}),
    )
    total = 0.0
    lines: list[tuple[int, int, str | None]] = [(order.variation, order.quantity, order.start_time)]
    if order.socks:
        lines.append((SOCKS.variations[0].id, order.socks, None))
    for variation, quantity, start_time in lines:
        item = NewItem(productId=variation, quantity=quantity, bookingDate=order.day.isoformat(), startTime=start_time)
        add_item(connection, unique_id, reference, item, BY_VARIATION[variation])
        total += BY_VARIATION[variation][1].price * quantity
    if order.paid:
        paid = round(total * order.paid, 2)
        add_payment(connection, unique_id, f"TX-{reference}", "CreditCard", paid, created.isoformat())
