"""A simulation of the ROLLER public REST API: a real HTTP server over one SQLite file.

It is not ROLLER and holds no real customer. Every answer says so in the header `X-Sandbox: roller`, and so does `GET
/`.

    create_app   builds the ASGI application; serve it with any ASGI server, one process

Where a request goes, outermost first: `wire` (asked-for faults) → `gate` (token, rate limit) → `app` (routes, error
bodies) → `bookings`, `changes`, `guests`, `capacity`, `search` → `store` (SQLite).
"""

from sandbox.roller.app import create_app

__all__ = ["create_app"]
