"""A simulation of the Bookeo API, version 2, for one riding school: a real HTTP server over one SQLite file.

It is not Bookeo and holds no real customer. Every response has the header `X-Sandbox: bookeo`, and `GET /` says the
same.

create_app   builds the ASGI application; serve it with any ASGI server, one process

Path of a request, outermost first: `FaultMiddleware` (requested faults) → `auth` (the two keys) → `routes` →
`bookings`, `schedule` → `DocumentStore` (SQLite).

Assumptions where Bookeo documents nothing: a refusal for lack of seats or for a canceled booking is a 409, full slots
are listed with 0 seats, and a PUT without a customer keeps the customer.
"""

from sandbox.bookeo.app import API_KEY, SECRET_KEY, create_app

__all__ = ["API_KEY", "SECRET_KEY", "create_app"]
