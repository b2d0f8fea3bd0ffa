"""The read before a step checks the plan's earlier writes on the same booking that the venue accepted and that could
not be read then. One that is not as requested is drift; one that is as requested is none, and a change that it alone
made is then known as its own, so that it can be undone.
"""

import pytest
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from contracts.step_activities import ActRequest, ChangedState, ExpectedState, SnapshotReply, SnapshotRequest, StepScope
from infra.stores.booking_locks import Locks
from infra.stores.store import Store
from registry.verification.snapshot import digest
from tests.integration.activities.conftest import Small
from tests.support.stacks import LOOK_EVERY


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("found", "others", "drifted", "own"),
    [(14, {}, (), True), (14, {"notes": "staff"}, (), False), (10, {}, (0,), True), (12, {}, (0,), False)],
)
async def test_an_earlier_write_that_no_one_saw_must_stand(
    small: Small, found: int, others: dict[str, str], drifted: tuple[int, ...], own: bool
) -> None:
    venue, pack = small.venue, small.pack
    before = dict(venue.parties["p-1"])
    token = await small.vault.put("operator", 60)

    def step(name: str, number: int, **values: object) -> StepScope:
        return StepScope.model_validate({
            "profile": pack.profile, "token_ref": token, "action": pack.actions[name],
            "parameters": {"booking_id": "p-1", **values}, "idempotency_key": f"plan-{number}", "keys": ("p-1",),
        })  # fmt: skip

    steps, run = Steps(small.venues, Locks(Store()), Outcomes(small.vault), LOOK_EVERY), ActivityEnvironment().run
    covers = ("guests", "notes")
    first: SnapshotReply = await run(steps.take_snapshot, SnapshotRequest(scope=step("resize", 1, guests=14)))
    [ground] = first.fingerprints
    venue.parties["p-1"].update({"guests": found, **others})
    expected = ExpectedState(step=1, key=ground.key, covers=covers, ignore=(), digest=digest(before, covers, ()))
    write = ActRequest(scope=step("resize", 1, guests=14), before=before, step=1, changed=(expected,))
    request = SnapshotRequest(scope=step("note_unseen", 2, note="bring socks"), unseen=(write,))
    reply: SnapshotReply = await run(steps.take_snapshot, request)
    assert (reply.failure, reply.drifted) == (None, drifted)
    left = digest(venue.parties["p-1"], covers, ()) if own else None
    assert reply.changed == (ChangedState(step=1, key=ground.key, digest=left),)
    # A later write that is as requested, here a change of nothing, makes up for nothing.
    behind = ActRequest(scope=step("resize", 2, guests=found), before=before, step=2, changed=(expected,))
    both = SnapshotRequest(scope=step("note_unseen", 3, note="bring socks"), unseen=(write, behind))
    assert bool((await run(steps.take_snapshot, both)).drifted) is bool(drifted)
