"""APIs that answer 2xx to what they reject (`errors.refused` in `venue.yaml`), and bookings that are gone after a
cancellation. Guarantees:

- An answer is a rejection where a path has exactly that value, of the same type (`false` is neither 0 nor "false"), in
  any row of a list. Every other 2xx answer is a success, and for a pack without such a rule all of them are.
- Such a rejection keeps its code and message, and is `bad_request` unless the overlay gives another type.
- A rejected write may have been applied all the same, unless the overlay declares the rejection `unprocessed`. Even
  then one read decides, and only a write that it does not show is reported as rejected.
- For a rejection that may have been applied, the overlay's message is kept in case it was not, whether or not the
  overlay's alternatives can be read.
- If the booking that a write depends on is gone, that is a failure before the write. After the write it reads as None
  where other reads show the outcome, and is a failure where none does, or where the read failed for another reason.
"""

from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import Mock

import pytest
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from clients.venue.client import VenueClient, VenueResponse
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader
from contracts.action import ErrorRule
from contracts.credentials import AuthScheme, HttpRequest
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, ActRequest, StepScope, WriteOutcome
from infra.crypto.keyring import KeyRing
from infra.observability.observer import Observer
from infra.stores.booking_locks import Locks
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import BoundAction, Pack
from registry.http.error_body import is_error_response
from tests.integration.activities.raw_server import RawServer, answer, running
from tests.support.shipped import shipped
from tests.support.stacks import LOOK_EVERY
from tests.support.tables import table
from tests.unit.reasoning.actions import an_action

NO = AuthScheme(error_code=("error_code",), error_message=("message",), refused={"ok": (False,)})
WRITE = HttpRequest(method="POST", path="/api/modify_booking", body={"new_people": 6}, access=NO)
BOOKING = {
    "booking_id": "b-1",
    "day": "2026-11-28",
    "day_label": "sabato 28 novembre",
    "time": "20:30",
    "people": 4,
    "name": "Mario Rossi",
    "phone": "+393331234567",
    "notes": None,
    "status": "approved",
    "live": True,
}


@table(
    "body, refused, no",
    [
        ({"ok": False}, {"ok": (False,)}, True),
        ({"ok": True}, {"ok": (False,)}, False),
        ({"ok": 0}, {"ok": (False,)}, False),
        ({"ok": "false"}, {"ok": (False,)}, False),
        ({"ok": None}, {"ok": (False,)}, False),
        ({}, {"ok": (False,)}, False),
        ("no", {"ok": (False,)}, False),
        (None, {"ok": (False,)}, False),
        ([{"ok": True}, {"ok": False}], {"ok": (False,)}, True),
        ({"result": {"status": "error"}}, {"result.status": ("error", "denied")}, True),
        ({"result": {"status": "denied"}}, {"result.status": ("error", "denied")}, True),
        ({"result": {"status": "done"}}, {"result.status": ("error", "denied")}, False),
        ({"code": 17}, {"code": (17,)}, True),
        ({"code": True}, {"code": (1,)}, False),
        ({"ok": False}, {}, False),
    ],
)
def test_what_says_no(body: Any, refused: Any, no: bool) -> None:
    assert is_error_response(body, AuthScheme(refused=refused)) is no
    assert not is_error_response(body, None)


def test_the_shipped_pack_says_how_its_service_refuses() -> None:
    for action in shipped("restaurant").actions.values():
        access = action.operation.access
        assert access is not None and access.refused == {"ok": (False,)}, action.name


# ── the client ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def venue() -> AsyncIterator[RawServer]:
    async with running() as raw:
        yield raw


@pytest.fixture
async def vault() -> Vault:
    return Vault(Store(), KeyRing({"k1": bytes(32)}))


@pytest.fixture
async def client(vault: Vault) -> AsyncIterator[VenueClient]:
    found = VenueClient(vault, Observer(), timeout=60)
    yield found
    await found.close()


