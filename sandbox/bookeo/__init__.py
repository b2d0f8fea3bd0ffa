"""A simulation of the Bookeo API, version 2, for one riding school: a real HTTP server over one SQLite file.

It is not Bookeo and holds no real customer. Every answer says so in the header `X-Sandbox: bookeo`, and so does
`GET /`.

    create_app   builds the ASGI application; serve it with any ASGI server, one process

Where a request goes, outermost first: `wire` (asked-for faults) → `gate` (the two keys) → `routes` → `bookings`,
`schedule` → `store` (SQLite).

What Bookeo does not publish is assumed here: refusals for want of seats and of what is canceled are a 409, full slots
are listed with 0 seats, and a PUT keeps the customer when it names none.
"""

from sandbox.bookeo.app import create_app
from sandbox.bookeo.gate import API_KEY, SECRET_KEY

__all__ = ["API_KEY", "SECRET_KEY", "create_app"]
