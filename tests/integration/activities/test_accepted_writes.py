"""Writes that the venue accepted (2xx) and that do not show, by the activity itself against a small venue.

- What was accepted may take effect until the venue has settled: its outcome is then unknown, it is looked for that
  long, and no other plan writes to the same thing meanwhile.
- What shows, or was refused for certain, keeps no other plan out; nor does what is seen later, when it was looked for.
- What is seen is on record before others may write there: a worker that dies with its report unsent loses nothing.
- What is sent keeps others out for the time of a call and until the venue has settled, also if its worker dies.
- A new thing that the answer does not name, and that nothing else tells, is not taken for made.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from activities.undo import UndoActivity
from clients.venue.client import VenueClient
from contracts.enums import StepRollbackOutcome
from contracts.step_activities import ActReply, ActRequest, StepScope, StepUndoRequest, WriteOutcome
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.locks import HeldLock, LockTimeoutError, MemoryLocks, lock_name
from infra.stores.token_vault import MemoryVault, VaultUnavailableError
from registry import Pack, left_digest
from tests.integration.activities.conftest import Small
from tests.support.small_venue import SmallVenue
from tests.support.stacks import LOOK_EVERY


class Noted(MemoryLocks):
    """Locks that note for how long they were to be held on when a write left, and after it."""

    def __init__(self) -> None:
        super().__init__()
        self.leaving: list[float] = []
        self.kept: list[float] = []

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float, owner: str = "") -> AsyncIterator[HeldLock]:
        async with super().held(names, patience, owner) as hold:
            with mock.patch.object(hold, "extend", self._extend):
                try:
                    yield hold
                finally:
                    self.kept.append(hold.keep_for)

    async def _extend(self, seconds: float) -> bool:
        self.leaving.append(seconds)
        return True


class Record(MemoryVault):
    """A store that may be away."""

    away = False

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        if self.away:
            raise VaultUnavailableError
        return await super().put(token, ttl, reference)


class Bench:
    """The venue, its pack, and the locks of its parties."""

    def __init__(self, venue: SmallVenue, pack: Pack, venues: VenueClient, token: str) -> None:
        self.venue, self.pack, self.token = venue, pack, token
        self.venues, self.locks = venues, Noted()
        self.record = Record(parse_ring(new_key_line()))
        outcomes = Outcomes(self.record)
        self.steps = Steps(venues, self.locks, outcomes, LOOK_EVERY)
        self.undo = UndoActivity(
            Settings(_env_file=None, call_timeout=venues.timeout, look_every=LOOK_EVERY), venues, self.locks, outcomes
        )

    def request(self, name: str, **parameters: Any) -> ActRequest:
        """One write."""
        scope = StepScope(
            profile=self.pack.profile, token_ref=self.token, action=self.pack.actions[name],
            parameters={"booking_id": "p-1", **parameters}, idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        return ActRequest(scope=scope, before=dict(self.venue.parties["p-1"]))

    async def act(self, name: str, **parameters: Any) -> ActReply:
        """Send one write."""
        return await ActivityEnvironment().run(self.steps.act, self.request(name, **parameters))

    @property
    def call_and_settling(self) -> float:
        """Seconds within which a write that has left may take effect."""
        return self.venues.timeout + self.pack.profile.settle_seconds

    async def is_free(self) -> bool:
        """Whether another plan may write to the party."""
        try:
            async with self.locks.held([lock_name(self.pack.profile.base_url, "p-1")], 0.05):
                return True
        except LockTimeoutError:
            return False


@pytest.fixture
async def bench(small: Small) -> Bench:
    token = await small.vault.put("operator", 60)
    return Bench(small.venue, small.pack, small.venues, token)


async def test_what_shows_keeps_no_other_plan_out(bench: Bench) -> None:
    assert (await bench.act("resize", guests=14)).write_outcome is WriteOutcome.APPLIED
    assert await bench.is_free()


async def test_what_was_accepted_and_does_not_show_keeps_others_out(bench: Bench) -> None:
    bench.venue.answers["PUT party"] = [{"ok": True}]
    reply = await bench.act("resize", guests=14)
    assert (reply.write_outcome, reply.accepted, reply.can_land_for) == (
        WriteOutcome.UNKNOWN, True, bench.pack.profile.settle_seconds,
    )  # fmt: skip
    assert not await bench.is_free()


async def test_what_was_accepted_and_cannot_be_looked_at_counts_as_done_and_keeps_others_out(bench: Bench) -> None:
    async def no_looks(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.fail("GET party", *[500] * 50)

    bench.venue.hook = no_looks
    assert (await bench.act("resize", guests=14)).write_outcome is WriteOutcome.APPLIED
    assert not await bench.is_free()


async def test_what_is_seen_when_it_was_looked_for_keeps_no_one_out_any_more(bench: Bench) -> None:
    bench.pack = replace(bench.pack, profile=bench.pack.profile.model_copy(update={"settle_seconds": 3600}))
    bench.venue.answers["PUT party"] = [{"ok": True}]
    request = bench.request("resize", guests=14).model_copy(update={"accepted": True})
    await ActivityEnvironment().run(bench.steps.act, request)
    assert not await bench.is_free()
    bench.venue.parties["p-1"]["guests"] = 14
    seen = await ActivityEnvironment().run(bench.steps.read_back, request)
    assert (seen.write_outcome, await bench.is_free()) == (WriteOutcome.APPLIED, True)


async def test_what_was_seen_is_on_record_before_others_may_write(bench: Bench) -> None:
    """Its worker dies with its report unsent, and another plan puts the booking back meanwhile."""
    request = bench.request("resize", guests=14)
    seen = await ActivityEnvironment().run(bench.steps.act, request)
    assert (seen.write_outcome, await bench.is_free()) == (WriteOutcome.APPLIED, True)
    bench.venue.parties["p-1"]["guests"] = 10
    assert await ActivityEnvironment().run(bench.steps.read_back, request) == seen


async def test_what_cannot_be_put_on_record_keeps_others_out(bench: Bench) -> None:
    bench.record.away = True
    assert (await bench.act("resize", guests=14)).write_outcome is WriteOutcome.APPLIED
    assert not await bench.is_free()


async def test_what_leaves_is_held_for_as_long_as_it_may_take_effect(bench: Bench) -> None:
    request = bench.request("resize", guests=14)
    await ActivityEnvironment().run(bench.steps.act, request)
    left = left_digest(request.scope.action, {**(request.before or {}), "guests": 14})
    undo = StepUndoRequest(scope=request.scope, before=request.before, left_digest=left)
    assert (await ActivityEnvironment().run(bench.undo.undo_step, undo)).outcome is StepRollbackOutcome.REVERSED
    assert bench.locks.leaving == [bench.call_and_settling] * 2
    assert bench.locks.kept == [0, 0]


@pytest.mark.parametrize("undo", [False, True], ids=["forwards", "backwards"])
async def test_what_is_broken_off_in_mid_call_is_held_for_as_long_as_it_may_take_effect(
    bench: Bench, undo: bool
) -> None:
    request, sent = bench.request("resize", guests=14), asyncio.Event()

    async def hang(what: str, _: int) -> None:
        if what == "PUT party":
            sent.set()
            await asyncio.Event().wait()

    if undo:
        await ActivityEnvironment().run(bench.steps.act, request)
        bench.locks.kept.clear()
    bench.venue.hook = hang
    left = left_digest(request.scope.action, {**(request.before or {}), "guests": 14})
    reversal = StepUndoRequest(scope=request.scope, before=request.before, left_digest=left)
    ran = ActivityEnvironment()
    calling = asyncio.create_task(
        ran.run(bench.undo.undo_step, reversal) if undo else ran.run(bench.steps.act, request)
    )
    async with asyncio.timeout(60):
        await sent.wait()
    calling.cancel()
    with contextlib.suppress(asyncio.CancelledError, ApplicationError):
        await calling
    assert bench.locks.kept == [bench.call_and_settling]


@pytest.mark.parametrize("answer", [{}, {"ok": True}, {"order": None}, [], "OK"])
async def test_a_new_thing_that_the_answer_does_not_name_is_not_taken_for_made(bench: Bench, answer: Any) -> None:
    bench.venue.answers["POST order"] = [answer]
    reply = await bench.act("order_dessert", pieces=8)
    assert (reply.write_outcome, reply.accepted) == (WriteOutcome.UNKNOWN, True)
    assert "does not say what it made" in reply.evidence
