"""Guests. One guest may have several bookings; an update replaces the whole record."""

import json
import sqlite3
from datetime import date

from sandbox.roller.errors import BadRequestError, NotFoundError
from sandbox.roller.schemas import Customer, Guest
from sandbox.roller.store import insert


def read_guest(connection: sqlite3.Connection, guest_id: str) -> dict[str, object]:
    """Return the body of `get-guest-detail`. Optional fields without a value are left out, except `flags`."""
    row = connection.execute("SELECT data FROM guests WHERE id = ?", (_number(guest_id),)).fetchone()
    if row is None:
        raise NotFoundError("GuestNotFound", f"No guest has the id {guest_id}")
    guest: dict[str, object] = json.loads(row["data"])
    return guest


def replace_guest(connection: sqlite3.Connection, guest_id: str, guest: Guest, today: date) -> str:
    """Replace the old record with `guest`; fields that it lacks are deleted. Return the id."""
    check_contact(guest)
    if guest.dateOfBirth is not None and not "1900-01-01" <= guest.dateOfBirth <= today.isoformat():
        raise BadRequestError("dateOfBirth", "dateOfBirth must be neither before 1900 nor in the future")
    read_guest(connection, guest_id)
    connection.execute("UPDATE guests SET email = ?, data = ? WHERE id = ?", (*_columns(guest), _number(guest_id)))
    return guest_id


def add_guest(connection: sqlite3.Connection, guest: Guest, guest_id: int | None = None) -> int:
    """Store a new guest and return its id, the given one or the next."""
    email, data = _columns(guest)
    return insert(connection, "guests", email=email, data=data, id=guest_id)


def find_or_add_guest(connection: sqlite3.Connection, customer: Customer) -> int:
    """Return the guest with exactly the customer's e-mail address, else a new one."""
    check_contact(customer)
    if customer.email is not None:
        query = "SELECT id FROM guests WHERE email = ? ORDER BY id LIMIT 1"
        row = connection.execute(query, (customer.email.lower(),)).fetchone()
        if row is not None:
            return int(row["id"])
    return add_guest(connection, Guest(**customer.model_dump()))


def check_contact(customer: Customer) -> None:
    """Check that a guest is reachable: e-mail or phone may be null, not both."""
    if customer.email is None and not customer.phone:
        raise BadRequestError("email", "email is required when phone is empty")


def _columns(guest: Guest) -> tuple[str | None, str]:
    return guest.email and guest.email.lower(), guest.model_dump_json(exclude_none=True)


def _number(guest_id: str) -> int:
    return int(guest_id) if guest_id.isascii() and guest_id.isdigit() and len(guest_id) < 18 else -1
