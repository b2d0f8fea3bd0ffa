"""Reads that lack a part of the booking: a proxy or a replica answers 200 without some rows or fields. Guarantees:

- An undo that removes lines and adds the old ones again is not sent from a read that lacks lines, also where the read
  after the write lacked them, too: the booking would hold them twice.
- A change by others is believed after two equal reads, beside the plan's own, too, and never from the read that lacks
  a part; so is a state as before, whatever the look before it showed, and whether or not a compensation was sent that
  the venue did not accept.
- A document that replaces the whole is not sent without fields that were there before.
- A write whose marker shows without its lines is not yet known to be misapplied.
"""

from typing import Any

import pytest

from activities.step_undo import Compensation, StepUndo
from activities.undo import UndoActivity
from clients.venue.errors import VenueError
from clients.venue.reads import Snapshot
from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.step_activities import ExpectedState, LaterStep, StepScope, StepUndoRequest, StepUndoResult, WriteOutcome
from infra.config.settings import Settings
from registry import BoundAction, TemplateRenderError
from registry.verification.snapshot import digest
from registry.verification.undo_state import left_digest
from tests.support.shipped import shipped

pytestmark = pytest.mark.asyncio

LINE = {"bookingItemId": 71, "productId": 11, "quantity": 12, "bookingDate": "2026-11-28", "sessionStartTime": "14:00"}
SOCKS = {"bookingItemId": 72, "productId": 19, "quantity": 2, "bookingDate": "2026-11-28"}
BEFORE: dict[str, Any] = {
    "uniqueId": "b-1", "bookingReference": "8231", "name": "John", "customerId": 5, "status": "Paid",
    "items": [LINE, SOCKS],
}  # fmt: skip
LACKING: list[list[dict[str, Any]]] = [[], [{**LINE, "bookingItemId": 81}]]
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("reschedule_booking", {"booking_id": "b-1", "new_start_time": "15:00"}),
    ("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-12-05"}),
    ("change_guest_count", {"booking_id": "b-1", "guest_count": 14}),
]


class Reads:
    """Shows one document after another, the last one for ever."""

    def __init__(self, *documents: Any) -> None:
        self._documents = list(documents)

    async def read_back(self, _: BoundAction) -> Snapshot:
        """Return the next one."""
        shown = self._documents.pop(0) if len(self._documents) > 1 else self._documents[0]
        return Snapshot(document=shown, answers=[("", "k", shown)])


async def at_once(look: Any) -> Any:
    """Return what is read."""
    return await look()


def undo(name: str, given: dict[str, Any], *shown: Any, **fields: Any) -> StepUndo:
    """Return the reversal of a ROLLER step that reads these documents."""
    pack = shipped("roller")
    scope = StepScope(
        profile=pack.profile, token_ref="t", action=pack.actions[name], parameters=given, idempotency_key="plan-1"
    )
    made = StepUndo(StepUndoRequest(scope=scope, **{"before": BEFORE, **fields}), 0, sent=False)
    made.reader = Reads(*shown)  # type: ignore[assignment]
    return made


@pytest.mark.parametrize("lines", LACKING, ids=["none", "one of two"])
@pytest.mark.parametrize(("name", "given"), CHANGES)
async def test_no_lines_are_added_beside_those_that_a_read_lacks(
    name: str, given: dict[str, Any], lines: list[Any]
) -> None:
    lacking = {**BEFORE, "items": lines}
    left = shipped("roller").actions[name].snapshot
    assert left is not None
    known = digest(lacking, left.covers, left.ignore)
    misread = {"left": lacking, "left_digest": known, "left_whole": digest(lacking, ("*",)), "otherwise": True}
    as_later = ExpectedState(step=1, key="k", covers=left.covers, ignore=left.ignore, digest=known)
    with_later = {"left_digest": "of all", "expected": (as_later,), "later": LaterStep(step=2, title="Note")}
    for fields in (misread, with_later):
        found = await undo(name, given, lacking, **fields).look()
        assert isinstance(found, StepUndoResult) and found.outcome is StepRollbackOutcome.FAILED, found
        assert found.manual


async def test_all_lines_are_exchanged_where_all_are_there() -> None:
    full = {**BEFORE, "items": [{**LINE, "bookingItemId": 81, "quantity": 15}, {**SOCKS, "bookingItemId": 82}]}
    name, given = CHANGES[-1]
    covered = shipped("roller").actions[name].snapshot
    assert covered is not None
    known = digest(full, covered.covers, covered.ignore)
    found = await undo(name, given, full, left_digest=known, left=full, otherwise=True).look()
    assert isinstance(found, Compensation)


GUEST = {"firstName": "Anna", "lastName": "Verdi", "email": "a@b.example", "phone": "1", "flags": [{"type": "VIP"}]}


def contact(*guests: dict[str, Any]) -> StepUndo:
    """Return the reversal of a new phone number, beside which staff changed the e-mail address."""
    before, left = ({"booking": {"customerId": 7}, "guest": {**GUEST, "phone": n}} for n in ("1", "2"))
    shown = [{"booking": {"customerId": 7}, "guest": guest} for guest in guests]
    fields = {"before": before, "left": left, "left_digest": "as the plan left it"}
    return undo("update_contact", {"booking_id": "b-1", "phone": "2"}, *shown, **fields)


