"""What the steps of a plan stand on (`workflows/grounds.py`; finding E11).

- A step is stopped when what it stands on is not what the operator confirmed.
- A write moves the ground of every step that shares it, and of no other: two bookings of one guest share the guest.
- What nobody could look at is unknown, and is settled by the next snapshot on it.
- Plans from before, which know one subject a step, are carried on as they were.
"""

from typing import Any

import pytest

from contracts.effects import ActReply, DraftedStep, Ground, Landing, Moved, SnapshotReply, StepScope
from contracts.enums import ErrorType, PlanStatus
from tests.unit.reasoning.actions import a_venue, an_action
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step
from workflows.grounds import Grounds
from workflows.step_run import runs_of


def ground(key: str, digest: str) -> Ground:
    return Ground(key=key, covers=("x",), digest=digest)


def on(*grounds: Ground) -> DraftedStep:
    return DraftedStep(action=an_action(), parameters={}, grounds=grounds)


def scope() -> StepScope:
    return StepScope(profile=a_venue(), token_ref="t", action=an_action(), parameters={}, idempotency_key="p-1")


class Plan:
    """A plan's steps, by number, and their grounds."""

    def __init__(self, *steps: DraftedStep) -> None:
        self.runs = {run.number: run for run in runs_of(steps)}
        self.grounds = Grounds(list(self.runs.values()))

    def told(self, first: int, same_as: int) -> dict[tuple[int, str], str]:
        return {(e.step, e.key): e.digest for e in self.grounds.expected(first, self.runs[same_as])}

    def unseen(self, step: int) -> list[Any]:
        return [w.before for w in self.grounds.unseen(self.runs[step])]

    def wrote(self, step: int, reply: ActReply, before: Any = None) -> None:
        run = self.runs[step]
        run.about_to_act(scope(), SnapshotReply(before=before))
        self.grounds.written(run, reply)


def written(*moved: Moved) -> ActReply:
    return ActReply(landing=Landing.APPLIED, moved=moved)


@pytest.mark.asyncio
async def test_a_step_whose_ground_has_drifted_is_not_sent(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 1", SnapshotReply(before={}, drifted=(1,)))
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert ended.status is PlanStatus.FAILED
    assert ended.failure is not None and ended.failure.error_type is ErrorType.CONFLICT
    assert effects.made("act") == []


def test_two_bookings_of_one_guest_share_the_guest() -> None:
    plan = Plan(on(ground("b1", "B1"), ground("g", "G")), on(ground("b2", "B2"), ground("g", "G")))
    assert plan.told(1, 1) == {(1, "b1"): "B1", (1, "g"): "G", (2, "g"): "G"}
    plan.wrote(1, written(Moved(step=1, key="g", digest="G'"), Moved(step=2, key="g", digest="G'")))
    assert plan.told(2, 2) == {(2, "b2"): "B2", (2, "g"): "G'"}


def test_what_nobody_saw_is_unknown_until_the_next_snapshot() -> None:
    plan = Plan(on(ground("b", "B")), on(ground("b", "B")), on(ground("c", "C")))
    plan.wrote(1, written(Moved(step=1, key="b", digest=None), Moved(step=2, key="b", digest=None)), {"x": 1})
    assert plan.told(2, 2) == {(2, "b"): ""}
    assert plan.unseen(2) == [{"x": 1}]
    assert plan.unseen(3) == []
    plan.grounds.read(plan.runs[2], SnapshotReply(grounds=(ground("b", "B'"),)))
    assert plan.told(2, 2) == {(2, "b"): "B'"}
    assert plan.unseen(2) == []


def test_plans_from_before_keep_their_subjects() -> None:
    plan = Plan(a_step(1, subject="s"), a_step(2, subject="s"), a_step(3))
    assert [run.number for run in plan.grounds.last_steps()] == [2, 3]
    plan.wrote(1, ActReply(landing=Landing.APPLIED, digests={1: "d1'", 2: "d2'"}))
    assert plan.unseen(2) == []
