"""Writes to bookings: create, change, cancel. Each runs inside one transaction of its caller.

Quantity, day and start time of an item never change: a change removes the item and adds another, with a new id and new
tickets; the discount of the old one and the choices from its package are lost. Repeated requests are not recognised.
"""

import json
import re
import sqlite3
import uuid
from typing import TypedDict

from sandbox.roller.bookings import apply_discount, booking_detail, find_booking
from sandbox.roller.capacity import bookable, check_room
from sandbox.roller.errors import BadRequestError, ForbiddenError, RollerConflictError
from sandbox.roller.guests import find_or_add_guest
from sandbox.roller.schemas import BookingCreate, BookingUpdate, Cancellation, ItemUpdate, NewItem, NewTicket
from sandbox.roller.seed.catalogue import Product, Variation
from sandbox.roller.seed.venue import VenueClock
from sandbox.roller.store import insert

# ROLLER's documented limit on a booking's metadata.
METADATA_ENTRIES = 20


class BookingIds(TypedDict):
    """The response of `create-a-booking`."""

    bookingReference: str
    uniqueId: str


def update_booking(connection: sqlite3.Connection, clock: VenueClock, booking_id: str, change: BookingUpdate) -> str:
    """Apply a delta and return the booking's uniqueId. Places are counted after the removals."""
    row = find_booking(connection, booking_id)
    unique_id: str = row["unique_id"]
    if row["state"] == "cancelled":
        raise RollerConflictError("BookingCancelled", f"Booking {row['reference']} is cancelled and cannot be changed")
    for column, value in (("name", change.name), ("comments", change.comments)):
        if value is not None:
            connection.execute(f"UPDATE bookings SET {column} = ? WHERE unique_id = ?", (value, unique_id))
    if change.metadata:
        merged = merge_metadata(json.loads(row["metadata"]), change.metadata)
        connection.execute("UPDATE bookings SET metadata = ? WHERE unique_id = ?", (json.dumps(merged), unique_id))
    _remove_items(connection, unique_id, set(change.idsToRemove or []))
    for update in change.itemsToUpdate or []:
        _update_item(connection, unique_id, update)
    for item in change.newItems or []:
        _add_checked(connection, clock, unique_id, row["reference"], item)
    return unique_id


def create_booking(connection: sqlite3.Connection, clock: VenueClock, order: BookingCreate) -> BookingIds:
    """Create a booking of channel Api, with its guest if no guest has that e-mail address yet."""
    query = "SELECT reference FROM bookings WHERE external_id = ?"
    if connection.execute(query, (order.externalId,)).fetchone() is not None:
        raise RollerConflictError(
            "DuplicateExternalId", f"A booking with the externalId {order.externalId} exists already"
        )
    guest_id = find_or_add_guest(connection, order.customer)
    reference = connection.execute("SELECT COALESCE(MAX(reference), 7999) + 1 FROM bookings").fetchone()[0]
    unique_id = str(uuid.uuid4())
    created = order.purchaseDate or clock.utc().isoformat()
    insert(
        connection,
        "bookings",
        unique_id=unique_id,
        reference=reference,
        external_id=order.externalId,
        created=created,
        channel="Api",
        name=order.name or f"{order.customer.firstName} {order.customer.lastName}",
        guest_id=guest_id,
        comments=order.comments or "",
        pos_notes=order.posNotes or "",
        company_id=order.companyId,
        metadata=json.dumps(merge_metadata({}, order.metadata or {})),
    )
    for item in order.items:
        _add_checked(connection, clock, unique_id, reference, item)
    for discount in order.discounts or []:
        apply_discount(connection, unique_id, discount)
    for payment in order.payments or []:
        paid_at = payment.transactionDate or created
        add_payment(connection, unique_id, payment.id, payment.paymentType, payment.amount, paid_at)
    return {"bookingReference": str(reference), "uniqueId": unique_id}


def cancel_booking(connection: sqlite3.Connection, clock: VenueClock, booking_id: str, order: Cancellation) -> str:
    """Cancel permanently and return the uniqueId. Items are kept but free their places."""
    if order.issueRefund and order.refundType is None:
        raise BadRequestError("refundType", "refundType is required when issueRefund is true")
    row = find_booking(connection, booking_id)
    if row["state"] == "cancelled":
        raise RollerConflictError("BookingCancelled", f"Booking {row['reference']} is cancelled already")
    if row["channel"] != "Api":
        raise ForbiddenError("You can only cancel bookings that were made through the API")
    detail = booking_detail(connection, row["unique_id"])
    now = clock.now()
    if any(clock.at(item["bookingDate"], item.get("sessionStartTime")) <= now for item in detail["items"]):
        raise ForbiddenError("You can only cancel bookings that lie in the future")
    paid = round(detail["total"] - detail["remainder"], 2)
    if order.issueRefund and order.refundType is not None and paid > 0:
        refunded_at = order.refundTransactionDate or clock.utc().isoformat()
        add_payment(connection, row["unique_id"], order.refundTransactionId, order.refundType, -paid, refunded_at)
    connection.execute("UPDATE bookings SET state = 'cancelled' WHERE unique_id = ?", (row["unique_id"],))
    return str(row["unique_id"])


