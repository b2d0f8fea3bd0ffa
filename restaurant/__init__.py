"""The reservations backend of the tools contract: a service of its own, reached over HTTP like any venue's system.

`app.py` is where a request enters, `tools/` where it is decided, `providers/` where bookings are kept.
"""
