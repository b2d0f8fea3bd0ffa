"""Places in sessions: how many are taken, whether more fit, and the availability response."""

import sqlite3
from datetime import datetime

from sandbox.roller.errors import RollerConflictError
from sandbox.roller.schemas import NewItem
from sandbox.roller.seed.catalogue import BY_VARIATION, PARTY, PRODUCTS, Product, Variation, product_info
from sandbox.roller.seed.venue import VenueClock


def bookable(item: NewItem, clock: VenueClock) -> tuple[Product, Variation]:
    """Return the product of a new item. Raises `RollerConflictError` if the venue has no such product or session that
    day."""
    if item.productId not in BY_VARIATION:
        raise RollerConflictError("InvalidProduct", f"No product variation has the id {item.productId}")
    product, variation = BY_VARIATION[item.productId]
    if item.bookingDate < clock.today().isoformat():
        raise RollerConflictError("BookingDateInPast", f"{item.bookingDate} is in the past")
    if product.every is not None and item.startTime not in product.start_times:
        question = f"no session at {item.startTime}" if item.startTime else "sessions and needs a startTime"
        raise RollerConflictError("SessionNotAvailable", f"{product.name} has {question} on {item.bookingDate}")
    return product, variation


def check_room(connection: sqlite3.Connection, product: Product, day: str, start_time: str, places: int) -> None:
    """Raise `RollerConflictError`, with the reason, if a session has fewer than `places` left."""
    if product.capacity is None:
        return
    remaining = product.capacity - taken(connection, product, day).get(start_time, 0)
    if remaining <= 0:
        raise RollerConflictError("LocationFullyBooked", f"{product.name} at {start_time} on {day} is fully booked")
    if places > remaining:
        message = f"{product.name} at {start_time} on {day} has {remaining} places left, {places} were asked for"
        raise RollerConflictError("VenueCapacity", message)


def taken(connection: sqlite3.Connection, product: Product, day: str) -> dict[str, int]:
    """Return the places taken on a day by bookings that are not cancelled, by session start time."""
    rows = connection.execute(
        "SELECT start_time, SUM(places) AS places FROM items JOIN bookings ON unique_id = booking_id"
        " WHERE date = ? AND parent_id = ? AND state = 'active' GROUP BY start_time",
        (day, product.id),
    )
    return {row["start_time"]: row["places"] for row in rows}


def availability(
    connection: sqlite3.Connection, clock: VenueClock, day: str, parents: set[int] | None, category: str | None
) -> list[dict[str, object]]:
    """Return the body of `get-product-availability`; `parents` and `category` narrow it if given."""
    return [
        {
            "parentProductId": str(product.id),
            "parentProductName": product.name,
            "type": product.type,
            "description": product.description,
            "products": product_info(product),
            "availabilities": []
            if product.every
            else [{"date": day, "onlineSalesOpen": True, "allocations": _allocations(product, None)}],
            "sessions": _sessions(connection, clock, product, day),
            "id": str(product.id),
            "name": product.name,
        }
        for product in PRODUCTS
        if (parents is None or product.id in parents)
        and (category is None or product.category.lower() == category.lower())
    ]


def stage(connection: sqlite3.Connection, clock: VenueClock) -> dict[str, object]:
    """Return sessions for rehearsals: the first full session from today on, and three party sessions of the coming week
    with room."""
    full = connection.execute(
        "SELECT date, start_time, MIN(product_id) AS product_id, parent_id, SUM(places) AS places"
        " FROM items JOIN bookings ON unique_id = booking_id WHERE state = 'active' AND parent_id = ? AND date > ?"
        " GROUP BY date, start_time HAVING SUM(places) >= ? ORDER BY date, start_time LIMIT 1",
        (PARTY.id, clock.today().isoformat(), PARTY.capacity),
    ).fetchone()
    days = [datetime.fromordinal(clock.today().toordinal() + ahead).date().isoformat() for ahead in (1, 4, 7)]
    return {
        "full_session": None if full is None else _session_key(full["date"], full["start_time"], full["product_id"]),
        "open_sessions": [
            {
                **_session_key(day, start, PARTY.variations[0].id),
                "capacity_remaining": _left(PARTY, taken(connection, PARTY, day), start),
            }
            for day, start in zip(days, ("10:00", "14:00", "15:30"), strict=True)
        ],
    }


def _session_key(day: str, start_time: str, product_id: int) -> dict[str, object]:
    parent = BY_VARIATION[product_id][0].id
    return {"date": day, "start_time": start_time, "product_id": product_id, "parent_product_id": parent}


def _left(product: Product, used: dict[str, int], start_time: str) -> int | None:
    return None if product.capacity is None else max(0, product.capacity - used.get(start_time, 0))


def _sessions(connection: sqlite3.Connection, clock: VenueClock, product: Product, day: str) -> list[dict[str, object]]:
    if day < clock.today().isoformat():
        return []
    used = taken(connection, product, day)
    sessions: list[dict[str, object]] = []
    for start in product.start_times:
        remaining = _left(product, used, start)
        sessions.append(
            {
                "date": day,
                "name": datetime.strptime(start, "%H:%M").strftime("%I:%M %p").lstrip("0").lower(),
                "startTime": start,
                "endTime": product.end_time(start),
                "capacityRemaining": remaining,
                "onlineSalesOpen": clock.at(day, start) > clock.now(),
                "resourceCapacityRemaining": remaining,
                "ticketCapacityRemaining": None,
                "allocations": _allocations(product, remaining),
                "remainingSessionCapacity": remaining,
            }
        )
    return sessions


def _allocations(product: Product, left: int | None) -> list[dict[str, object]]:
    rooms = [(str(v.id), None if left is None else left // v.group_size) for v in product.variations]
    return [{"productId": name, "capacityRemaining": room, "bookableCapacityRemaining": room} for name, room in rooms]
