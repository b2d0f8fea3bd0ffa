"""The plan an operator confirms, and all reports about it afterwards, with the decisions of staff about what code
could not settle.
"""

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from contracts.base import FrozenModel, Instant, Json, QuickAction
from contracts.enums import (
    ErrorType,
    PlanStatus,
    RollbackOutcome,
    RollbackState,
    RollbackTrigger,
    SafetyTier,
    StepRollbackOutcome,
    StepStatus,
)


class ManualDecisionKind(StrEnum):
    """`applied`, `not_applied`: whether a step of unknown outcome was carried out. `done`: the remaining manual work is
    finished. `ended`: the workflow was ended by hand, since its tasks could not run."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    DONE = "done"
    ENDED = "ended"


class ManualDecision(FrozenModel):
    """A decision of staff. `step` is None where it is about the whole plan; `by` is the name of the person."""

    decision: ManualDecisionKind
    step: int | None = None
    by: str
    at: Instant


_FINISHED = frozenset({PlanStatus.COMPLETED, PlanStatus.FAILED, PlanStatus.ROLLED_BACK})


class PreviewLine(FrozenModel):
    """What one step will change: `field` as text, values as the operator reads them. `before` is "" where there was no
    value, and None where the earlier value is not shown (a new resource, or an unreadable one). `lasting` is True for a
    change that remains after an undo, and otherwise left out."""

    field: str
    before: str | None
    after: str
    lasting: bool | None = None


class StepCondition(FrozenModel):
    """When a step is carried out at all: only if the earlier `step` `ended` so, where "failed" means that the venue
    refused it and changed nothing; with `refused` only if there was no availability. `text` is the condition in words
    for the operator."""

    step: int = Field(ge=1)
    ended: Literal["completed", "failed"]
    refused: Literal["no_room"] | None = None
    text: str


class PlannedAction(FrozenModel):
    """One step of a plan. A step that moves on is a copy with another `status`. Steps count from 1. `confirm_label` is
    what a button says that confirms this step alone, 40 characters at most; `whom` names the booking that it is about,
    and `day` is that booking's (YYYY-MM-DD, the venue's) before the plan. `whom_after` names it by name and
    number alone, which do not change with its day and its guests; empty where it has neither.

    Where a step is not `required`, the plan goes on though the venue refuses it, and the operator may skip it until it
    starts. `depends_on` are the earlier steps without which it makes no sense; `when` is the condition of the step.
    `left_out` is the reason why a skipped step was skipped. `labels` are the display names of its parameters; a
    parameter without one is shown by its name in words.

    A `read_only` step changes nothing: it was made while the plan was drafted, and has its result from then on."""

    step: int = Field(ge=1)
    action_id: str
    title: str
    parameters: dict[str, Json]
    labels: dict[str, str] = Field(default_factory=dict)
    safety_tier: SafetyTier
    reversible: bool
    preview: tuple[PreviewLine, ...] = ()
    confirm_label: str | None = None
    whom: str | None = None
    whom_after: str | None = None
    day: str | None = None
    required: bool = True
    depends_on: tuple[int, ...] = ()
    when: StepCondition | None = None
    left_out: str | None = None
    read_only: bool = False
    status: StepStatus = StepStatus.PENDING


class ActionResult(FrozenModel):
    """The result of one started step. `made` is the id of what it created, as the venue returned it."""

    step: int
    action_id: str
    status: StepStatus
    message: str
    error_type: ErrorType | None = None
    made: str | None = None
    started_at: Instant
    finished_at: Instant


class BlockingPrompt(FrozenModel):
    """A question the operator must answer before execution goes on."""

    prompt_id: str
    question: str
    choices: tuple[str, ...] = ()
    expires_at: Instant


class PlanFailure(FrozenModel):
    """Why a plan stopped. `step` is None when no step was to blame. `quick_actions` ask for what would have worked."""

    step: int | None = None
    error_type: ErrorType
    message: str
    suggestions: tuple[str, ...] = ()
    retry_after_seconds: float | None = None
    quick_actions: tuple[QuickAction, ...] = ()


class RollbackProgress(FrozenModel):
    """Whether the undoing of a plan is still going on."""

    state: RollbackState


class StepRollback(FrozenModel):
    """The rollback of one applied step."""

    step: int
    action_id: str
    outcome: StepRollbackOutcome
    message: str


class RollbackReport(FrozenModel):
    """What was reversed, what was not, and what a person must do. Steps are in the order of undoing."""

    outcome: RollbackOutcome
    trigger: RollbackTrigger
    steps: tuple[StepRollback, ...] = ()
    manual_steps: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _outcome_follows_steps(self) -> Self:
        whole = all(s.outcome in (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED) for s in self.steps)
        if whole != (self.outcome is RollbackOutcome.COMPLETE):
            raise ValueError("outcome is complete exactly when every step was reversed or needed no reversal")
        return self


class ExecutionPlan(FrozenModel):
    """A chain of actions with its state: the one noun operators, IQ and on-call all look at.

    The invariants are those of `docs/state-model.md`; a plan that breaks one cannot be built.
    """

    plan_id: str
    session_id: str
    user_id: str
    venue_id: str
    status: PlanStatus
    intent: str
    summary: str | None = None
    actions: tuple[PlannedAction, ...] = Field(min_length=1)
    created_at: Instant
    expires_at: Instant
    confirmed_at: Instant | None = None
    completed_at: Instant | None = None
    undo_until: Instant | None = None
    superseded_by: str | None = None
    assistant_busy_until: Instant | None = Field(
        default=None, description="Set while a running plan waits, because its model asks its callers to"
    )
    blocking_prompt: BlockingPrompt | None = None
    results: tuple[ActionResult, ...] = ()
    failure: PlanFailure | None = None
    rollback: RollbackProgress | None = None
    rollback_report: RollbackReport | None = None
    stopping: bool = Field(
        default=False, description="True while a plan that runs is being stopped before its next step"
    )
    stale: bool = Field(default=False, description="True when the answer is the last recorded state, not a live one")
    notice: str | None = Field(
        default=None,
        description="What is known of a word whose effect cannot be shown yet, or that the plan ended unexpectedly",
    )
    decisions: tuple[ManualDecision, ...] | None = Field(
        default=None, description="What a person has since decided about steps with unknown outcome, or done by hand"
    )

    @model_validator(mode="after")
    def _state_model_holds(self) -> Self:
        for broken, why in self._broken_invariants():
            if broken:
                raise ValueError(f"plan {self.plan_id} ({self.status}): {why}")
        return self

    def _broken_invariants(self) -> list[tuple[bool, str]]:
        status, report = self.status, self.rollback_report
        confirmed = status in _FINISHED or status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)
        unconfirmed = status in (PlanStatus.PENDING_CONFIRMATION, PlanStatus.EXPIRED)
        rolled_back = status is PlanStatus.ROLLED_BACK
        done = self.rollback is not None and self.rollback.state is RollbackState.DONE
        undone = report is not None and report.trigger is RollbackTrigger.UNDO
        return [
            ([a.step for a in self.actions] != list(range(1, len(self.actions) + 1)), "steps must count 1, 2, 3, …"),
            (confirmed and self.confirmed_at is None, "confirmed_at must be set once a plan is confirmed"),
            (unconfirmed and self.confirmed_at is not None, "an unconfirmed plan has no confirmed_at"),
            (
                (status in _FINISHED) != (self.completed_at is not None),
                "completed_at is set with completed, failed and rolled_back only",
            ),
            (
                self.blocking_prompt is not None and status is not PlanStatus.EXECUTING,
                "only an executing plan can wait for an answer",
            ),
            (self.rollback is not None and status not in _FINISHED, "only a plan that ran can be rolled back"),
            (rolled_back != (report is not None), "a report comes with rolled_back, and rolled_back with a report"),
            (rolled_back != done, "a rollback is done exactly when the plan is rolled back"),
            (status is PlanStatus.FAILED and self.failure is None, "a failed plan says why"),
            (rolled_back and undone == (self.failure is not None), "a plan was undone, or it says why it failed"),
            (
                self.failure is not None and status is not PlanStatus.FAILED and not rolled_back,
                "only a failed plan carries a failure",
            ),
            (
                self.superseded_by is not None
                and (status is not PlanStatus.CANCELLED or self.confirmed_at is not None),
                "only a plan cancelled while pending can be superseded",
            ),
            (self.undo_until is not None and status is not PlanStatus.COMPLETED, "only a completed plan can be undone"),
            (self.stopping and status.terminal, "a plan that has ended is not being stopped"),
        ]

    @property
    def undone(self) -> bool:
        """Return whether the plan was carried out and its operator has undone it."""
        return self.rollback_report is not None and self.rollback_report.trigger is RollbackTrigger.UNDO

    @property
    def uncertain_steps(self) -> tuple[int, ...]:
        """Return the steps whose outcome, even after an undo, is unknown."""
        known = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
        rows = self.rollback_report.steps if self.rollback_report else ()
        cleared = {row.step for row in rows if row.outcome in known}
        return tuple(a.step for a in self.actions if a.status is StepStatus.UNKNOWN and a.step not in cleared)

    @property
    def uncertain(self) -> bool:
        """Return whether there is such a step."""
        return bool(self.uncertain_steps)

    @property
    def settled(self) -> bool:
        """Return whether nothing more will happen by itself, so that clients stop polling."""
        return self.status.terminal and (self.rollback is None or self.rollback.state is RollbackState.DONE)
