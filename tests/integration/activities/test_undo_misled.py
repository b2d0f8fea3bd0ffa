"""Misleading reads of a compensation, against a small venue: a read that lags behind, an answer about another thing, a
change by another user at the moment of the undo. Guarantees:

- Only two reads, a moment apart, prove that a change is gone.
- An answer about another thing, or one with nothing known of this one, counts as an answer that could not be read. The
  same holds for what a step created, after the compensation, too.
- What a step created is removed under the lock that another plan's write to it would hold.
- Where the last read after a rejected compensation failed, its outcome is not certain.
- A state that a later step left without a readable result proves nothing: nothing is sent.
- A value that another user sets meanwhile is not taken for an undo, whatever the venue answered to the compensation.
"""

import asyncio
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError

from clients.venue.reads import read_key
from contracts.enums import StepRollbackOutcome as Outcome
from contracts.step_activities import StepUndoResult
from infra.stores.booking_locks import lock_name
from registry import BoundAction
from registry.verification.undo_state import left_digest
from tests.integration.activities.test_undo import BEFORE, LATER, Bench, answering, bench, expected

pytestmark = pytest.mark.asyncio
__all__ = ["bench"]


@pytest.mark.parametrize("applied", [True, False], ids=["applied", "unknown"])
async def test_one_read_that_lags_behind_proves_nothing(bench: Bench, applied: bool) -> None:
    bench.venue.parties["p-1"] |= {"guests": 14, "mark": "plan-1"}
    bench.venue.answers["GET party"] = [BEFORE]
    reply = await bench.reverse(applied=applied)
    assert reply.outcome is Outcome.REVERSED
    assert [body["guests"] for body in bench.sent] == [10]


@pytest.mark.parametrize("other", [{**BEFORE, "id": "p-9"}, {"error": {"message": "try later"}}])
async def test_an_answer_about_another_thing_is_none(bench: Bench, other: Any) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.answers["GET party"] = [other] * 3
    with pytest.raises(ApplicationError) as unread:
        await bench.reverse()
    assert (unread.value.type, bench.sent) == ("server_error", [])


@pytest.mark.parametrize("ignores", [False, True], ids=["refused", "accepted"])
async def test_what_somebody_sets_meanwhile_is_not_taken_for_an_undo_beside_a_later_step(
    bench: Bench, ignores: bool
) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 409, 12)
    if ignores:
        bench.venue.ignores_writes = True
        bench.venue.answers["PUT party"] = [dict(BEFORE)]

        async def set_meanwhile(what: str, _: int) -> None:
            bench.sends += what == "PUT party"
            if what == "PUT party":
                bench.venue.parties["p-1"]["guests"] = 12

        bench.venue.hook = set_meanwhile
    reply = await bench.reverse(later=LATER, expected=expected(14))
    assert (reply.outcome, bench.sends) == (Outcome.FAILED, 1)
    assert bench.venue.parties["p-1"]["guests"] == 12


async def test_a_state_of_which_nothing_is_known_is_not_as_expected(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 17
    [known] = expected(17)
    reply = await bench.reverse(later=LATER, expected=(known, known.model_copy(update={"digest": ""})))
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])


async def test_a_refused_compensation_of_which_the_last_look_failed_is_not_certain(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    refused: list[str] = []

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.fail(what, 409)
            refused.append(what)
        elif what == "GET party" and refused:
            refused.append(what)
            # The first read after the rejection shows that nothing was done by then.
            if len(refused) > 2:
                bench.venue.fail(what, 403)

    bench.venue.hook = hook
    reply = await bench.reverse()
    assert len(refused) > 2 and reply.outcome is Outcome.FAILED
    assert reply.message.startswith("It is not certain whether"), reply.message
    assert reply.manual.startswith("Look first whether it is undone"), reply.manual


ORDER = {"id": "o-7", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}


async def taken_away(bench: Bench) -> StepUndoResult:
    """Undo an order that the step made."""
    bench.action = bench.pack.actions["order_dessert"]
    bench.venue.orders.setdefault("o-7", dict(ORDER))
    return await bench.reverse(
        parameters={"booking_id": "p-1", "pieces": 3}, before=None, output={"order": {"id": "o-7"}},
        left_digest=left_digest(bench.action, {"order": ORDER}), left={"order": ORDER},
    )  # fmt: skip


async def test_a_look_at_what_was_made_does_not_believe_an_answer_about_another(bench: Bench) -> None:
    """The compensation is swallowed, and the reads after it get another order, which is cancelled."""
    other = {**ORDER, "id": "o-9", "state": "cancelled"}

    async def swallowed(what: str, _: int) -> None:
        if what not in ("GET order", "GET party"):
            bench.venue.ignores_writes = True
            bench.venue.orders["o-7"] = dict(other)

    bench.venue.hook = swallowed
    with pytest.raises(ApplicationError) as unread:
        await taken_away(bench)
    assert unread.value.type == "server_error", "it is looked at again"


async def test_what_was_made_is_taken_away_under_the_lock_of_who_writes_to_it(bench: Bench) -> None:
    action = bench.pack.actions["order_dessert"]
    assert action.verify is not None
    bound = BoundAction.of(action, {"booking_id": "p-1", "pieces": 3}, bench.profile, "k")
    read = bound.with_(response={"order": {"id": "o-7"}}).read(action.verify.reads[0])
    looked, held, written = asyncio.Event(), True, list[bool]()

    async def note(what: str, _: int) -> None:
        if what == "GET order":
            looked.set()
        else:
            written.append(held)

    bench.venue.hook = note
    async with bench.locks.held([lock_name(bench.profile.base_url, read_key(read))], 60):
        undoing = asyncio.create_task(taken_away(bench))
        async with asyncio.timeout(60):
            await looked.wait()
        await asyncio.sleep(0.3)  # long enough for a write that does not wait
        held = False
    assert ((await undoing).outcome, written) == (Outcome.REVERSED, [False])
