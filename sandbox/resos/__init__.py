"""A simulation of the resOS API (v1) for one restaurant: a real HTTP server over one SQLite file.

It is not resOS and is connected to nothing. Every response has the header `X-Sandbox: resos`, and `GET /` says the
same. docs/restaurant-providers.md separates what is documented from what is assumed.

create_app   builds the ASGI application; serve it with any ASGI server, one process

Path of a request, outermost first: counts → requested faults → `auth` (Basic auth, rate) → `routes` → `bookings`,
`seating` → `sandbox.kit.document_store` (SQLite).
"""

from sandbox.resos.app import create_app
from sandbox.resos.auth import API_KEY

__all__ = ["API_KEY", "create_app"]
