"""What a booking costs: unit prices, discounts of lines and of the whole booking.

A custom discount (without a `code`) of a new booking is shared out over the lines it applies to; one with a code stays
with the booking as a whole. Money is in the venue's currency, rounded to cents.
"""

import sqlite3

from sandbox.roller.errors import ConflictError
from sandbox.roller.schemas import NewDiscount


def cents(amount: float) -> float:
    """An amount as it is charged."""
    return round(amount + 0.0, 2)


def booking_total(connection: sqlite3.Connection, booking: sqlite3.Row) -> float:
    """The price of everything with every discount taken off; never below nothing."""
    lines = connection.execute(
        "SELECT SUM(cost * quantity - discount) FROM items WHERE booking_id = ?", (booking["unique_id"],)
    ).fetchone()[0]
    return max(0.0, cents((lines or 0.0) - booking["discount"]))


def apply_discount(connection: sqlite3.Connection, unique_id: str, discount: NewDiscount) -> None:
    """Take a discount off a booking that has its lines already."""
    lines = connection.execute("SELECT * FROM items WHERE booking_id = ? ORDER BY id", (unique_id,)).fetchall()
    named = set(discount.productIds or ())
    eligible = [line for line in lines if not named or named & {line["product_id"], line["parent_id"]}]
    worth = {line["id"]: line["cost"] * line["quantity"] - line["discount"] for line in eligible}
    whole = sum(worth.values())
    if not eligible or (discount.amount is None and discount.percentage is None):
        raise ConflictError("InvalidDiscount", "The discount names no amount, or nothing that was booked")
    off = cents(whole * discount.percentage / 100) if discount.percentage is not None else discount.amount or 0.0
    if off > whole + 0.005:
        raise ConflictError("InvalidDiscount", "The discount is more than what it is taken off")
    if discount.code is not None:
        connection.execute("UPDATE bookings SET discount = discount + ? WHERE unique_id = ?", (off, unique_id))
        return
    left = off
    for place, line in enumerate(eligible, 1):
        share = cents(left) if place == len(eligible) else cents(off * worth[line["id"]] / whole) if whole else 0.0
        left -= share
        connection.execute("UPDATE items SET discount = discount + ? WHERE id = ?", (share, line["id"]))
