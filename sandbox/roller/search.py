"""`search-for-bookings`: the bookings that match a query, newest first."""

import json
import sqlite3
from dataclasses import dataclass

from sandbox.roller.bookings import basic_detail
from sandbox.roller.errors import BadRequestError
from sandbox.roller.matching import Haystack, haystack, matches
from sandbox.roller.seed.catalogue import PRODUCTS
from sandbox.roller.validation import require_day, require_ids, require_time

# ROLLER returns the most recent hundred and has no further pages.
MOST_RECENT = 100
KEYWORDS_LENGTH = 3


@dataclass(frozen=True)
class Query:
    """A checked search; None is an unused criterion. `product_ids` are variations or their parents."""

    keywords: str | None
    day: str | None
    start_time: str | None
    product_ids: frozenset[int] | None
    location_ids: frozenset[int] | None


def parse_query(
    keywords: str | None, day: str | None, start_time: str | None, product_ids: str | None, location_ids: str | None
) -> Query:
    """Return the checked query. Raises `BadRequestError` that names a wrong value."""
    if all(value is None for value in (keywords, day, start_time, product_ids, location_ids)):
        raise BadRequestError("query", "At least one of keywords, date, startTime, productIds, locationIds is required")
    if keywords is not None and len(keywords.strip()) < KEYWORDS_LENGTH:
        raise BadRequestError("keywords", f"keywords must be at least {KEYWORDS_LENGTH} characters")
    for name, value in (("productIds", product_ids), ("locationIds", location_ids)):
        if value is not None and day is None:
            raise BadRequestError("date", f"date is required with {name}")
    return Query(
        keywords,
        None if day is None else require_day("date", day),
        None if start_time is None else require_time("startTime", start_time),
        None if product_ids is None else frozenset(require_ids("productIds", product_ids)),
        None if location_ids is None else frozenset(require_ids("locationIds", location_ids)),
    )


def search_bookings(connection: sqlite3.Connection, query: Query) -> dict[str, object]:
    """Return the body of `search-for-bookings`. Cancelled bookings are found, deleted ones are not."""
    clause, values = _item_clause(query)
    rows = connection.execute(
        "SELECT bookings.*, guests.data AS guest FROM bookings JOIN guests ON guests.id = guest_id"
        f" WHERE state != 'deleted'{clause} ORDER BY created DESC, reference DESC",
        values,
    ).fetchall()
    found: list[dict[str, object]] = []
    tickets = _ticket_ids(connection) if query.keywords is not None else {}
    for row in rows:
        guest = json.loads(row["guest"])
        if query.keywords is not None and not matches(query.keywords, _text(row, guest, tickets)):
            continue
        found.append(basic_detail(connection, row, guest["flags"]))
        if len(found) == MOST_RECENT:
            break
    return {"bookings": found}


def _item_clause(query: Query) -> tuple[str, list[object]]:
    """Return SQL for one item that meets every criterion about items."""
    conditions: list[str] = []
    values: list[object] = []
    if query.day is not None:
        conditions.append("date = ?")
        values.append(query.day)
    if query.start_time is not None:
        conditions.append("start_time = ?")
        values.append(query.start_time)
    if query.product_ids is not None:
        marks = ",".join("?" * len(query.product_ids))
        conditions.append(f"(product_id IN ({marks}) OR parent_id IN ({marks}))")
        values += [*query.product_ids, *query.product_ids]
    if query.location_ids is not None:
        parents = [product.id for product in PRODUCTS if product.location_id in query.location_ids]
        conditions.append(f"parent_id IN ({','.join('?' * len(parents))})")
        values += parents
    if not conditions:
        return "", []
    return f" AND unique_id IN (SELECT booking_id FROM items WHERE {' AND '.join(conditions)})", values


def _ticket_ids(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Return ticket ids and custom ticket ids by booking."""
    found: dict[str, list[str]] = {}
    rows = connection.execute("SELECT booking_id, ticket_id, custom_id FROM tickets JOIN items ON items.id = item_id")
    for booking_id, ticket_id, custom_id in rows:
        found.setdefault(booking_id, []).extend([ticket_id, custom_id] if custom_id else [ticket_id])
    return found


def _text(row: sqlite3.Row, guest: dict[str, str | None], tickets: dict[str, list[str]]) -> Haystack:
    ids = [str(row["reference"]), row["unique_id"], row["external_id"] or "", *tickets.get(row["unique_id"], [])]
    names = [row["name"], guest["firstName"] or "", guest["lastName"] or ""]
    return haystack(names, ids, guest.get("email") or "", guest.get("phone") or "")
