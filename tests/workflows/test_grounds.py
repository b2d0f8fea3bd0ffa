"""The preconditions of a plan's steps (`workflows/plan/preconditions.py`; finding E11). Guarantees:

- The plan stops a step when what the step depends on is not as the operator confirmed it.
- A write updates the fingerprints of every step that shares them, and of no other: two bookings of one guest share the
  guest.
- State that could not be read is unknown until the next snapshot reads it.
"""

from typing import Any

import pytest

from contracts.enums import ErrorType, PlanStatus
from contracts.step_activities import (
    ActReply,
    ChangedState,
    DraftedStep,
    SnapshotReply,
    StateFingerprint,
    StepScope,
    WriteOutcome,
)
from tests.unit.reasoning.actions import a_venue, an_action
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step
from workflows.plan.preconditions import Preconditions
from workflows.plan.step import runs_of


def ground(key: str, digest: str) -> StateFingerprint:
    return StateFingerprint(key=key, covers=("x",), digest=digest)


def on(*grounds: StateFingerprint) -> DraftedStep:
    return DraftedStep(action=an_action(), parameters={}, fingerprints=grounds)


def scope() -> StepScope:
    return StepScope(profile=a_venue(), token_ref="t", action=an_action(), parameters={}, idempotency_key="p-1")


class Plan:
    """A plan's steps, by number, and their preconditions."""

    def __init__(self, *steps: DraftedStep) -> None:
        self.runs = {run.number: run for run in runs_of(steps)}
        self.grounds = Preconditions(list(self.runs.values()))

    def shown(self, first: int, same_as: int) -> dict[tuple[int, str], str]:
        return {(e.step, e.key): e.digest for e in self.grounds.expected(first, self.runs[same_as])}

    def unseen(self, step: int) -> list[Any]:
        return [w.before for w in self.grounds.unverified(self.runs[step])]

    def wrote(self, step: int, reply: ActReply, before: Any = None) -> None:
        run = self.runs[step]
        run.begin_write(scope(), SnapshotReply(before=before))
        self.grounds.on_write(run, reply)


def written(*moved: ChangedState) -> ActReply:
    return ActReply(write_outcome=WriteOutcome.APPLIED, changed=moved)


@pytest.mark.asyncio
async def test_a_step_whose_ground_has_drifted_is_not_sent(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 1", SnapshotReply(before={}, drifted=(1,)))
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert ended.status is PlanStatus.FAILED
    assert ended.failure is not None and ended.failure.error_type is ErrorType.CONFLICT
    assert effects.made("act") == []


def test_two_bookings_of_one_guest_share_the_guest() -> None:
    plan = Plan(on(ground("b1", "B1"), ground("g", "G")), on(ground("b2", "B2"), ground("g", "G")))
    assert plan.shown(1, 1) == {(1, "b1"): "B1", (1, "g"): "G", (2, "g"): "G"}
    plan.wrote(1, written(ChangedState(step=1, key="g", digest="G'"), ChangedState(step=2, key="g", digest="G'")))
    assert plan.shown(2, 2) == {(2, "b2"): "B2", (2, "g"): "G'"}


def test_what_no_one_saw_is_unknown_until_the_next_snapshot() -> None:
    plan = Plan(on(ground("b", "B")), on(ground("b", "B")), on(ground("c", "C")))
    plan.wrote(
        1, written(ChangedState(step=1, key="b", digest=None), ChangedState(step=2, key="b", digest=None)), {"x": 1}
    )
    assert plan.shown(2, 2) == {(2, "b"): ""}
    assert plan.unseen(2) == [{"x": 1}]
    assert plan.unseen(3) == []
    plan.grounds.on_snapshot(plan.runs[2], SnapshotReply(fingerprints=(ground("b", "B'"),)))
    assert plan.shown(2, 2) == {(2, "b"): "B'"}
    assert plan.unseen(2) == []
