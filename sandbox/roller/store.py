"""One SQLite file: its tables, its transactions, and the journal of writes.

A transaction is short, synchronous and under one lock, so that handlers on the event loop never interleave; the sandbox
runs in a single process.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

_TABLES = """
CREATE TABLE IF NOT EXISTS guests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS guests_email ON guests (email);
CREATE TABLE IF NOT EXISTS bookings (
    unique_id TEXT PRIMARY KEY, reference INTEGER NOT NULL UNIQUE, external_id TEXT UNIQUE,
    created TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'active',
    name TEXT NOT NULL, guest_id INTEGER NOT NULL REFERENCES guests, comments TEXT NOT NULL DEFAULT '',
    pos_notes TEXT NOT NULL DEFAULT '', company_id INTEGER, metadata TEXT NOT NULL DEFAULT '{}',
    discount REAL NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY AUTOINCREMENT, booking_id TEXT NOT NULL REFERENCES bookings, product_id INTEGER NOT NULL,
    parent_id INTEGER NOT NULL, quantity INTEGER NOT NULL, places INTEGER NOT NULL, date TEXT NOT NULL,
    end_date TEXT NOT NULL, start_time TEXT, end_time TEXT, cost REAL NOT NULL,
    discount REAL NOT NULL DEFAULT 0, choices TEXT NOT NULL DEFAULT '{}');
CREATE INDEX IF NOT EXISTS items_booking ON items (booking_id);
CREATE INDEX IF NOT EXISTS items_session ON items (date, parent_id, start_time);
CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    ticket_id TEXT NOT NULL, custom_id TEXT, holder TEXT);
CREATE INDEX IF NOT EXISTS tickets_item ON tickets (item_id);
CREATE TABLE IF NOT EXISTS payments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, booking_id TEXT NOT NULL REFERENCES bookings, transaction_id TEXT,
    method TEXT NOT NULL, total REAL NOT NULL, created TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS payments_booking ON payments (booking_id);
CREATE TABLE IF NOT EXISTS tokens (hash TEXT PRIMARY KEY, expires REAL);
CREATE TABLE IF NOT EXISTS journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, operation TEXT NOT NULL, target TEXT NOT NULL,
    body TEXT NOT NULL, token TEXT NOT NULL);
"""
_ADDED = (
    ("bookings", "discount", "REAL NOT NULL DEFAULT 0"),
    ("items", "discount", "REAL NOT NULL DEFAULT 0"),
    ("items", "choices", "TEXT NOT NULL DEFAULT '{}'"),
)
"""Columns that a file of an older sandbox lacks."""
_CONTENT = ("tickets", "items", "payments", "bookings", "guests", "tokens", "journal")

# Prefix of a token's SHA-256 in the journal: enough to distinguish two tokens.
TOKEN_PREFIX = 8


class RollerStore:
    """The open database. Call `close` when the server stops."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_TABLES)
        for table, column, kind in _ADDED:
            if column not in {row["name"] for row in self._connection.execute(f"PRAGMA table_info({table})")}:
                self._connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Apply the whole block or, if it raises, none of it."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the database as one consistent snapshot for reads only."""
        with self._lock:
            yield self._connection

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()


def is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether nothing was ever seeded."""
    return connection.execute("SELECT 1 FROM tokens LIMIT 1").fetchone() is None


def clear(connection: sqlite3.Connection) -> None:
    """Empty every table and reset the ids, so that a new seed has the same ids."""
    for table in _CONTENT:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("DELETE FROM sqlite_sequence")


def insert(connection: sqlite3.Connection, table: str, **values: object) -> int:
    """Add a row and return its rowid."""
    marks = ", ".join("?" * len(values))
    cursor = connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def note(connection: sqlite3.Connection, operation: str, target: str, body: object, token_hash: str) -> None:
    """Journal a write inside its own transaction, so that only applied writes are recorded."""
    at, token = datetime.now(UTC).isoformat(), token_hash[:TOKEN_PREFIX]
    insert(connection, "journal", at=at, operation=operation, target=target, body=json.dumps(body), token=token)


def journal(connection: sqlite3.Connection) -> list[dict[str, object]]:
    """Return every write applied, in order. `at` is the machine's UTC time, `target` a booking's uniqueId or a guest's
    id."""
    rows = connection.execute("SELECT * FROM journal ORDER BY seq").fetchall()
    return [{**dict(row), "body": json.loads(row["body"])} for row in rows]
