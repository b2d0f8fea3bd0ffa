"""Bookings in a Google spreadsheet, one row each: `provider` is the entry point, `writer` writes the rows."""

from restaurant.providers.sheets.provider import SheetsProvider, made

__all__ = ["SheetsProvider", "made"]