async def refusal(venue: RawServer, client: VenueClient, rule: ErrorRule | None, **body: Any) -> VenueError:
    """Send a write that the venue rejects with 2xx; return the error."""
    venue.reply = answer(200, {"ok": False, **body})
    action = an_action(errors=(rule,) if rule else ())
    with pytest.raises(VenueError) as error:
        await client.send_with_token(venue.url, WRITE, "token", action=action)
    assert len(venue.heard) == 1
    return error.value


async def test_a_yes_is_a_yes(venue: RawServer, client: VenueClient) -> None:
    venue.reply = answer(200, {"ok": True, "people": 6})
    assert (await client.send_with_token(venue.url, WRITE, "token")).body == {"ok": True, "people": 6}
    venue.reply = answer(200, {"ok": False})
    silent = WRITE.model_copy(update={"access": AuthScheme()})
    assert (await client.send_with_token(venue.url, silent, "token")).body == {"ok": False}


@pytest.mark.parametrize("kind", [None, ErrorType.CONFLICT, ErrorType.NOT_FOUND, ErrorType.SERVER_ERROR])
async def test_a_no_is_what_its_overlay_says(venue: RawServer, client: VenueClient, kind: ErrorType | None) -> None:
    rule = ErrorRule(code="FULL", error_type=kind) if kind else None
    error = await refusal(venue, client, rule, error_code="FULL", message="Capacità esaurita.")
    failure = error.failure
    assert (failure.error_type, failure.status, failure.code, failure.detail) == (
        kind or ErrorType.BAD_REQUEST, 200, "FULL", "Capacità esaurita.",
    )  # fmt: skip
    assert error.may_have_landed


# ── the write, and its report ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def pack() -> Pack:
    return shipped("restaurant")


