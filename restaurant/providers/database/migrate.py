"""The sheet's table is made, and brought up to date, by whichever process starts first. The others wait for it."""

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect, text

from restaurant.providers.database.schema import HEAD, VERSIONS

_SCRIPTS = Path(__file__).parent / "migrations"
_KEY = 7_250_771_815_114
"""Of the lock that PostgreSQL grants one process at a time. Any number does that nobody else uses."""

_ONE_AT_A_TIME = Lock()
"""Alembic keeps what it is doing in module globals."""


def bring_up_to_date(connection: Connection) -> None:
    """Run what is missing, in the transaction that the connection is in; for SQLite one that writes from its start."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _KEY})
    if _version(connection) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _ONE_AT_A_TIME:
        command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSIONS):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar()
