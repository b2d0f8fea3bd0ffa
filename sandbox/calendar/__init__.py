"""A simulation of a small team's meeting calendar: a real HTTP server over one SQLite file.

It simulates no real product and holds no real person. Every response has the header `X-Sandbox: calendar`, and `GET /`
says the same.

create_app   builds the ASGI application; serve it with any ASGI server, one process

Path of a request, outermost first: `FaultMiddleware` (requested faults) → `auth` (a bearer token) → `routes` →
`events`, `availability` → `DocumentStore` (SQLite). All moments in requests and responses are UTC instants,
`2026-11-25T12:00:00Z`.
"""

from sandbox.calendar.app import create_app

__all__ = ["create_app"]