class Service:
    """A reservations service with one answer for each path: a document, or a failure."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = answers
        self.venues = Mock(spec=VenueClient, timeout=60)
        self.venues.send.side_effect = self.venues.send_with_token.side_effect = self._answered
        self.venues.get_token.return_value = "token"

    async def _answered(self, _: str, request: HttpRequest, *__: Any, **___: Any) -> VenueResponse:
        found = next(value for name, value in self.answers.items() if name in request.path)
        if isinstance(found, VenueError):
            raise found
        return VenueResponse(200, found)


def no(kind: ErrorType, code: str, *, status: int = 200, unprocessed: bool = False) -> VenueError:
    """Return a rejection as the client raises it."""
    failure = VenueFailure(error_type=kind, status=status, code=code, message="raw")
    return VenueError(failure, sent=True, unprocessed=unprocessed)


async def acted(pack: Pack, service: Service) -> ActReply:
    """Change the booking to six people."""
    scope = StepScope(
        profile=pack.profile, token_ref="t", action=pack.actions["change_guest_count"],
        parameters={"booking_id": "b-1", "guest_count": 6}, idempotency_key="plan-1", keys=("b-1",),
    )  # fmt: skip
    request = ActRequest(scope=scope, before=BOOKING)
    steps = Steps(service.venues, Locks(Store()), Outcomes(Vault(Store(), KeyRing({"k1": bytes(32)}))), LOOK_EVERY)
    return await ActivityEnvironment().run(steps.act, request)


@pytest.mark.parametrize("open_now", [True, False, None])
async def test_what_may_have_landed_keeps_the_overlays_words(pack: Pack, open_now: bool | None) -> None:
    away = no(ErrorType.SERVER_ERROR, "INTERNAL_ERROR")
    service = Service(
        staff=BOOKING,
        modify_booking=no(ErrorType.SERVER_ERROR, "UPDATE_ERROR"),
        is_open_now=away if open_now is None else {"ok": True, "open_now": open_now, "next_opening_time": None},
    )
    reply = await acted(pack, service)
    assert (reply.write_outcome, reply.can_land_for) == (WriteOutcome.UNKNOWN, pack.profile.settle_seconds)
    assert reply.failure is not None
    assert reply.failure.message == "Il registro delle prenotazioni non ha accettato la modifica."
    assert [one.label for one in reply.failure.quick_actions] == (["parlare con una persona"] if open_now else [])


async def test_a_gateway_that_gave_up_has_stated_nothing(pack: Pack) -> None:
    service = Service(staff=BOOKING, modify_booking=no(ErrorType.SERVER_ERROR, "x", status=504))
    reply = await acted(pack, service)
    assert reply.write_outcome is WriteOutcome.UNKNOWN and reply.failure is not None and reply.failure.message == "raw"


@pytest.mark.parametrize(("people", "landing"), [(4, WriteOutcome.NOT_APPLIED), (6, WriteOutcome.APPLIED)])
async def test_what_was_refused_unprocessed_is_looked_at_once(pack: Pack, people: int, landing: WriteOutcome) -> None:
    """A gateway that sends a request twice gets the rejection of the second; the first was applied."""
    reads = [{**BOOKING, "people": 4}]
    service = Service(staff=BOOKING, modify_booking=no(ErrorType.BAD_REQUEST, "VALIDATION_ERROR", unprocessed=True))

    async def answered(_: str, request: HttpRequest, *__: Any, **___: Any) -> VenueResponse:
        if "staff" in request.path and reads:
            reads.pop()
            return VenueResponse(200, BOOKING)
        if "staff" in request.path:
            return VenueResponse(200, {**BOOKING, "people": people})
        raise service.answers["modify_booking"]

    service.venues.send.side_effect = service.venues.send_with_token.side_effect = answered
    reply = await acted(pack, service)
    assert (reply.write_outcome, reply.can_land_for) == (landing, 0)
    assert (reply.failure is None) is (landing is WriteOutcome.APPLIED)


# ── what is gone ─────────────────────────────────────────────────────────────────────────────────────────────────────

GONE = no(ErrorType.NOT_FOUND, "BOOKING_NOT_FOUND", status=404)
AWAY = no(ErrorType.SERVER_ERROR, "LIST_ERROR", status=503)
DAY = {"restaurant_id": "roma", "day": "2026-11-28", "closed": False, "bookings": [], "slots": []}


def reading(pack: Pack, name: str, service: Service) -> tuple[SnapshotReader, BoundAction]:
    """Return a reader, and the action it reads for."""
    action = pack.actions[name]
    values = {"booking_id": "b-1", **({"new_start_time": "21:00"} if name == "move_booking" else {})}
    before: Any = BOOKING if name == "move_booking" else {"booking": BOOKING}
    bound = BoundAction.of(action, values, pack.profile, "key").with_(before=before)
    return SnapshotReader(service.venues, "t", "x", token="token"), bound


async def test_what_is_gone_is_none_where_other_reads_tell(pack: Pack) -> None:
    reader, bound = reading(pack, "cancel_booking", Service(**{"/bookings/": GONE, "/days/": DAY}))
    assert (await reader.read_back(bound)).document == {"booking": None, "table": DAY}
    with pytest.raises(VenueError):
        await reader.snapshot(bound)


async def test_a_list_that_is_not_found_says_nothing_of_what_is_in_it(pack: Pack) -> None:
    reader, bound = reading(pack, "cancel_booking", Service(**{"/bookings/": BOOKING, "/days/": GONE}))
    with pytest.raises(VenueError):
        await reader.read_back(bound)


async def test_what_is_gone_is_a_failure_where_nothing_else_tells(pack: Pack) -> None:
    reader, bound = reading(pack, "move_booking", Service(**{"/bookings/": GONE}))
    with pytest.raises(VenueError):
        await reader.read_back(bound)


async def test_a_read_that_failed_otherwise_tells_nothing(pack: Pack) -> None:
    reader, bound = reading(pack, "cancel_booking", Service(**{"/bookings/": AWAY, "/days/": DAY}))
    with pytest.raises(VenueError):
        await reader.read_back(bound)
