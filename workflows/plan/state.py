"""The public state of a plan: every change is checked against the state model, then published to the memo (for reads
without a worker) and the search attributes (for on-call)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypedDict, Unpack

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate

with workflow.unsafe.imports_passed_through():
    from contracts.base import Json
    from contracts.chat_messages import CONFIRMATION, PlanStart
    from contracts.enums import ALLOWED_TRANSITIONS, ErrorType, PlanStatus, StepStatus
    from contracts.events import PlanEvent
    from contracts.plan import (
        ActionResult,
        BlockingPrompt,
        ExecutionPlan,
        PlanFailure,
        PlannedAction,
        PreviewLine,
        RollbackProgress,
        RollbackReport,
    )
    from contracts.usage import AuditAction
    from infra.observability.logging import remember_request
    from infra.observability.observer import ProcessObserver
    from infra.temporal.search_attributes import PHASE, SINCE, STATUS
    from language.messages.catalogue import translate
    from reasoning.drafting import step_order
    from reasoning.drafting.plan import intent_of
    from workflows.plan.event_log import EventLog
    from workflows.plan.reports import AuditTrail, details_of, ledger_record, phase_of
    from workflows.plan.step import StepState
    from workflows.plan.tracing import PlanTrace
    from workflows.workflow_ids import plan_workflow


class PlanChanges(TypedDict, total=False):
    """Fields of a plan that change during its life."""

    actions: Sequence[PlannedAction]
    results: Sequence[ActionResult]
    blocking_prompt: BlockingPrompt | None
    superseded_by: str | None
    confirmed_at: datetime
    completed_at: datetime
    failure: PlanFailure | None
    rollback: RollbackProgress
    rollback_report: RollbackReport
    undo_until: datetime | None
    assistant_busy_until: datetime | None
    summary: str


class IllegalTransitionError(ValueError):
    """A status transition that the state model does not allow."""


class PlanRecord:
    """The only place where a plan's public state changes."""

    def __init__(self, start: PlanStart) -> None:
        self.plan = start.plan
        self._phase = phase_of(start.plan, workflow.now())
        self.events = EventLog(start.plan, start.reasoning or start.plan.intent, start.confidence, self._detail)
        self._steps = start.steps
        self._start = start
        # A replay remembers it, too, because it is local to this process.
        remember_request(plan_workflow(start.plan.plan_id), start.trace_id)
        self._trace = PlanTrace(start)
        self._audit_trail = AuditTrail(start)
        self._revision = 0
        self._published = start.plan.status
        self._ended = False

    def transition(self, status: PlanStatus, **fields: Unpack[PlanChanges]) -> None:
        """Change the status and related fields. Raises `IllegalTransitionError`."""
        if status not in ALLOWED_TRANSITIONS[self.plan.status]:
            raise IllegalTransitionError(f"{self.plan.status} → {status}")
        self._replace(status=status, stopping=self.plan.stopping and not status.terminal, **fields)
        self.publish()

    def waits_for(self) -> str | None:
        """Return what the plan waits for: its confirmation, or the prompt with this id; None for nothing."""
        if self.plan.status is PlanStatus.PENDING_CONFIRMATION:
            return CONFIRMATION
        return self.plan.blocking_prompt.prompt_id if self.plan.blocking_prompt is not None else None

    def update(self, **fields: Unpack[PlanChanges]) -> None:
        """Change fields and publish."""
        self._replace(**fields)
        self.publish()

    def publish(self) -> None:
        """Write the memo and the search attributes, and record the change. A replay records nothing; a workflow task
        that is repeated because its worker was lost records it again."""
        plan = self.plan
        self._revision += 1
        before, self._published = self._published, plan.status
        ends, self._ended = plan.settled and not self._ended, plan.settled or self._ended
        phase = phase_of(plan, workflow.now())
        workflow.upsert_memo({"plan": plan})
        labels: list[SearchAttributeUpdate[Any]] = [STATUS.value_set(plan.status.value), PHASE.value_set(phase)]
        if phase != self._phase:
            labels.append(SINCE.value_set(workflow.now()))
        workflow.upsert_search_attributes(labels)
        self._phase = phase
        if self.events.events:
            self._detail(self.events.events[-1])
        self._trace.changed(plan, workflow.now())
        self._note(before, ends=ends)

    def _note(self, before: PlanStatus, *, ends: bool) -> None:
        if workflow.unsafe.is_replaying():
            return
        plan, now = self.plan, workflow.now()
        ProcessObserver.observer.note(
            f"plan {self._phase}",
            self._start.trace_id,
            metadata={
                "plan_id": plan.plan_id,
                "steps": [{"step": a.step, "action": a.action_id, "status": a.status.value} for a in plan.actions],
            },
            outcome=partial(
                ledger_record,
                self._start,
                plan,
                self._revision,
                now,
                self._audit_trail.so_far,
                before=before,
                ends=ends,
            ),
        )

    def audit(self, action: AuditAction) -> None:
        """Record an operator's command that takes effect in the audit log, with the next change of the plan."""
        self._audit_trail.record(action, workflow.now())

    def can_no_longer_be_undone(self) -> None:
        """Update the phase, because on-call's list in Temporal would otherwise show an ended plan as one that can be
        undone."""
        workflow.upsert_search_attributes([PHASE.value_set(phase_of(self.plan, workflow.now()))])

    def _detail(self, last: PlanEvent) -> None:
        workflow.set_current_details(details_of(self.plan, last))

    def stop(self) -> None:
        """Mark a running plan as stopping. Watchers see it at once; it is published with the next change."""
        if self.plan.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING):
            self._replace(stopping=True)

    def step(self, number: int, status: StepStatus) -> None:
        """Change one step's status. It is published with the next change of the plan."""
        self._replace(actions=self._with_step(number, status))

    def skip(self, number: int) -> None:
        """Skip a step for the operator, and the steps that depend on it, and update the plan's intent. Published."""
        self.skip_all({number: translate("plan.left_out_by_operator")})
        self.skip_all(step_order.unreachable_steps(self.plan.actions))
        offset = len(self.plan.actions) - len(self._steps)
        left_out = {a.step - offset for a in self.plan.actions if a.status is StepStatus.SKIPPED}
        self._replace(intent=intent_of(self._steps, offset, left_out))
        self.publish()

    def skip_all(self, why: Mapping[int, str]) -> None:
        """Skip steps, each for its reason. Published with the next change of the plan."""
        skipped = [
            a.model_copy(update={"status": StepStatus.SKIPPED, "left_out": why[a.step]}) if a.step in why else a
            for a in self.plan.actions
        ]
        self._replace(actions=skipped)

    def _with_step(self, number: int, status: StepStatus) -> list[PlannedAction]:
        return [a.model_copy(update={"status": status}) if a.step == number else a for a in self.plan.actions]

    def set_preview(self, number: int, parameters: dict[str, Json], preview: Sequence[PreviewLine] | None) -> None:
        """Show what a step is sent with, if the operator has not seen it before."""
        shown: dict[str, Any] = {"parameters": parameters} | ({"preview": tuple(preview)} if preview else {})
        self._replace(actions=[a.model_copy(update=shown) if a.step == number else a for a in self.plan.actions])

    def record_result(
        self,
        run: StepState,
        status: StepStatus,
        message: str,
        error_type: ErrorType | None = None,
        made: str | None = None,
    ) -> None:
        """Record the result of a step that was started."""
        outcome = ActionResult(
            step=run.number,
            action_id=run.action.name,
            status=status,
            message=message,
            error_type=error_type,
            made=made,
            started_at=run.started or workflow.now(),
            finished_at=workflow.now(),
        )
        self._replace(
            actions=self._with_step(run.number, status),
            results=[*(r for r in self.plan.results if r.step != run.number), outcome],
        )

    def stop_steps(self, may_stand: Collection[int]) -> None:
        """Settle the steps that will not run any more: a running one is `unknown` if it may have been applied."""
        for action in self.plan.actions:
            if action.status is StepStatus.RUNNING and action.step in may_stand:
                self.step(action.step, StepStatus.UNKNOWN)
            elif action.status in (StepStatus.PENDING, StepStatus.RUNNING):
                self.step(action.step, StepStatus.SKIPPED)

    def record_crash(self, error: Exception) -> None:
        """Record that an unexpected error ended the plan. If it had ended before, that was already recorded; otherwise
        its current state is."""
        workflow.logger.error("a plan ended unexpectedly", exc_info=error)
        if workflow.unsafe.is_replaying():
            return
        ProcessObserver.observer.count("broken_plan", venue=self.plan.venue_id)
        self._trace.cut_off(self.plan, workflow.now())
        if not self._ended:
            self._revision, self._ended = self._revision + 1, True
            self._note(self._published, ends=True)

    def _replace(self, **fields: object) -> None:
        before, self.plan = self.plan, ExecutionPlan.model_validate({**dict(self.plan), **fields})
        self.events.changed(before, self.plan)
