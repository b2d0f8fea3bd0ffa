"""An operator's client that sends commands, each with a request id, and repeats them as a phone does."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import httpx

from tests.e2e.chaos.reports import Shown, Telling, telling
from tests.support.operator import Operator

_PAUSE = 0.4


class Words:
    """The commands of one operator about one plan. `struck` is awaited just before a command is sent for the first
    time."""

    def __init__(
        self, operator: Operator, plan_id: str, shown: Shown, retries: int, struck: Callable[[str], Awaitable[None]]
    ) -> None:
        self._operator = operator
        self._plan_id = plan_id
        self._shown = shown
        self._retries = retries
        self._struck = struck
        self._without_ids: set[str] = set()

    async def say(self, word: str, text: str = "") -> Telling:
        """Send a command, again with the same request id after no answer or a 503. Return the last answer."""
        request_id = str(uuid4())
        await self._struck(word)
        for attempt in range(self._retries + 1):
            sent = time.time()
            shown = self._shown.note(telling(word, request_id, sent, await self._sent(word, text, request_id)))
            if shown.status not in (None, 503):
                break
            if shown.status == 503 or attempt == self._retries:
                await asyncio.sleep(_PAUSE)
        return shown

    async def look(self) -> Telling:
        """Read the plan."""
        sent = time.time()
        try:
            response = await self._operator.http.get(self._url, params={"user_id": self._operator.user})
        except httpx.HTTPError:
            response = None
        return self._shown.note(telling("look", "", sent, response))

    @property
    def _url(self) -> str:
        return f"/v1/plans/{self._plan_id}"

    async def _sent(self, word: str, text: str, request_id: str) -> httpx.Response | None:
        user = self._operator.user
        body: dict[str, Any] = {"user_id": user, "request_id": request_id}
        match word:
            case "yes":
                url = "/v1/requests"
                body |= {"user_message": "yes, do it", "session_id": self._operator.session}
            case "answer":
                url, body = f"{self._url}/answers", {**body, "user_message": text}
            case _:
                url = f"{self._url}/{word}"
        if word in self._without_ids:
            body.pop("request_id")
        try:
            response = await self._operator.http.post(url, json=body)
        except httpx.HTTPError:
            return None
        if response.status_code == 422 and word not in self._without_ids:
            # An API that knows no request ids for this command.
            self._without_ids.add(word)
            return await self._sent(word, text, request_id)
        return response
