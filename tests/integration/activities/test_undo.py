"""One compensation, by the activity itself against a small venue (findings E2, E3; design, "Undo looks three ways").
Guarantees:

- An attempt that was lost with its worker may still be applied: the next one waits until it cannot, and then reads.
- A step of unknown outcome is undone only where the booking shows it; otherwise staff must check, and are asked to act
  only if it was carried out.
- A change that was found too late to be surely the plan's own is not undone.
- Where the booking is as before the step, or has other values, nothing is sent; in the second case the report names
  both.
- A check sends nothing, whatever it finds.
- The venue's answer to a compensation proves nothing; reads within `settle_seconds` decide. It is never sent twice.
- The state that the plan's own later step left, if that could not be undone, is no change by another user.
- A created thing is removed only where it is known as the step's own, whatever id the answer named.
- A compensation that is interrupted in mid-call, or is accepted and does not show, keeps other plans out for as long as
  it may still take effect.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.undo import UndoActivity
from clients.venue.reads import Snapshot
from contracts.action import AtomicAction
from contracts.enums import StepRollbackOutcome as Outcome
from contracts.step_activities import ExpectedState, LaterStep, StepScope, StepUndoRequest, StepUndoResult
from contracts.venue import VenueProfile
from infra.config.settings import Settings
from infra.stores.booking_locks import Locks, LockTimeoutError, lock_name
from infra.stores.store import Store
from registry.verification.undo_state import left_digest
from tests.integration.activities.conftest import Small
from tests.support.small_venue import SmallVenue
from tests.support.stacks import LOOK_EVERY

pytestmark = pytest.mark.asyncio

BEFORE = {"id": "p-1", "name": "Party p-1", "guests": 10, "notes": "", "mark": ""}
CALL_TIMEOUT = 1.0


class Bench:
    """The venue, one action of its pack, and the activity."""

    def __init__(
        self,
        venue: SmallVenue,
        action: AtomicAction,
        profile: VenueProfile,
        undo: UndoActivity,
        token: str,
        locks: Locks,
    ) -> None:
        self.venue, self.action, self.profile, self.undo, self.token = venue, action, profile, undo, token
        self.locks = locks
        self.sends = 0
        self.pack: Any = None
        self.heard: Callable[..., None] = lambda *_: None
        """Hears each heartbeat."""
        self.patient = undo
        """One that gives a lost try longer than the suite waits for any test."""

    async def reverse(
        self, *, attempt: int = 1, last_word: tuple[str, ...] = (), parameters: Any = None, **fields: Any
    ) -> StepUndoResult:
        """Undo "14 guests instead of 10"."""
        scope = StepScope(
            profile=self.profile, token_ref=self.token, action=self.action,
            parameters=parameters or {"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        given = {"scope": scope, "before": BEFORE, "left_digest": left_digest(self.action, {**BEFORE, "guests": 14})}
        environment = ActivityEnvironment()
        environment.info = replace(environment.info, attempt=attempt, heartbeat_details=list(last_word))
        environment.on_heartbeat = self.heard
        return await environment.run(self.undo.undo_step, StepUndoRequest(**{**given, **fields}))

    @property
    def sent(self) -> list[Any]:
        """Return every write that the venue applied."""
        return [body for _, body in self.venue.writes]


@pytest.fixture
async def bench(small: Small) -> Bench:
    """A bench with one party of ten guests."""
    pack, locks = small.pack, Locks(Store())
    outcomes = Outcomes(small.vault)

    def patient(seconds: float) -> UndoActivity:
        settings = Settings(_env_file=None, call_timeout=seconds, look_every=LOOK_EVERY)
        return UndoActivity(settings, small.venues, locks, outcomes)

    token = await small.vault.put("operator", 60)
    one = Bench(small.venue, pack.actions["resize"], pack.profile, patient(CALL_TIMEOUT), token, locks)
    one.pack, one.patient = pack, patient(120)
    return one


async def test_as_the_plan_left_it(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    reply = await bench.reverse()
    assert (reply.outcome, reply.sent, bench.sent) == (Outcome.REVERSED, True, [{"guests": 10}])


async def test_a_second_try_takes_what_the_first_saw_from_the_record(bench: Bench) -> None:
    """The first attempt's worker died before its report, and another plan made the same change again meanwhile."""
    bench.venue.parties["p-1"]["guests"] = 14
    first = await bench.reverse()
    bench.venue.parties["p-1"]["guests"] = 14
    second = await bench.reverse(attempt=2, last_word=("nothing under way",))
    assert (second, bench.sent) == (first, [{"guests": 10}])


