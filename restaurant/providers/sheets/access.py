"""Google Sheets through gspread: requests in threads, within the quota, a write sent once, each failure by its kind."""

import asyncio
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
    SheetNotFoundError,
    UnavailableError,
)
from restaurant.providers.patience import Deadline
from restaurant.providers.sheets.pace import Pace

Cells = list[list[Any]]
T = TypeVar("T")

URL = "https://sheets.googleapis.com"
_SCOPE = "https://www.googleapis.com/auth/spreadsheets"
_CONNECT, _ANSWER = 1.5, 3.0
"""Seconds for each; a thread that waits cannot be called off, so it must end by itself."""
_AGAIN = (0.4, 0.8, 1.6)
"""Seconds before a read is sent again after a 429, of which Google does not say how long it lasts."""
RAW = "RAW"
"""As it is: entered as by a person, a phone would become a number, and a note that begins with "=" a formula."""


class _AnsweredError(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(status)
        self.status, self.text = status, text


class _Client(HTTPClient):
    """gspread's requests, sent to the address of the settings; a refusal is an exception of our own."""

    def __init__(self, url: str, credentials: Any) -> None:
        super().__init__(credentials)
        self._base = f"{url.rstrip('/')}/v4/spreadsheets"
        # The session of a read sends it again after a 401, with a new token.
        self._writing = AuthorizedSession(credentials, refresh_status_codes=())  # type: ignore[no-untyped-call]

    def request(self, method: str, endpoint: str, *args: Any, **more: Any) -> requests.Response:
        """One request. Raises `_AnsweredError`."""
        del args  # gspread gives everything else by name
        there = endpoint.replace(SPREADSHEETS_API_V4_BASE_URL, self._base, 1)
        session = self.session if method == "get" else self._writing
        answer: requests.Response = session.request(
            method, there, timeout=(_CONNECT, _ANSWER), allow_redirects=False, **more
        )
        if not 200 <= answer.status_code < 300:
            raise _AnsweredError(answer.status_code, answer.text)
        return answer

    def close(self) -> None:
        """Give connections back."""
        self.session.close()
        self._writing.close()  # type: ignore[no-untyped-call]


@lru_cache(maxsize=64)
def pace_of(url: str, who: str) -> Pace:
    """The one count of requests of a user: Google counts them together, whichever restaurant they are for."""
    del url, who
    return Pace()


def credentials(token: str | None, file: str | None) -> Any:
    """A service account's key file, or an access token as it is. Raises `NotConfiguredError`."""
    if token:
        return Credentials(token=token)  # type: ignore[no-untyped-call]
    if not file:
        raise NotConfiguredError("google_sheets: neither IQ_SHEETS_CREDENTIALS nor IQ_SHEETS_TOKEN is set")
    try:
        path = str(Path(file))
        return ServiceAccount.from_service_account_file(path, scopes=[_SCOPE])  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise NotConfiguredError(f"google_sheets: IQ_SHEETS_CREDENTIALS: {type(error).__name__}") from None


class Access:
    """One sheet of one spreadsheet, cell by cell."""

    def __init__(self, url: str, who: Any, spreadsheet: str, title: str, pace: Pace) -> None:
        self._client = _Client(url, who)
        self._spreadsheet, self._title = spreadsheet, title
        self._quoted = "'" + title.replace("'", "''") + "'"
        self.pace = pace
        self._sheet_id: int | None = None

    async def values(self, deadline: Deadline) -> Cells:
        """All cells of the columns that are ours."""
        call = partial(self._client.values_get, self._spreadsheet, f"{self._quoted}!A:G")
        said = await self._read(call, deadline)
        return [list(row) for row in said.get("values", [])]

    async def append(self, rows: Cells, deadline: Deadline) -> None:
        """Put rows after the last. Raises `OutcomeUnknownError`, as the other writes do."""
        params: Any = {"valueInputOption": RAW, "insertDataOption": "INSERT_ROWS"}
        call = partial(self._client.values_append, self._spreadsheet, f"{self._quoted}!A:G", params, {"values": rows})
        await self._write(call, deadline)

    async def update(self, blocks: dict[str, list[Any]], deadline: Deadline) -> None:
        """Write a row of cells at each range ("B7:D7"), all in one request."""
        data = [{"range": f"{self._quoted}!{cells}", "values": [row]} for cells, row in blocks.items()]
        body = {"valueInputOption": RAW, "data": data}
        await self._write(partial(self._client.values_batch_update, self._spreadsheet, body), deadline)

    async def delete(self, numbers: list[int], deadline: Deadline) -> None:
        """Take rows out by their numbers, counted from 0, all or none. The last first: each moves up those below."""
        sheet = await self._sheet(deadline)
        ranges = [
            {"sheetId": sheet, "dimension": "ROWS", "startIndex": number, "endIndex": number + 1}
            for number in sorted(numbers, reverse=True)
        ]
        body = {"requests": [{"deleteDimension": {"range": one}} for one in ranges]}
        await self._write(partial(self._client.batch_update, self._spreadsheet, body), deadline)

    def close(self) -> None:
        """Give connections back."""
        self._client.close()

    async def _sheet(self, deadline: Deadline) -> int:
        if self._sheet_id is None:
            said = await self._read(partial(self._client.fetch_sheet_metadata, self._spreadsheet), deadline)
            ids = {one["properties"]["title"]: one["properties"]["sheetId"] for one in said.get("sheets", [])}
            if self._title not in ids:
                raise SheetNotFoundError("google_sheets: the spreadsheet has no such sheet")
            self._sheet_id = int(ids[self._title])
        return self._sheet_id

    async def _read(self, call: Callable[[], T], deadline: Deadline) -> T:
        try:
            return await self._patiently(call, deadline)
        except OutcomeUnknownError as lost:
            if not deadline.left():
                raise UnavailableError(str(lost)) from None
        try:
            return await self._patiently(call, deadline)
        except OutcomeUnknownError as lost:
            raise UnavailableError(str(lost)) from None

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
        raise UnavailableError("google_sheets: 429")

    async def _write(self, call: Callable[[], T], deadline: Deadline) -> T:
        try:
            return await self._sent(call, deadline)
        except _AnsweredError as answered:
            reason = _meaning(answered)
            raise OutcomeUnknownError(str(reason), reason) from None

    async def _sent(self, call: Callable[[], T], deadline: Deadline) -> T:
        await self.pace.take(deadline)
        if not deadline.left():
            raise UnavailableError("google_sheets: no time is left")
        try:
            async with asyncio.timeout(deadline.left()):
                return await asyncio.to_thread(call)
        except TransportError as error:
            # Of the access token alone; nothing else was sent.
            raise UnavailableError(f"google_sheets: {type(error).__name__}") from None
        except GoogleAuthError as error:
            raise FailedError(f"google_sheets: {type(error).__name__}") from None
        except (requests.RequestException, TimeoutError) as error:
            raise _lost(error) from None


def _meaning(answered: _AnsweredError) -> ProviderError:
    status = answered.status
    if status in (403, 404) or (status == 400 and "parse range" in answered.text.casefold()):
        return SheetNotFoundError(f"google_sheets: {status}")
    if status in (429, 503):
        return UnavailableError(f"google_sheets: {status}")
    return OutcomeUnknownError(f"google_sheets: {status}") if status >= 500 else FailedError(f"google_sheets: {status}")


def _lost(error: Exception) -> Exception:
    never = isinstance(error, requests.ConnectTimeout) or (
        isinstance(error, requests.ConnectionError)
        and error.args
        and isinstance(getattr(error.args[0], "reason", None), NewConnectionError)
    )
    kind = UnavailableError if never else OutcomeUnknownError
    return kind(f"google_sheets: {type(error).__name__}")
