"""OctoTable over HTTP: the access token, the property, the envelope of answers, pages, and its refusals."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    FailedError,
    ProviderError,
)
from restaurant.providers.http import HttpClient, HttpResponse, Json, Method, not_accepted
from restaurant.providers.timeouts import Deadline

_PAGE = 100
_MOST_PAGES = 60
_EARLY = 30.0
"""Seconds before its expiry that a token is renewed, or half its life if that is shorter."""
_UNKNOWN_LIFE = 300.0


@dataclass(frozen=True)
class OctoTableAccount:
    """OctoTable's address and our credentials. `auth_url` is the address that `/oauth2/token` is relative to."""

    url: str
    auth_url: str
    client_id: str
    client_secret: str
    property_id: str


class OctoTableClient:
    """Requests of one property."""

    def __init__(self, account: OctoTableAccount) -> None:
        self._account = account
        self._wire = HttpClient("octotable", account.url)
        self._tokens = HttpClient("octotable token", account.auth_url)
        self._token, self._until = "", 0.0
        self._renewing = asyncio.Lock()

    async def get(self, path: str, deadline: Deadline) -> Any:
        """Return the content of `data`. Raises `BookingNotFoundError` for a 404."""
        return self._data(await self._read(path, deadline))

    async def pages(self, path: str, params: Mapping[str, str], deadline: Deadline) -> list[Json]:
        """Return all rows of a list, page by page."""
        rows: list[Json] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            request = {**params, "limit": _PAGE, **({"next_cursor": cursor} if cursor else {})}
            answer = await self._read(path, deadline, params=request)
            found = self._data(answer)
            if not isinstance(found, list):
                raise FailedError("octotable: GET: the answer is no list")
            rows += [row for row in found if isinstance(row, dict)]
            cursor = _cursor(answer.body)
            if not cursor:
                return rows
        raise FailedError(f"octotable: GET: more than {_MOST_PAGES} pages")

    async def write(self, method: Method, path: str, deadline: Deadline, body: Json | None = None) -> Json | None:
        """Send a write once. Return the reservation in the response, if any. Raises `OutcomeUnknownError`."""
        answer = await self._wire.write(method, path, deadline, headers=await self._headers(deadline), json=body)
        if answer.status == httpx.codes.UNAUTHORIZED:
            # The next call gets a new token. The write may have been applied by an earlier copy of the request.
            self._until = 0.0
        envelope = answer.body if isinstance(answer.body, dict) else {}
        if not answer.ok or envelope.get("success") is False:
            raise not_accepted("octotable", answer, _class_name(envelope))
        found = envelope.get("data")
        if isinstance(found, list):
            found = found[0] if len(found) == 1 else None
        return found if isinstance(found, dict) else None

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()
        await self._tokens.close()

    async def _read(self, path: str, deadline: Deadline, **more: Any) -> HttpResponse:
        answer = await self._wire.read(path, deadline, headers=await self._headers(deadline), **more)
        if answer.status == httpx.codes.UNAUTHORIZED:
            self._until = 0.0
            answer = await self._wire.read(path, deadline, headers=await self._headers(deadline), **more)
        return answer

    async def _headers(self, deadline: Deadline) -> dict[str, str]:
        return {"Authorization": f"Bearer {await self._bearer(deadline)}", "Property": self._account.property_id}

    async def _bearer(self, deadline: Deadline) -> str:
        async with self._renewing:
            if time.monotonic() >= self._until:
                await self._renew(deadline)
            return self._token

    async def _renew(self, deadline: Deadline) -> None:
        form = {
            "grant_type": "client_credentials",
            "client_id": self._account.client_id,
            "client_secret": self._account.client_secret,
        }
        # Requesting one more token does no harm, because it changes no guest data.
        answer = await self._tokens.read("/oauth2/token", deadline, method="POST", form=form)
        texts = answer.body if isinstance(answer.body, dict) else {}
        texts = texts["data"] if isinstance(texts.get("data"), dict) else texts
        if not answer.ok or not isinstance(texts.get("access_token"), str):
            raise FailedError(f"octotable token: {answer.status}")
        life = texts.get("expires_in")
        seconds = float(life) if isinstance(life, int | float) else _UNKNOWN_LIFE
        self._token = texts["access_token"]
        self._until = time.monotonic() + seconds - min(_EARLY, seconds / 2)

    def _data(self, answer: HttpResponse) -> Any:
        body = answer.body
        if answer.status == httpx.codes.NOT_FOUND:
            raise BookingNotFoundError("octotable: 404")
        if not answer.ok or not isinstance(body, dict) or body.get("success") is False:
            raise FailedError(f"octotable: {answer.status} {_class_name(body)}")
        return body.get("data")


def read_back(error: ProviderError) -> AmbiguousError:
    """Return the error of a write that was answered and could not be read back."""
    return AmbiguousError(f"octotable: written, but not read back: {error}")


def _cursor(body: Any) -> str | None:
    """Return the cursor of the next page: beside the rows, or in a block about pages."""
    for place in (body, body.get("paging"), body.get("pagination"), body.get("meta")):
        if isinstance(place, dict) and place.get("next_cursor"):
            return str(place["next_cursor"])
    return None


def _class_name(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    return str(error.get("class_name", "")) if isinstance(error, dict) else ""
