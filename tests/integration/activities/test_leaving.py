"""The last checks before a write leaves (`activities/dispatch.py`), alone and in the whole activity against a small
venue. Guarantees:

- A write is not sent where its lock is lost, where the read that it is built from is too old, or where it was
  cancelled; the reply then allows a retry.
- A write is not sent where the booking is not as the operator confirmed it; that is a conflict.
- A read that took too long is repeated once, because the process may have been stopped meanwhile. A venue that is
  always that slow gets the write all the same.
- A change that is not as requested counts as the write's own only if it was seen soon after the write had left.
- The recorded state of an earlier step does not absorb a change that may be another user's.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from activities.dispatch import WriteSender
from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from clients.venue.client import VenueClient
from clients.venue.reads import read_key
from contracts.action import RejectionRule
from contracts.enums import ErrorType
from contracts.step_activities import ActReply, ActRequest, ExpectedState, StepScope, WriteOutcome
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.booking_locks import HeldLock, Locks
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import BoundAction
from registry.loading.folder_registry import FolderRegistry
from registry.verification.snapshot import digest
from tests.support.small_venue import SmallVenue, served, write_pack
from tests.support.stacks import LOOK_EVERY, free_base

pytestmark = pytest.mark.asyncio

LONG = 3600.0


class Lost(HeldLock):
    """A lock that another plan holds by now."""

    async def extend(self, seconds: float) -> bool:
        return False


class LostLocks(Locks):
    """Locks that are lost as soon as they are taken."""

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float, owner: str = "") -> AsyncIterator[HeldLock]:
        yield Lost()


async def may_leave(leaving: WriteSender) -> bool:
    """Return the result of the last check, inside an activity."""
    assert leaving.write.last_check is not None
    return bool(await ActivityEnvironment().run(leaving.write.last_check))


async def at_once() -> str:
    return "read"


async def test_a_write_may_leave() -> None:
    leaving = WriteSender(HeldLock(), LONG, LONG)
    assert await leaving.read(at_once) == "read"
    assert await may_leave(leaving)


async def test_not_where_the_lock_is_lost() -> None:
    leaving = WriteSender(Lost(), LONG, LONG)
    await leaving.read(at_once)
    assert not await may_leave(leaving)


async def test_not_where_the_process_was_stopped_since_the_read() -> None:
    now = 0.0
    leaving = WriteSender(HeldLock(), 5, LONG, lambda: now)
    await leaving.read(at_once)
    now = 5.0
    assert await may_leave(leaving)
    now = 5.1
    assert not await may_leave(leaving)


async def test_not_where_the_process_was_stopped_in_the_check_itself() -> None:
    now = 0.0

    class Stopped(HeldLock):
        async def extend(self, seconds: float) -> bool:
            nonlocal now
            now += 5.1
            return True

    leaving = WriteSender(Stopped(), 5, LONG, lambda: now)
    await leaving.read(at_once)
    assert not await may_leave(leaving)


async def test_not_where_it_was_called_off() -> None:
    leaving = WriteSender(HeldLock(), LONG, LONG)
    environment = ActivityEnvironment()

    async def called_off() -> bool:
        environment.cancel()
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            assert leaving.write.last_check is not None
            return await leaving.write.last_check()
        return True

    assert not await environment.run(called_off)


async def test_a_read_that_took_too_long_is_made_once_more() -> None:
    now, reads = 0.0, []
    leaving = WriteSender(HeldLock(), 5, LONG, lambda: now)

    async def stopped() -> int:
        nonlocal now
        reads.append(1)
        if len(reads) == 1:
            now = 6.0
        return len(reads)

    assert await leaving.read(stopped) == 2


@pytest.mark.parametrize(
    ("read_takes", "waits", "leaves"),
    [(3, 3, False), (6, 0, True)],
    ids=["its age counts from its beginning", "a venue that is always slow is written to"],
)
async def test_the_age_of_a_read(read_takes: int, waits: int, leaves: bool) -> None:
    """The shown state may have changed during the read, so its age counts from the beginning. A venue that is this slow
    gives no younger read.
    """
    now = 0.0
    leaving = WriteSender(HeldLock(), 5, LONG, lambda: now)

    async def slow() -> str:
        nonlocal now
        now += read_takes
        return "read"

    await leaving.read(slow)
    now += waits
    assert await may_leave(leaving) is leaves


# ── the whole activity ───────────────────────────────────────────────────────────────────────────────────────────────


class Bench:
    """A small venue with a party of ten guests."""

    def __init__(self, folder: Path) -> None:
        self.venue, self.port = SmallVenue(), free_base(1)
        self.venue.add("p-1")
        urls = {"small": f"http://127.0.0.1:{self.port}"}
        self.pack = FolderRegistry((write_pack(folder),), urls, folder / "cache").default_venue
        self.vault = Vault(Store(), parse_ring(new_key_line()))
        self.venues = VenueClient(self.vault, Observer(), timeout=60)

    def ground(self, step: int, *covers: str, unknown: bool = False, **other: str) -> ExpectedState:
        """Return the state that a step of the plan expects: as it is now, except for `other`."""
        action = self.pack.actions["resize"]
        assert action.snapshot is not None
        bound = BoundAction.of(action, {"booking_id": "p-1", "guests": 14}, self.pack.profile, "plan-1")
        key = read_key(bound.read(action.snapshot.reads[0]))
        known = "" if unknown else digest({**self.venue.parties["p-1"], **other}, covers)
        return ExpectedState(step=step, key=key, covers=covers, ignore=(), digest=known)

    async def act(
        self,
        locks: Locks,
        *,
        was: int = 10,
        moved: tuple[ExpectedState, ...] = (),
        refuses: tuple[RejectionRule, ...] = (),
        **profile: float,
    ) -> ActReply:
        """Set fourteen guests, as confirmed when there were `was`."""
        action = self.pack.actions["resize"].model_copy(update={"rejects_when": refuses})
        scope = StepScope(
            profile=self.pack.profile.model_copy(update=profile), token_ref=await self.vault.put("operator", 60),
            action=action, parameters={"booking_id": "p-1", "guests": 14},
            idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        request = ActRequest(scope=scope, before={**self.venue.parties["p-1"], "guests": was}, step=2, changed=moved)
        async with served(self.venue, self.port):
            steps = Steps(self.venues, locks, Outcomes(self.vault), LOOK_EVERY)
            reply: ActReply = await ActivityEnvironment().run(steps.act, request)
        await self.venues.close()
        return reply


async def test_a_lost_lock_sends_nothing_and_lets_it_be_tried_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    reply = await bench.act(LostLocks(Store()))
    assert (reply.write_outcome, reply.started, bench.venue.writes) == (WriteOutcome.NOT_APPLIED, False, [])
    assert reply.failure is not None and "held up for too long" in reply.failure.message


async def test_what_the_venue_is_known_to_refuse_by_now_is_not_sent(tmp_path: Path) -> None:
    """The rejection rule may concern data outside the step's own: a booking that another user has just made."""
    bench, full = Bench(tmp_path), RejectionRule(when="'full' in before.tags", message="The room is full.")
    bench.venue.parties["p-1"]["tags"] = ["full"]
    reply = await bench.act(Locks(Store()), refuses=(full,))
    assert reply.failure is not None and reply.failure.message == "The room is full."
    assert (reply.failure.error_type, reply.sent, bench.venue.writes) == (ErrorType.CONFLICT, False, [])


