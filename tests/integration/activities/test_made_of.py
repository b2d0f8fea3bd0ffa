"""What a write and its compensation are built from, by the activities against a small venue. Guarantees:

- A write is built from what was read just before it left: what staff changed meanwhile, and no step covers, is kept.
- A compensation has an idempotency key of its own, so that no venue takes it for a repeat of the write.
"""

from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from activities.undo import UndoActivity
from contracts.action import AtomicAction
from contracts.enums import StepRollbackOutcome
from contracts.step_activities import ActRequest, StepScope, StepUndoRequest, WriteOutcome
from infra.config.settings import Settings
from infra.stores.booking_locks import Locks
from infra.stores.store import Store
from registry.verification.undo_state import left_digest
from tests.integration.activities.conftest import Small
from tests.support.stacks import LOOK_EVERY

pytestmark = pytest.mark.asyncio


async def scope_of(small: Small, action: AtomicAction) -> StepScope:
    """Return the scope of a step: 14 guests instead of 10."""
    return StepScope(
        profile=small.pack.profile, token_ref=await small.vault.put("operator", 60), action=action,
        parameters={"booking_id": "p-1", "guests": 14}, idempotency_key="plan-1-1", keys=("p-1",),
    )  # fmt: skip


def sending(small: Small, part: str, **fields: Any) -> AtomicAction:
    """Return the pack's action, with more fields in the body of its request or its compensation's."""
    action = small.pack.actions["resize"]
    if part == "request":
        request = (action.request or action.compensation.request).model_copy(update={"body": fields})
        return action.model_copy(update={"request": request.model_copy(update={"path": {}})})
    undo = action.compensation
    body = {**undo.request.body, **fields}
    return action.model_copy(
        update={
            "compensation": undo.model_copy(update={"request": undo.request.model_copy(update={"body": body})}),
        }
    )


async def test_a_write_is_made_of_what_was_read_just_before_it_left(small: Small) -> None:
    action = sending(small, "request", notes="{{ before.notes }}")
    scope, steps = await scope_of(small, action), Steps(small.venues, Locks(Store()), Outcomes(small.vault), LOOK_EVERY)
    before = dict(small.venue.parties["p-1"])
    small.venue.parties["p-1"]["notes"] = "wheelchair"
    reply = await ActivityEnvironment().run(steps.act, ActRequest(scope=scope, before=before))
    assert reply.write_outcome is WriteOutcome.APPLIED, reply
    assert small.venue.parties["p-1"]["notes"] == "wheelchair"


async def test_a_compensation_has_a_key_of_its_own(small: Small) -> None:
    action = sending(small, "compensation", mark="{{ marker }}")
    before = dict(small.venue.parties["p-1"])
    small.venue.parties["p-1"].update(guests=14, mark="plan-1-1")
    settings = Settings(_env_file=None, look_every=LOOK_EVERY)
    undo = UndoActivity(settings, small.venues, Locks(Store()), Outcomes(small.vault))
    left = left_digest(action, dict(small.venue.parties["p-1"]))
    request = StepUndoRequest(scope=await scope_of(small, action), before=before, left_digest=left)
    reply = await ActivityEnvironment().run(undo.undo_step, request)
    assert reply.outcome is StepRollbackOutcome.REVERSED, reply
    assert [body["mark"] for _, body in small.venue.writes] == ["plan-1-1-undo"]
