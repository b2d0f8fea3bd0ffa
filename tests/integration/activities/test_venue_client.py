"""HTTP to venues, against a raw TCP server: one attempt a call, and every kind of failure told apart.

Guarantees:
- Each status becomes the `ErrorType` of the specification's table, and the operator reads a message that fits it.
- A rejection keeps the venue's own code and message from every known shape of body: `{"errors": […]}`, `{"error": …}`,
  a bare string, plain text, nothing.
- A conflict is want of room only where a rule of the overlay names it, by its status or its code.
- Retry-After is understood in seconds and as a date, and nonsense in it breaks nothing.
- `sent` is False only when the request certainly never reached the venue.
- The client never repeats a call, whatever happened to it.
- A connection that has been idle for as long as servers may hang up after is not used again.
- A success may be JSON, text or empty; one that is too large or too deep is rejected with a message (E13).
- The client waits for an unavailable token store; then nothing was sent, and the message says so (E12).
- The operator's token is in the Authorization header and nowhere else: not in a log record, an error or a trace; a
  token that is gone is `unauthorized` without a request.
"""

import asyncio
import gzip
import logging
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from math import ceil
from typing import Any

import pytest

from clients.venue.client import VenueClient, VenueResponse
from clients.venue.errors import VenueError
from contracts.action import AtomicAction, ErrorRule
from contracts.base import Json
from contracts.credentials import HttpRequest
from contracts.enums import ErrorType, RefusalReason
from infra.crypto.keyring import KeyRing
from infra.errors import DependencyUnavailableError
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.integration.activities.raw_server import DRIP, DROP, HALF, HANG, RawServer, answer, running
from tests.unit.reasoning.actions import an_action

TOKEN = "s3cret-operator-token"
READ = HttpRequest(method="GET", path="/bookings/8231", query=(("a", "1"), ("a", "2")))
WRITE = HttpRequest(method="PUT", path="/bookings/8231", headers={"X-Key": "k-1"}, body={"name": "José"})


@pytest.fixture
async def venue() -> AsyncIterator[RawServer]:
    async with running() as raw:
        yield raw


@pytest.fixture(scope="module")
async def vault() -> Vault:
    return Vault(Store(), KeyRing({"k1": bytes(32)}))


@pytest.fixture(scope="module")
async def client(vault: Vault) -> AsyncIterator[VenueClient]:
    found = VenueClient(vault, Observer(), timeout=60)
    yield found
    await found.close()


@pytest.fixture
async def send(client: VenueClient, vault: Vault, venue: RawServer) -> Any:
    """A function that sends a request with a good token, by default to the raw server."""
    reference = await vault.put(TOKEN, 60)

    async def send_one(
        request: HttpRequest = WRITE,
        *,
        url: str | None = None,
        action: AtomicAction | None = None,
        ref: str = reference,
    ) -> VenueResponse:
        return await client.send(url or venue.url, request, ref, action=action, trace_id="t-1")

    return send_one


async def refused(send: Any, **how: Any) -> VenueError:
    with pytest.raises(VenueError) as caught:
        await send(**how)
    return caught.value


@pytest.mark.parametrize(("status", "kind"), [
    (400, "bad_request"), (401, "unauthorized"), (403, "forbidden"), (404, "not_found"), (408, "timeout"),
    (409, "conflict"), (410, "not_found"), (412, "conflict"), (418, "bad_request"), (422, "bad_request"),
    (429, "rate_limited"), (500, "server_error"), (501, "server_error"), (502, "server_error"), (503, "server_error"),
    (504, "server_error"), (599, "server_error"),
])  # fmt: skip
async def test_a_status_is_an_error_type(venue: RawServer, send: Any, status: int, kind: str) -> None:
    venue.reply = answer(status, {"message": "No."})

    error = await refused(send)

    assert (error.failure.error_type.value, error.failure.status) == (kind, status)
    assert error.failure.message
    assert error.failure.suggestions
    assert len(venue.heard) == 1, "the client never repeats a call"


async def test_a_connection_that_a_server_may_be_about_to_close_is_not_used(venue: RawServer, send: Any) -> None:
    # On a busy machine two calls may be so far apart that each has a connection of its own.
    before = -1
    while venue.connections != before:
        before = venue.connections
        await send()
    await asyncio.sleep(2.5)
    await send()

    assert venue.connections == before + 1, "one for two calls in a row, another after the pause"


