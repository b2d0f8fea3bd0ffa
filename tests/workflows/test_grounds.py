"""What the steps of a plan stand on (`workflows/grounds.py`; finding E11).

- A step is stopped when what it stands on is not what the operator confirmed.
- A write moves the ground of every step that shares it, and of no other: two bookings of one guest share the guest.
- What nobody could look at is unknown, and is settled by the next snapshot on it.
- Plans from before, which know one subject a step, are carried on as they were.
"""

import pytest

from contracts.effects import ActReply, DraftedStep, Ground, Landing, Moved, SnapshotReply, StepScope
from contracts.enums import ErrorType, PlanStatus
from tests.reasoning.actions import a_venue, an_action
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step
from workflows.grounds import Grounds


def ground(key: str, digest: str) -> Ground:
    return Ground(key=key, covers=("x",), digest=digest)


def on(*grounds: Ground) -> DraftedStep:
    return DraftedStep(action=an_action(), parameters={}, grounds=grounds)


def scope() -> StepScope:
    return StepScope(profile=a_venue(), token_ref="t", action=an_action(), parameters={}, idempotency_key="p-1")


def told(grounds: Grounds, first: int, same_as: int) -> dict[tuple[int, str], str]:
    return {(e.step, e.key): e.digest for e in grounds.expected(first, same_as)}


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
    grounds = Grounds([on(ground("b1", "B1"), ground("g", "G")), on(ground("b2", "B2"), ground("g", "G"))])
    assert told(grounds, 1, 1) == {(1, "b1"): "B1", (1, "g"): "G", (2, "g"): "G"}
    grounds.written(1, scope(), {}, written(Moved(step=1, key="g", digest="G'"), Moved(step=2, key="g", digest="G'")))
    assert told(grounds, 2, 2) == {(2, "b2"): "B2", (2, "g"): "G'"}


def test_what_nobody_saw_is_unknown_until_the_next_snapshot() -> None:
    grounds = Grounds([on(ground("b", "B")), on(ground("b", "B")), on(ground("c", "C"))])
    grounds.written(
        1, scope(), {"x": 1}, written(Moved(step=1, key="b", digest=None), Moved(step=2, key="b", digest=None))
    )
    assert told(grounds, 2, 2) == {(2, "b"): ""}
    assert [w.before for w in grounds.unseen(2)] == [{"x": 1}]
    assert grounds.unseen(3) == ()
    grounds.read(2, SnapshotReply(grounds=(ground("b", "B'"),)))
    assert told(grounds, 2, 2) == {(2, "b"): "B'"}
    assert grounds.unseen(2) == ()


def test_plans_from_before_keep_their_subjects() -> None:
    grounds = Grounds([a_step(1, subject="s"), a_step(2, subject="s"), a_step(3)])
    assert grounds.last_steps() == [2, 3]
    grounds.written(1, scope(), {}, ActReply(landing=Landing.APPLIED, digests={1: "d1'", 2: "d2'"}))
    assert grounds.unseen(2) == ()
