"""The embedded provider: a sheet of bookings in a database, SQLite by default or PostgreSQL by URL."""

from restaurant.providers.database.provider import DatabaseProvider, sheet_database, sheet_url

__all__ = ["DatabaseProvider", "sheet_database", "sheet_url"]
