"""`/codec/*` as the Temporal UI uses it, against what the real server stores. Guarantees:

- What the server stores is unreadable. The codec decrypts it for authorised callers, and encrypts what the UI sends.
- Only the UI's own origin may call it from a browser; no other route allows any origin.
- With a service key: without it the codec answers nothing; the sign-in page takes it once and sets a cookie that works;
  a wrong key and every kind of forged cookie are refused.
- Without a service key only this machine reads, by a name of its own. A page that points its own name at us does not.
- Payloads of another key ring, and unencrypted ones, come back as they are.
"""

import base64
import dataclasses
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import MessageToDict
from temporalio.api.common.v1 import Payload
from temporalio.client import Client

from api.app import create_app
from cli.stack.dev import Stack
from infra.crypto.keyring import new_key_line, parse_ring
from infra.temporal.client import EncryptionCodec
from tests.support import http
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party

pytestmark = pytest.mark.asyncio

KEY = "the-service-key"
OPEN = {"payloads": [{"metadata": {"encoding": base64.b64encode(b"json/plain").decode()}, "data": "InBsYWluIg=="}]}


@pytest.fixture
async def ui(stack: Stack) -> AsyncIterator[httpx.AsyncClient]:
    """The Temporal UI's client of the running stack: its origin, and none of our headers."""
    origin = f"http://localhost:{stack.ports.temporal_ui}"
    base = f"http://127.0.0.1:{stack.ports.facade}"
    async with http.client(base_url=base, headers={"Origin": origin}) as page:
        yield page


@pytest.fixture
async def locked(stack: Stack) -> AsyncIterator[httpx.AsyncClient]:
    """The same API with a service key."""
    assert stack.services is not None
    parts = dataclasses.replace(stack.services, settings=stack.settings.model_copy(update={"service_key": KEY}))
    transport = httpx.ASGITransport(app=create_app(parts))
    async with http.client(transport=transport, base_url="http://iq.test") as page:
        yield page


async def held_by_the_server(stack: Stack, plan_id: str) -> list[Payload]:
    """Return a plan's input, as the server stores it."""
    client = await Client.connect(stack.settings.temporal_address)
    history = await client.get_workflow_handle(f"plan-{plan_id}").fetch_history()
    return list(history.events[0].workflow_execution_started_event_attributes.input.payloads)


def as_json(*payloads: Payload) -> dict[str, Any]:
    """Return payloads as the UI posts them."""
    return {"payloads": [MessageToDict(p) for p in payloads]}


def shown(response: httpx.Response) -> list[bytes]:
    """Return the data of decoded payloads."""
    assert response.status_code == 200, response.text
    return [base64.b64decode(p["data"]) for p in response.json()["payloads"]]


async def test_the_ui_can_read_what_the_server_holds(
    operator: Operator, party: Party, stack: Stack, ui: httpx.AsyncClient
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    held = await held_by_the_server(stack, plan["plan_id"])
    assert held and all(p.metadata["encoding"] == b"binary/encrypted" for p in held)
    assert all(guest.encode() not in p.SerializeToString() for p in held)
    [start] = shown(await ui.post("/codec/decode", json=as_json(*held), headers={"X-Namespace": "default"}))
    read = json.loads(start)
    assert read["plan"]["plan_id"] == plan["plan_id"]
    assert guest in read["plan"]["intent"]


async def test_what_the_ui_sends_is_encrypted_and_reads_the_same(stack: Stack, ui: httpx.AsyncClient) -> None:
    encoded = await ui.post("/codec/encode", json=OPEN)
    [sealed] = encoded.json()["payloads"]
    assert base64.b64decode(sealed["metadata"]["encoding"]) == b"binary/encrypted"
    assert b"plain" not in base64.b64decode(sealed["data"])
    assert (await ui.post("/codec/decode", json=encoded.json())).json() == OPEN


async def test_what_cannot_be_read_comes_back_as_it_is(ui: httpx.AsyncClient, stack: Stack) -> None:
    foreign = EncryptionCodec(parse_ring(new_key_line()))
    ours = EncryptionCodec(stack.settings.ring())
    payload = Payload(metadata={"encoding": b"json/plain"}, data=b'"secret"')
    [theirs] = await foreign.encode([payload])
    [good] = await ours.encode([payload])
    broken = Payload(metadata=dict(good.metadata), data=good.data[:-1] + bytes([good.data[-1] ^ 1]))
    nameless = Payload(metadata={"encoding": b"binary/encrypted"}, data=b"junk")
    posted = as_json(theirs, good, broken, payload, nameless)
    answer = (await ui.post("/codec/decode", json=posted)).json()["payloads"]
    assert answer == [posted["payloads"][0], MessageToDict(payload), *posted["payloads"][2:]]


@pytest.mark.parametrize("body", [{"payloads": "no"}, {"payloads": [{"data": 7}]}, {"other": 1}, [1]])
async def test_what_is_no_payload_is_refused_in_our_own_shape(ui: httpx.AsyncClient, body: Any) -> None:
    response = await ui.post("/codec/decode", json=body)
    assert response.status_code == 422, response.text
    assert response.json()["error"]["error_type"] == "invalid_request"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_the_ui_s_origin_may_call_it_with_cookies(stack: Stack, ui: httpx.AsyncClient, host: str) -> None:
    origin = f"http://{host}:{stack.ports.temporal_ui}"
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-namespace",
    }
    preflight = await ui.options("/codec/decode", headers=asked)
    assert preflight.status_code == 200, preflight.text
    assert preflight.headers["access-control-allow-origin"] == origin
    assert preflight.headers["access-control-allow-credentials"] == "true"
    answer = await ui.post("/codec/decode", json=OPEN, headers={"Origin": origin})
    assert answer.headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "http://localhost:1", "http://localhost"])
