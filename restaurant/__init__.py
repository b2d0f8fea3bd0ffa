"""The reservations service of the tools contract: a separate service, reached over HTTP like any venue's API.

`app.py` receives a request, `tools/` decides it, `providers/` keep the bookings.
"""
