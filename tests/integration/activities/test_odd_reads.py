"""A 2xx answer to a read with nothing of what was requested proves nothing (small venue over real HTTP). Guarantees:

- Before a write, it is an answer that could not be read, and no change by another user.
- Before and after a compensation, it shows neither that the thing is gone nor that it was changed: the undo is retried
  later.
- A read without a covered field that was there before is made once more: what it lacks counts neither as what the write
  left nor as a change since.
- A compensation that an earlier attempt has sent, and a new thing that staff changed at once, are reported as they are.
"""

from typing import Any

import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from activities.undo import UndoActivity
from contracts.enums import ErrorType
from contracts.enums import StepRollbackOutcome as Outcome
from contracts.step_activities import (
    ActRequest,
    ExpectedState,
    SnapshotRequest,
    StepScope,
    StepUndoRequest,
    WriteOutcome,
)
from infra.config.settings import Settings
from infra.stores.booking_locks import Locks
from infra.stores.store import Store
from registry import BoundAction
from registry.verification.snapshot import digest
from registry.verification.undo_state import left_digest
from tests.integration.activities.conftest import Small
from tests.integration.activities.test_a_no_with_success import Service, no
from tests.integration.activities.test_undo import Bench, bench, expected
from tests.support.shipped import shipped
from tests.support.stacks import LOOK_EVERY
from tests.unit.registry.test_shipped_undos import CANCELLED, TABLE

pytestmark = pytest.mark.asyncio
__all__ = ["bench"]

ODD = {
    "no content": lambda: Response(status_code=204),
    "empty": lambda: Response(),
    "null": lambda: Response("null", media_type="application/json"),
    "a page": lambda: HTMLResponse("<html>Sign in to the Wi-Fi</html>"),
    "nothing in it": lambda: JSONResponse({}),
    "cut": lambda: Response('{"id": "p-1", "gue', media_type="application/json"),
}


