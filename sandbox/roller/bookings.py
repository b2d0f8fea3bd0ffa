"""Reads of bookings: the detail, the basic row of a search, and finding one by either id.

The price of a booking: unit prices, discounts of lines and of the whole booking.

A custom discount (without a `code`) of a new booking is divided among the lines it applies to; one with a code stays
with the booking as a whole. Money is in the venue's currency, rounded to cents.
"""

import json
import sqlite3
from typing import NotRequired, TypedDict

from sandbox.roller.errors import NotFoundError, RollerConflictError
from sandbox.roller.schemas import NewDiscount


def cents(amount: float) -> float:
    """Return an amount as it is charged."""
    return round(amount + 0.0, 2)


def booking_total(connection: sqlite3.Connection, booking: sqlite3.Row) -> float:
    """Return the price of everything after all discounts; never below zero."""
    lines = connection.execute(
        "SELECT SUM(cost * quantity - discount) FROM items WHERE booking_id = ?", (booking["unique_id"],)
    ).fetchone()[0]
    return max(0.0, cents((lines or 0.0) - booking["discount"]))


def apply_discount(connection: sqlite3.Connection, unique_id: str, discount: NewDiscount) -> None:
    """Apply a discount to a booking that has its lines already."""
    lines = connection.execute("SELECT * FROM items WHERE booking_id = ? ORDER BY id", (unique_id,)).fetchall()
    named = set(discount.productIds or ())
    eligible = [line for line in lines if not named or named & {line["product_id"], line["parent_id"]}]
    worth = {line["id"]: line["cost"] * line["quantity"] - line["discount"] for line in eligible}
    whole = sum(worth.values())
    if not eligible or (discount.amount is None and discount.percentage is None):
        raise RollerConflictError("InvalidDiscount", "The discount names no amount, or nothing that was booked")
    off = cents(whole * discount.percentage / 100) if discount.percentage is not None else discount.amount or 0.0
    if off > whole + 0.005:
        raise RollerConflictError("InvalidDiscount", "The discount is more than what it is taken off")
    if discount.code is not None:
        connection.execute("UPDATE bookings SET discount = discount + ? WHERE unique_id = ?", (off, unique_id))
        return
    remaining = off
    for index, line in enumerate(eligible, 1):
        share = cents(remaining) if index == len(eligible) else cents(off * worth[line["id"]] / whole) if whole else 0.0
        remaining -= share
        connection.execute("UPDATE items SET discount = discount + ? WHERE id = ?", (share, line["id"]))


# The search has other names for payment states than the detail, and none for a cancelled booking.
_BASIC_STATUS = {
    "NoPaymentRequired": "NoPaymentRequired",
    "PendingPayment": "PendingPayment",
    "PartiallyPaid": "PaidPart",
    "Paid": "PaidFull",
}


class Ticket(TypedDict):
    """One admission. `ticketId` is the booking's reference and a running number."""

    ticketId: str
    customTicketId: NotRequired[str]
    ticketHolderName: NotRequired[str]


class Item(TypedDict):
    """One line of a booking. `cost` is per unit, `discount` for the whole line; session times are left out without a
    session, and choices from a package are never returned."""

    bookingItemId: int
    productId: int
    quantity: int
    bookingDate: str
    bookingEndDate: str
    sessionStartTime: NotRequired[str]
    sessionEndTime: NotRequired[str]
    tickets: list[Ticket]
    cost: float
    discount: float
    modifiers: list[dict[str, object]]


class BookingDetail(TypedDict):
    """The body of `get-booking-detail`. Money is in the venue's currency; `total` is after discounts; `metadata` is
    left out when empty."""

    bookingReference: str
    uniqueId: str
    externalId: NotRequired[str]
    createdDate: str
    channel: str
    status: str
    name: str
    customerId: int
    companyId: NotRequired[int]
    comments: str
    total: float
    remainder: float
    fees: float
    discount: float
    items: list[Item]
    posNotes: str
    metadata: NotRequired[dict[str, str]]
    payments: list[dict[str, object]]
    source: str


def find_booking(connection: sqlite3.Connection, booking_id: str) -> sqlite3.Row:
    """Return the booking's row by its uniqueId or its bookingReference. Raises `NotFoundError`."""
    reference = int(booking_id) if booking_id.isascii() and booking_id.isdigit() and len(booking_id) < 18 else -1
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM bookings WHERE (unique_id = ? OR reference = ?) AND state != 'deleted'",
        (booking_id.lower(), reference),
    ).fetchone()
    if row is None:
        raise NotFoundError("BookingNotFound", f"No booking has the id {booking_id}")
    return row


