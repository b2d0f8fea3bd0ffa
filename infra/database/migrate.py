"""Creates and migrates tables. The first process to start does it; the others wait."""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect, text

from infra.ledger.schema import HEAD

_ONE_AT_A_TIME = Lock()
"""Alembic keeps its state in module globals, so a process runs one of its scripts at a time, for any tables."""


@dataclass(frozen=True)
class Migrations:
    """The scripts in a folder, up to `head`. `versions` is the table with the current version. `key` identifies
    PostgreSQL's advisory lock, which one process holds at a time; any number that is not used elsewhere."""

    scripts: Path
    head: str
    key: int
    versions: str = "alembic_version"

    def bring_up_to_date(self, connection: Connection) -> None:
        """Run the missing scripts, in the connection's transaction; for SQLite one that writes from its start."""
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": self.key})
        if self._version(connection) == self.head:
            return
        # Imported here, because it takes a fifth of a second and most starts do not need it.
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


bring_up_to_date = Migrations(
    Path(__file__).parents[1] / "ledger" / "migrations", HEAD, 7_250_771_815_113
).bring_up_to_date
"""The ledger's own."""