@pytest.mark.parametrize(("body", "code", "words"), [
    ({"errors": [{"name": "VenueCapacity", "message": "Only 2 places left"}]}, "VenueCapacity", "Only 2 places left"),
    ({"errors": [{"name": "A", "message": "first"}, {"name": "B", "message": "second"}]}, "A", "first"),
    ({"error": {"code": "session_full", "detail": "Full"}}, "session_full", "Full"),
    ({"name": "Overbooked", "message": "Too many"}, "Overbooked", "Too many"),
    ({"title": "Conflict"}, None, "Conflict"),
    ({"error": "Full"}, None, "Full"), ({"errors": ["Full"]}, None, "Full"), ("Full", None, "Full"), ({}, None, ""),
    ({"code": 17}, "17", ""), ([], None, ""), (None, None, ""), ({"errors": []}, None, ""),
    ({"message": None}, None, ""),
])  # fmt: skip
async def test_a_refusals_code_and_words_are_kept(
    venue: RawServer, send: Any, body: Json, code: str | None, words: str
) -> None:
    venue.reply = answer(409, body)

    failure = (await refused(send)).failure

    assert (failure.code, failure.detail) == (code, words)
    assert words in failure.message


async def test_a_403_that_is_a_bare_string_is_understood(venue: RawServer, send: Any) -> None:
    venue.reply = answer(403, text="You may not cancel online bookings", Content_Type="text/plain")

    failure = (await refused(send)).failure

    assert (failure.error_type, failure.code) == (ErrorType.FORBIDDEN, None)
    assert failure.detail == "You may not cancel online bookings"
    assert failure.message == "You are not allowed to do this."


async def test_a_page_of_html_is_cut_short(venue: RawServer, send: Any) -> None:
    venue.reply = answer(500, text="<html>" + "x" * 10_000)

    assert len((await refused(send)).failure.detail) == 300


async def test_an_overlay_may_give_a_refusal_another_meaning(venue: RawServer, send: Any) -> None:
    rule = ErrorRule(status=400, code="SessionTaken", error_type=ErrorType.CONFLICT, message="…")
    venue.reply = answer(400, {"errors": [{"name": "SessionTaken", "message": "Somebody was faster"}]})

    failure = (await refused(send, action=an_action(errors=(rule,)))).failure

    assert (failure.error_type, failure.code, failure.status) == (ErrorType.CONFLICT, "SessionTaken", 400)
    assert (
        failure.message
        == "The booking system reports a conflict, since something there may have changed: Somebody was faster."
    )


@pytest.mark.parametrize(("rule", "status", "meant"), [
    (None, 409, RefusalReason.KNOWN),
    (ErrorRule(error_type=ErrorType.CONFLICT), 409, RefusalReason.KNOWN),
    (ErrorRule(code="VersionOutdated", error_type=ErrorType.CONFLICT), 409, RefusalReason.KNOWN),
    (ErrorRule(status=409), 409, RefusalReason.KNOWN),
    (ErrorRule(code="SessionTaken"), 409, RefusalReason.NO_ROOM),
    (ErrorRule(code="SessionTaken", error_type=ErrorType.CONFLICT), 400, RefusalReason.NO_ROOM),
    (ErrorRule(code="SessionTaken", error_type=ErrorType.BAD_REQUEST), 409, RefusalReason.KNOWN),
])  # fmt: skip
async def test_a_conflict_is_want_of_room_only_where_the_overlay_names_it_by_its_code(
    venue: RawServer, send: Any, rule: ErrorRule | None, status: int, meant: RefusalReason
) -> None:
    venue.reply = answer(status, {"errors": [{"name": "SessionTaken", "message": "Somebody was faster"}]})

    failure = (await refused(send, action=an_action(errors=(rule,) if rule else ()))).failure

    assert failure.refusal is meant


@pytest.mark.parametrize(("header", "seconds"), [
    ("7", 7), (" 7 ", 7), ("0", 0), ("90", 90), ("999999999999999999999", 86_400), ("", None), ("soon", None),
    ("-5", None), ("1.5", 1.5), ("²", None), ("7, 8", None),
])  # fmt: skip
async def test_retry_after_in_seconds(venue: RawServer, send: Any, header: str, seconds: float | None) -> None:
    venue.reply = answer(429, Retry_After=header)

    failure = (await refused(send)).failure

    assert failure.error_type is ErrorType.RATE_LIMITED
    assert failure.retry_after_seconds == seconds
    if seconds and seconds < 100:
        assert f"Retry in {ceil(seconds)} seconds" in failure.message