async def test_what_was_read_too_long_ago_is_not_written_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    reply = await bench.act(Locks(Store()), read_max_age_seconds=1e-9)
    assert (reply.write_outcome, reply.started, bench.venue.writes) == (WriteOutcome.NOT_APPLIED, False, [])


async def test_what_has_changed_since_it_was_confirmed_is_not_written_over(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    reply = await bench.act(Locks(Store()), was=9, read_max_age_seconds=LONG)
    assert (reply.write_outcome, reply.started, bench.venue.writes) == (WriteOutcome.NOT_APPLIED, True, [])
    assert reply.failure is not None and reply.failure.error_type is ErrorType.CONFLICT


async def test_what_was_just_read_is_written(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert (await bench.act(Locks(Store()), read_max_age_seconds=LONG)).write_outcome is WriteOutcome.APPLIED
    assert len(bench.venue.writes) == 1


@pytest.mark.parametrize("slow", [False, True])
async def test_what_is_seen_late_is_not_surely_the_writes_own_doing(tmp_path: Path, slow: bool) -> None:
    """The venue set twelve guests, or another user did during the answer: only a prompt read tells which."""
    bench = Bench(tmp_path)
    bench.venue.most_guests = 12

    async def hook(what: str, number: int) -> None:
        if slow and what == "GET party" and number == 2:
            await asyncio.sleep(3.1)

    bench.venue.hook = hook
    reply = await bench.act(Locks(Store()), read_max_age_seconds=3 if slow else LONG)
    assert reply.write_outcome is WriteOutcome.MISAPPLIED
    assert (reply.left_digest is None) is slow


ALL = ("guests", "notes")


@pytest.mark.parametrize("slow", [False, True], ids=["seen promptly", "seen late"])
@pytest.mark.parametrize("most", [1000, 12], ids=["as asked", "not as asked"])
@pytest.mark.parametrize("also", ["", "wheelchair"], ids=["alone", "with a change by somebody else"])
async def test_what_an_earlier_step_left_does_not_absorb_a_change_that_was_seen_late(
    tmp_path: Path, slow: bool, most: int, also: str
) -> None:
    """The other user's change is one that this step does not cover and the earlier one does."""
    bench = Bench(tmp_path)
    bench.venue.most_guests = most
    grounds = bench.ground(1, *ALL), bench.ground(2, "guests")

    async def hook(what: str, number: int) -> None:
        if what == "GET party" and number > 1:
            bench.venue.parties["p-1"]["notes"] = also
            await asyncio.sleep(3.1 if slow and number == 2 else 0)

    bench.venue.hook = hook
    reply = await bench.act(Locks(Store()), moved=grounds, read_max_age_seconds=3 if slow else LONG)
    left = {one.step: one.digest for one in reply.changed}
    party = bench.venue.parties["p-1"]
    as_asked = most == 1000
    assert reply.write_outcome is (WriteOutcome.APPLIED if as_asked else WriteOutcome.MISAPPLIED)
    assert left[1] == (None if slow and (also or not as_asked) else digest(party, ALL))
    assert left[2] == (None if slow and not as_asked else digest(party, ("guests",)))


@pytest.mark.parametrize("late", [False, True], ids=["before the first look", "after it"])
async def test_a_change_between_two_looks_is_not_absorbed(tmp_path: Path, late: bool) -> None:
    """The change is not as requested, so the worker reads for a while: only what the first read showed is surely its
    own.
    """
    bench = Bench(tmp_path)
    bench.venue.most_guests = 12

    async def hook(what: str, number: int) -> None:
        if what == "GET party" and number > (2 if late else 1):
            bench.venue.parties["p-1"]["notes"] = "wheelchair"

    bench.venue.hook = hook
    reply = await bench.act(Locks(Store()), moved=(bench.ground(1, *ALL),), read_max_age_seconds=LONG)
    assert reply.write_outcome is WriteOutcome.MISAPPLIED and reply.left_digest is not None
    assert (reply.changed[0].digest is None) is late


async def test_what_was_changed_before_the_write_left_is_not_absorbed(tmp_path: Path) -> None:
    """Between an earlier step and this one another user wrote a note; what this step covers is as confirmed."""
    bench = Bench(tmp_path)
    bench.venue.parties["p-1"]["notes"] = "wheelchair"
    unknown = [bench.ground(step, "notes", unknown=True) for step in (1, 3)]
    grounds = (bench.ground(1, *ALL, notes=""), *unknown)
    reply = await bench.act(Locks(Store()), moved=grounds, read_max_age_seconds=LONG)
    assert reply.write_outcome is WriteOutcome.APPLIED
    found = digest(bench.venue.parties["p-1"], ("notes",))
    assert [one.digest for one in reply.changed] == [None, None, found], "what was unknown of an earlier step stays so"


async def test_a_later_step_meets_what_somebody_changed_of_its_ground(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.venue.parties["p-1"]["notes"] = "wheelchair"
    known = bench.ground(3, *ALL, notes="")
    reply = await bench.act(Locks(Store()), moved=(known,), read_max_age_seconds=LONG)
    assert reply.write_outcome is WriteOutcome.APPLIED
    assert [one.digest for one in reply.changed] == [known.digest], "as it was when the plan last knew it"
