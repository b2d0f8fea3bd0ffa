"""A simulation of the part of the Google Sheets API (v4) that a client needs to keep rows: a real HTTP server.

It is not Google's and is connected to nothing. Every response has the header `X-Sandbox: sheets`, and `GET /` says the
same. docs/restaurant-providers.md separates what is documented from what is assumed.

create_app   builds the ASGI application; serve it with any ASGI server, one process

Path of a request, outermost first: counts → requested faults → `auth` (bearer token, quotas) → `routes` → `grid`,
`ranges` → `sandbox.kit.document_store` (SQLite).
"""

from sandbox.sheets.app import SPREADSHEET, create_app

__all__ = ["SPREADSHEET", "create_app"]
