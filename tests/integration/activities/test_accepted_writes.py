"""Writes that the venue accepted (2xx) and that do not show, by the activity itself against a small venue. Guarantees:

- An accepted write may take effect until the venue has settled. Its outcome is then unknown, the worker reads it for
  that long, and no other plan writes to the same booking meanwhile.
- A write that shows, or that was certainly rejected, keeps no other plan out; nor does one that a later read finds.
- An observed outcome is on record before other plans may write there: a worker that dies before its report loses
  nothing.
- A write keeps other plans out for the time of a call and until the venue has settled, even if its worker dies.
- A write that shows no effect directly after it was accepted is not blamed for a later change: its outcome is unknown.
- An accepted write whose reads get no answer counts as done, within the time of one call.
- A created thing that the answer does not name, and that no other read shows, does not count as made.
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
from infra.errors import DependencyUnavailableError
from infra.stores.booking_locks import HeldLock, Locks, LockTimeoutError, lock_name
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import Pack
from registry.verification.undo_state import left_digest
from tests.integration.activities.conftest import Small
from tests.support.small_venue import SmallVenue
from tests.support.stacks import LOOK_EVERY


class Noted(Locks):
    """Locks that note how long they were extended when a write left, and how long they were kept after it."""

    def __init__(self) -> None:
        super().__init__(Store())
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


class Record(Vault):
    """A store that may be unavailable."""

    away = False

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        if self.away:
            raise DependencyUnavailableError("store")
        return await super().put(token, ttl, reference)


class Bench:
    """The venue, its pack, and the locks of its parties."""

    def __init__(self, venue: SmallVenue, pack: Pack, venues: VenueClient, token: str) -> None:
        self.venue, self.pack, self.token = venue, pack, token
        self.venues, self.locks = venues, Noted()
        self.record = Record(Store(), parse_ring(new_key_line()))
        outcomes = Outcomes(self.record)
        self.steps = Steps(venues, self.locks, outcomes, LOOK_EVERY)
        self.undo = UndoActivity(
            Settings(_env_file=None, call_timeout=venues.timeout, look_every=LOOK_EVERY), venues, self.locks, outcomes
        )

    def request(self, name: str, **parameters: Any) -> ActRequest:
        """Return the request of one write."""
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
        """Return the seconds within which a write that has left may take effect."""
        return self.venues.timeout + self.pack.profile.settle_seconds

    async def is_free(self) -> bool:
        """Return whether another plan may write to the party."""
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


async def test_an_accepted_write_whose_reads_get_no_answer_ends_within_a_call_and_counts_as_done(bench: Bench) -> None:
    asked: list[str] = []

    async def hang(what: str, _: int) -> None:
        asked.append(what)
        if "PUT party" in asked and what == "GET party":
            await asyncio.Event().wait()

    bench.venue.hook = hang
    bench.venues.timeout = 1.0
    reply = await bench.act("resize", guests=14)
    assert reply.write_outcome is WriteOutcome.APPLIED
    assert asked[asked.index("PUT party") :] == ["PUT party", "GET party"]
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


@pytest.mark.parametrize("by_staff", ["between two reads", "after the last read"])
async def test_a_change_after_a_write_that_showed_no_effect_is_not_blamed_on_it(bench: Bench, by_staff: str) -> None:
    """The venue answers 200 and drops the write; staff change the booking later. It carries no marker."""
    request = bench.request("resize", guests=14)
    unmarked = request.scope.action.model_copy(update={"marker": None})
    request = request.model_copy(update={"scope": request.scope.model_copy(update={"action": unmarked})})
    bench.venue.answers["PUT party"] = [{"ok": True}]

    async def staff(what: str, number: int) -> None:
        if what == "GET party" and number == 3:
            bench.venue.parties["p-1"]["guests"] = 12

    if by_staff == "between two reads":
        bench.venue.hook = staff
    reply = await ActivityEnvironment().run(bench.steps.act, request)
    assert (reply.write_outcome, reply.accepted) == (WriteOutcome.UNKNOWN, True), reply.evidence
    bench.venue.parties["p-1"]["guests"] = 12
    seen = await ActivityEnvironment().run(bench.steps.read_back, request.model_copy(update={"accepted": True}))
    assert seen.write_outcome is WriteOutcome.UNKNOWN, seen.evidence


async def test_what_was_seen_is_on_record_before_others_may_write(bench: Bench) -> None:
    """The worker dies before its report, and another plan restores the booking meanwhile."""
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


async def test_an_answer_that_names_nothing_is_not_taken_for_made_because_a_later_read_fails(bench: Bench) -> None:
    request, read = bench.request("order_dessert", pieces=8), bench.pack.actions["resize"].snapshot
    action = request.scope.action.model_copy(update={"snapshot": read})
    request = request.model_copy(update={"scope": request.scope.model_copy(update={"action": action})})
    bench.venue.answers["POST order"] = [{}]
    asked: list[str] = []

    async def later_reads_fail(what: str, _: int) -> None:
        if asked or what == "POST order":
            asked.append(what)
        if asked.count("GET party") > 1:
            bench.venue.fail("GET party", 403)

    bench.venue.hook = later_reads_fail
    reply = await ActivityEnvironment().run(bench.steps.act, request)
    assert asked.count("GET party") > 1
    assert (reply.write_outcome, reply.accepted) == (WriteOutcome.UNKNOWN, True), reply.evidence
