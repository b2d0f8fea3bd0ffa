"""Guessing the service key, at every entry that it opens. Guarantees:

- A client's first wrong keys (a limit) get the answer that they are wrong; after that the API checks none, not even the
  right one, and answers when to retry, in body and header. All entries count together: the staff sign-in, the codec's,
  and the header.
- Other clients get in meanwhile with the right key. A missing key does not count, nor does a right one.
- Many clients together have a limit, too. Beyond it the API accepts clients that have shown the right key before, and
  those signed in by a cookie; it refuses an unknown client, whatever it shows.
- After the announced time there is room again.
- While one key replaces another both work, at every entry, and a client that signed in by the old one stays signed in
  until it is removed.
- An IPv6 subscriber is one client, with all of its addresses.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx
import pytest
from fastapi import Request

from api.app import create_app
from api.auth.credentials import client_of
from cli.stack.dev import Stack
from clients.services import assemble
from infra.temporal.client import connect
from tests.support.errors import expect_error

pytestmark = pytest.mark.asyncio

KEY = "the-service-key-of-this-test"
OURS = {"Sec-Fetch-Site": "same-origin"}

RunningRestaurant = Callable[[httpx.AsyncClient, str], httpx.Response]
Clients = Callable[[str], httpx.AsyncClient]


@asynccontextmanager
async def facade(stack: Stack, one: str = "3/hour", together: str = "100/hour") -> AsyncIterator[Clients]:
    """Yield a function that makes clients of an API by their addresses."""
    wanted = {"service_key": KEY, "rate_failed_auth": one, "rate_failed_auth_all": together}
    parts = assemble(stack.settings.model_copy(update=wanted), await connect(stack.settings))
    await parts.ledger.opened()
    app = create_app(parts)

    def client(address: str) -> httpx.AsyncClient:
        there = httpx.ASGITransport(app=app, client=(address, 1234))
        return httpx.AsyncClient(transport=there, base_url="https://iq.test")

    try:
        yield client
    finally:
        await parts.close()


async def sign_in(client: httpx.AsyncClient, key: str) -> httpx.Response:
    return await client.post("/staff/session", json={"name": "Ada", "key": key}, headers=OURS)


async def by_header(client: httpx.AsyncClient, key: str, path: str = "/v1/escalations") -> httpx.Response:
    return await client.get(path, headers={"X-Service-Key": key})


async def test_after_so_many_wrong_keys_none_of_that_client_is_looked_at(stack: Stack) -> None:
    async with facade(stack) as client:
        guessing = client("203.0.113.7")
        for n in range(3):
            expect_error(await sign_in(guessing, f"wrong {n}"), 401, "unauthorized")
        for key in ("wrong", KEY):
            refused = await sign_in(guessing, key)
            error = expect_error(refused, 429, "rate_limited")
            assert 0 < error["retry_after_seconds"] <= 3600 and "iq_staff" not in refused.headers.get("set-cookie", "")
            assert refused.headers["Retry-After"] == str(round(error["retry_after_seconds"]))
            assert "your address" in error["message"]
        # Not by another route either.
        for path in ("/v1/escalations", "/v1/usage", "/v1/modes", "/v1/actions", "/v1/sessions/s/debug"):
            expect_error(await by_header(guessing, KEY, path), 429, "rate_limited")
        shown = await guessing.post("/mcp", json={}, headers={"X-Service-Key": KEY, "Authorization": "Bearer x"})
        assert shown.status_code == 429 and shown.headers["Retry-After"]
        expect_error(await guessing.post("/codec/sign-in", data={"key": KEY}), 429, "rate_limited")
        decode = await guessing.post("/codec/decode", json={"payloads": []}, headers={"X-Service-Key": KEY})
        expect_error(decode, 429, "rate_limited")
        # All other clients get in.
        assert (await sign_in(client("203.0.113.8"), KEY)).status_code == 200
        assert (await by_header(client("203.0.113.9"), KEY)).status_code == 200


@pytest.mark.parametrize(
    "path", ["/v1/escalations", "/v1/actions", "/v1/plans?user_id=u", "/v1/sessions/s/debug", "/codec/sign-in"]
)
async def test_every_door_counts(stack: Stack, path: str) -> None:
    async with facade(stack) as client:
        guessing = client("203.0.113.7")
        for _ in range(3):
            if path == "/codec/sign-in":
                assert (await guessing.post(path, data={"key": "wrong"})).status_code == 401
            else:
                expect_error(await by_header(guessing, "wrong", path), 401, "unauthorized")
        expect_error(await sign_in(guessing, KEY), 429, "rate_limited")


async def test_neither_no_key_nor_the_right_one_is_counted(stack: Stack) -> None:
    async with facade(stack) as client:
        one = client("203.0.113.7")
        for _ in range(6):
            expect_error(await one.get("/v1/actions"), 401, "unauthorized")
            assert (await by_header(one, KEY, "/v1/actions")).status_code == 200
            expect_error(await sign_in(one, ""), 401, "unauthorized")
        expect_error(await sign_in(one, "wrong"), 401, "unauthorized")


async def test_many_clients_together_have_a_limit_that_shuts_no_one_out_who_is_known(stack: Stack) -> None:
    async with facade(stack, together="4/hour") as client:
        backend, page = client("203.0.113.1"), client("203.0.113.2")
        assert (await by_header(backend, KEY)).status_code == 200
        assert (await sign_in(page, KEY)).status_code == 200
        for n in range(4):
            expect_error(await by_header(client(f"198.51.100.{n}"), "wrong"), 401, "unauthorized")
        for key in ("wrong", KEY):
            error = expect_error(await by_header(client("198.51.100.9"), key), 429, "rate_limited")
            assert "many places" in error["message"]
        assert (await by_header(backend, KEY)).status_code == 200
        assert (await page.get("/v1/escalations")).status_code == 200
        # A known client's own wrong keys count, too.
        for _ in range(3):
            expect_error(await by_header(backend, "wrong"), 401, "unauthorized")
        expect_error(await by_header(backend, KEY), 429, "rate_limited")


async def test_there_is_room_again_after_the_time_reported(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    async with facade(stack, one="1/hour") as client:
        guessing = client("203.0.113.7")
        expect_error(await sign_in(guessing, "wrong"), 401, "unauthorized")
        error = expect_error(await sign_in(guessing, KEY), 429, "rate_limited")
        later = SimpleNamespace(time=lambda: time.time() + error["retry_after_seconds"])
        monkeypatch.setattr("limits.aio.storage.memory.time", later)
        assert (await sign_in(guessing, KEY)).status_code == 200


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("203.0.113.7", "203.0.113.7"),
        ("testclient", "testclient"),
    ],
)
async def test_who_is_one_client(address: str, client: str) -> None:
    assert client_of(Request({"type": "http", "client": (address, 1)})) == client


async def test_two_keys_overlap(stack: Stack) -> None:
    settings = stack.settings.model_copy(update={"service_key": "the-new-key,the-old-key"})
    parts = assemble(settings, await connect(stack.settings))
    await parts.ledger.opened()
    app = create_app(parts)
    there = httpx.ASGITransport(app=app)
    try:
        async with httpx.AsyncClient(transport=there, base_url="https://iq.test") as client:
            for key in ("the-new-key", "the-old-key"):
                assert (await by_header(client, key)).status_code == 200
                payloads = await client.post("/codec/decode", json={"payloads": []}, headers={"X-Service-Key": key})
                assert payloads.status_code == 200
            for key in ("the-new-key,the-old-key", "the-new", ","):
                assert (await by_header(client, key)).status_code == 401
            assert (await sign_in(client, "the-old-key")).status_code == 200
            assert (await client.post("/codec/sign-in", data={"key": "the-old-key"})).status_code == 200
            assert (await client.get("/v1/usage", headers=OURS)).status_code == 200
            assert (await client.post("/codec/decode", json={"payloads": []})).status_code == 200
            only_new = settings.model_copy(update={"service_key": "the-new-key"})
            app.state.staff_sessions._settings = only_new
            assert (await client.get("/v1/usage", headers=OURS)).status_code == 401, "the old key is gone"
    finally:
        await parts.close()
