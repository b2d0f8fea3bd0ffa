"""One real sandbox on a loopback port for each test file, reseeded before each test.

The venue's clock is stopped at Wednesday 2026-11-18 10:00 in Melbourne, so that the seed is the same on every run.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from sandbox.roller import create_app

NOW = datetime(2026, 11, 18, 10, 0)
START_SECONDS = 60.0


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve the application with uvicorn in a thread; yield its base URL."""
    server = uvicorn.Server(
        # An answer that a fault delays for an hour ends with the server.
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + START_SECONDS
    while not server.started:
        assert time.monotonic() < deadline, "the sandbox did not start"
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@dataclass
class Venue:
    """A client of the sandbox with the seeded token, and shortcuts for the tests."""

    http: httpx.Client

    def get(self, path: str, **params: str) -> Any:
        """Return the JSON of a GET that succeeds."""
        response = self.http.get(path, params=params)
        assert response.status_code == 200, response.text
        return response.json()

    def put(self, path: str, body: object) -> httpx.Response:
        """Send a PUT, whatever its answer."""
        return self.http.put(path, json=body)

    def post(self, path: str, body: object) -> httpx.Response:
        """Send a POST, whatever its answer."""
        return self.http.post(path, json=body)

    def find(self, keywords: str) -> dict[str, Any]:
        """Return the detail of the one booking that the keywords find."""
        found = self.get("/bookings", keywords=keywords)["bookings"]
        assert len(found) == 1, [booking["name"] for booking in found]
        detail: dict[str, Any] = self.get(f"/bookings/{found[0]['uniqueId']}")
        return detail

    def fault(self, operation: str, effect: str, **more: object) -> None:
        """Arm a fault."""
        response = self.post("/_sandbox/faults", {"operation": operation, "effect": effect, **more})
        assert response.status_code == 201, response.text

    def journal(self) -> list[dict[str, Any]]:
        """Return the writes applied so far."""
        rows: list[dict[str, Any]] = self.get("/_sandbox/journal")
        return rows


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the module's sandbox."""
    database: Path = tmp_path_factory.mktemp("roller") / "roller.db"
    with serving(create_app(database=database, controls=True, clock=lambda: NOW)) as url:
        yield url


@pytest.fixture
def venue(address: str) -> Iterator[Venue]:
    """A freshly seeded sandbox and a signed-in client."""
    headers = {"Authorization": "Bearer demo-operator"}
    # Plain HTTP: without `verify=False` each client would load the machine's certificates first.
    with httpx.Client(base_url=address, headers=headers, timeout=60, verify=False) as client:
        assert client.post("/_sandbox/reset").status_code == 204
        yield Venue(client)


@pytest.fixture
def serve() -> Callable[[FastAPI], Any]:
    """A function that serves a sandbox of a test's own."""
    return serving
