"""What counts as stuck, by the pure rules behind `iq stuck` (all of it: `tests/integration/stack/test_stuck.py`).
Guarantees:

- A plan leaves to a person exactly the steps that may have been applied and are not known to be undone; a person's
  decision settles its own step and no other.
- What an undo cannot restore, and its operator knew, needs no action.
- A call counts as retried, and a task as failing, only from the second attempt on and after the time limit.
- The printed text moves no cursor.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from temporalio.client import WorkflowExecutionStatus

from cli.oncall.closed_workflows import by_hand, of_plan, seen_to, undecided
from cli.oncall.issue import Issue, IssueKind
from cli.oncall.open_workflows import OpenWorkflow
from clients.temporal.executions import ExecutionInfo, PendingCall, PendingTask, WorkflowInspector
from contracts.plan import ExecutionPlan, ManualDecision, ManualDecisionKind

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def ended(*steps: tuple[str, str], manual: tuple[str, ...] = ("Do it by hand.",), **more: Any) -> ExecutionPlan:
    """Return a plan that was rolled back, with each step's status and rollback outcome ("" for none tried)."""
    actions = [
        {
            "step": number,
            "action_id": f"change_{number}",
            "title": "Change",
            "parameters": {},
            "safety_tier": "normal",
            "reversible": True,
            "status": status,
        }
        for number, (status, _) in enumerate(steps, 1)
    ]
    rows = [
        {"step": number, "action_id": f"change_{number}", "outcome": outcome, "message": "-"}
        for number, (_, outcome) in enumerate(steps, 1)
        if outcome
    ]
    whole = all(row["outcome"] in ("reversed", "not_needed") for row in rows)
    return ExecutionPlan.model_validate(
        {
            "plan_id": "p-1",
            "session_id": "s",
            "user_id": "u",
            "venue_id": "v",
            "status": "rolled_back",
            "intent": "-",
            "actions": actions,
            "created_at": NOW,
            "expires_at": NOW,
            "confirmed_at": NOW,
            "completed_at": NOW,
            "failure": {"error_type": "conflict", "message": "-"},
            "rollback": {"state": "done"},
            "rollback_report": {
                "outcome": "complete" if whole else "partial",
                "trigger": "failure",
                "steps": rows,
                "manual_steps": manual,
            },
            **more,
        }
    )


def word(decision: ManualDecisionKind, step: int | None = None) -> ManualDecision:
    return ManualDecision(decision=decision, step=step, by="Anna", at=NOW)


async def test_a_step_that_no_one_knows_of_is_left_until_somebody_says() -> None:
    plan = ended(("unknown", "failed"), ("unknown", "not_needed"), ("unknown", "failed"))
    assert undecided(plan, []) == (1, 3)
    assert undecided(plan, [word(ManualDecisionKind.APPLIED, 1)]) == (3,)
    assert undecided(plan, [word(ManualDecisionKind.APPLIED, 1), word(ManualDecisionKind.NOT_APPLIED, 3)]) == ()
    assert undecided(plan, [word(ManualDecisionKind.DONE)]) == (1, 3), "seen to is no word on what happened"
    assert by_hand(plan, []) == (), "they are told as unknown, not twice"
    assert by_hand(plan, [word(ManualDecisionKind.NOT_APPLIED, 1)]) == ()


async def test_a_step_that_a_person_says_stands_is_left_until_it_was_seen_to() -> None:
    plan = ended(("unknown", "failed"), ("completed", "irreversible"))
    stands, gone, done = (
        word(ManualDecisionKind.APPLIED, 1),
        word(ManualDecisionKind.NOT_APPLIED, 1),
        word(ManualDecisionKind.DONE),
    )
    assert by_hand(plan, [stands]) == (1, 2)
    assert [finding.kind for finding in of_plan("plan-p-1", plan, [stands], NOW)] == [IssueKind.MANUAL_STEPS]
    assert by_hand(plan, [stands, gone]) == (2,), "the last word counts"
    assert by_hand(plan, [stands, done]) == ()
    assert by_hand(plan, [gone, done, stands]) == (1,), "what was seen to was without it"
    assert [seen_to(words) is not None for words in ([done], [done, gone], [done, stands], [])] == [
        True, True, False, False,
    ]  # fmt: skip


