"""A simulation of the part of the Google Sheets API (v4) that a client needs to keep rows: a real HTTP server.

It is not Google's and is connected to nothing. Every answer says so in the header `X-Sandbox: sheets`, and so does
`GET /`. What of it is documented and what is assumed stands in docs/restaurant-providers.md.

    create_app   builds the ASGI application; serve it with any ASGI server, one process

Where a request goes, outermost first: counts → asked-for faults → `gate` (bearer token, quotas) → `routes` → `grid`,
`ranges` → `sandbox.documents` (SQLite).
"""

from sandbox.sheets.app import SPREADSHEET, create_app

__all__ = ["SPREADSHEET", "create_app"]
