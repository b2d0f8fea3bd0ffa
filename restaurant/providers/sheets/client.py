"""Google Sheets through gspread: requests in threads, within the quota, a write sent once, each failure by its kind."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import requests
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import AuthorizedSession
from google.oauth2.credentials import Credentials
from google.oauth2.service_account import Credentials as ServiceAccount
from gspread.http_client import HTTPClient
from gspread.urls import SPREADSHEETS_API_V4_BASE_URL
from urllib3.exceptions import NewConnectionError

from restaurant.providers.errors import (
    FailedError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderError,
    ProviderUnavailableError,
    SheetNotFoundError,
)
from restaurant.providers.timeouts import Deadline

_MINUTE = 60.0
_OURS = 56
"""Of 60: the rest is for the staff's own scripts, and for clock differences."""
_STEPS = ((15, 0.03), (28, 0.3), (42, 0.8))
"""Pairs: up to this many requests in the last minute, writes are batched for this many seconds."""
_LONGEST = 1.5


class SheetsQuota:
    """The requests of one user in the last minute, shared by all restaurants that use this user's credentials. Google
    allows 60 a minute (docs/restaurant-providers.md), whether they carry one booking or fifty: the fewer are left, the
    longer writes are batched and the older a cached read may be."""

    def __init__(self, a_minute: int = _OURS, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute, self._clock = a_minute, clock
        self._sent: deque[float] = deque()

    def gathering(self) -> float:
        """Return the seconds to wait for more writes before the next batch is sent."""
        used = self._used()
        return next((seconds for limit, seconds in _STEPS if used < limit), _LONGEST)

    async def take(self, deadline: Deadline) -> None:
        """Count one request as soon as the quota allows it. Raises `ProviderUnavailableError` if that is after the
        deadline."""
        while self._used() >= self._a_minute:
            wait = self._sent[0] + _MINUTE - self._clock()
            if wait > deadline.left():
                raise ProviderUnavailableError("google_sheets: this minute's requests are used up")
            await asyncio.sleep(max(wait, 0.01))
        self._sent.append(self._clock())

    def _used(self) -> int:
        while self._sent and self._sent[0] <= self._clock() - _MINUTE:
            self._sent.popleft()
        return len(self._sent)


Cells = list[list[Any]]
T = TypeVar("T")

URL = "https://sheets.googleapis.com"
_SCOPE = "https://www.googleapis.com/auth/spreadsheets"
_CONNECT, _ANSWER = 1.5, 3.0
"""Seconds for each. A waiting thread cannot be cancelled, so it must time out by itself."""
_AGAIN = (0.4, 0.8, 1.6)
"""Seconds before each retry of a read after a 429, because Google does not send a wait."""
RAW = "RAW"
"""Store values unchanged. Parsed as user input, a phone would become a number, and a note that begins with "=" a
formula."""


class _AnsweredError(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(status)
        self.status, self.text = status, text


class _Client(HTTPClient):
    """gspread's requests, sent to the address of the settings. A refusal raises our own exception."""

    def __init__(self, url: str, credentials: Any) -> None:
        super().__init__(credentials)
        self._base = f"{url.rstrip('/')}/v4/spreadsheets"
        # A session for reads would resend a write after a 401, with a new token.
        self._writing = AuthorizedSession(credentials, refresh_status_codes=())  # type: ignore[no-untyped-call]

    def request(self, method: str, endpoint: str, *args: Any, **more: Any) -> requests.Response:
        """Send one request. Raises `_AnsweredError`."""
        del args  # gspread passes all other arguments by name
        there = endpoint.replace(SPREADSHEETS_API_V4_BASE_URL, self._base, 1)
        session = self.session if method == "get" else self._writing
        answer: requests.Response = session.request(
            method, there, timeout=(_CONNECT, _ANSWER), allow_redirects=False, **more
        )
        if not 200 <= answer.status_code < 300:
            raise _AnsweredError(answer.status_code, answer.text)
        return answer

    def close(self) -> None:
        """Close the connections."""
        self.session.close()
        self._writing.close()  # type: ignore[no-untyped-call]


@lru_cache(maxsize=64)
def pace_of(url: str, who: str) -> SheetsQuota:
    """Return the shared request counter of a user, because Google counts all requests of a user together, for any
    restaurant."""
    del url, who
    return SheetsQuota()


def credentials(token: str | None, file: str | None) -> Any:
    """Return the credentials of a service account's key file, or of an access token. Raises `NotConfiguredError`."""
    if token:
        return Credentials(token=token)  # type: ignore[no-untyped-call]
    if not file:
        raise NotConfiguredError("google_sheets: neither IQ_SHEETS_CREDENTIALS nor IQ_SHEETS_TOKEN is set")
    try:
        path = str(Path(file))
        return ServiceAccount.from_service_account_file(path, scopes=[_SCOPE])  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise NotConfiguredError(f"google_sheets: IQ_SHEETS_CREDENTIALS: {type(error).__name__}") from None


class SheetsClient:
    """One sheet of one spreadsheet, cell by cell."""

    def __init__(self, url: str, who: Any, spreadsheet: str, title: str, pace: SheetsQuota) -> None:
        self._client = _Client(url, who)
        self._spreadsheet, self._title = spreadsheet, title
        self._quoted = "'" + title.replace("'", "''") + "'"
        self.quota = pace
        self._sheet_id: int | None = None

    async def values(self, deadline: Deadline) -> Cells:
        """Return all cells of our columns."""
        call = partial(self._client.values_get, self._spreadsheet, f"{self._quoted}!A:G")
        answer = await self._read(call, deadline)
        return [list(row) for row in answer.get("values", [])]

    async def append(self, rows: Cells, deadline: Deadline) -> None:
        """Append rows after the last. Raises `OutcomeUnknownError`, as the other writes do."""
        params: Any = {"valueInputOption": RAW, "insertDataOption": "INSERT_ROWS"}
        call = partial(self._client.values_append, self._spreadsheet, f"{self._quoted}!A:G", params, {"values": rows})
        await self._write(call, deadline)

    async def update(self, blocks: dict[str, list[Any]], deadline: Deadline) -> None:
        """Write a row of cells at each range ("B7:D7"), all in one request."""
        data = [{"range": f"{self._quoted}!{cells}", "values": [row]} for cells, row in blocks.items()]
        body = {"valueInputOption": RAW, "data": data}
        await self._write(partial(self._client.values_batch_update, self._spreadsheet, body), deadline)

    async def delete(self, numbers: list[int], deadline: Deadline) -> None:
        """Delete rows by their numbers, counted from 0, all or none. The last comes first, because each deletion moves
        up those below."""
        sheet = await self._sheet(deadline)
        ranges = [
            {"sheetId": sheet, "dimension": "ROWS", "startIndex": number, "endIndex": number + 1}
            for number in sorted(numbers, reverse=True)
        ]
        body = {"requests": [{"deleteDimension": {"range": one}} for one in ranges]}
        await self._write(partial(self._client.batch_update, self._spreadsheet, body), deadline)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    async def _sheet(self, deadline: Deadline) -> int:
        if self._sheet_id is None:
            answer = await self._read(partial(self._client.fetch_sheet_metadata, self._spreadsheet), deadline)
            ids = {one["properties"]["title"]: one["properties"]["sheetId"] for one in answer.get("sheets", [])}
            if self._title not in ids:
                raise SheetNotFoundError("google_sheets: the spreadsheet has no such sheet")
            self._sheet_id = int(ids[self._title])
        return self._sheet_id

    async def _read(self, call: Callable[[], T], deadline: Deadline) -> T:
        try:
            return await self._patiently(call, deadline)
        except OutcomeUnknownError as lost:
            if not deadline.left():
                raise ProviderUnavailableError(str(lost)) from None
        try:
            return await self._patiently(call, deadline)
        except OutcomeUnknownError as lost:
            raise ProviderUnavailableError(str(lost)) from None

    async def _patiently(self, call: Callable[[], T], deadline: Deadline) -> T:
        for wait in (*_AGAIN, None):
            try:
                return await self._sent(call, deadline)
            except _AnsweredError as answered:
                if answered.status != requests.codes.too_many_requests:
                    raise _meaning(answered) from None
            if wait is None or wait > deadline.left():
                break
            await asyncio.sleep(wait)
        raise ProviderUnavailableError("google_sheets: 429")

    async def _write(self, call: Callable[[], T], deadline: Deadline) -> T:
        try:
            return await self._sent(call, deadline)
        except _AnsweredError as answered:
            reason = _meaning(answered)
            raise OutcomeUnknownError(str(reason), reason) from None

    async def _sent(self, call: Callable[[], T], deadline: Deadline) -> T:
        await self.quota.take(deadline)
        if not deadline.left():
            raise ProviderUnavailableError("google_sheets: no time is left")
        try:
            async with asyncio.timeout(deadline.left()):
                return await asyncio.to_thread(call)
        except TransportError as error:
            # Only the access token's request failed; nothing else was sent.
            raise ProviderUnavailableError(f"google_sheets: {type(error).__name__}") from None
        except GoogleAuthError as error:
            raise FailedError(f"google_sheets: {type(error).__name__}") from None
        except (requests.RequestException, TimeoutError) as error:
            raise _lost(error) from None


def _meaning(answered: _AnsweredError) -> ProviderError:
    status = answered.status
    if status in (403, 404) or (status == 400 and "parse range" in answered.text.casefold()):
        return SheetNotFoundError(f"google_sheets: {status}")
    if status in (429, 503):
        return ProviderUnavailableError(f"google_sheets: {status}")
    return OutcomeUnknownError(f"google_sheets: {status}") if status >= 500 else FailedError(f"google_sheets: {status}")


def _lost(error: Exception) -> Exception:
    never = isinstance(error, requests.ConnectTimeout) or (
        isinstance(error, requests.ConnectionError)
        and error.args
        and isinstance(getattr(error.args[0], "reason", None), NewConnectionError)
    )
    kind = ProviderUnavailableError if never else OutcomeUnknownError
    return kind(f"google_sheets: {type(error).__name__}")
