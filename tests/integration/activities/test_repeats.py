"""Which calls iQ repeats when the venue fails, and which it does not make at all (multi-step messaging,
"Step Retry Logic", "Step Caching"), by the activities against a small venue. Guarantees:

- A change is sent once, whatever its answer, unless its overlay declares it idempotent; then as often as that allows.
- It is never repeated after a 429 or another definite answer, nor after its time is up, nor where a read shows that the
  booking has changed. No rejection counts as "nothing was changed".
- The worker does not search for a lost write with a token that is gone.
- A look-up is repeated as often as its overlay allows. Its answer is cached for as long as that says, for the same
  operator, and until a write there.
"""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from clients.venue.client import VenueClient, VenueResponse, Write
from clients.venue.errors import HeldBackError, VenueError
from clients.venue.reads import SnapshotReader
from contracts.action import AtomicAction, RetryTemplate
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, ActRequest, StepScope, WriteOutcome
from infra.stores.booking_locks import Locks
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import BoundAction, Pack
from tests.integration.activities.conftest import Small
from tests.support.small_venue import SmallVenue
from tests.support.stacks import LOOK_EVERY

pytestmark = pytest.mark.asyncio

THRICE = RetryTemplate(attempts=3, pause=0.01)


class Bench:
    """The venue, its pack, and how often it got each call."""

    def __init__(self, venue: SmallVenue, pack: Pack, venues: VenueClient, vault: Vault) -> None:
        self.venue, self.pack, self.venues, self.vault = venue, pack, venues, vault
        self.steps = Steps(venues, Locks(Store()), Outcomes(vault), LOOK_EVERY)
        self.asked: Counter[str] = Counter()
        venue.hook = self.count

    async def count(self, what: str, _: int) -> None:
        """Note one call."""
        self.asked[what] += 1

    async def act(self, *, idempotent: bool = True, before: Any = None, **overlay: Any) -> ActReply:
        """Send "14 guests instead of 10"."""
        changes = {"idempotent": idempotent, "retry": THRICE, **overlay}
        action = self.pack.actions["resize"].model_copy(update=changes)
        scope = StepScope(
            profile=self.pack.profile, token_ref=await self.vault.put("operator", 60), action=action,
            parameters={"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        request = ActRequest(scope=scope, before=before or dict(self.venue.parties["p-1"]))
        return await ActivityEnvironment().run(self.steps.act, request)

    async def look_back(self, token_ref: str, until: datetime) -> ActReply:
        """Read whether "14 guests instead of 10" was applied, which is possible until then."""
        action = self.pack.actions["resize"]
        scope = StepScope(
            profile=self.pack.profile, token_ref=token_ref, action=action,
            parameters={"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        request = ActRequest(scope=scope, before=dict(self.venue.parties["p-1"]), until=until)
        return await ActivityEnvironment().run(self.steps.read_back, request)

    async def look(self, token: str = "operator", **overlay: Any) -> Any:
        """Read the party."""
        action: AtomicAction = self.pack.actions["get_party"].model_copy(update=overlay)
        reader = SnapshotReader(self.venues, await self.vault.put(token, 60), "t")
        return await reader.read_one(BoundAction.of(action, {"booking_id": "p-1"}, self.pack.profile))


@pytest.fixture
def bench(small: Small) -> Bench:
    return Bench(small.venue, small.pack, small.venues, small.vault)


async def test_without_a_token_no_one_looks_in_vain(bench: Bench) -> None:
    seen = await bench.look_back("gone", datetime.now(UTC) + timedelta(hours=1))
    assert seen.write_outcome is WriteOutcome.UNKNOWN
    assert seen.failure is not None and seen.failure.error_type is ErrorType.UNAUTHORIZED


@pytest.mark.parametrize("failures", [1, 2])
async def test_an_idempotent_change_is_sent_again(bench: Bench, failures: int) -> None:
    bench.venue.fail("PUT party", *[500] * failures)
    assert (await bench.act()).write_outcome is WriteOutcome.APPLIED
    assert bench.asked["PUT party"] == failures + 1


async def test_no_oftener_than_its_overlay_says(bench: Bench) -> None:
    bench.venue.fail("PUT party", *[500] * 5)
    assert (await bench.act()).write_outcome is WriteOutcome.UNKNOWN
    assert bench.asked["PUT party"] == 3


async def test_another_change_is_sent_once(bench: Bench) -> None:
    bench.venue.fail("PUT party", 500)
    assert (await bench.act(idempotent=False)).write_outcome is WriteOutcome.UNKNOWN
    assert bench.asked["PUT party"] == 1


@pytest.mark.parametrize(("status", "kind"), [(429, ErrorType.RATE_LIMITED), (409, ErrorType.CONFLICT)])
async def test_a_venue_that_has_answered_is_not_asked_again(bench: Bench, status: int, kind: ErrorType) -> None:
    bench.venue.fail("PUT party", status, 500)
    reply = await bench.act()
    assert reply.failure is not None
    assert (reply.write_outcome, reply.failure.error_type) == (WriteOutcome.UNKNOWN, kind), "looks decide"
    assert bench.asked["PUT party"] == 1


@pytest.mark.parametrize("guests", [14, 17], ids=["took effect", "changed by somebody else"])
async def test_what_is_not_as_before_is_not_sent_again(bench: Bench, guests: int) -> None:
    """A read before the second attempt shows that there is nothing to do, or that it would overwrite another user's
    change.
    """
    bench.venue.fail("PUT party", 500)

    async def changed_meanwhile(what: str, number: int) -> None:
        await bench.count(what, number)
        if what == "PUT party":
            bench.venue.parties["p-1"]["guests"] = guests

    bench.venue.hook = changed_meanwhile
    assert (await bench.act()).write_outcome is WriteOutcome.UNKNOWN
    assert (bench.asked["PUT party"], bench.venue.parties["p-1"]["guests"]) == (1, guests)


async def test_what_cannot_be_looked_at_is_not_sent_again(bench: Bench) -> None:
    bench.venue.fail("PUT party", 500)

    async def unreadable_meanwhile(what: str, number: int) -> None:
        await bench.count(what, number)
        if what == "PUT party":
            bench.venue.fail("GET party", *[500] * 20)

    bench.venue.hook = unreadable_meanwhile
    assert (await bench.act()).write_outcome is WriteOutcome.UNKNOWN
    assert bench.asked["PUT party"] == 1


async def test_a_read_that_lacks_what_the_next_one_needs_does_not_make_a_sent_change_unsent(bench: Bench) -> None:
    """The change may still be applied. Between the tries the party is shown without what the second read is made of."""
    resize = bench.pack.actions["resize"]
    assert resize.snapshot is not None
    [read] = resize.snapshot.reads
    again = read.model_copy(update={"name": "again", "inputs": {"party": "{{ before.first.reference }}"}})
    both = (read.model_copy(update={"name": "first"}), again)
    party = bench.venue.add("p-1", reference="r-1")

    async def lacking_meanwhile(what: str, number: int) -> None:
        await bench.count(what, number)
        if what == "PUT party":
            bench.venue.fail("PUT party", 503)
            bench.venue.answers["GET party"] = [{"id": "p-1", "guests": party["guests"]}]

    bench.venue.hook = lacking_meanwhile
    snapshot = resize.snapshot.model_copy(update={"reads": both, "covers": ("first.guests",)})
    now = {"marker": None, "verify": None, "preview": ()}
    reply = await bench.act(before={"first": dict(party), "again": dict(party)}, snapshot=snapshot, **now)
    assert (reply.write_outcome, reply.sent, bench.asked["PUT party"]) == (WriteOutcome.UNKNOWN, True, 1), reply


GONE = VenueError(VenueFailure(error_type=ErrorType.NETWORK, message="gone"), sent=False)
HELD = HeldBackError(GONE.failure, sent=False)


@pytest.mark.parametrize(("then", "sent"), [(GONE, 3), (HELD, 2)], ids=["venue gone", "held back"])
async def test_a_try_that_is_not_sent_behind_one_that_may_have_landed_proves_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, then: Exception, sent: int
) -> None:
    bench.venue.fail("PUT party", 500)
    send, tries = bench.venues.send_with_token, 0

    async def unreachable_then(*given: Any, write: Write | None = None, **more: Any) -> VenueResponse:
        nonlocal tries
        tries += write is not None
        if write is not None and tries > 1:
            raise then
        return await send(*given, write=write, **more)

    monkeypatch.setattr(bench.venues, "send_with_token", unreachable_then)
    reply = await bench.act()
    assert (reply.write_outcome, reply.sent, tries) == (WriteOutcome.UNKNOWN, True, sent)
    assert reply.can_land_for == bench.pack.profile.settle_seconds


async def test_a_no_behind_an_answer_that_no_one_heard_says_nothing_of_the_first(bench: Bench) -> None:
    bench.venue.fail("PUT party", 500, 409)
    assert (await bench.act()).write_outcome is WriteOutcome.UNKNOWN
    assert bench.asked["PUT party"] == 2


async def test_what_took_its_time_is_not_sent_again(bench: Bench) -> None:
    bench.steps = Steps(bench.venues, Locks(Store()), Outcomes(bench.vault), LOOK_EVERY, retry_within=0.0)
    bench.venue.fail("PUT party", 500)
    assert (await bench.act()).write_outcome is WriteOutcome.UNKNOWN
    assert bench.asked["PUT party"] == 1


@pytest.mark.parametrize("attempts", [1, 2, 4])
async def test_a_look_up_is_asked_as_often_as_its_overlay_says(bench: Bench, attempts: int) -> None:
    bench.venue.fail("GET party", *[503] * 9)
    with pytest.raises(VenueError):
        await bench.look(retry=RetryTemplate(attempts=attempts, pause=0.01))
    assert bench.asked["GET party"] == attempts
    bench.venue.fail("GET party", 429, 429)
    with pytest.raises(VenueError):
        await bench.look(retry=RetryTemplate(attempts=attempts, pause=0.01))
    assert bench.asked["GET party"] == attempts + 1


async def test_an_answer_is_kept_for_its_operator_and_for_a_while(bench: Bench) -> None:
    for _ in range(3):
        await bench.look(cache_seconds=60)
    assert bench.asked["GET party"] == 1
    await bench.look("somebody else", cache_seconds=0.05)
    assert bench.asked["GET party"] == 2
    await asyncio.sleep(0.06)
    await bench.look("somebody else", cache_seconds=0.05)
    assert bench.asked["GET party"] == 3
    await bench.look()
    assert bench.asked["GET party"] == 4, "without the overlay's word nothing is kept"


async def test_a_change_whose_answer_is_lost_ends_what_is_kept(bench: Bench) -> None:
    assert (await bench.look(cache_seconds=60))["guests"] == 10
    bench.venue.fail("PUT party", 500)
    await bench.act(idempotent=False)
    bench.venue.parties["p-1"]["guests"] = 14
    assert (await bench.look(cache_seconds=60))["guests"] == 14


async def test_a_change_ends_what_is_kept(bench: Bench) -> None:
    assert (await bench.look(cache_seconds=60))["guests"] == 10
    assert (await bench.act()).write_outcome is WriteOutcome.APPLIED
    assert (await bench.look(cache_seconds=60))["guests"] == 14