async def test_a_step_that_stands_is_left_until_it_was_seen_to() -> None:
    plan = ended(("completed", "irreversible"), ("reversed", "reversed"), ("completed", "failed"))
    assert (undecided(plan, []), by_hand(plan, [])) == ((), (1, 3))
    assert by_hand(plan, [word(ManualDecisionKind.DONE)]) == ()
    [finding] = of_plan("plan-p-1", plan, [], NOW)
    assert (finding.kind, finding.commands) == (IssueKind.MANUAL_STEPS, ("iq resolve plan-p-1 --done",))
    assert "Do it by hand." in finding.reason


async def test_what_the_operator_knew_would_stay_is_nothing_to_do() -> None:
    plan = ended(("reversed", "reversed"), manual=("The e-mail was sent.",))
    assert of_plan("plan-p-1", plan, [], NOW) == []


async def test_both_kinds_of_one_plan_are_reported() -> None:
    plan = ended(("unknown", "failed"), ("completed", "irreversible"))
    kinds = [finding.kind for finding in of_plan("plan-p-1", plan, [], NOW)]
    assert kinds == [IssueKind.UNKNOWN_OUTCOME, IssueKind.MANUAL_STEPS]


class Service:
    """A Temporal service with one workflow."""

    def __init__(self, execution: ExecutionInfo) -> None:
        self._execution = execution

    async def describe(self, _: str) -> ExecutionInfo:
        return self._execution

    async def has_pollers(self, _: str) -> None:
        return None

    async def last_failed_task(self, _: str) -> str:
        return "RuntimeError: a defect"


def waiting(call: dict[str, Any] | None = None, task: PendingTask | None = None) -> ExecutionInfo:
    usual: dict[str, Any] = {
        "activity_id": "1", "name": "undo_step", "attempt": 1, "most": 0, "since": NOW, "runs": True,
        "next_try": None, "gives_up": None, "last_error": "",
    }  # fmt: skip
    return ExecutionInfo(
        workflow_id="plan-1", run_id="r", type="Plan", queue="iq", state=WorkflowExecutionStatus.RUNNING, started=NOW,
        closed=None, status="executing", phase="executing", venue="v", task=task,
        calls=[PendingCall(**{**usual, **call})] if call is not None else [],
    )  # fmt: skip


class Row:
    id = "plan-1"


@pytest.mark.parametrize(
    ("execution", "kinds"),
    [
        (waiting(), []),
        (waiting({}), []),
        (waiting({"attempt": 2}), []),
        (waiting({"attempt": 2, "since": NOW - timedelta(minutes=6)}), [IssueKind.ROLLBACK_RETRYING]),
        (waiting({"attempt": 2, "since": NOW - timedelta(minutes=6), "name": "act"}), [IssueKind.RETRYING]),
        (waiting({"attempt": 2, "since": NOW - timedelta(minutes=6), "name": "call_webhook"}), [IssueKind.WEBHOOK]),
        (waiting({"attempt": 1, "since": NOW - timedelta(minutes=6)}), []),
        (waiting({"attempt": 1, "since": NOW - timedelta(minutes=6), "runs": False}), [IssueKind.NO_WORKER]),
        (waiting(task=PendingTask(1, NOW - timedelta(minutes=4), False)), []),
        (waiting(task=PendingTask(1, NOW - timedelta(minutes=6), False)), [IssueKind.NO_WORKER]),
        (waiting(task=PendingTask(1, NOW - timedelta(minutes=6), True)), []),
        (waiting(task=PendingTask(2, NOW - timedelta(minutes=6), False)), [IssueKind.TASK_FAILS]),
        (waiting(task=PendingTask(9, NOW - timedelta(minutes=1), True)), []),
    ],
)
async def test_only_what_waits_too_long_is_stuck(execution: ExecutionInfo, kinds: list[IssueKind]) -> None:
    looking = OpenWorkflow(cast(WorkflowInspector, Service(execution)), "iq", NOW, timedelta(minutes=5))
    found = await looking.findings([cast(Any, Row())])
    assert [finding.kind for finding in found] == kinds


async def test_what_is_printed_moves_no_cursor() -> None:
    finding = Issue(IssueKind.RETRYING, "plan-1", datetime.now(UTC), "a \x1b[2J venue's\nwords", ("iq plan plan-1",))
    assert [line.strip() for line in finding.lines()][1:] == ["why   a [2J venue's words", "next  iq plan plan-1"]
