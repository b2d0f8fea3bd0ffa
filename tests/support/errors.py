"""The one documented error body."""

from typing import Any

import httpx


def expect_error(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """Check a documented error body, and return its error."""
    assert response.status_code == status, response.text
    body = response.json()
    assert body["type"] == "error"
    assert body["error"]["error_type"] == kind, body
    assert body["error"]["message"]
    error: dict[str, Any] = body["error"]
    return error
