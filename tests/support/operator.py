"""An operator with a phone: sends messages, confirms, answers, and waits for the result. HTTP only."""

import asyncio
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.support import http
from tests.support.waiting import LIMIT, pauses

_TRIES = 4
"""How often the same message is sent where a busy machine does not accept it."""
_PAUSE = 1.0
"""Seconds between two tries where the answer names none."""

SETTLED = {"completed", "failed", "rolled_back", "expired", "cancelled"}


class Operator:
    """One user in one session."""

    def __init__(
        self, base_url: str, *, user: str | None = None, session: str | None = None, token: str = "demo-operator"
    ) -> None:
        self.base_url = base_url
        self.user = user or f"user-{uuid4().hex[:8]}"
        self.session = session or f"session-{uuid4().hex[:8]}"
        self.http = http.client(base_url=base_url, headers={"Authorization": f"Bearer {token}"} if token else {})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        """Send a raw call."""
        return await self.http.post(path, json=body)

    async def say(self, message: str, **extra: Any) -> dict[str, Any]:
        """Send a message. Return the turn."""
        body = {"user_message": message, "session_id": self.session, "user_id": self.user, "request_id": uuid4().hex}
        for left in reversed(range(_TRIES)):
            response = await self.post("/v1/requests", **{**body, **extra})
            # A busy machine may not accept a message in time, and then reports it. The message is sent again with its
            # id, as clients are asked to: the first may have had its turn all the same.
            if response.status_code != 503 or not left:
                break
            await asyncio.sleep(float(response.headers.get("Retry-After", _PAUSE)))
        assert response.status_code == 200, response.text
        turn: dict[str, Any] = response.json()
        return turn

    async def plan_for(self, message: str, **extra: Any) -> dict[str, Any]:
        """Send a message that must become a plan. Return the plan."""
        turn = await self.say(message, **extra)
        assert turn["type"] == "plan", turn
        plan: dict[str, Any] = turn["plan"]
        return plan

    async def confirm(self, plan: dict[str, Any], **extra: Any) -> dict[str, Any]:
        """Confirm a plan. Return the plan."""
        word = {"request_id": uuid4().hex, **extra}
        for left in reversed(range(_TRIES)):
            response = await self.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=self.user, **word)
            # Not passed on in time, or unknown: the same is sent again, as clients are asked to.
            if response.status_code not in (202, 503) or not left:
                break
            if response.status_code == 503:
                await asyncio.sleep(float(response.headers.get("Retry-After", _PAUSE)))
        assert response.status_code == 200, response.text
        confirmed: dict[str, Any] = response.json()
        return confirmed

    async def look(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Return the current plan."""
        return await self.until(plan, lambda _: True)

    async def settled(self, plan: dict[str, Any], *, within: float = LIMIT) -> dict[str, Any]:
        """Return the plan once nothing more will happen by itself."""
        return await self.until(
            plan, lambda p: p["status"] in SETTLED and p.get("rollback", {}).get("state", "done") == "done", within
        )

    async def asked(self, plan: dict[str, Any], *, within: float = LIMIT) -> dict[str, Any]:
        """Return the plan once it waits for an answer."""
        return await self.until(plan, lambda p: p.get("blocking_prompt") is not None, within)

    async def until(self, plan: dict[str, Any], ready: Any, within: float = LIMIT) -> dict[str, Any]:
        """Poll until the plan is as wanted."""
        deadline = asyncio.get_running_loop().time() + within
        looks = pauses()
        while True:
            answer = await self.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": self.user})
            # A polling phone repeats its request when asked to: on a busy machine Temporal may take longer than a read
            # may.
            assert answer.status_code in (200, 503), answer.text
            found: dict[str, Any] = answer.json()
            if answer.status_code == 200 and ready(found):
                return found
            assert asyncio.get_running_loop().time() < deadline, f"not in time: {found}"
            await asyncio.sleep(next(looks))

    async def answer(self, plan: dict[str, Any], text: str, **extra: Any) -> httpx.Response:
        """Answer a blocking prompt."""
        return await self.post(f"/v1/plans/{plan['plan_id']}/answers", user_id=self.user, user_message=text, **extra)

    async def do(self, message: str) -> dict[str, Any]:
        """Send a message, confirm, and wait for the end. Return the plan as it ended."""
        plan = await self.plan_for(message)
        await self.confirm(plan)
        return await self.settled(plan)
