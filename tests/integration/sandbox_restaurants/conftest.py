"""Each stand-in of a restaurant's provider on a loopback port, with a signed-in client."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox import octotable, resos, sheets
from tests.integration.sandbox.conftest import serving

Opened = Callable[..., httpx.Client]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """A stack that closes when the test ends."""
    with ExitStack() as opened:
        yield opened


def _client(stack: ExitStack, app: Any, path: str = "", **more: Any) -> httpx.Client:
    address = stack.enter_context(serving(app))
    return stack.enter_context(httpx.Client(base_url=address + path, timeout=60, verify=False, **more))


@pytest.fixture
def open_resos(stack: ExitStack, tmp_path: Path) -> Opened:
    """A function that starts resOS with options."""

    def start(**options: Any) -> httpx.Client:
        app = resos.create_app(database=tmp_path / "resos.db", controls=True, **options)
        return _client(stack, app, auth=(resos.API_KEY, ""))

    return start


@pytest.fixture
def open_octotable(stack: ExitStack, tmp_path: Path) -> Opened:
    """A function that starts OctoTable with options; the client has a token and the property."""

    def start(**options: Any) -> httpx.Client:
        app = octotable.create_app(database=tmp_path / "octotable.db", controls=True, **options)
        client = _client(stack, app, headers={"Property": octotable.PROPERTY})
        client.headers["Authorization"] = f"Bearer {token(client).json()['access_token']}"
        return client

    return start


@pytest.fixture
def open_sheets(stack: ExitStack, tmp_path: Path) -> Opened:
    """A function that starts Google Sheets with options."""

    def start(**options: Any) -> httpx.Client:
        app = sheets.create_app(database=tmp_path / "sheets.db", controls=True, **options)
        return _client(stack, app, headers={"Authorization": "Bearer somebody"})

    return start


def token(client: httpx.Client, **more: Any) -> httpx.Response:
    """Request an access token as the sandbox's client."""
    form = {"grant_type": "client_credentials", "client_id": octotable.CLIENT_ID,
            "client_secret": octotable.CLIENT_SECRET, **more}  # fmt: skip
    return client.post(f"{octotable.AUTH_PATH}/oauth2/token", data=form)
