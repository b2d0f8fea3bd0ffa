"""The sheet's table, for SQLite and PostgreSQL. `migrations` creates it; a test compares the two.

Unlike the ledger it holds guests' names and phones: `purge` deletes rows once their booking no longer needs them.

Creates and migrates the sheet's table. The first process to start does it; the others wait.
"""

from pathlib import Path

from sqlalchemy import Column, Date, Index, Integer, MetaData, String, Table

from infra.database.migrate import Migrations

HEAD = "0001"
"""The newest migration. A database at this version is not checked further at start."""

VERSIONS = "restaurant_version"
"""Alembic's own table; a ledger may be in the same database."""

METADATA = MetaData()

BOOKINGS = Table(
    "restaurant_bookings",
    METADATA,
    Column("booking_id", String, primary_key=True),
    Column("restaurant_id", String, nullable=False),
    Column("day", Date, nullable=False),
    # Minutes after midnight, because both databases compare and order integers alike.
    Column("minute", Integer, nullable=False),
    Column("people", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("phone", String, nullable=False),
    Column("notes", String),
    Index("ix_restaurant_bookings_day", "restaurant_id", "day", "minute"),
    Index("ix_restaurant_bookings_phone", "restaurant_id", "phone", "day"),
)


_SCRIPTS = Path(__file__).parent / "migrations"

bring_up_to_date = Migrations(_SCRIPTS, HEAD, 7_250_771_815_114, VERSIONS).bring_up_to_date
