"""How the service authenticates at a venue's API, against real HTTP servers. Guarantees:

- Each kind of credential goes where the document says, and the operator's token nowhere else.
- The service gets its own token once for many concurrent requests, keeps it until shortly before it expires, and gets a
  new one when the venue no longer accepts it. It then sends a read once more, never twice, and a write not at all.
- A failure of the service's own credentials is not reported as the operator's: the message says who can fix it, and a
  plan never waits for a sign-in because of it.
- No secret is in an error, a log record or a trace, even where the venue repeats it in its answer.
"""

import asyncio
import base64
import html
import json
import logging
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from clients.venue.client import VenueClient, Write
from clients.venue.errors import VenueError
from contracts.credentials import AuthScheme, Credential, HttpRequest
from contracts.enums import ErrorType
from infra.crypto.keyring import KeyRing
from infra.http.http_server import http_server
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.integration.activities.raw_server import DRIP, running
from tests.support.tables import for_test_all

TOKEN, SECRET = "operator-token-1", "client-secret-9"
COOKIE = f"k={SECRET}"


class Venue:
    """A venue that records what it was sent, and issues tokens."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.given: list[str] = []
        self.lasts: Any = 3600
        self.takes: str | None = None
        self.token_answer: JSONResponse | None = None
        self.answer: JSONResponse | None = None
        self.app = FastAPI()
        self.app.post("/token")(self._token)
        self.app.api_route("/{path:path}", methods=["GET", "POST"])(self._any)

    async def _token(self, request: Request) -> Any:
        fields = dict(await request.form())
        self.asked.append({"form": fields, "auth": request.headers.get("Authorization")})
        await asyncio.sleep(0.05)
        if self.token_answer is not None:
            return self.token_answer
        self.given.append(f"token-{len(self.given) + 1}")
        return {"access_token": self.given[-1], "token_type": "Bearer", "expires_in": self.lasts}

    async def _any(self, request: Request) -> Any:
        raw = await request.body()
        sent = {"headers": dict(request.headers), "query": dict(request.query_params), "body": raw.decode()}
        self.seen.append(sent)
        if self.takes is not None and request.headers.get("Authorization") != f"Bearer {self.takes}":
            return JSONResponse({"message": f"bad token {request.headers.get('Authorization')}"}, 401)
        return self.answer or {"ok": True}


@pytest.fixture
async def venue(unused_tcp_port: int) -> AsyncIterator[tuple[Venue, str]]:
    one, port = Venue(), unused_tcp_port
    server = http_server(one.app, "127.0.0.1", port, drain=0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield one, f"http://127.0.0.1:{port}"
    server.should_exit = True
    await task


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[VenueClient]:
    monkeypatch.setenv("VENUE_SECRET", SECRET)
    found = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer(), timeout=60)
    yield found
    await found.close()


def request(*credentials: Credential, method: str = "GET", **bound: Any) -> HttpRequest:
    access = AuthScheme(credentials=credentials, bound=bound.pop("bound", {}))
    return HttpRequest(method=method, path="/things", access=access, content_type="application/json", **bound)


def own(url: str, **more: Any) -> Credential:
    given = {"client_id": "iq", "client_secret": "${VENUE_SECRET}", "token_url": f"{url}/token", "prefix": "Bearer "}
    return Credential(kind="client_credentials", **{**given, **more})


async def refused(client: VenueClient, url: str, asked: HttpRequest) -> VenueError:
    with pytest.raises(VenueError) as caught:
        await client.send_with_token(url, asked, TOKEN)
    return caught.value


async def test_without_anything_stated_the_operator_s_token_is_a_bearer(venue: Any, client: VenueClient) -> None:
    one, url = venue
    await client.send_with_token(url, HttpRequest(method="GET", path="/things"), TOKEN)
    assert one.seen[0]["headers"]["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    ("credential", "place", "name", "value"),
    [
        (Credential(kind="api_key", name="X-Key", value="${VENUE_SECRET}"), "headers", "x-key", SECRET),
        (Credential(kind="api_key", place="query", name="key", value="${VENUE_SECRET}"), "query", "key", SECRET),
        (Credential(kind="api_key", place="cookie", name="k", value="${VENUE_SECRET}"), "headers", "cookie", COOKIE),
        (Credential(kind="operator", name="X-Token"), "headers", "x-token", TOKEN),
        (Credential(kind="operator", place="query", name="t", prefix="x"), "query", "t", f"x{TOKEN}"),
        (
            Credential(kind="basic", prefix="Basic ", username="iq", password="${VENUE_SECRET}"),
            "headers",
            "authorization",
            "Basic " + base64.b64encode(f"iq:{SECRET}".encode()).decode(),
        ),
    ],
)  # fmt: skip
async def test_a_credential_goes_where_the_document_says(
    venue: Any, client: VenueClient, credential: Credential, place: str, name: str, value: str
) -> None:
    one, url = venue
    await client.send_with_token(url, request(credential), TOKEN)
    [sent] = one.seen
    assert sent[place][name] == value
    everything = str(sent)
    assert (TOKEN in everything) is (credential.kind == "operator")


async def test_an_operation_that_needs_no_sign_in_gets_no_token(venue: Any, client: VenueClient) -> None:
    one, url = venue
    await client.send_with_token(url, request(), TOKEN)
    assert TOKEN not in str(one.seen)


async def test_what_a_pack_gives_stands_in_the_body(venue: Any, client: VenueClient) -> None:
    one, url = venue
    asked = request(method="POST", body={"a": 1}, bound={"body.auth.token": "${VENUE_SECRET}", "query.v": 2})
    await client.send_with_token(url, asked, TOKEN)
    assert json.loads(one.seen[0]["body"]) == {"a": 1, "auth": {"token": SECRET}}
    assert one.seen[0]["query"] == {"v": "2"}


@pytest.mark.parametrize("sent_as", ["basic", "body"])
async def test_one_token_for_many_requests(venue: Any, client: VenueClient, sent_as: Any) -> None:
    one, url = venue
    asked = request(own(url, sent_as=sent_as, scopes=("read", "write"), more={"audience": "things"}))
    await asyncio.gather(*(client.send_with_token(url, asked, TOKEN) for _ in range(8)))
    assert len(one.asked) == 1
    assert {sent["headers"]["authorization"] for sent in one.seen} == {"Bearer token-1"}
    form = one.asked[0]["form"]
    assert (form["grant_type"], form["scope"], form["audience"]) == ("client_credentials", "read write", "things")
    assert (form.get("client_secret") == SECRET) is (sent_as == "body")
    assert bool(one.asked[0]["auth"]) is (sent_as == "basic")


async def test_a_token_is_replaced_before_it_expires(venue: Any, client: VenueClient) -> None:
    one, url = venue
    for lasts, pause in ((31, 0), (3600, 1.1), (3600, 0)):
        one.lasts = lasts
        await asyncio.sleep(pause)
        await client.send_with_token(url, request(own(url)), TOKEN)
    assert [sent["headers"]["authorization"] for sent in one.seen] == ["Bearer token-1"] + ["Bearer token-2"] * 2


async def test_a_token_that_is_taken_no_more_is_replaced_once(venue: Any, client: VenueClient) -> None:
    one, url = venue
    await client.send_with_token(url, request(own(url)), TOKEN)
    one.takes = "token-2"
    answered = await client.send_with_token(url, request(own(url)), TOKEN)
    assert answered.body == {"ok": True}
    assert [sent["headers"]["authorization"] for sent in one.seen[1:]] == ["Bearer token-1", "Bearer token-2"]
    one.takes = "never"
    error = await refused(client, url, request(own(url)))
    assert len(one.seen) == 5 and error.failure.error_type is ErrorType.SERVER_ERROR


async def test_a_write_is_not_sent_again_though_its_token_was_refused(venue: Any, client: VenueClient) -> None:
    """A 401 does not prove that nothing was done; the next call signs in again."""
    one, url = venue
    await client.send_with_token(url, request(own(url)), TOKEN)
    one.takes = "token-2"
    with pytest.raises(VenueError) as error:
        await client.send_with_token(url, request(own(url), method="POST", body={"n": 1}), TOKEN, write=Write())
    assert (error.value.may_have_landed, len(one.seen)) == (True, 2)
    await client.send_with_token(url, request(own(url)), TOKEN)
    assert one.seen[-1]["headers"]["authorization"] == "Bearer token-2"


@pytest.mark.parametrize(
    ("credential", "says"),
    [
        (Credential(kind="api_key", name="X-Key", value="${VENUE_NOT_SET}"), "VENUE_NOT_SET"),
        (Credential(kind="api_key", name="X-Key", value="${VENUE_SECRET}"), "does not take"),
    ],
)
async def test_the_service_s_own_credentials_are_no_operator_s_fault(
    venue: Any, client: VenueClient, caplog: pytest.LogCaptureFixture, credential: Credential, says: str
) -> None:
    one, url = venue
    one.takes = "another"
    with caplog.at_level(logging.DEBUG):
        error = await refused(client, url, request(credential))
    assert error.failure.error_type is ErrorType.SERVER_ERROR
    assert "its own credentials" in error.failure.message and "people who run" in error.failure.suggestions[0]
    assert says in caplog.text and SECRET not in caplog.text


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": "invalid_client"}, ErrorType.SERVER_ERROR),
        (500, {}, ErrorType.SERVER_ERROR),
        (200, {"token": "x"}, ErrorType.SERVER_ERROR),
        (200, {"access_token": ""}, ErrorType.SERVER_ERROR),
        (200, ["x" * 70_000], ErrorType.SERVER_ERROR),
    ],
)
async def test_anyone_gives_tokens_gives_none(
    venue: Any, client: VenueClient, status: int, body: Any, kind: ErrorType
) -> None:
    one, url = venue
    one.token_answer = JSONResponse(body, status)
    error = await refused(client, url, request(own(url)))
    assert (error.failure.error_type, error.sent) == (kind, False)
    assert one.seen == []


async def test_a_secret_that_the_venue_repeats_goes_no_further(
    venue: Any, client: VenueClient, caplog: pytest.LogCaptureFixture
) -> None:
    one, url = venue
    echoed = {"message": f"key {SECRET} of {TOKEN} is not good"}
    asked = request(
        Credential(kind="api_key", name="X-Key", value="${VENUE_SECRET}"), Credential(kind="operator", name="X-T")
    )
    one.answer = JSONResponse(echoed, 422)
    with caplog.at_level(logging.DEBUG):
        error = await refused(client, url, asked)
        one.answer = JSONResponse(echoed, 200)
        answered = await client.send_with_token(url, asked, TOKEN)
    for text in (str(error), error.failure.model_dump_json(), str(answered), caplog.text):
        assert SECRET not in text and TOKEN not in text
    assert answered.body == {"message": "key *** of *** is not good"}


@pytest.mark.parametrize("written", ["plain", "json", "url", "html", "base64", "slashes"])
async def test_a_secret_is_known_in_the_forms_in_which_servers_repeat_it(
    venue: Any, client: VenueClient, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    one, url = venue
    secret = 'sk"live/Key+99&x'
    monkeypatch.setenv("VENUE_SECRET", secret)
    forms = {
        "plain": secret,
        "json": json.dumps({"sent": secret}),
        "url": quote(secret, safe=""),
        "html": html.escape(secret),
        "base64": base64.b64encode(secret.encode()).decode(),
        "slashes": secret.replace("/", r"\/"),
    }
    one.answer = JSONResponse({"comments": f"key {forms[written]} it was"})
    key = Credential(kind="api_key", name="X-Key", value="${VENUE_SECRET}")
    answered = await client.send_with_token(url, request(key), TOKEN)
    assert "***" in str(answered.body) and "Key" not in str(answered.body).replace("key ", "")


async def test_what_is_no_secret_is_left_alone(
    venue: Any, client: VenueClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A venue's number is configured like a secret, and occurs in many answers by chance."""
    one, url = venue
    monkeypatch.setenv("VENUE_NUMBER", "200126")
    one.answer = JSONResponse({"id": 12001260, "date": "2001-05-06", "ref": "R200126"})
    answered = await client.send_with_token(url, request(bound={"header.X-Venue": "${VENUE_NUMBER}"}), TOKEN)
    assert answered.body == {"id": 12001260, "date": "2001-05-06", "ref": "R200126"}


