"""A simulation of the resOS API (v1) for one restaurant: a real HTTP server over one SQLite file.

It is not resOS and is connected to nothing. Every answer says so in the header `X-Sandbox: resos`, and so does `GET /`.
What of it is documented and what is assumed stands in docs/restaurant-providers.md.

    create_app   builds the ASGI application; serve it with any ASGI server, one process

Where a request goes, outermost first: counts → asked-for faults → `gate` (Basic auth, rate) → `routes` → `bookings`,
`seating` → `sandbox.documents` (SQLite).
"""

from sandbox.resos.app import create_app
from sandbox.resos.gate import API_KEY

__all__ = ["API_KEY", "create_app"]
