"""Tables are made, and brought up to date, by whichever process starts first. The others wait for it."""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect, text

from infra.ledger.schema import HEAD

_ONE_AT_A_TIME = Lock()
"""Alembic keeps what it is doing in module globals, so that one process runs one of its scripts at a time, of whichever
tables."""


@dataclass(frozen=True)
class Migrations:
    """The scripts in a folder, up to `head`. `versions` is the table that says how far they were run, `key` is of the
    lock that PostgreSQL grants one process at a time: any number does that nothing else uses."""

    scripts: Path
    head: str
    key: int
    versions: str = "alembic_version"

    def bring_up_to_date(self, connection: Connection) -> None:
        """Run what is missing, in the transaction that the connection is in; for SQLite one that writes from its
        start."""
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": self.key})
        if self._version(connection) == self.head:
            return
        # A fifth of a second, for something that most starts do not need.
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(self.scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        with _ONE_AT_A_TIME:
            command.upgrade(config, "head")

    def _version(self, connection: Connection) -> str | None:
        if not inspect(connection).has_table(self.versions):
            return None
        return connection.execute(text(f"SELECT version_num FROM {self.versions}")).scalar()


bring_up_to_date = Migrations(Path(__file__).parent / "migrations", HEAD, 7_250_771_815_113).bring_up_to_date
"""The ledger's own."""