@pytest.mark.parametrize(("ahead", "least", "most"), [(60, 55, 60), (-60, 0, 0)])
@pytest.mark.parametrize("zone", ["GMT", "-0000"])
async def test_retry_after_as_a_date(
    venue: RawServer, send: Any, ahead: int, least: float, most: float, zone: str
) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=ahead), usegmt=True).replace("GMT", zone)
    venue.reply = answer(503, Retry_After=when)

    seconds = (await refused(send)).failure.retry_after_seconds

    assert seconds is not None
    assert least <= seconds <= most


async def test_a_refused_connection_never_reached_the_venue(send: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = await refused(send, url=f"http://127.0.0.1:{taken.getsockname()[1]}")

    assert (error.failure.error_type, error.failure.status) == (ErrorType.NETWORK, None)
    assert not error.sent


@pytest.mark.parametrize("url", ["http://no-such-host.invalid", "ftp://venue.test", "//venue.test"])
async def test_an_address_that_leads_nowhere_never_reached_the_venue(send: Any, url: str) -> None:
    error = await refused(send, url=url)

    assert (error.failure.error_type, error.sent) == (ErrorType.NETWORK, False)


@pytest.mark.parametrize(("how", "kind"), [(DROP, "network"), (HALF, "network"), (HANG, "timeout"), (DRIP, "timeout")])
async def test_a_lost_answer_may_still_land(venue: RawServer, vault: Vault, how: str, kind: str) -> None:
    client = VenueClient(vault, Observer(), timeout=2 if how in (HANG, DRIP) else 60)
    venue.reply = how

    with pytest.raises(VenueError) as caught:
        await client.send_with_token(venue.url, WRITE, TOKEN)

    assert (caught.value.failure.error_type.value, caught.value.failure.status) == (kind, None)
    assert caught.value.may_have_landed
    venue.reply = answer(200)
    await client.send_with_token(venue.url, READ, TOKEN)
    await client.close()
    methods = [heard.split()[0] for heard in venue.heard]
    assert methods == [b"PUT", b"GET"], "the client never repeats a call"


async def test_nonsense_instead_of_http_may_still_land(venue: RawServer, send: Any) -> None:
    venue.reply = b"SMTP hello\r\n\r\n"

    error = await refused(send)

    assert (error.failure.error_type, error.may_have_landed) == (ErrorType.NETWORK, True)


@pytest.mark.parametrize("status", [301, 302, 307])
async def test_a_redirect_is_not_followed(venue: RawServer, send: Any, status: int) -> None:
    venue.reply = answer(status, Location="/elsewhere")

    await refused(send)

    assert len(venue.heard) == 1


@pytest.mark.parametrize(("reply", "body"), [
    (answer(200, {"a": [1]}), {"a": [1]}), (answer(200), None), (answer(201, []), []), (answer(204), None),
    (answer(200, text="all good", Content_Type="text/plain"), "all good"), (answer(200, text="{broken"), "{broken"),
    (answer(200, text="<html>" + "x" * 10_000), ("<html>" + "x" * 10_000)[:2000]), (answer(200, text="null"), None),
])  # fmt: skip
async def test_a_success_may_be_json_text_or_empty(venue: RawServer, send: Any, reply: bytes, body: Json) -> None:
    venue.reply = reply

    answered = await send()

    assert answered.body == body
    assert 200 <= answered.status < 300


async def test_a_request_goes_out_exactly_as_it_was_built(venue: RawServer, send: Any) -> None:
    await send(WRITE)
    await send(READ)

    write, read = (heard.decode() for heard in venue.heard)
    assert write.startswith("PUT /bookings/8231 HTTP/1.1\r\n")
    assert write.endswith('\r\n\r\n{"name": "José"}')
    assert "\r\ncontent-type: application/json\r\n" in write.lower()
    assert "\r\nx-key: k-1\r\n" in write.lower()
    assert read.startswith("GET /bookings/8231?a=1&a=2 HTTP/1.1\r\n")
    assert "content-type" not in read.lower()


async def test_the_token_is_in_the_authorization_header_and_in_no_log_record(
    venue: RawServer, send: Any, caplog: pytest.LogCaptureFixture
) -> None:
    for client in ("httpx", "httpcore"):  # which a stack in the same process keeps quiet
        caplog.set_level(logging.DEBUG, client)
    with caplog.at_level(logging.DEBUG):
        await send()
        venue.reply = answer(500, {"message": "No."})
        error = await refused(send)

    assert all(f"\r\nauthorization: bearer {TOKEN}\r\n" in heard.decode().lower() for heard in venue.heard)
    assert caplog.records, "the HTTP client does log"
    assert TOKEN not in caplog.text
    assert TOKEN not in f"{error!r} {error.failure!r} {error.__cause__!r}"


async def test_a_token_of_the_request_itself_does_not_replace_the_operators(venue: RawServer, send: Any) -> None:
    await send(WRITE.model_copy(update={"headers": {"Authorization": "Bearer from-an-overlay"}}))

    assert b"from-an-overlay" not in venue.heard[0]


async def test_a_forgotten_token_is_unauthorized_without_a_request(venue: RawServer, vault: Vault, send: Any) -> None:
    reference = await vault.put(TOKEN, 60)
    await vault.wipe(reference)

    error = await refused(send, ref=reference)

    assert (error.failure.error_type, error.failure.status) == (ErrorType.UNAUTHORIZED, None)
    assert not error.sent
    assert venue.heard == []


@pytest.mark.parametrize("token", ["line\nbreak", "tökén", "nul\0"])
async def test_a_token_that_no_header_can_carry_is_unauthorized_without_a_request(
    venue: RawServer, vault: Vault, send: Any, token: str
) -> None:
    error = await refused(send, ref=await vault.put(token, 60))

    assert (error.failure.error_type, error.sent) == (ErrorType.UNAUTHORIZED, False)
    assert venue.heard == []


@pytest.mark.parametrize("reply", [
    answer(200, "x" * 4_100_000), answer(200, text="[" * 500 + "]" * 500), answer(200, text="[" * 200_000),
    answer(200, text="{" + '"a":{' * 200 + "}" * 201),
], ids=["4 MB", "500 deep", "200,000 deep and broken", "objects 201 deep"])  # fmt: skip
async def test_an_answer_that_is_too_much_is_refused_as_answered(venue: RawServer, send: Any, reply: bytes) -> None:
    venue.reply = reply

    error = await refused(send)

    assert (error.may_have_landed, error.failure.status) == (True, None)
    assert error.failure.message == "The booking system's answer could not be read."
    assert len(venue.heard) == 1


async def test_what_unpacks_to_too_much_is_read_no_further(venue: RawServer, send: Any) -> None:
    packed = gzip.compress(b"x" * 30_000_000)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    venue.reply = head.encode() + packed
    assert (await refused(send)).failure.detail == "the answer is too large"


async def test_a_refusal_that_is_too_much_is_still_that_refusal(venue: RawServer, send: Any) -> None:
    venue.reply = answer(409, "x" * 4_100_000)
    error = await refused(send)
    assert (error.failure.error_type, error.failure.status, error.sent) == (ErrorType.CONFLICT, 409, True)


@pytest.mark.parametrize(("text", "body"), [
    ('{"a": "\\ud800"}', {"a": "?"}), ('{"a": NaN}', '{"a": NaN}'), ('{"a": 1e999}', '{"a": 1e999}'),
])  # fmt: skip
async def test_what_no_converter_takes_is_not_handed_on(venue: RawServer, send: Any, text: str, body: Json) -> None:
    venue.reply = answer(200, text=text)
    assert (await send()).body == body


class Flaky:
    """A token store that is unavailable for the first reads."""

    def __init__(self, away: int) -> None:
        self.away, self.looks = away, 0

    async def get(self, _: str) -> str:
        self.looks += 1
        if self.looks <= self.away:
            raise DependencyUnavailableError("store")
        return TOKEN


async def test_a_store_that_comes_back_costs_a_moment(venue: RawServer) -> None:
    store: Any = Flaky(3)
    one = VenueClient(store, Observer(), timeout=60, store_patience=60)
    assert (await one.send(venue.url, WRITE, "tok-1", action=None, trace_id="")).status == 200
    await one.close()
    assert (store.looks, len(venue.heard)) == (4, 1)


async def test_a_store_that_stays_away_means_that_nothing_was_sent(venue: RawServer) -> None:
    store: Any = Flaky(1000)
    one = VenueClient(store, Observer(), timeout=60, store_patience=0.5)
    with pytest.raises(VenueError) as caught:
        await one.send(venue.url, WRITE, "tok-1", action=None, trace_id="")
    await one.close()
    assert (caught.value.sent, venue.heard) == (False, [])
    assert "nothing was sent" in caught.value.failure.message
