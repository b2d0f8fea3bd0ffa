"""What the client reports of a write, against a raw TCP server. Guarantees:

- A write that was sent may have taken effect, whatever its status, unless the overlay declares that rejection
  `unprocessed` and it is no conflict, which a first copy of the request may cause.
- "The connection broke off" is reported only where no answer came, also where the overlay counts an answer as a network
  fault.
- If the client itself fails after the request has left, the write may have taken effect; if before, it was not sent.
- A cookie that a venue sets for one operator goes out with no later call.
- A write whose last check fails is not sent: no byte reaches the venue, on a new connection or a pooled one.
"""

from collections.abc import AsyncIterator

import pytest

from clients.venue.client import VenueClient, Write
from clients.venue.errors import HeldBackError, VenueError
from contracts.action import ErrorRule
from contracts.credentials import HttpRequest
from contracts.enums import ErrorType
from infra.crypto.keyring import KeyRing
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.integration.activities.raw_server import DROP, RawServer, answer, running
from tests.unit.reasoning.actions import an_action

WRITE = HttpRequest(method="PUT", path="/bookings/8231", body={"name": "José"})
RULES = an_action(errors=(ErrorRule(code="NoHour", unprocessed=True),))
STATUSES = [301, 308, 400, 401, 403, 404, 408, 409, 410, 412, 422, 423, 425, 429, 499, 500, 503, 504]


@pytest.fixture
async def venue() -> AsyncIterator[RawServer]:
    async with running() as raw:
        yield raw


@pytest.fixture
async def client() -> AsyncIterator[VenueClient]:
    found = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer(), timeout=60)
    yield found
    await found.close()


async def refused(client: VenueClient, venue: RawServer, write: Write) -> VenueError:
    """Send a write that fails; return the error."""
    with pytest.raises(VenueError) as error:
        await client.send_with_token(venue.url, WRITE, "token", action=RULES, write=write)
    return error.value


@pytest.mark.parametrize("status", STATUSES)
async def test_no_status_proves_that_a_write_did_nothing(venue: RawServer, client: VenueClient, status: int) -> None:
    venue.reply = answer(status)
    error = await refused(client, venue, Write())
    assert (error.sent, error.may_have_landed) == (True, True)


@pytest.mark.parametrize(
    ("status", "code", "may_have_landed"), [(400, "NoHour", False), (409, "NoHour", True), (400, "Other", True)]
)
async def test_a_refusal_that_the_overlay_declares_unprocessed(
    venue: RawServer, client: VenueClient, status: int, code: str, may_have_landed: bool
) -> None:
    venue.reply = answer(status, {"code": code})
    error = await refused(client, venue, Write())
    assert (error.sent, error.may_have_landed) == (True, may_have_landed)


async def test_an_answer_that_counts_as_a_fault_of_the_network_did_come(venue: RawServer, client: VenueClient) -> None:
    rules = an_action(errors=(ErrorRule(status=502, error_type=ErrorType.NETWORK),))
    failures = []
    for venue.reply in (answer(502), DROP):
        with pytest.raises(VenueError) as error:
            await client.send_with_token(venue.url, WRITE, "token", action=rules, write=Write())
        failures.append(error.value.failure)
    assert {f.error_type for f in failures} == {ErrorType.NETWORK}
    assert ["broke off" in f.message for f in failures] == [False, True]


@pytest.mark.parametrize("location", ["mailto:a@b", "http://xn--/", "http://[", "urn:x:y"])
async def test_an_error_of_the_client_itself_says_that_the_request_had_left(
    venue: RawServer, client: VenueClient, location: str
) -> None:
    venue.reply = answer(302, Location=location)
    error = await refused(client, venue, Write())
    assert (error.sent, error.may_have_landed, len(venue.heard)) == (True, True, 1)


async def test_an_error_of_the_client_itself_before_the_request_leaves(venue: RawServer, client: VenueClient) -> None:
    with pytest.raises(VenueError) as error:
        await client.send_with_token(venue.url.replace("http:", "https:"), WRITE, "token", write=Write())
    assert (error.value.sent, venue.heard) == (False, [])


async def test_no_cookie_of_one_call_goes_out_with_another(venue: RawServer, client: VenueClient) -> None:
    venue.reply = answer(200, {}, Set_Cookie="session=of-the-first; Path=/")
    for token in ("first", "second"):
        await client.send_with_token(venue.url, WRITE, token, write=Write())
    assert [b"of-the-first" in heard for heard in venue.heard] == [False, False]


@pytest.mark.parametrize("connected", [False, True])
async def test_a_write_is_held_back_at_the_last_moment(venue: RawServer, client: VenueClient, connected: bool) -> None:
    holds = [True, False] if connected else [False]

    async def check() -> bool:
        return holds.pop(0)

    if connected:
        await client.send_with_token(venue.url, WRITE, "token", write=Write(check))
    error = await refused(client, venue, Write(check))
    assert isinstance(error, HeldBackError)
    assert (error.sent, len(venue.heard), holds) == (False, int(connected), [])
