"""The venue's staff, who answer escalations over HTTP."""

import asyncio
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.support import http
from tests.support.waiting import LIMIT, pauses


class Staff:
    """A member of staff with the service key, or without one where none is configured."""

    def __init__(self, base_url: str, key: str = "") -> None:
        self.http = http.client(base_url=base_url, headers={"X-Service-Key": key} if key else {})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def listed(self, status: str = "open", **query: str) -> list[dict[str, Any]]:
        """Return the list, by status."""
        response = await self.http.get("/v1/escalations", params={"status": status, **query})
        assert response.status_code == 200, response.text
        rows: list[dict[str, Any]] = response.json()["escalations"]
        return rows

    async def whole_list(self, status: str) -> list[dict[str, Any]]:
        """Return the list, once nothing is left out of it: on a busy machine one may not answer in time."""
        deadline = asyncio.get_running_loop().time() + LIMIT
        looks = pauses()
        while True:
            response = await self.http.get("/v1/escalations", params={"status": status})
            found = response.json()
            if response.status_code == 200 and not found["left_out"]:
                rows: list[dict[str, Any]] = found["escalations"]
                return rows
            assert asyncio.get_running_loop().time() < deadline, f"not whole in time: {response.text}"
            await asyncio.sleep(next(looks))

    async def find(self, reference: str, status: str = "open", within: float = LIMIT) -> dict[str, Any]:
        """Return the escalation with this reference, once the list has it."""
        deadline = asyncio.get_running_loop().time() + within
        looks = pauses()
        while True:
            rows = [row for row in await self.listed(status) if row["reference"] == reference]
            if rows:
                return rows[0]
            assert asyncio.get_running_loop().time() < deadline, f"{reference} is not in the list"
            await asyncio.sleep(next(looks))

    async def look(self, escalation_id: str) -> dict[str, Any]:
        """Return one escalation, with the last messages of its chat."""
        response = await self.http.get(f"/v1/escalations/{escalation_id}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def send(self, escalation_id: str, message: str, **more: str) -> httpx.Response:
        """Send a reply, as a raw call."""
        body = {"message": message, "request_id": uuid4().hex, **more}
        return await self.http.post(f"/v1/escalations/{escalation_id}/resolve", json=body)

    async def answer(self, escalation_id: str, message: str, **more: str) -> dict[str, Any]:
        """Send a reply that must be accepted."""
        response = await self.send(escalation_id, message, **more)
        assert response.status_code == 200, response.text
        taken: dict[str, Any] = response.json()
        return taken

    async def until(self, escalation_id: str, ready: Any, within: float = LIMIT) -> dict[str, Any]:
        """Return one escalation, once it is as wanted."""
        deadline = asyncio.get_running_loop().time() + within
        looks = pauses()
        while not ready(found := await self.look(escalation_id)):
            assert asyncio.get_running_loop().time() < deadline, f"not in time: {found}"
            await asyncio.sleep(next(looks))
        return found
