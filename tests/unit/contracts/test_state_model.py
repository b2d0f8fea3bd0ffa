"""A plan that breaks the state model cannot be built.

Guarantees, each one probe:
- the table of `docs/state-model.md`: for every status, the fields it must carry and those it must not;
- any combination of status and fields either satisfies that table or raises (Hypothesis, against the table below);
- steps count 1, 2, 3, …; a rollback report is complete exactly when every step was reversed or needed no undo;
- status only moves forward: the allowed transitions have no way back, and terminal statuses lead only to a rollback;
- `settled` is what clients poll for: terminal, and no rollback still going on;
- `uncertain` is a plan with a step that may be applied, unless its undo has settled the doubt.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from contracts.enums import (
    ALLOWED_TRANSITIONS,
    ErrorType,
    PlanStatus,
    RollbackOutcome,
    RollbackState,
    RollbackTrigger,
    SafetyTier,
    StepRollbackOutcome,
    StepStatus,
)
from contracts.plan import (
    BlockingPrompt,
    ExecutionPlan,
    PlanFailure,
    PlannedAction,
    RollbackProgress,
    RollbackReport,
    StepRollback,
)
from tests.support.tables import table

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
MUST, MAY, NEVER = "must", "may", "never"

# What happened → what the plan carries. `rollback`: the states it may be in, None for no rollback at all.
TABLE: dict[PlanStatus, dict[str, Any]] = {
    PlanStatus.PENDING_CONFIRMATION: {},
    PlanStatus.CONFIRMED: {"confirmed_at": MUST},
    PlanStatus.EXECUTING: {"confirmed_at": MUST, "blocking_prompt": MAY},
    PlanStatus.COMPLETED: {
        "confirmed_at": MUST, "completed_at": MUST, "undo_until": MAY,
        "rollback": {None, RollbackState.RUNNING, RollbackState.WAITING_FOR_SIGN_IN},
    },
    PlanStatus.FAILED: {
        "confirmed_at": MUST, "completed_at": MUST, "failure": MUST,
        "rollback": {None, RollbackState.RUNNING, RollbackState.WAITING_FOR_SIGN_IN},
    },
    PlanStatus.ROLLED_BACK: {
        "confirmed_at": MUST, "completed_at": MUST, "rollback": {RollbackState.DONE}, "rollback_report": MUST,
        "failure": MAY,
    },
    PlanStatus.EXPIRED: {},
    PlanStatus.CANCELLED: {"confirmed_at": MAY, "superseded_by": MAY},
}  # fmt: skip
OPTIONAL = (
    "confirmed_at", "completed_at", "undo_until", "superseded_by", "blocking_prompt", "failure", "rollback_report",
)  # fmt: skip


def allowed(status: PlanStatus, fields: dict[str, Any]) -> bool:
    """Return whether the table lets a plan of this status carry exactly these fields."""
    row = TABLE[status]
    for name in OPTIONAL:
        rule, there = row.get(name, NEVER), fields.get(name) is not None
        if (rule == MUST and not there) or (rule == NEVER and there):
            return False
    rollback = fields.get("rollback")
    if (rollback.state if rollback else None) not in row.get("rollback", {None}):
        return False
    if status is PlanStatus.ROLLED_BACK:
        undone = fields["rollback_report"].trigger is RollbackTrigger.UNDO
        return undone == (fields.get("failure") is None)
    return not (fields.get("superseded_by") and fields.get("confirmed_at"))


def an_action(step: int = 1) -> PlannedAction:
    return PlannedAction(
        step=step,
        action_id="reschedule_booking",
        title="Reschedule booking",
        parameters={"booking_id": "8231", "new_start_time": "15:00"},
        safety_tier=SafetyTier.NORMAL,
        reversible=True,
    )


def a_plan(status: PlanStatus, **fields: Any) -> ExecutionPlan:
    given_ = {
        "plan_id": "p-1", "session_id": "s-1", "user_id": "u-1", "venue_id": "v-1", "intent": "Move it",
        "actions": [an_action()], "created_at": NOW, "expires_at": NOW + timedelta(minutes=15),
    }  # fmt: skip
    return ExecutionPlan(**{**given_, "status": status, **fields})


LATER = NOW + timedelta(minutes=1)
FAILURE = PlanFailure(step=1, error_type=ErrorType.CONFLICT, message="The session is full.")
PROMPT = BlockingPrompt(prompt_id="q-1", question="Which phone?", expires_at=LATER)


def a_report(trigger: RollbackTrigger = RollbackTrigger.FAILURE) -> RollbackReport:
    return RollbackReport(outcome=RollbackOutcome.COMPLETE, trigger=trigger)


def rollback(state: RollbackState) -> RollbackProgress:
    return RollbackProgress(state=state)


ENDINGS: dict[str, tuple[PlanStatus, dict[str, Any]]] = {
    "pending": (PlanStatus.PENDING_CONFIRMATION, {}),
    "confirmed": (PlanStatus.CONFIRMED, {"confirmed_at": LATER}),
    "executing": (PlanStatus.EXECUTING, {"confirmed_at": LATER}),
    "asking": (PlanStatus.EXECUTING, {"confirmed_at": LATER, "blocking_prompt": PROMPT}),
    "every step done": (
        PlanStatus.COMPLETED, {"confirmed_at": LATER, "completed_at": LATER, "undo_until": LATER}),
    "failed before anything was applied": (
        PlanStatus.FAILED, {"confirmed_at": LATER, "completed_at": LATER, "failure": FAILURE}),
    "failed after something was applied": (
        PlanStatus.FAILED,
        {"confirmed_at": LATER, "completed_at": LATER, "failure": FAILURE, "rollback":
        rollback(RollbackState.RUNNING)}),
    "rollback waits for a sign-in": (
        PlanStatus.FAILED,
        {"confirmed_at": LATER, "completed_at": LATER, "failure": FAILURE,
         "rollback": rollback(RollbackState.WAITING_FOR_SIGN_IN)}),
    "rolled back": (
        PlanStatus.ROLLED_BACK,
        {"confirmed_at": LATER, "completed_at": LATER, "failure": FAILURE, "rollback": rollback(RollbackState.DONE),
         "rollback_report": a_report()}),
    "cancelled while executing, something applied": (
        PlanStatus.ROLLED_BACK,
        {"confirmed_at": LATER, "completed_at": LATER, "failure": FAILURE, "rollback": rollback(RollbackState.DONE),
         "rollback_report": a_report(RollbackTrigger.CANCELLED)}),
    "undone after completion": (
        PlanStatus.ROLLED_BACK,
        {"confirmed_at": LATER, "completed_at": LATER, "rollback": rollback(RollbackState.DONE),
         "rollback_report": a_report(RollbackTrigger.UNDO)}),
    "nobody confirmed in time": (PlanStatus.EXPIRED, {}),
    "cancelled while pending": (PlanStatus.CANCELLED, {}),
    "replaced by an amended plan": (PlanStatus.CANCELLED, {"superseded_by": "p-2"}),
    "cancelled while executing, nothing applied": (PlanStatus.CANCELLED, {"confirmed_at": LATER}),
}  # fmt: skip

EXTRAS: dict[str, Any] = {
    "confirmed_at": LATER,
    "completed_at": LATER,
    "undo_until": LATER,
    "superseded_by": "p-2",
    "blocking_prompt": PROMPT,
    "failure": FAILURE,
    "rollback": rollback(RollbackState.RUNNING),
    "rollback_report": a_report(),
}


@table("ending", ENDINGS)
def test_every_row_of_the_table_can_be_built(ending: str) -> None:
    status, fields = ENDINGS[ending]

    plan = a_plan(status, **fields)

    assert plan.status is status
    assert allowed(status, fields), "the oracle below agrees with the design"


@table("ending, field", [(e, f) for e, (_, fields) in ENDINGS.items() for f in fields])
def test_what_a_status_must_carry_cannot_be_left_out(ending: str, field: str) -> None:
    status, fields = ENDINGS[ending]
    rest = {name: value for name, value in fields.items() if name != field}

    if allowed(status, rest):
        a_plan(status, **rest)
    else:
        with pytest.raises(ValidationError, match=rf"plan p-1 \({status}\)"):
            a_plan(status, **rest)


@table("ending, field", [(e, f) for e in ENDINGS for f in EXTRAS if f not in ENDINGS[e][1]])
def test_what_a_status_must_not_carry_is_refused(ending: str, field: str) -> None:
    status, fields = ENDINGS[ending]
    more = {**fields, field: EXTRAS[field]}

    if allowed(status, more):
        a_plan(status, **more)
    else:
        with pytest.raises(ValidationError, match=rf"plan p-1 \({status}\)"):
            a_plan(status, **more)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


@settings(deadline=None, max_examples=300)
@given(
    status=st.sampled_from(PlanStatus),
    fields=st.fixed_dictionaries(
        {
            "confirmed_at": maybe(st.just(LATER)),
            "completed_at": maybe(st.just(LATER)),
            "undo_until": maybe(st.just(LATER)),
            "superseded_by": maybe(st.just("p-2")),
            "blocking_prompt": maybe(st.just(PROMPT)),
            "failure": maybe(st.just(FAILURE)),
            "rollback": maybe(st.sampled_from(RollbackState).map(rollback)),
            "rollback_report": maybe(st.sampled_from(RollbackTrigger).map(a_report)),
        }
    ),
)
def test_any_combination_satisfies_the_table_or_raises(status: PlanStatus, fields: dict[str, Any]) -> None:
    try:
        a_plan(status, **fields)
    except ValidationError:
        assert not allowed(status, fields), "the table allows it, the model refused it"
    else:
        assert allowed(status, fields), "the table forbids it, the model let it pass"


@pytest.mark.parametrize("steps", [[2], [0], [1, 1], [1, 3], [2, 1]])
def test_steps_count_from_one_without_gaps(steps: list[int]) -> None:
    with pytest.raises(ValidationError):
        a_plan(
            PlanStatus.PENDING_CONFIRMATION, actions=[an_action(n).model_dump() for n in steps if n] or [{"step": 0}]
        )


def test_a_plan_without_steps_cannot_be_built() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        a_plan(PlanStatus.PENDING_CONFIRMATION, actions=[])


def test_moments_without_an_offset_are_refused() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        a_plan(PlanStatus.PENDING_CONFIRMATION, created_at=datetime(2026, 11, 27))


def test_a_broken_plan_names_itself_its_status_and_the_reason() -> None:
    with pytest.raises(ValidationError, match=r"plan p-1 \(failed\): a failed plan says why"):
        a_plan(PlanStatus.FAILED, confirmed_at=LATER, completed_at=LATER)


@settings(deadline=None)
@given(outcomes=st.lists(st.sampled_from(StepRollbackOutcome), max_size=4), claimed=st.sampled_from(RollbackOutcome))
def test_a_report_is_complete_exactly_when_nothing_is_left(
    outcomes: list[StepRollbackOutcome], claimed: RollbackOutcome
) -> None:
    rows = tuple(StepRollback(step=n, action_id="a", outcome=o, message="") for n, o in enumerate(outcomes, 1))
    left = [o for o in outcomes if o in (StepRollbackOutcome.FAILED, StepRollbackOutcome.IRREVERSIBLE)]

    if (claimed is RollbackOutcome.COMPLETE) == (not left):
        RollbackReport(outcome=claimed, trigger=RollbackTrigger.FAILURE, steps=rows)
    else:
        with pytest.raises(ValidationError, match="outcome is complete exactly when"):
            RollbackReport(outcome=claimed, trigger=RollbackTrigger.FAILURE, steps=rows)


def reachable(start: PlanStatus) -> set[PlanStatus]:
    seen: set[PlanStatus] = set()
    ahead = list(ALLOWED_TRANSITIONS[start])
    while ahead:
        status = ahead.pop()
        if status not in seen:
            seen.add(status)
            ahead.extend(ALLOWED_TRANSITIONS[status])
    return seen


@pytest.mark.parametrize("status", PlanStatus)
def test_no_status_can_be_reached_again(status: PlanStatus) -> None:
    assert status not in reachable(status)


def test_transitions_are_the_specifications() -> None:
    steps = {(a.value, b.value) for a, after in ALLOWED_TRANSITIONS.items() for b in after}

    assert steps == {
        ("pending_confirmation", "confirmed"), ("pending_confirmation", "expired"), ("pending_confirmation",
        "cancelled"),
        ("confirmed", "executing"), ("confirmed", "failed"), ("confirmed", "cancelled"),
        ("executing", "completed"), ("executing", "failed"), ("executing", "cancelled"),
        ("completed", "rolled_back"), ("failed", "rolled_back"),
    }  # fmt: skip


@pytest.mark.parametrize("status", [s for s in PlanStatus if s.terminal])
def test_a_terminal_status_leads_to_a_rollback_or_nowhere(status: PlanStatus) -> None:
    assert ALLOWED_TRANSITIONS[status] <= {PlanStatus.ROLLED_BACK}


def test_every_status_has_its_transitions_and_its_row_in_the_table() -> None:
    assert set(ALLOWED_TRANSITIONS) == set(PlanStatus) == set(TABLE)


@table("ending", ENDINGS)
def test_settled_means_that_nothing_more_will_happen_by_itself(ending: str) -> None:
    status, fields = ENDINGS[ending]
    progress = fields.get("rollback")

    assert a_plan(status, **fields).settled is (
        status.terminal and (progress is None or progress.state is RollbackState.DONE)
    )


@pytest.mark.parametrize(("outcome", "uncertain"), [
    (StepRollbackOutcome.NOT_NEEDED, False), (StepRollbackOutcome.FAILED, True), (None, True),
])  # fmt: skip
def test_a_plan_is_uncertain_until_its_undoing_tells(outcome: StepRollbackOutcome | None, uncertain: bool) -> None:
    unknown = an_action().model_copy(update={"status": StepStatus.UNKNOWN})
    failure = PlanFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message="It is not certain.")
    given = {"actions": (unknown,), "confirmed_at": NOW, "completed_at": NOW, "failure": failure}
    if outcome is None:
        assert a_plan(PlanStatus.FAILED, **given).uncertain is uncertain
        return
    whole = RollbackOutcome.PARTIAL if uncertain else RollbackOutcome.COMPLETE
    row = StepRollback(step=1, action_id="a", outcome=outcome, message="m")
    report = RollbackReport(outcome=whole, trigger=RollbackTrigger.FAILURE, steps=(row,))
    plan = a_plan(PlanStatus.ROLLED_BACK, **given, rollback=rollback(RollbackState.DONE), rollback_report=report)
    assert plan.uncertain is uncertain