def merge_metadata(old: dict[str, str], change: dict[str, str | None]) -> dict[str, str]:
    """Return the old keys with those of `change` set, or removed if null. HTML is stripped as in ROLLER."""
    merged = {key: value for key, value in old.items() if change.get(key, value) is not None}
    merged.update({key: re.sub(r"<[^>]*>", "", value) for key, value in change.items() if value is not None})
    if len(merged) > METADATA_ENTRIES:
        raise BadRequestError("metadata", f"metadata must have at most {METADATA_ENTRIES} entries on a booking")
    return merged


def add_payment(
    connection: sqlite3.Connection, unique_id: str, transaction_id: str | None, method: str, total: float, created: str
) -> None:
    """Record a payment that was made elsewhere; a refund is negative."""
    values = {"transaction_id": transaction_id, "method": method, "total": round(total, 2), "created": created}
    insert(connection, "payments", booking_id=unique_id, **values)


def add_item(
    connection: sqlite3.Connection, unique_id: str, reference: int, item: NewItem, sold: tuple[Product, Variation]
) -> None:
    """Add an item and its tickets without checking capacity."""
    product, variation = sold
    start_time = item.startTime if product.every else None
    slots = item.quantity * variation.group_size
    chosen = item.model_dump(include={"partyPackageInclusions", "optionSetSelections"}, exclude_none=True)
    item_id = insert(
        connection,
        "items",
        booking_id=unique_id,
        product_id=variation.id,
        parent_id=product.id,
        quantity=item.quantity,
        places=slots,
        date=item.bookingDate,
        end_date=item.bookingDate,
        start_time=start_time,
        end_time=product.end_time(start_time) if start_time else None,
        cost=variation.price if item.priceOverride is None else item.priceOverride,
        choices=json.dumps(chosen),
    )
    named = item.tickets or [NewTicket()] * slots
    first = connection.execute("SELECT COALESCE(MAX(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'tickets'")
    number = first.fetchone()[0]
    connection.executemany(
        "INSERT INTO tickets (id, item_id, ticket_id, custom_id, holder) VALUES (?, ?, ?, ?, ?)",
        [(seq, item_id, f"{reference}-{seq}", ticket.id, ticket.name) for seq, ticket in enumerate(named, number)],
    )


def choices(connection: sqlite3.Connection, unique_id: str) -> list[dict[str, object]]:
    """Return the choices from the package of each item, which the API accepts but does not return."""
    rows = connection.execute(
        "SELECT id, product_id, choices FROM items WHERE booking_id = ? ORDER BY id", (unique_id,)
    )
    return [{"bookingItemId": row[0], "productId": row[1], **json.loads(row[2])} for row in rows]


def _add_checked(
    connection: sqlite3.Connection, clock: VenueClock, unique_id: str, reference: int, item: NewItem
) -> None:
    product, variation = bookable(item, clock)
    slots = item.quantity * variation.group_size
    if item.tickets and len(item.tickets) != slots:
        raise RollerConflictError("InvalidTickets", f"{len(item.tickets)} tickets were given for {slots} places")
    if product.every and item.startTime:
        check_room(connection, product, item.bookingDate, item.startTime, slots)
    add_item(connection, unique_id, reference, item, (product, variation))


def _remove_items(connection: sqlite3.Connection, unique_id: str, ids: set[int]) -> None:
    own = {row["id"] for row in connection.execute("SELECT id FROM items WHERE booking_id = ?", (unique_id,))}
    unknown = sorted(ids - own)
    if unknown:
        raise RollerConflictError("InvalidBookingItem", f"The booking has no item {', '.join(map(str, unknown))}")
    connection.executemany("DELETE FROM items WHERE id = ?", [(item_id,) for item_id in ids])


def _update_item(connection: sqlite3.Connection, unique_id: str, update: ItemUpdate) -> None:
    query = "SELECT id FROM items WHERE booking_id = ? AND CAST(id AS TEXT) = ?"
    row = connection.execute(query, (unique_id, update.bookingItemId)).fetchone()
    if row is None:
        raise RollerConflictError("InvalidBookingItem", f"The booking has no item {update.bookingItemId}")
    if update.bookingEndDate is not None:
        connection.execute("UPDATE items SET end_date = ? WHERE id = ?", (update.bookingEndDate, row["id"]))
    for ticket in update.tickets or []:
        cursor = connection.execute(
            "UPDATE tickets SET custom_id = COALESCE(?, custom_id), holder = COALESCE(?, holder)"
            " WHERE item_id = ? AND ticket_id = ?",
            (ticket.customTicketId, ticket.name, row["id"], ticket.ticketId),
        )
        if cursor.rowcount == 0:
            raise RollerConflictError("InvalidTicket", f"Item {update.bookingItemId} has no ticket {ticket.ticketId}")
