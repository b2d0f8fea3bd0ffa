"""A hotel's API in which every operation is a POST, as a real server that records its requests."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request

from infra.http.http_server import http_server

PATHS = ("reservations/search", "reservations/cancel", "reservations/create")
"""Only the first of them changes nothing."""


def _operation(path: str, **properties: Any) -> dict[str, Any]:
    body = {"type": "object", "properties": properties}
    row = {"type": "object", "properties": {"id": {"type": "string"}, "guestName": {"type": "string"}}}
    answer = {"type": "object", "properties": {"reservations": {"type": "array", "items": row}}}
    return {
        "post": {
            "operationId": path.replace("/", "_"),
            "summary": path.replace("/", " "),
            "requestBody": {"content": {"application/json": {"schema": body}}},
            "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": answer}}}},
        }
    }


TEXT = {"type": "string"}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Hotel", "version": "1"},
    "servers": [{"url": "https://api.hotel.example"}],
    "paths": {
        "/reservations/cancel": _operation(PATHS[1], reservationId=TEXT),
        "/reservations/create": _operation(PATHS[2], guestName=TEXT, arrival={"type": "string", "format": "date"}),
        "/reservations/search": _operation(PATHS[0], guestName=TEXT),
    },
}


class Hotel:
    """The requests, in order: path and body."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.app = FastAPI()
        for path in PATHS:
            self.app.post(f"/{path}")(self._take)

    @property
    def writes(self) -> list[tuple[str, Any]]:
        """Return the requests to other paths than the search."""
        return [(path, body) for path, body in self.sent if path != f"/{PATHS[0]}"]

    async def _take(self, request: Request) -> dict[str, Any]:
        self.sent.append((request.url.path, json.loads(await request.body() or b"null")))
        return {"reservations": []}


def document(folder: Path) -> Path:
    """Return its API document as a file."""
    path = folder / "hotel.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    return path


@asynccontextmanager
async def serving(hotel: Hotel) -> AsyncIterator[str]:
    """Serve the hotel, and yield its address."""
    server = http_server(hotel.app, "127.0.0.1", 0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
