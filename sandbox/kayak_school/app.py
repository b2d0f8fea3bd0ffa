"""The kayak school's API, with three fixed bookings; changes are lost when it stops.

GET  /openapi.json           its document
GET  /v1/school              the school
GET  /v1/bookings?name=      bookings by the guest's name
GET  /v1/bookings/{id}       one booking
PATCH /v1/bookings/{id}      change it
POST /v1/bookings/{id}/cancel
"""

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from infra.http.http_server import TELEMETRY

DOCUMENT = Path(__file__).with_name("kayak-school.json")
_FIELDS = ("id", "guest_name", "starts_at", "paddlers", "note", "status")
_BOOKINGS = (
    ("k-1", "Ada Byron", "2030-06-01T08:00:00Z", 2, "Needs two wetsuits", "booked"),
    ("k-2", "Bo Diaz", "2030-06-01T12:30:00Z", 4, "", "booked"),
    ("k-3", "Cleo Rossi", "2030-06-02T08:00:00Z", 1, "", "cancelled"),
)
_MOST = 6


def create_app() -> FastAPI:
    """Return the server's application."""
    app = FastAPI(title="Kayak school (sandbox)", docs_url=None, redoc_url=None, openapi_url=None, telemetry=TELEMETRY)
    bookings: dict[str, dict[str, Any]] = {row[0]: dict(zip(_FIELDS, row, strict=True)) for row in _BOOKINGS}

    @app.middleware("http")
    async def signed_in(request: Request, call_next: Any) -> Response:
        if request.url.path != "/openapi.json" and not request.headers.get("Authorization", "").startswith("Bearer "):
            return _refused(401, "no_token", "Sign in first.")
        response: Response = await call_next(request)
        return response

    @app.get("/openapi.json")
    async def document() -> JSONResponse:
        return JSONResponse(json.loads(DOCUMENT.read_text(encoding="utf-8")))

    @app.get("/v1/school")
    async def school() -> dict[str, str]:
        return {"name": "Kayak school"}

    @app.get("/v1/bookings")
    async def found(name: str = "") -> list[dict[str, Any]]:
        return [row for row in bookings.values() if name.lower() in row["guest_name"].lower()]

    @app.get("/v1/bookings/{number}")
    async def one(number: str) -> Response:
        return JSONResponse(bookings[number]) if number in bookings else _refused(404, "not_found", "No such booking.")

    @app.patch("/v1/bookings/{number}")
    async def change(number: str, request: Request) -> Response:
        row, sent = bookings.get(number), await request.json()
        if row is None:
            return _refused(404, "not_found", "No such booking.")
        if row["status"] != "booked":
            return _refused(409, "cancelled", "A cancelled booking cannot be changed.")
        if int(sent.get("paddlers", 1)) > _MOST:
            return _refused(409, "too_many", f"There are {_MOST} kayaks.")
        row |= {name: sent[name] for name in ("starts_at", "paddlers", "note") if name in sent}
        return JSONResponse(row)

    @app.post("/v1/bookings/{number}/cancel")
    async def cancel(number: str) -> Response:
        if number not in bookings:
            return _refused(404, "not_found", "No such booking.")
        bookings[number]["status"] = "cancelled"
        return JSONResponse(bookings[number])

    return app


def _refused(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, status)
