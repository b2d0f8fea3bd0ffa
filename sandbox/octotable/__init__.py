"""A simulation of the OctoTable API (v2) for one property: a real HTTP server over one SQLite file.

It is not OctoTable and is connected to nothing. Every response has the header `X-Sandbox: octotable`, and `GET /` says
the same. docs/restaurant-providers.md separates what is documented from what is assumed.

create_app     builds the ASGI application; serve it with any ASGI server, one process
PATH           the path of its reservations; AUTH_PATH, of its tokens

Path of a request, outermost first: counts → requested faults → `auth` (bearer token, property) → `routes` →
`reservations` → `sandbox.kit.document_store` (SQLite).
"""

from sandbox.octotable.app import create_app
from sandbox.octotable.auth import AUTH_PATH, CLIENT_ID, CLIENT_SECRET, PATH, PROPERTY

__all__ = ["AUTH_PATH", "CLIENT_ID", "CLIENT_SECRET", "PATH", "PROPERTY", "create_app"]
