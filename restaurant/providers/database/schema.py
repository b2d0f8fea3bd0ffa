"""The sheet's table, for SQLite and PostgreSQL alike. `migrations` makes it; a test compares the two.

Unlike the ledger this holds guests' names and phones: `purge` takes rows away when their booking needs them no more.
"""

from sqlalchemy import Column, Date, Index, Integer, MetaData, String, Table

HEAD = "0001"
"""The newest migration: a database that says so is not looked at any further at start."""

VERSIONS = "restaurant_version"
"""Alembic's own table; a ledger may be in the same database."""

METADATA = MetaData()

BOOKINGS = Table(
    "restaurant_bookings",
    METADATA,
    Column("booking_id", String, primary_key=True),
    Column("restaurant_id", String, nullable=False),
    Column("day", Date, nullable=False),
    # Minutes after midnight: both databases compare and order them alike.
    Column("minute", Integer, nullable=False),
    Column("people", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("phone", String, nullable=False),
    Column("notes", String),
    Index("ix_restaurant_bookings_day", "restaurant_id", "day", "minute"),
    Index("ix_restaurant_bookings_phone", "restaurant_id", "phone", "day"),
)
