"""One SQLite file: documents by kind and id, and the journal of writes.

A transaction is short, synchronous and under one lock, so that handlers never interleave; the sandbox runs in a single
process.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_TABLES = """
CREATE TABLE IF NOT EXISTS documents (kind TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, operation TEXT NOT NULL, target TEXT NOT NULL,
    body TEXT NOT NULL);
"""


class DocumentStore:
    """The open database. Call `close` when the server stops."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.executescript(_TABLES)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Apply the whole block or, if it raises, none of it."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def put(self, kind: str, id_: str, document: Json) -> None:
        """Store a document, replacing the one with that id."""
        with self._lock:
            row = (kind, id_, json.dumps(document, ensure_ascii=False))
            self._connection.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", row)

    def get(self, kind: str, id_: str) -> Json | None:
        """Return the document with that id, or None."""
        with self._lock:
            where = "SELECT data FROM documents WHERE kind = ? AND id = ?"
            row = self._connection.execute(where, (kind, id_)).fetchone()
        return None if row is None else json.loads(row[0])

    def all(self, kind: str) -> list[Json]:
        """Return every document of a kind, in the order of ids."""
        with self._lock:
            rows = self._connection.execute("SELECT data FROM documents WHERE kind = ? ORDER BY id", (kind,)).fetchall()
        return [json.loads(row[0]) for row in rows]

    def note(self, operation: str, target: str, body: object) -> None:
        """Journal a write inside its own transaction, so that only applied writes are recorded."""
        row = (datetime.now(UTC).isoformat(), operation, target, json.dumps(body, ensure_ascii=False))
        with self._lock:
            self._connection.execute("INSERT INTO journal (at, operation, target, body) VALUES (?, ?, ?, ?)", row)

    def journal(self) -> list[Json]:
        """Return every write applied, in order."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT seq, at, operation, target, body FROM journal ORDER BY seq"
            ).fetchall()
        return [{"seq": s, "at": a, "operation": o, "target": t, "body": json.loads(b)} for s, a, o, t, b in rows]

    def clear(self) -> None:
        """Delete everything."""
        with self._lock:
            self._connection.execute("DELETE FROM documents")
            self._connection.execute("DELETE FROM journal")

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()