async def test_what_the_venue_accepted_and_ignored_is_not_undone(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.ignores_writes = True
    reply = await bench.reverse()
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [{"guests": 10}])
    assert "back to 10" in reply.manual, reply.manual


async def test_what_may_never_have_landed_is_looked_at_before_a_hand_puts_it_back(bench: Bench) -> None:
    bench.token = "a token that is gone"
    done, perhaps = await bench.reverse(), await bench.reverse(applied=False)
    assert (done.outcome, perhaps.outcome) == (Outcome.FAILED, Outcome.FAILED)
    assert done.manual and "If it was" not in done.manual
    assert perhaps.manual == f"Check whether this was done: {bench.action.title}. If it was: {done.manual}"


async def test_as_before_nothing_is_sent(bench: Bench) -> None:
    reply = await bench.reverse()
    assert (reply.outcome, reply.sent, bench.sent) == (Outcome.REVERSED, False, [])
    assert (await bench.reverse(applied=False)).outcome is Outcome.NOT_NEEDED
    assert bench.sent == []


@pytest.mark.parametrize("applied", [True, False])
async def test_otherwise_nothing_is_sent_and_both_values_are_named(bench: Bench, applied: bool) -> None:
    bench.venue.parties["p-1"]["guests"] = 17
    reply = await bench.reverse(applied=applied)
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
    assert all(value in reply.manual for value in ("10", "14", "17")), reply.manual


async def test_an_unknown_outcome_that_shows_is_undone(bench: Bench) -> None:
    bench.venue.parties["p-1"].update(guests=14, mark="plan-1")
    reply = await bench.reverse(applied=False, left_digest=None)
    assert (reply.outcome, bench.sent) == (Outcome.REVERSED, [{"guests": 10}])


async def test_an_equal_change_by_another_call_is_not_undone(bench: Bench) -> None:
    bench.venue.parties["p-1"].update(guests=14, mark="another-plan")
    reply = await bench.reverse(applied=False, left_digest=None)
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
    assert "It is not certain whether" in reply.message


async def test_what_may_be_somebody_elses_is_not_undone(bench: Bench) -> None:
    """When it was found it was not as requested, and by now it is: who changed it is unknown."""
    for guests in (14, 12):
        bench.venue.parties["p-1"]["guests"] = guests
        reply = await bench.reverse(otherwise=True, left_digest=None)
        assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
        assert "not known who made it so" in reply.message and "10" in reply.manual