async def test_no_other_origin_may(ui: httpx.AsyncClient, origin: str) -> None:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    preflight = await ui.options("/codec/decode", headers=asked)
    assert preflight.status_code == 400
    assert "access-control-allow-origin" not in preflight.headers
    answer = await ui.post("/codec/decode", json=OPEN, headers={"Origin": origin})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/actions", "/healthz"])
async def test_no_other_route_answers_to_any_origin(ui: httpx.AsyncClient, path: str) -> None:
    assert "access-control-allow-origin" not in (await ui.get(path)).headers


@pytest.mark.parametrize("host", ["evil.test", "evil.test:8700", "127.0.0.1.evil.test", "10.0.0.7:8700"])
async def test_a_foreign_name_for_this_machine_reads_nothing(ui: httpx.AsyncClient, host: str) -> None:
    for path in ("/codec/decode", "/codec/encode"):
        expect_error(await ui.post(path, json=OPEN, headers={"Host": host}), 401, "unauthorized")


@pytest.mark.parametrize("host", ["localhost:8700", "127.0.0.1:8700", "[::1]:8700"])
async def test_the_machine_s_own_names_do(ui: httpx.AsyncClient, host: str) -> None:
    assert (await ui.post("/codec/decode", json=OPEN, headers={"Host": host})).status_code == 200


@pytest.mark.parametrize("path", ["/codec/decode", "/codec/encode"])
async def test_with_a_service_key_nothing_is_read_without_it(locked: httpx.AsyncClient, path: str) -> None:
    refused = await locked.post(path, json=OPEN)
    assert refused.status_code == 401
    assert "/codec/sign-in" in refused.json()["error"]["suggestions"][0], "the way in is named"
    assert (await locked.post(path, json=OPEN, headers={"X-Service-Key": "wrong"})).status_code == 401
    assert (await locked.post(path, json=OPEN, headers={"X-Service-Key": KEY})).status_code == 200


async def test_the_sign_in_page_takes_the_key_and_sets_a_cookie_that_works(locked: httpx.AsyncClient) -> None:
    page = await locked.get("/codec/sign-in")
    assert page.status_code == 200 and 'type="password"' in page.text
    answer = await locked.post("/codec/sign-in", data={"key": KEY})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "Path=/codec" in cookie
    assert KEY not in cookie
    assert (await locked.post("/codec/decode", json=OPEN)).status_code == 200, "the browser sends the cookie along"
    locked.cookies.clear()
    assert (await locked.post("/codec/decode", json=OPEN)).status_code == 401


async def test_over_https_the_cookie_is_kept_to_https_and_sent_from_the_ui(locked: httpx.AsyncClient) -> None:
    cookie = (await locked.post("https://iq.test/codec/sign-in", data={"key": KEY})).headers["set-cookie"]
    assert "Secure" in cookie and "SameSite=none" in cookie


@pytest.mark.parametrize("key", ["wrong", KEY + "x", KEY[:-1], "ключ", "<script>"])
async def test_a_wrong_key_is_refused(locked: httpx.AsyncClient, key: str) -> None:
    answer = await locked.post("/codec/sign-in", data={"key": key})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert key not in answer.text, "what was typed is not repeated"


async def test_signing_in_without_a_key_is_refused_and_a_cookie_says_nothing_where_none_is_set(
    ui: httpx.AsyncClient, locked: httpx.AsyncClient
) -> None:
    assert (await locked.post("/codec/sign-in", data={})).status_code == 422
    assert (await ui.post("/codec/sign-in", data={"key": ""})).status_code in (401, 422)


def proof(key: str, until: str) -> str:
    """Return a cookie as the service makes it."""
    return f"{until}.{hmac.new(key.encode(), f'codec {until}'.encode(), hashlib.sha256).hexdigest()}"


IN_AN_HOUR = str(int(time.time()) + 3600)


@pytest.mark.parametrize(
    "cookie",
    [
        "", "x", f"{IN_AN_HOUR}.", f"{IN_AN_HOUR}.{'0' * 64}", proof("another-key", IN_AN_HOUR), proof(KEY, "1000"),
        proof(KEY, IN_AN_HOUR).replace(IN_AN_HOUR, str(int(IN_AN_HOUR) + 1)), proof(KEY, "-1"), proof(KEY, "1e12"),
        f"{IN_AN_HOUR}.è",
    ],
    ids=["empty", "nonsense", "no mark", "zeros", "another key's", "expired", "prolonged", "negative", "no number",
         "other letters"],
)  # fmt: skip
async def test_a_forged_cookie_is_refused(locked: httpx.AsyncClient, cookie: str) -> None:
    response = await locked.post("/codec/decode", json=OPEN, headers={"Cookie": f"iq_codec={cookie}".encode("latin-1")})
    assert response.status_code == 401


async def test_a_true_cookie_is_what_the_forgeries_fall_short_of(locked: httpx.AsyncClient) -> None:
    cookie = {"Cookie": f"iq_codec={proof(KEY, IN_AN_HOUR)}"}
    assert (await locked.post("/codec/decode", json=OPEN, headers=cookie)).status_code == 200
    asked = await locked.post("/v1/requests", json={}, headers=cookie)
    assert asked.status_code == 401, "the cookie opens the codec and nothing else"