def sender() -> UndoActivity:
    settings = Settings(_env_file=None, look_every=0.001)
    return UndoActivity(settings, None, None, None)  # type: ignore[arg-type]


async def found(step: StepUndo) -> Any:
    """Return what the reads ask for."""
    return await sender()._found(step, at_once)


BY_STAFF = {**GUEST, "phone": "2", "email": "new@b.example"}
PART = {name: value for name, value in BY_STAFF.items() if name != "flags"}


async def test_a_part_is_taken_for_the_whole_only_if_it_shows_twice() -> None:
    step = contact(PART, BY_STAFF, PART, BY_STAFF, BY_STAFF)
    with pytest.raises(VenueError):
        await found(step)
    step = contact(PART, BY_STAFF)
    assert isinstance(await found(step), Compensation)
    sent = step.outgoing.compensation(own_part=True).body
    assert sent == {**BY_STAFF, "phone": "1"}


AS_BEFORE = {**GUEST, "phone": "1"}


async def test_one_read_that_lags_behind_the_first_proves_nothing() -> None:
    """The first look shows the plan's own part beside a change by staff, the second one a state before both."""
    step = contact(BY_STAFF, AS_BEFORE, BY_STAFF)
    assert isinstance(await found(step), Compensation)
    assert (await found(contact(BY_STAFF, AS_BEFORE))).outcome is StepRollbackOutcome.REVERSED, "two show it"


NOT_TAKEN = VenueError(VenueFailure(error_type=ErrorType.FORBIDDEN, status=403, message="no"), sent=True)


@pytest.mark.parametrize(("reads", "undone"), [(1, False), (2, True)])
async def test_one_read_that_lags_does_not_prove_a_compensation_that_was_not_accepted(reads: int, undone: bool) -> None:
    left = {**GUEST, "phone": "2"}
    step = contact(left, *[AS_BEFORE] * reads, left)
    part = await step.look()
    assert isinstance(part, Compensation)
    reply = await step.refused_but_done(part, NOT_TAKEN, settles=0)
    assert (reply is not None and reply.outcome is StepRollbackOutcome.REVERSED) is undone, reply


async def test_nor_one_that_an_earlier_try_may_have_sent() -> None:
    left = {**GUEST, "phone": "2"}
    step = contact(AS_BEFORE, left)
    step.sent = True
    assert isinstance(await found(step), Compensation)


@pytest.mark.parametrize("look_only", [False, True], ids=["undo", "preview"])
@pytest.mark.parametrize(("name", "given"), CHANGES)
async def test_one_read_that_lacks_lines_is_no_change_by_others(
    name: str, given: dict[str, Any], look_only: bool
) -> None:
    lines = [{**LINE, "bookingItemId": 81}, {**SOCKS, "bookingItemId": 82}]
    full, lacking = {**BEFORE, "items": lines}, {**BEFORE, "items": lines[1:]}
    known = {"left": full, "left_digest": left_digest(shipped("roller").actions[name], full)}
    before = {**BEFORE, "items": [{**LINE, "quantity": 10}, SOCKS]}
    looked = await found(undo(name, given, lacking, full, **known, before=before, look_only=look_only))
    assert isinstance(looked, Compensation), looked
    looked = await found(undo(name, given, lacking, **known, before=before, look_only=look_only))
    assert looked.outcome is StepRollbackOutcome.FAILED


async def test_one_read_from_which_nothing_can_be_rendered_ends_no_undo() -> None:
    left = {"booking": {"customerId": 7}, "guest": {**GUEST, "phone": "2"}}
    whole = {"before": {**left, "guest": AS_BEFORE}, "left": left, "left_digest": "as the plan left it"}
    step = undo("update_contact", {"booking_id": "b-1", "phone": "2"}, {"guest": None}, left, **whole)
    assert isinstance(await found(step), Compensation)
    with pytest.raises(TemplateRenderError):
        await found(undo("update_contact", {"booking_id": "b-1", "phone": "2"}, {"guest": None}, **whole))


async def test_what_was_there_before_is_not_deleted_by_a_read_that_lacks_it() -> None:
    step = contact(PART)
    assert isinstance(await found(step), Compensation)
    with pytest.raises(TemplateRenderError, match="lacks flags"):
        step.outgoing.compensation(own_part=True)


async def test_a_marker_without_its_lines_proves_nothing_yet() -> None:
    action = shipped("roller").actions["change_guest_count"]
    bound = BoundAction.of(action, CHANGES[-1][1], None, "plan-1").with_(before=BEFORE)
    bound = bound.with_(now={**BEFORE, "items": [], "metadata": {"iq_ref": "plan-1"}})
    assert bound.outcome(accepted=False, last=False) is None
    assert bound.outcome(accepted=False, last=True) is WriteOutcome.MISAPPLIED


@pytest.mark.parametrize(("name", "given"), CHANGES)
async def test_nothing_is_changed_on_a_booking_that_shows_no_lines(name: str, given: dict[str, Any]) -> None:
    bound = BoundAction.of(shipped("roller").actions[name], given, None, "plan-1")
    assert bound.with_(before={**BEFORE, "items": []}).preflight_rejection()