async def test_a_lost_try_is_given_its_time_before_the_next_one_looks(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    began = time.monotonic()
    assert (await bench.reverse(attempt=2)).outcome is Outcome.REVERSED
    assert time.monotonic() - began >= CALL_TIMEOUT + bench.profile.settle_seconds


async def test_behind_a_try_that_ended_no_one_waits(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.undo = bench.patient
    assert (await bench.reverse(attempt=2, last_word=("nothing under way",))).outcome is Outcome.REVERSED


@pytest.mark.parametrize(("guests", "would"), [(14, Outcome.REVERSED), (10, Outcome.REVERSED), (17, Outcome.FAILED)])
async def test_a_look_sends_nothing(bench: Bench, guests: int, would: Outcome) -> None:
    bench.venue.parties["p-1"]["guests"] = guests
    assert (await bench.reverse(look_only=True)).outcome is would
    assert bench.sent == []


@pytest.mark.parametrize("settles", [0.5, 3_600])
async def test_a_reversal_that_is_broken_off_keeps_others_out_while_it_may_land(bench: Bench, settles: float) -> None:
    bench.profile = bench.profile.model_copy(update={"settle_seconds": settles})
    bench.venue.parties["p-1"]["guests"] = 14
    sent = asyncio.Event()

    async def hang(what: str, _: int) -> None:
        if what == "PUT party":
            sent.set()
            await asyncio.Event().wait()

    bench.venue.hook = hang
    reversing = asyncio.create_task(bench.reverse())
    async with asyncio.timeout(60):
        await sent.wait()
    reversing.cancel()
    with contextlib.suppress(asyncio.CancelledError, ApplicationError):
        await reversing
    if settles > 60:
        await others_are_kept_out(bench)
    else:
        async with bench.locks.held([lock_name(bench.profile.base_url, "p-1")], 60):
            assert sent.is_set()


async def others_are_kept_out(bench: Bench) -> None:
    """Assert that no other plan can write, because the request may still take effect."""
    with pytest.raises(LockTimeoutError):
        async with bench.locks.held([lock_name(bench.profile.base_url, "p-1")], 0.05):
            pytest.fail("it may still take effect")


REFUSALS = [301, 400, 403, 404, 409, 410, 412, 422, 423, 425, 429, 499, 500, 503]


def answering(bench: Bench, status: int, guests: int | None, *, after: float = 0) -> None:
    """Answer the next write with this status; then, or `after` this many seconds, the booking has `guests`."""

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.sends += 1
            bench.venue.fail(what, status)
            if guests is not None and after:
                apply = asyncio.get_running_loop()
                apply.call_later(after, bench.venue.parties["p-1"].update, {"guests": guests})
            elif guests is not None:
                bench.venue.parties["p-1"]["guests"] = guests

    bench.venue.hook = hook


@pytest.mark.parametrize("status", REFUSALS)
async def test_a_refused_compensation_that_took_effect_is_undone(bench: Bench, status: int) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, status, 10)
    assert (await bench.reverse()).outcome is Outcome.REVERSED
    assert bench.sends == 1


@pytest.mark.parametrize("status", [409, 503])
async def test_a_refused_compensation_may_take_effect_a_moment_later(bench: Bench, status: int) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, status, 10, after=bench.profile.settle_seconds / 2)
    assert (await bench.reverse()).outcome is Outcome.REVERSED
    assert bench.sends == 1


async def test_an_accepted_compensation_may_take_effect_until_the_venue_has_settled(bench: Bench) -> None:
    bench.profile = bench.profile.model_copy(update={"settle_seconds": 5.0})
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 202, 10, after=3)
    assert (await bench.reverse()).outcome is Outcome.REVERSED
    assert bench.sends == 1


async def test_what_an_accepted_compensation_does_not_show_keeps_others_out(bench: Bench) -> None:
    bench.profile = bench.profile.model_copy(update={"settle_seconds": 3.0})
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 202, None)
    assert (await bench.reverse()).outcome is Outcome.FAILED
    await others_are_kept_out(bench)


