"""Staff access without a service key, which then proves nothing, and the end of a staff session. Guarantees:

- Only a browser on this machine, which calls us by a name of this machine, may open the staff pages; with a key
  configured, the key decides, wherever the call comes from.
- A session that was opened without a key may not read how a chat was reasoned.
- A session is over when its time is up, though the vault keeps it longer, and when its key is no longer accepted.
- A reply is shown under the name of the signed-in member of staff, whatever name the request gives.
- An unavailable store is reported as such, and not as a missing session.
"""

import time
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from fastapi import Request

from api.auth.staff_session import StaffSessions, is_engineer, refuse_strangers
from api.routes.escalations import ResolveBody, resolve
from clients.errors import ApiError, ServiceUnavailableError
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.errors import DependencyUnavailableError
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.support.tables import table


def a_request(host: str, address: str, cookie: str = "", app: Any = None) -> Request:
    """Return a request as the server passes it on: by that name, from that address."""
    headers = [(b"host", host.encode()), (b"cookie", f"iq_staff={cookie}".encode())]
    return Request(
        {
            "type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b"", "headers": headers,
            "server": (host, 80), "client": (address, 4711), "app": app,
        }
    )  # fmt: skip


@table(
    "key, host, address, comes_in",
    [
        ("", "localhost", "127.0.0.1", True),
        ("", "127.0.0.1", "::1", True),
        ("", "localhost", "::ffff:127.0.0.1", True),
        ("", "localhost", "10.0.0.7", False),
        ("", "localhost", "2001:db8::1", False),
        ("", "localhost", "unknown", False),
        ("", "iq.example", "127.0.0.1", False),
        ("", "iq.example", "10.0.0.7", False),
        ("k" * 32, "iq.example", "10.0.0.7", True),
    ],
)
def test_only_this_machine_comes_in(key: str, host: str, address: str, comes_in: bool) -> None:
    with nullcontext() if comes_in else pytest.raises(ApiError):
        refuse_strangers(a_request(host, address), Settings(service_key=key))


@pytest.mark.parametrize("key", ["", "k" * 32])
async def test_an_engineer_is_who_showed_a_key(key: str) -> None:
    settings = Settings(service_key=key)
    sessions = StaffSessions(Vault(Store(), parse_ring(new_key_line())), settings)
    app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(settings=settings), staff_sessions=sessions))
    cookie = await sessions.open("Anna", key)
    assert await sessions.find(cookie) is not None
    assert await is_engineer(a_request("localhost", "127.0.0.1", cookie, app)) is bool(key)
    assert not await is_engineer(a_request("localhost", "127.0.0.1", "a-guess", app))


async def test_a_session_ends_with_its_time_and_with_its_key() -> None:
    vault, settings = Vault(Store(), parse_ring(new_key_line())), Settings(service_key="k" * 32)
    sessions = StaffSessions(vault, settings)
    cookie = await sessions.open("Anna", "k" * 32)
    kept = await sessions.find(cookie)
    assert kept is not None and kept.name == "Anna"
    late = await vault.put(kept.model_copy(update={"until": time.time() - 1}).model_dump_json(), 60)
    assert await sessions.find(late) is None
    assert await StaffSessions(vault, Settings(service_key="o" * 32)).find(cookie) is None
    await sessions.close(cookie)
    assert await sessions.find(cookie) is None


async def test_a_store_that_is_away_is_no_missing_session() -> None:
    vault = AsyncMock(spec=Vault)
    vault.get.side_effect = vault.put.side_effect = vault.wipe.side_effect = DependencyUnavailableError("store")
    sessions = StaffSessions(vault, Settings(service_key="k" * 32))
    for asked in (sessions.open("Anna", "k" * 32), sessions.find("a-cookie"), sessions.close("a-cookie")):
        with pytest.raises(ServiceUnavailableError) as away:
            await asked
        assert away.value.part == "store"


@pytest.mark.parametrize(("signed_in", "given", "shown"), [
    ("Anna", "Bruno", "Anna"), ("Anna", "", "Anna"), ("", "Bruno", "Bruno"),
])  # fmt: skip
async def test_an_answer_is_by_who_is_signed_in(signed_in: str, given: str, shown: str) -> None:
    escalations = AsyncMock()
    escalations.resolve.side_effect = ServiceUnavailableError("temporal")
    body = ResolveBody(message="Any cake.", by=given)
    with pytest.raises(ServiceUnavailableError):
        await resolve("e-1", body, escalations, AsyncMock(), signed_in)
    [[_, answer]] = [call.args for call in escalations.resolve.await_args_list]
    assert (answer.message, answer.by) == ("Any cake.", shown)