def booking_detail(connection: sqlite3.Connection, booking_id: str) -> BookingDetail:
    """Return the whole booking by either of its ids."""
    row = find_booking(connection, booking_id)
    items = _items(connection, row["unique_id"])
    payments = _payments(connection, row["unique_id"])
    total, paid = booking_total(connection, row), _paid(payments)
    detail: BookingDetail = {
        "bookingReference": str(row["reference"]),
        "uniqueId": row["unique_id"],
        "createdDate": row["created"],
        "channel": row["channel"],
        "status": "Cancelled" if row["state"] == "cancelled" else _payment_status(total, paid),
        "name": row["name"],
        "customerId": row["guest_id"],
        "comments": row["comments"],
        "total": total,
        "remainder": round(total - paid, 2),
        "fees": 0.0,
        "discount": cents(row["discount"] + sum(item["discount"] for item in items)),
        "items": items,
        "posNotes": row["pos_notes"],
        "payments": payments,
        "source": row["channel"],
    }
    if row["external_id"] is not None:
        detail["externalId"] = row["external_id"]
    if row["company_id"] is not None:
        detail["companyId"] = row["company_id"]
    metadata = json.loads(row["metadata"])
    if metadata:
        detail["metadata"] = metadata
    return detail


def basic_detail(connection: sqlite3.Connection, row: sqlite3.Row, flags: object) -> dict[str, object]:
    """Return one row of a search. Items have `startTime` here and `sessionStartTime` in the detail."""
    items = connection.execute("SELECT * FROM items WHERE booking_id = ? ORDER BY id", (row["unique_id"],)).fetchall()
    total, paid = booking_total(connection, row), _paid(_payments(connection, row["unique_id"]))
    return {
        "bookingReference": str(row["reference"]),
        "uniqueId": row["unique_id"],
        "createdDate": row["created"],
        "status": _BASIC_STATUS[_payment_status(total, paid)],
        "name": row["name"],
        "customerId": row["guest_id"],
        "total": total,
        "items": [
            {
                "productId": item["product_id"],
                "quantity": item["quantity"],
                "bookingDate": item["date"],
                **({"startTime": item["start_time"]} if item["start_time"] else {}),
            }
            for item in items
        ],
        "customerFlags": flags,
    }


def _items(connection: sqlite3.Connection, unique_id: str) -> list[Item]:
    tickets: dict[int, list[Ticket]] = {}
    rows = connection.execute(
        "SELECT tickets.* FROM tickets JOIN items ON items.id = item_id WHERE booking_id = ? ORDER BY tickets.id",
        (unique_id,),
    )
    for row in rows:
        ticket: Ticket = {"ticketId": row["ticket_id"]}
        if row["custom_id"]:
            ticket["customTicketId"] = row["custom_id"]
        if row["holder"]:
            ticket["ticketHolderName"] = row["holder"]
        tickets.setdefault(row["item_id"], []).append(ticket)
    items = connection.execute("SELECT * FROM items WHERE booking_id = ? ORDER BY id", (unique_id,))
    return [_item(row, tickets.get(row["id"], [])) for row in items]


def _item(row: sqlite3.Row, tickets: list[Ticket]) -> Item:
    item: Item = {
        "bookingItemId": row["id"],
        "productId": row["product_id"],
        "quantity": row["quantity"],
        "bookingDate": row["date"],
        "bookingEndDate": row["end_date"],
        "tickets": tickets,
        "cost": row["cost"],
        "discount": row["discount"],
        "modifiers": [],
    }
    if row["start_time"]:
        item["sessionStartTime"] = row["start_time"]
        item["sessionEndTime"] = row["end_time"]
    return item


def _payments(connection: sqlite3.Connection, unique_id: str) -> list[dict[str, object]]:
    rows = connection.execute("SELECT * FROM payments WHERE booking_id = ? ORDER BY id", (unique_id,))
    return [
        {
            "bookingPaymentId": row["id"],
            "transactionId": row["transaction_id"] or "",
            "paymentMethod": row["method"],
            "total": row["total"],
            "tip": 0.0,
            "createdDate": row["created"],
        }
        for row in rows
    ]


def _paid(payments: list[dict[str, object]]) -> float:
    return round(sum(float(str(payment["total"])) for payment in payments), 2)


def _payment_status(total: float, paid: float) -> str:
    if total == 0 and paid == 0:
        return "NoPaymentRequired"
    if paid <= 0:
        return "PendingPayment"
    return "Paid" if paid >= total else "PartiallyPaid"
