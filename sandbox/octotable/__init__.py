"""A simulation of the OctoTable API (v2) for one property: a real HTTP server over one SQLite file.

It is not OctoTable and is connected to nothing. Every answer says so in the header `X-Sandbox: octotable`, and so does
`GET /`. What of it is documented and what is assumed stands in docs/restaurant-providers.md.

    create_app     builds the ASGI application; serve it with any ASGI server, one process
    PATH           where its reservations are below the address; AUTH_PATH, where its tokens are

Where a request goes, outermost first: counts → asked-for faults → `gate` (bearer token, property) → `routes` →
`reservations` → `sandbox.documents` (SQLite).
"""

from sandbox.octotable.app import create_app
from sandbox.octotable.operations import AUTH_PATH, PATH
from sandbox.octotable.tokens import CLIENT_ID, CLIENT_SECRET, PROPERTY

__all__ = ["AUTH_PATH", "CLIENT_ID", "CLIENT_SECRET", "PATH", "PROPERTY", "create_app"]