@pytest.mark.parametrize("value", ["k\ney", " key", "kéy", "key\r\nX-Other: 1"])
async def test_a_value_that_no_header_can_carry_is_the_service_s_fault(
    venue: Any, client: VenueClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str
) -> None:
    one, url = venue
    monkeypatch.setenv("VENUE_SECRET", value)
    error = await refused(client, url, request(Credential(kind="api_key", name="X-Key", value="${VENUE_SECRET}")))
    assert one.seen == [] and not error.sent and "its own credentials" in error.failure.message
    assert "X-Key" in caplog.text and value not in caplog.text


@pytest.mark.parametrize("lasts", ["1" + "0" * 400, "abc", "NaN", "inf", None, -5, "3600"])
async def test_however_long_a_token_is_stated_to_last(venue: Any, client: VenueClient, lasts: Any) -> None:
    one, url = venue
    one.lasts = lasts
    for _ in range(2):
        await client.send_with_token(url, request(own(url)), TOKEN)
    assert len(one.seen) == 2


async def test_anyone_drips_a_token_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """All requests that need the token wait for it."""
    monkeypatch.setenv("VENUE_SECRET", SECRET)
    client = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer(), timeout=2)
    async with running() as raw:
        raw.reply = DRIP
        error = await refused(client, raw.url, request(own(raw.url)))
    await client.close()
    assert (error.failure.error_type, error.sent) == (ErrorType.SERVER_ERROR, False)


