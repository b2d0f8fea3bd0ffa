"""HTTP to a provider's server: bounded in time, a write sent once, and each way of failing told apart.

What a status means is the provider's to say (`Answer`), but for those that mean the same everywhere: 429 did nothing
and is tried again where the wait is short; 503 did nothing; another 5xx may have done something.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from restaurant.providers.errors import OutcomeUnknownError, UnavailableError
from restaurant.providers.patience import Deadline

Json = dict[str, Any]
Method = Literal["GET", "POST", "PUT", "DELETE"]

_LONGEST_WAIT = 2.0
"""Seconds that a server may ask to wait for before the call ends instead."""
_KEPT = 2.0
"""Seconds that an idle connection is kept: shorter than servers do, for a write on one they have closed is a write of
which nobody knows whether it arrived."""


@dataclass(frozen=True)
class Answer:
    """What a server said: 2xx or 4xx but 429."""

    status: int
    body: Any
    """As JSON; None where it is none."""
    text: str

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return 200 <= self.status < 300


class Wire:
    """A client of one server. `wait_unit` is how many seconds one of its `Retry-After` is."""

    def __init__(self, name: str, url: str, *, wait_unit: float = 1.0, auth: httpx.Auth | None = None) -> None:
        self._name, self._wait_unit = name, wait_unit
        self._http = httpx.AsyncClient(
            base_url=url,
            auth=auth,
            # Loading the machine's certificates takes a twentieth of a second, and plain HTTP needs none.
            verify=url.startswith("https"),
            limits=httpx.Limits(max_connections=50, keepalive_expiry=_KEPT),
        )

    async def read(self, path: str, deadline: Deadline, **more: Any) -> Answer:
        """A GET; sent again once where the connection was lost. Raises `UnavailableError`."""
        try:
            return await self.send("GET", path, deadline, **more)
        except OutcomeUnknownError as lost:
            if not deadline.left():
                raise UnavailableError(str(lost)) from None
        try:
            return await self.send("GET", path, deadline, **more)
        except OutcomeUnknownError as lost:
            raise UnavailableError(str(lost)) from None

    async def send(
        self,
        method: Method,
        path: str,
        deadline: Deadline,
        *,
        params: Mapping[str, str | int] | None = None,
        json: Any = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request; again only after a 429. Raises `UnavailableError`, and `OutcomeUnknownError` where it may have
        been carried out."""
        what = f"{self._name}: {method}"
        while True:
            if not deadline.left():
                raise UnavailableError(f"{what}: no time is left")
            request = self._http.build_request(method, path, params=params, json=json, data=form, headers=headers)
            response = await self._sent(what, request, deadline)
            if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                return self._answer(what, response)
            wait = self._asked_to_wait(response)
            if wait > min(_LONGEST_WAIT, deadline.left()):
                raise UnavailableError(f"{what}: 429, to be tried again in {wait:.1f} s")
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Give connections back."""
        await self._http.aclose()

    async def _sent(self, what: str, request: httpx.Request, deadline: Deadline) -> httpx.Response:
        try:
            async with asyncio.timeout(deadline.left()):
                return await self._http.send(request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise UnavailableError(f"{what}: {type(error).__name__}") from None
        except (httpx.TransportError, TimeoutError, httpx.DecodingError) as error:
            raise OutcomeUnknownError(f"{what}: {type(error).__name__}") from None

    def _answer(self, what: str, response: httpx.Response) -> Answer:
        status = response.status_code
        if status == httpx.codes.SERVICE_UNAVAILABLE:
            raise UnavailableError(f"{what}: 503")
        if status >= httpx.codes.INTERNAL_SERVER_ERROR:
            raise OutcomeUnknownError(f"{what}: {status}")
        try:
            body = response.json()
        except ValueError:
            body = None
        return Answer(status, body, response.text)

    def _asked_to_wait(self, response: httpx.Response) -> float:
        try:
            return max(0.0, float(response.headers.get("Retry-After", ""))) * self._wait_unit
        except ValueError:
            return 0.5
