"""A simulation of a small team's meeting calendar: a real HTTP server over one SQLite file.

It is nobody's product and holds no real person. Every answer says so in the header `X-Sandbox: calendar`, and so does
`GET /`.

    create_app   builds the ASGI application; serve it with any ASGI server, one process

Where a request goes, outermost first: `wire` (asked-for faults) → `gate` (a bearer token) → `routes` → `events`,
`openings` → `store` (SQLite). All moments on the wire are UTC instants, `2026-11-25T12:00:00Z`.
"""

from sandbox.calendar.app import create_app

__all__ = ["create_app"]
