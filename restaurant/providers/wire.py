"""HTTP to a provider's server: bounded in time, a write sent once, and each way of failing told apart.

A read is sent again after a 429 whose wait is short, and once more after a 5xx or a lost connection. No status of an
answer to a write proves that nothing was done, so a write never is.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from restaurant.providers.errors import FailedError, OutcomeUnknownError, UnavailableError
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
    """What a server answered."""

    status: int
    body: Any
    """As JSON; None where it is none."""
    text: str

    @property
    def ok(self) -> bool:
        """Whether it is a success."""
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

    async def read(self, path: str, deadline: Deadline, *, method: Method = "GET", **more: Any) -> Answer:
        """Ask for what changes nothing, or nothing of a guest's. Raises `UnavailableError`."""
        answer = await self._patiently(method, path, deadline, more)
        if answer is None and deadline.left():
            answer = await self._patiently(method, path, deadline, more)
        if answer is None:
            raise UnavailableError(f"{self._name}: {method}: no answer")
        return answer

    async def write(self, method: Method, path: str, deadline: Deadline, **more: Any) -> Answer:
        """Send one request, once. Raises `UnavailableError` where it was certainly not sent, and `OutcomeUnknownError`
        where no answer came."""
        return self._answer(await self._sent(method, path, deadline, **more))

    async def _patiently(self, method: Method, path: str, deadline: Deadline, more: Mapping[str, Any]) -> Answer | None:
        """None where it may go better at once."""
        while True:
            try:
                response = await self._sent(method, path, deadline, **more)
            except OutcomeUnknownError:
                return None
            if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
                raise UnavailableError(f"{self._name}: {method}: 503")
            if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                return None if response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR else self._answer(response)
            wait = self._asked_to_wait(response)
            if wait > min(_LONGEST_WAIT, deadline.left()):
                raise UnavailableError(f"{self._name}: {method}: 429, to be tried again in {wait:.1f} s")
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Give connections back."""
        await self._http.aclose()

    async def _sent(
        self,
        method: Method,
        path: str,
        deadline: Deadline,
        *,
        params: Mapping[str, str | int] | None = None,
        json: Any = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        what = f"{self._name}: {method}"
        if not deadline.left():
            raise UnavailableError(f"{what}: no time is left")
        request = self._http.build_request(method, path, params=params, json=json, data=form, headers=headers)
        try:
            async with asyncio.timeout(deadline.left()):
                return await self._http.send(request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise UnavailableError(f"{what}: {type(error).__name__}") from None
        except (httpx.TransportError, TimeoutError, httpx.DecodingError) as error:
            raise OutcomeUnknownError(f"{what}: {type(error).__name__}") from None

    def _answer(self, response: httpx.Response) -> Answer:
        try:
            body = response.json()
        except ValueError:
            body = None
        return Answer(response.status_code, body, response.text)

    def _asked_to_wait(self, response: httpx.Response) -> float:
        try:
            return max(0.0, float(response.headers.get("Retry-After", ""))) * self._wait_unit
        except ValueError:
            return 0.5


def not_accepted(name: str, answer: Answer, more: str = "") -> OutcomeUnknownError:
    """Return the error of a write that was answered without success: a busy or broken server's, else a refusal's."""
    what = f"{name}: {answer.status} {more}".rstrip()
    busy = answer.status == httpx.codes.TOO_MANY_REQUESTS or answer.status >= httpx.codes.INTERNAL_SERVER_ERROR
    return OutcomeUnknownError(what, None if busy else FailedError(what))
