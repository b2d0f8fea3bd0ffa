"""What `iq plan` prints of a plan, from Temporal and from the plan itself. Guarantees:

- Attempts include the one that had begun when the workflow was closed.
- Nothing of a closed workflow is shown as under way, retried or given up, whatever the service still lists.
- A plan that was cut off shows its steps of unknown outcome, and what to type about them; then what settles the whole.
- A plan that is being undone, or was, cannot be undone again: the page shows no remaining undo time.
- A booking's title cannot look like a line of the page, nor drive the terminal.
- What a person has settled is not shown as still to be done.
"""

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from cli.oncall.plan import PlanHistory, page_of
from clients.temporal.executions import ExecutionInfo, PendingCall
from contracts.plan import ExecutionPlan, ManualDecision, ManualDecisionKind
from tests.integration.oncall.test_findings import NOW, ended, word
from tests.integration.oncall.test_resolve import RUNNING, TERMINATED, cut_off, execution

ACT = PendingCall("1", "act", 1, 1, NOW, True, None, NOW + timedelta(minutes=1), "")


def page(one: ExecutionInfo, plan: ExecutionPlan, *decisions: ManualDecision) -> str:
    return "\n".join(page_of(one, plan.model_copy(update={"decisions": decisions or None}), PlanHistory()))


async def test_nothing_of_a_closed_workflow_is_under_way() -> None:
    plan = cut_off("unknown")
    assert "under way  act" in page(execution(RUNNING, status="executing", calls=[ACT]), plan)
    closed = page(execution(TERMINATED, status="executing", calls=[ACT]), plan)
    assert "under way" not in closed and "given up" not in closed, closed


async def test_an_attempt_that_had_begun_when_the_workflow_was_closed_is_counted() -> None:
    waits = dataclasses.replace(ACT, name="undo_step", attempt=3, runs=False)
    reported = page(execution(TERMINATED, status="executing", calls=[ACT, waits]), cut_off("unknown"))
    assert "attempts   act 1, undo_step 2\n" in reported, reported


async def test_a_plan_that_was_cut_off_tells_what_is_not_known_and_what_settles_it() -> None:
    one, plan = execution(TERMINATED, status="executing", phase="executing"), cut_off("completed", "unknown", "pending")
    reported = page(one, plan)
    assert "its workflow was terminated while it was executing. It is unknown whether step 2 was applied" in reported, (
        reported
    )
    assert "next       iq resolve plan-1 --step 2 --applied" in reported and "--step 2 --not-applied" in reported, (
        reported
    )
    decided = page(one, plan, word(ManualDecisionKind.APPLIED, 2))
    assert "It is unknown" not in decided and "next       iq resolve plan-1 --done" in decided, decided
    assert "next" not in page(one, plan, word(ManualDecisionKind.APPLIED, 2), word(ManualDecisionKind.DONE))


@pytest.mark.parametrize(("state", "shown"), [(None, True), ("running", False), ("waiting_for_sign_in", False)])
async def test_what_is_being_undone_has_no_time_left_to_be_undone(state: str | None, shown: bool) -> None:
    plan = ended(("completed", ""))
    rollback: Any = {"state": state} if state else None
    update = {"status": "completed", "failure": None, "rollback_report": None, "rollback": rollback, "undo_until": NOW}
    reported = page(execution(RUNNING), ExecutionPlan.model_validate({**dict(plan), **update}))
    assert ("  undo       until" in reported) is shown, reported


async def test_what_was_settled_is_not_still_to_be_done() -> None:
    one, plan = execution(WorkflowExecutionStatus.COMPLETED), ended(("unknown", "failed"))
    assert "by hand    Do it by hand.\n" in page(one, plan)
    stands = page(one, plan, word(ManualDecisionKind.APPLIED, 1))
    assert "by hand    Do it by hand.\n" in stands and "next       iq resolve plan-1 --done" in stands, stands
    for last in (word(ManualDecisionKind.NOT_APPLIED, 1), word(ManualDecisionKind.DONE)):
        reported = page(one, plan, word(ManualDecisionKind.APPLIED, 1), last)
        assert "by hand    Do it by hand. (settled by what was decided)" in reported and "next" not in reported, (
            reported
        )


async def test_a_title_is_no_line_of_the_page() -> None:
    plan = cut_off("unknown")
    whom = "Party \x1b[31m\n  9. completed  cancel_booking"
    actions = tuple(action.model_copy(update={"whom": whom}) for action in plan.actions)
    reported = page(execution(RUNNING, status="executing"), plan.model_copy(update={"actions": actions}))
    assert "Party [U+001B][31m   9. completed" in reported and "\n  9. completed" not in reported, reported