async def test_an_accepted_compensation_that_cannot_be_looked_at_keeps_others_out(bench: Bench) -> None:
    bench.profile = bench.profile.model_copy(update={"settle_seconds": 3_600})
    bench.venue.parties["p-1"]["guests"] = 14

    async def unreadable_then(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.fail("GET party", *[403] * 50)

    bench.venue.hook = unreadable_then
    reply = await bench.reverse()
    assert (reply.outcome, reply.seen, bench.sent) == (Outcome.REVERSED, False, [{"guests": 10}])
    await others_are_kept_out(bench)


async def test_a_compensation_behind_a_lost_sign_in_may_have_taken_effect(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.parties["p-1"]["guests"] = 10
            bench.venue.fail(what, 401)
            bench.venue.fail("GET party", *[401] * 50)

    bench.venue.hook = hook
    reply = await bench.reverse()
    assert reply.failure is not None and reply.failure.error_type == "unauthorized", "the operator is to sign in"
    assert (reply.outcome, reply.seen) == (Outcome.FAILED, False)
    assert reply.message.startswith("It is not certain whether"), reply.message
    assert reply.manual.startswith("Look first whether it is undone"), reply.manual


@pytest.mark.parametrize("status", [403, 409])
async def test_a_refused_compensation_that_did_nothing_says_why(bench: Bench, status: int) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, status, None)
    reply = await bench.reverse()
    assert (reply.outcome, bench.sends) == (Outcome.FAILED, 1)
    assert "could not be undone" in reply.message and "Look first" not in reply.manual


LATER = LaterStep(step=2, title="Change the count")


@pytest.mark.parametrize(
    ("guests", "expected", "outcome"), [(17, 17, Outcome.REVERSED), (17, 16, Outcome.FAILED)],
    ids=["as the later step left it", "changed by somebody else, too"],
)  # fmt: skip
async def test_what_a_later_step_of_the_plan_left_is_no_change_by_somebody_else(
    bench: Bench, guests: int, expected: int, outcome: Outcome
) -> None:
    bench.venue.parties["p-1"]["guests"] = guests
    seen = Snapshot(document={"guests": expected}, answers=[("", "p-1", {"guests": expected})])
    wanted = ExpectedState(step=1, key="", covers=("guests",), ignore=(), digest="")
    reply = await bench.reverse(
        later=LATER, expected=(wanted.model_copy(update={"digest": seen.digest_of(wanted) or ""}),)
    )
    assert reply.outcome is outcome
    if outcome is Outcome.FAILED:
        assert "Step 2 (“Change the count”)" in reply.message and "somebody else may" in reply.message
        assert not bench.sent
    else:
        assert bench.sent == [{"guests": 10}]


def expected(guests: int) -> tuple[ExpectedState, ...]:
    """Return the expected state of the party with this many guests."""
    seen = Snapshot(document={"guests": guests}, answers=[("", "p-1", {"guests": guests})])
    one = ExpectedState(step=1, key="", covers=("guests",), ignore=(), digest="")
    return (one.model_copy(update={"digest": seen.digest_of(one)}),)


@pytest.mark.parametrize("status", [403, 409])
async def test_what_a_later_step_left_is_not_taken_for_an_undo(bench: Bench, status: int) -> None:
    """The later step's change alone hides this one's. The venue rejected the compensation and restored nothing."""
    bench.venue.parties["p-1"]["guests"] = 17
    answering(bench, status, None)
    reply = await bench.reverse(later=LATER, expected=expected(17))
    assert (reply.outcome, bench.venue.parties["p-1"]["guests"]) == (Outcome.FAILED, 17)
    assert "could not be undone" in reply.message and "Look first" not in reply.manual, "nothing but refused"


@pytest.mark.parametrize(("guests", "back"), [(10, True), (14, False), (12, False)])
async def test_a_step_may_have_gone_back_with_an_earlier_one(bench: Bench, guests: int, back: bool) -> None:
    """It counts only where all of the expected state is as before the plan; its own hidden change proves nothing."""
    bench.venue.parties["p-1"]["guests"] = guests
    reply = await bench.reverse(look_only=True, undone_with=True, expected=expected(10))
    assert (reply.outcome is Outcome.REVERSED, bench.sent) == (back, [])


@pytest.mark.parametrize("tries", [1, 2])
async def test_a_look_that_is_refused_says_nothing_of_the_compensation(bench: Bench, tries: int) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.fail("GET party", *[403] * 9)
    reply = await bench.reverse(attempt=tries, last_word=("nothing under way",))
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
    assert "could not be read first" in reply.message
    assert ("Look first whether it is undone" in reply.manual) is (tries == 2), "an earlier try may have sent it"


async def test_a_gateway_that_does_not_know_what_a_look_shows(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 404, None)
    reply = await bench.reverse()
    assert reply.outcome is Outcome.FAILED and "though it shows it" in reply.message


@pytest.mark.parametrize(
    ("party", "heard", "cancelled"),
    [("p-1", True, True), ("p-9", True, False), ("p-1", False, False)],
    ids=["ours", "of another party", "found, and never answered for"],
)
async def test_only_what_the_step_made_is_taken_away(bench: Bench, party: str, heard: bool, cancelled: bool) -> None:
    """A read decides whether the named order is the step's own. An equal one may not be, unless the venue answered."""
    order = {"id": "o-7", "party": party, "dessert": "cake", "state": "open", "pieces": 3}
    bench.venue.orders["o-7"] = dict(order)
    bench.action = bench.pack.actions["order_dessert"]
    reply = await bench.reverse(
        parameters={"booking_id": "p-1", "pieces": 3}, before=None, output={"order": {"id": "o-7"}} if heard else None,
        left_digest=left_digest(bench.action, {"order": order}), left={"order": order},
    )  # fmt: skip
    assert (bench.venue.orders["o-7"]["state"] == "cancelled") is cancelled
    assert (reply.outcome is Outcome.REVERSED) is cancelled