@pytest.mark.parametrize("token", ["tök", *for_test_all("a\nb", "a b", 7)])
async def test_a_token_that_cannot_be_sent_is_not_kept(venue: Any, client: VenueClient, token: Any) -> None:
    one, url = venue
    one.token_answer = JSONResponse({"access_token": token})
    error = await refused(client, url, request(own(url)))
    assert (error.failure.error_type, error.sent) == (ErrorType.SERVER_ERROR, False)
    one.token_answer = None
    await asyncio.sleep(2.1)
    await client.send_with_token(url, request(own(url)), TOKEN)


async def test_a_token_server_that_fails_is_not_waited_for_in_a_row(venue: Any, client: VenueClient) -> None:
    one, url = venue
    one.token_answer = JSONResponse({}, 500)
    await asyncio.gather(*(refused(client, url, request(own(url))) for _ in range(6)))
    assert len(one.asked) == 1


async def test_other_values_of_the_variables_are_another_client(
    venue: Any, client: VenueClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, url = venue
    await client.send_with_token(url, request(own(url)), TOKEN)
    monkeypatch.setenv("VENUE_SECRET", "a-new-secret-2")
    await client.send_with_token(url, request(own(url)), TOKEN)
    assert len(one.asked) == 2


@pytest.mark.parametrize("path", ["@127.0.0.1:9/x", ".evil.example/x", ":9/x"])
async def test_a_request_goes_to_the_venue_s_host_and_no_other(venue: Any, client: VenueClient, path: str) -> None:
    one, url = venue
    error = await refused(client, url, HttpRequest(method="GET", path=path))
    assert not error.sent and one.seen == []
