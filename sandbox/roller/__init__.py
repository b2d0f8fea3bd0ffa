"""A simulation of the ROLLER public REST API: a real HTTP server over one SQLite file.

It is not ROLLER and holds no real customer. Every response has the header `X-Sandbox: roller`, and `GET /` says the
same.

create_app   builds the ASGI application; serve it with any ASGI server, one process

Path of a request, outermost first: `fault_middleware` (requested faults) → `auth` (token, rate limit) → `app` (routes,
error bodies) → `bookings`, `booking_writes`, `guests`, `capacity`, `search` → `store` (SQLite).
"""

from sandbox.roller.app import create_app

__all__ = ["create_app"]
