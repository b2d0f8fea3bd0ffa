"""HTTP to a provider's server: every call has a deadline, a write is sent once, and each failure has its own error.

A read is retried after a 429 with a short wait, and once more after a 5xx or a lost connection. A write never is,
because no status of its response proves that nothing was done.

Reads back a write that got no success response.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import httpx

from restaurant.providers.errors import (
    BookingNotFoundError,
    FailedError,
    OutcomeUnknownError,
    ProviderError,
    ProviderUnavailableError,
)
from restaurant.providers.timeouts import Deadline

Json = dict[str, Any]
Method = Literal["GET", "POST", "PUT", "DELETE"]

_LONGEST_WAIT = 2.0
"""The longest wait in seconds that a server may request. A longer one ends the call."""
_KEPT = 2.0
"""Seconds that an idle connection is kept. Shorter than servers keep them, because a write on a connection that the
server has closed has an unknown outcome."""


@dataclass(frozen=True)
class HttpResponse:
    """A server's response."""

    status: int
    body: Any
    """The body as JSON; None if it is not JSON."""
    text: str

    @property
    def ok(self) -> bool:
        """Return whether the status is a success."""
        return 200 <= self.status < 300


class HttpClient:
    """A client of one server. `wait_unit`: the seconds in one unit of its `Retry-After`."""

    def __init__(self, name: str, url: str, *, wait_unit: float = 1.0, auth: httpx.Auth | None = None) -> None:
        self._name, self._wait_unit = name, wait_unit
        self._http = httpx.AsyncClient(
            base_url=url,
            auth=auth,
            # Loading the system's certificates takes a twentieth of a second, and plain HTTP needs none.
            verify=url.startswith("https"),
            limits=httpx.Limits(max_connections=50, keepalive_expiry=_KEPT),
        )

    async def read(self, path: str, deadline: Deadline, *, method: Method = "GET", **more: Any) -> HttpResponse:
        """Send a request that changes nothing, or no guest data. Raises `ProviderUnavailableError`."""
        answer = await self._patiently(method, path, deadline, more)
        if answer is None and deadline.left():
            answer = await self._patiently(method, path, deadline, more)
        if answer is None:
            raise ProviderUnavailableError(f"{self._name}: {method}: no answer")
        return answer

    async def write(self, method: Method, path: str, deadline: Deadline, **more: Any) -> HttpResponse:
        """Send one request, once. Raises `ProviderUnavailableError` if it was certainly not sent, and
        `OutcomeUnknownError` if no answer came."""
        return self._answer(await self._sent(method, path, deadline, **more))

    async def _patiently(
        self, method: Method, path: str, deadline: Deadline, more: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Send a read, and wait if the server asks for it. Return None if an immediate retry may succeed."""
        while True:
            try:
                response = await self._sent(method, path, deadline, **more)
            except OutcomeUnknownError:
                return None
            if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
                raise ProviderUnavailableError(f"{self._name}: {method}: 503")
            if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                return None if response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR else self._answer(response)
            wait = self._asked_to_wait(response)
            if wait > min(_LONGEST_WAIT, deadline.left()):
                raise ProviderUnavailableError(f"{self._name}: {method}: 429, to be tried again in {wait:.1f} s")
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Close the connections."""
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
            raise ProviderUnavailableError(f"{what}: no time is left")
        request = self._http.build_request(method, path, params=params, json=json, data=form, headers=headers)
        try:
            async with asyncio.timeout(deadline.left()):
                return await self._http.send(request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise ProviderUnavailableError(f"{what}: {type(error).__name__}") from None
        except (httpx.TransportError, TimeoutError, httpx.DecodingError) as error:
            raise OutcomeUnknownError(f"{what}: {type(error).__name__}") from None

    def _answer(self, response: httpx.Response) -> HttpResponse:
        try:
            body = response.json()
        except ValueError:
            body = None
        return HttpResponse(response.status_code, body, response.text)

    def _asked_to_wait(self, response: httpx.Response) -> float:
        try:
            return max(0.0, float(response.headers.get("Retry-After", ""))) * self._wait_unit
        except ValueError:
            return 0.5


def not_accepted(name: str, answer: HttpResponse, more: str = "") -> OutcomeUnknownError:
    """Return the error of a write without a success response: a busy or broken server, else a refusal."""
    what = f"{name}: {answer.status} {more}".rstrip()
    busy = answer.status == httpx.codes.TOO_MANY_REQUESTS or answer.status >= httpx.codes.INTERNAL_SERVER_ERROR
    return OutcomeUnknownError(what, None if busy else FailedError(what))


T = TypeVar("T")


async def looked_for(
    look: Callable[[], Awaitable[T | None]], pauses: Sequence[float], deadline: Deadline | None = None
) -> T | None:
    """Return the result of the first look that finds something, or None. A look that fails counts as nothing found.
    Raises `BookingNotFoundError` if a look does."""
    deadline = deadline or Deadline.reading(float("inf"))
    for pause in pauses:
        # Time for the look itself is left, however long the pause.
        await asyncio.sleep(min(pause, deadline.left() / 2))
        try:
            found = await look()
        except BookingNotFoundError:
            raise
        except ProviderError:
            continue
        if found is not None:
            return found
    return None
