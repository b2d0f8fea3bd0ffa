"""Bookings in a Google spreadsheet, a row each: `provider` is the face, `writer` where rows are written."""

from restaurant.providers.sheets.provider import SheetsProvider, made

__all__ = ["SheetsProvider", "made"]