@pytest.mark.parametrize("odd", ODD)
async def test_before_a_write_it_is_no_change_by_somebody(small: Small, odd: str) -> None:
    action, token = small.pack.actions["resize"], await small.vault.put("operator", 60)
    scope = StepScope(
        profile=small.pack.profile, token_ref=token, action=action,
        parameters={"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1",
    )  # fmt: skip
    steps = Steps(small.venues, Locks(Store()), Outcomes(small.vault), LOOK_EVERY)
    ground = (await ActivityEnvironment().run(steps.take_snapshot, SnapshotRequest(scope=scope))).fingerprints[0]
    small.venue.answers["GET party"] = [ODD[odd]() for _ in range(3)]
    wanted = ExpectedState(step=1, key=ground.key, covers=ground.covers, ignore=(), digest=ground.digest)
    reply = await ActivityEnvironment().run(
        steps.take_snapshot, SnapshotRequest(scope=scope, expectations=(wanted,), show=True)
    )
    assert reply.drifted == () and reply.failure is not None
    assert reply.failure.message == "The booking system's answer could not be read."


@pytest.mark.parametrize("lost", [False, True], ids=["accepted", "rejected"])
async def test_a_read_that_lacks_a_field_is_not_what_the_write_left(small: Small, lost: bool) -> None:
    action, token = small.pack.actions["resize"], await small.vault.put("operator", 60)
    assert action.snapshot is not None
    covers = {"snapshot": action.snapshot.model_copy(update={"covers": ("guests", "name")}), "marker": None}
    action = action.model_copy(update=covers)
    scope = StepScope(
        profile=small.pack.profile, token_ref=token, action=action,
        parameters={"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1",
    )  # fmt: skip
    before = dict(small.venue.parties["p-1"])

    async def lacking_then(what: str, _: int) -> None:
        if what == "PUT party":
            small.venue.answers["GET party"] = [{"id": "p-1", "guests": 14}]

    small.venue.hook = lacking_then
    steps, run = Steps(small.venues, Locks(Store()), Outcomes(small.vault), LOOK_EVERY), ActivityEnvironment().run
    request = ActRequest(scope=scope, before=before)
    reply = await run(steps.act, request)
    if lost:
        small.venue.answers["GET party"] = [{"id": "p-1", "guests": 14}]
        reply = await run(steps.read_back, request)
    left = left_digest(action, {**before, "guests": 14})
    assert (reply.write_outcome, reply.left_digest) == (WriteOutcome.APPLIED, left)


@pytest.mark.parametrize("odd", [*ODD, "a list"])
async def test_before_a_compensation_it_is_neither_gone_nor_changed(bench: Bench, odd: str) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    for look_only in (True, False):
        bench.venue.answers["GET party"] = [[] if odd == "a list" else ODD[odd]()]
        with pytest.raises(ApplicationError) as error:
            await bench.reverse(look_only=look_only)
        assert (error.value.type, bench.sent) == ("server_error", [])
        # If this is the last attempt, the report says this.
        [last] = error.value.details
        assert (last.sent, last.failure.message) == (False, "The booking system's answer could not be read.")
    assert ((await bench.reverse()).outcome, bench.sent) == (Outcome.REVERSED, [{"guests": 10}])


@pytest.mark.parametrize("odd", ODD)
async def test_what_a_step_made_is_not_gone_by_it(bench: Bench, odd: str) -> None:
    order = {"id": "o-7", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}
    bench.venue.orders["o-7"], bench.action = dict(order), bench.pack.actions["order_dessert"]
    bench.venue.answers["GET order"] = [ODD[odd]()]
    given: dict[str, Any] = {
        "parameters": {"booking_id": "p-1", "pieces": 3}, "before": None, "output": {"order": {"id": "o-7"}},
        "left_digest": left_digest(bench.action, {"order": order}), "left": {"order": order},
    }  # fmt: skip
    with pytest.raises(ApplicationError):
        await bench.reverse(**given)
    assert bench.venue.orders["o-7"]["state"] == "open"
    assert (await bench.reverse(**given)).outcome is Outcome.REVERSED
    assert bench.venue.orders["o-7"]["state"] == "cancelled"


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("status", [None, 409])
async def test_what_a_step_made_and_somebody_changed_since_is_not_undone(
    bench: Bench, sent: bool, status: int | None
) -> None:
    order = {"id": "o-7", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}
    bench.venue.orders["o-7"], bench.action = {**order, "pieces": 5}, bench.pack.actions["order_dessert"]
    bench.venue.fail("POST order", *[status] * 9 if status else ())
    reply = await bench.reverse(
        parameters={"booking_id": "p-1", "pieces": 3}, before=None, output={"order": {"id": "o-7"}}, sent=sent,
        left_digest=left_digest(bench.action, {"order": order}), left={"order": order},
    )  # fmt: skip
    assert (reply.outcome, bench.venue.orders["o-7"]["state"]) == (Outcome.FAILED, "open")


@pytest.mark.parametrize("sent", [True, False])
async def test_a_step_that_is_as_before_went_back_with_an_earlier_one_unless_its_own_undo_was_sent(
    bench: Bench, sent: bool
) -> None:
    reply = await bench.reverse(look_only=True, undone_with=True, expected=expected(10), sent=sent)
    assert reply.outcome is Outcome.REVERSED
    assert ("with an earlier step" in reply.message) is not sent


@pytest.mark.parametrize(
    ("state", "applied", "outcome"),
    [
        ("open", True, Outcome.FAILED), ("open", False, Outcome.FAILED), (None, False, Outcome.FAILED),
        ("cancelled", True, Outcome.REVERSED), (None, True, Outcome.REVERSED),
    ],
)  # fmt: skip
async def test_a_thing_that_a_step_made_went_back_with_an_earlier_one_only_where_it_is_gone(
    bench: Bench, state: str | None, applied: bool, outcome: Outcome
) -> None:
    order = {"id": "o-7", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}
    bench.venue.orders.update({"o-7": {**order, "state": state}} if state else {})
    bench.action = bench.pack.actions["order_dessert"]
    ground = ExpectedState(step=1, key="", covers=("guests",), ignore=(), digest=digest({}, ("guests",)))
    reply = await bench.reverse(
        parameters={"booking_id": "p-1", "pieces": 3}, before=None, output={"order": {"id": "o-7"}}, applied=applied,
        left_digest=left_digest(bench.action, {"order": order}) if applied else None, left={"order": order},
        look_only=True, undone_with=True, expected=(ground,),
    )  # fmt: skip
    assert reply.outcome is outcome, reply


@pytest.mark.parametrize(
    ("tables", "outcome"), [([{**TABLE, "booking_id": "b-2"}], Outcome.REVERSED), ([], Outcome.FAILED)],
    ids=["booked again", "not booked again"],
)  # fmt: skip
async def test_a_cancellation_that_an_earlier_try_undid_is_undone(
    small: Small, tables: list[Any], outcome: Outcome
) -> None:
    """The old booking stays cancelled, because the new booking has an id of its own."""
    pack = shipped("restaurant")
    service = Service(**{"/bookings/": CANCELLED, "/days/": {"bookings": tables, "day": "2026-12-03"}})
    service.answers["create_booking"] = no(ErrorType.CONFLICT, "SLOT_FULL")
    undo = UndoActivity(
        Settings(_env_file=None, look_every=LOOK_EVERY), service.venues, Locks(Store()), Outcomes(small.vault)
    )
    scope = StepScope(
        profile=pack.profile.model_copy(update={"settle_seconds": 0.1}), token_ref="t",
        action=pack.actions["cancel_booking"], parameters={"booking_id": "b-1"}, idempotency_key="plan-1",
    )  # fmt: skip
    request = StepUndoRequest(scope=scope, before={"booking": TABLE}, left_digest="as it was left", sent=True)
    reply = await ActivityEnvironment().run(undo.undo_step, request)
    assert reply.outcome is outcome, reply
    if outcome is Outcome.FAILED:
        assert "non c'è più un tavolo" in reply.message


@pytest.mark.parametrize(
    ("people", "landed"), [(4, WriteOutcome.APPLIED), (3, WriteOutcome.UNKNOWN)], ids=["as asked", "changed at once"]
)
async def test_a_new_thing_that_is_there_and_not_as_asked_is_not_known_as_refused(
    people: int, landed: WriteOutcome
) -> None:
    pack = shipped("restaurant")
    action, asked = pack.actions["create_booking"], {"name": "Anna", "phone": TABLE["phone"], "guest_count": 4}
    bound = BoundAction.of(action, {**asked, "date": TABLE["day"], "start_time": TABLE["time"]}, pack.profile, "plan-1")
    table, made = {"day": TABLE["day"], "bookings": []}, {**TABLE, "people": people}
    bound = bound.with_(before={"table": table}, now={"table": table, "listed": {"bookings": [made]}, "made": made})
    assert bound.outcome(accepted=False, last=True) is landed
