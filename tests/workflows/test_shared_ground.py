"""Steps of one plan that change the same booking, when their undo goes wrong. Guarantees:

- a step whose later step could not be undone is undone all the same: its undo gets that step and how it left the
  booking;
- a later step that was undone together with an earlier one is reported as undone, also where its own compensation was
  refused;
- the manual step for a later step that was not undone, applied or uncertain, comes from a read after the earlier step
  was undone, and from that one's snapshot;
- a refused write without a visible effect whose late effect is found before the next attempt is not reported as unsent:
  the rollback looks for it.
"""

from typing import Any

import pytest

from contracts.enums import ErrorType, PlanStatus, StepRollbackOutcome, StepStatus
from contracts.errors import VenueFailure
from contracts.step_activities import (
    ActReply,
    ChangedState,
    DraftedStep,
    SnapshotReply,
    StateFingerprint,
    StepUndoResult,
    WriteOutcome,
)
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step
from tests.workflows.test_cancellation import rows
from tests.workflows.test_timers import broken

pytestmark = pytest.mark.asyncio

REFUSED = StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="403", manual="by hand, step 2")
KEY = "the booking"


def on_one_booking(effects: Effects, *steps: int) -> None:
    """Let these steps change one booking; each write leaves it as its number gives."""
    for n in steps:
        ground = StateFingerprint(key=KEY, covers=("x",), digest=f"before {n}")
        effects.script(
            f"snapshot {n}", SnapshotReply(before={"step": n}, fingerprints=(ground,), manual=f"by hand, step {n}")
        )
        moved = tuple(ChangedState(step=other, key=KEY, digest=f"left by {n}") for other in steps)
        effects.script(
            f"act {n}", ActReply(write_outcome=WriteOutcome.APPLIED, output={}, summary="Done.", changed=moved)
        )


def drafted(number: int) -> DraftedStep:
    """Return a step as the operator was shown it, on the one booking."""
    shown = StateFingerprint(key=KEY, covers=("x",), digest="as shown")
    return a_step(number).model_copy(update={"fingerprints": (shown,)})


async def test_the_earlier_step_learns_what_the_later_one_left(stage: Stage, effects: Effects) -> None:
    on_one_booking(effects, 1, 2)
    effects.script("snapshot 3", broken(3))
    effects.script("undo 2", REFUSED)
    effects.script("look 2", REFUSED.model_copy(update={"manual": "by hand, step 2"}))
    ended = await (await stage.confirmed(*map(a_step, (1, 2, 3)))).ended()
    assert rows(ended) == [(2, "failed"), (1, "reversed")]
    assert ended.rollback_report is not None and ended.rollback_report.manual_steps == ("by hand, step 2",)
    [first] = effects.requests["undo 1"]
    assert first.later is not None and (first.later.step, first.later.title) == (2, "Change 2")
    assert [(e.key, e.digest) for e in first.expected] == [(KEY, "left by 2")]


async def test_of_several_later_ones_the_last_tells_how_it_was_left(stage: Stage, effects: Effects) -> None:
    on_one_booking(effects, 1, 2, 3)
    effects.script("snapshot 4", broken(4))
    effects.script("undo 2", REFUSED)
    effects.script("undo 3", REFUSED)
    ended = await (await stage.confirmed(*map(a_step, (1, 2, 3, 4)))).ended()
    assert rows(ended)[-1] == (1, "reversed")
    [first] = effects.requests["undo 1"]
    assert first.later is not None and first.later.step == 3


async def test_a_step_that_went_back_with_an_earlier_one_is_undone(stage: Stage, effects: Effects) -> None:
    on_one_booking(effects, 1, 2)
    effects.script("snapshot 3", broken(3))
    effects.script("undo 2", REFUSED)
    ended = await (await stage.confirmed(*map(drafted, (1, 2, 3)))).ended()
    assert rows(ended) == [(2, "reversed"), (1, "reversed")]
    assert ended.rollback_report is not None
    assert (ended.rollback_report.outcome, ended.rollback_report.manual_steps) == ("complete", ())
    [undo], [look] = effects.requests["undo 2"], effects.requests["look 2"]
    assert (undo.undone_with, look.undone_with) == (False, True)
    assert [e.digest for e in look.expected] == ["as shown"], "as before the plan"


@pytest.mark.parametrize("landing", [WriteOutcome.APPLIED, WriteOutcome.UNKNOWN])
async def test_what_is_left_to_a_person_is_by_a_look_after_the_earlier_step_went_back(
    stage: Stage, effects: Effects, landing: WriteOutcome
) -> None:
    on_one_booking(effects, 1)
    ground = StateFingerprint(key=KEY, covers=("x",), digest="before 2")
    effects.script("snapshot 2", SnapshotReply(before={"step": 2}, fingerprints=(ground,), manual="by hand, step 2"))
    effects.script("act 2", ActReply(write_outcome=landing, output={}))
    effects.script("read_back 2", ActReply(write_outcome=landing))
    effects.script("snapshot 3", broken(3))
    late = StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="not as before", manual="by hand, as it is now")
    effects.script("undo 2", REFUSED)
    effects.script("look 2", late)
    ended = await (await stage.confirmed(*map(drafted, (1, 2, 3)))).ended()
    assert rows(ended) == [(2, "failed"), (1, "reversed")]
    assert ended.rollback_report is not None
    assert ended.rollback_report.manual_steps == ("by hand, as it is now",)
    assert ended.rollback_report.steps[0].message == "403", "why it was not undone"
    [again] = effects.requests["look 2"]
    assert again.undone_with
    assert again.earlier is not None and again.earlier.before == {"step": 1}


@pytest.mark.parametrize(
    "unread", [{"seen": False}, {"failure": VenueFailure(error_type=ErrorType.NETWORK, message="-")}]
)
async def test_a_look_that_did_not_work_changes_nothing(stage: Stage, effects: Effects, unread: dict[str, Any]) -> None:
    on_one_booking(effects, 1, 2)
    effects.script("snapshot 3", broken(3))
    effects.script("undo 2", REFUSED)
    effects.script("look 2", REFUSED.model_copy(update={"manual": "not by a look", **unread}))
    ended = await (await stage.confirmed(*map(drafted, (1, 2, 3)))).ended()
    assert ended.rollback_report is not None and ended.rollback_report.manual_steps == ("by hand, step 2",)


async def test_steps_on_other_bookings_know_nothing_of_each_other(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 3", broken(3))
    effects.script("undo 2", REFUSED)
    ended = await (await stage.confirmed(*map(a_step, (1, 2, 3)))).ended()
    assert rows(ended) == [(2, "failed"), (1, "reversed")]
    [first] = effects.requests["undo 1"]
    assert (first.later, first.expected, effects.made("undo")) == (None, (), ["undo 2", "undo 1"])


async def test_a_late_effect_of_a_refused_write_is_not_reported_as_unsent(stage: Stage, effects: Effects) -> None:
    no = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=400, message="Not accepted.", detail="no such hour")
    effects.script("act 1", ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=no))
    ground = StateFingerprint(key=KEY, covers=("x",), digest="d1")
    first = SnapshotReply(before={"step": 1}, fingerprints=(ground,), manual="by hand, step 1")
    effects.script("snapshot 1", first, first.model_copy(update={"before": {"step": 9}, "drifted": (1,)}))
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert ended.status is PlanStatus.ROLLED_BACK and ended.failure is not None
    assert ended.actions[0].status is StepStatus.REVERSED and "not sent" not in ended.failure.message
    [undo] = effects.requests["undo 1"]
    assert (undo.before, undo.applied) == ({"step": 1}, False), "by what was there before the first try"
