"""A plan's state as it is told to the world: every change is checked against the state model, then published to the
memo (for when no worker can be asked) and the search attributes (for on-call)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypedDict, Unpack

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate

with workflow.unsafe.imports_passed_through():
    from contracts.base import Json
    from contracts.enums import ALLOWED_TRANSITIONS, ErrorType, PlanStatus, StepStatus
    from contracts.events import PlanEvent
    from contracts.messages import CONFIRMATION, PlanStart
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
    from contracts.usage import Word
    from infra import log_ids
    from infra.observe import ThisProcess
    from infra.search_attributes import PHASE, SINCE, STATUS
    from language.catalogue import say
    from reasoning import arranging
    from reasoning.drafting import intent_of
    from workflows.details import details_of, phase_of
    from workflows.ids import plan_workflow
    from workflows.kept import Deeds, outcome_of
    from workflows.plan_trace import PlanTrace
    from workflows.step_run import StepRun
    from workflows.telling import Telling


class Changes(TypedDict, total=False):
    """Fields of a plan that change while it lives."""

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
    summary: str


class IllegalTransitionError(ValueError):
    """A status would have moved backwards."""


class PlanRecord:
    """The one place where a plan's public state changes."""

    def __init__(self, start: PlanStart) -> None:
        self.plan = start.plan
        self._phase = phase_of(start.plan, workflow.now())
        self.telling = Telling(start.plan, start.reasoning or start.plan.intent, start.confidence, self._detail)
        self._steps = start.steps
        self._start = start
        # A replay remembers it, too: it is a note of this process alone.
        log_ids.remember(plan_workflow(start.plan.plan_id), start.trace_id)
        self._trace = PlanTrace(start)
        self._deeds = Deeds(start)
        self._revision = 0
        self._told = start.plan.status
        self._ended = False

    def move(self, status: PlanStatus, **fields: Unpack[Changes]) -> None:
        """Change the status, with the fields that go with it. Raises `IllegalTransitionError`."""
        if status not in ALLOWED_TRANSITIONS[self.plan.status]:
            raise IllegalTransitionError(f"{self.plan.status} → {status}")
        self._replace(status=status, stopping=self.plan.stopping and not status.terminal, **fields)
        self.publish()

    def waits_for(self) -> str | None:
        """What the plan waits for: its confirmation, or the question with this id; None where for nothing."""
        if self.plan.status is PlanStatus.PENDING_CONFIRMATION:
            return CONFIRMATION
        return self.plan.blocking_prompt.prompt_id if self.plan.blocking_prompt is not None else None

    def set(self, **fields: Unpack[Changes]) -> None:
        """Change fields and publish."""
        self._replace(**fields)
        self.publish()

    def publish(self) -> None:
        """Write the memo and the search attributes, and record the change. A replay records nothing; a workflow task
        that is done again because its worker was lost records it again."""
        plan = self.plan
        self._revision += 1
        before, self._told = self._told, plan.status
        ends, self._ended = plan.settled and not self._ended, plan.settled or self._ended
        phase = phase_of(plan, workflow.now())
        workflow.upsert_memo({"plan": plan})
        labels: list[SearchAttributeUpdate[Any]] = [STATUS.value_set(plan.status.value), PHASE.value_set(phase)]
        if phase != self._phase and self._start.since_is_known:
            labels.append(SINCE.value_set(workflow.now()))
        workflow.upsert_search_attributes(labels)
        self._phase = phase
        if self.telling.events:
            self._detail(self.telling.events[-1])
        self._trace.changed(plan, workflow.now())
        self._note(before, ends=ends)

    def _note(self, before: PlanStatus, *, ends: bool) -> None:
        if workflow.unsafe.is_replaying():
            return
        plan, now = self.plan, workflow.now()
        ThisProcess.observer.note(
            f"plan {self._phase}",
            self._start.trace_id,
            metadata={
                "plan_id": plan.plan_id,
                "steps": [{"step": a.step, "action": a.action_id, "status": a.status.value} for a in plan.actions],
            },
            outcome=partial(
                outcome_of, self._start, plan, self._revision, now, self._deeds.so_far, before=before, ends=ends
            ),
        )

    def heard(self, word: Word) -> None:
        """The operator has said this, and it takes effect; kept with the next change of the plan."""
        self._deeds.say(word, workflow.now())

    def can_no_longer_be_undone(self) -> None:
        """On-call reads of it in Temporal's list, where a plan that is over would otherwise be one that can be undone.
        Plans from before are."""
        if workflow.patched("end-of-undo-is-told"):
            workflow.upsert_search_attributes([PHASE.value_set(phase_of(self.plan, workflow.now()))])

    def _detail(self, last: PlanEvent) -> None:
        workflow.set_current_details(details_of(self.plan, last))

    def stop(self) -> None:
        """Somebody wants a plan that runs to end: told at once, published with its next change."""
        if self.plan.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING):
            self._replace(stopping=True)

    def step(self, number: int, status: StepStatus) -> None:
        """Change one step's status; published with the next change of the plan."""
        self._replace(actions=self._with_step(number, status))

    def skip(self, number: int) -> None:
        """The operator does without a step, and so without those that depend on it: what the plan is for is told anew.
        Published."""
        self.leave_out({number: say("plan.left_out_by_operator")})
        self.leave_out(arranging.left_out(self.plan.actions))
        behind = len(self.plan.actions) - len(self._steps)
        left_out = {a.step - behind for a in self.plan.actions if a.status is StepStatus.SKIPPED}
        self._replace(intent=intent_of(self._steps, behind, left_out))
        self.publish()

    def leave_out(self, why: Mapping[int, str]) -> None:
        """Skip steps, each for its reason; published with the next change of the plan."""
        skipped = [
            a.model_copy(update={"status": StepStatus.SKIPPED, "left_out": why[a.step]}) if a.step in why else a
            for a in self.plan.actions
        ]
        self._replace(actions=skipped)

    def _with_step(self, number: int, status: StepStatus) -> list[PlannedAction]:
        return [a.model_copy(update={"status": status}) if a.step == number else a for a in self.plan.actions]

    def show(self, number: int, parameters: dict[str, Json], preview: Sequence[PreviewLine] | None) -> None:
        """Show what a step is sent with, where the operator was not shown it before."""
        shown: dict[str, Any] = {"parameters": parameters} | ({"preview": tuple(preview)} if preview else {})
        self._replace(actions=[a.model_copy(update=shown) if a.step == number else a for a in self.plan.actions])

    def result(
        self,
        run: StepRun,
        status: StepStatus,
        message: str,
        error_type: ErrorType | None = None,
        made: str | None = None,
    ) -> None:
        """Record what became of a step that was started."""
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
        """Settle the steps that will not run any more: one under way is `unknown` if it may have been applied."""
        for action in self.plan.actions:
            if action.status is StepStatus.RUNNING and action.step in may_stand:
                self.step(action.step, StepStatus.UNKNOWN)
            elif action.status in (StepStatus.PENDING, StepStatus.RUNNING):
                self.step(action.step, StepStatus.SKIPPED)

    def broken(self, error: Exception) -> None:
        """What nobody expected ends the plan. Mostly it has come to an end before, as far as that still worked, and
        that was told; else it is told as it stands."""
        workflow.logger.error("a plan ended unexpectedly", exc_info=error)
        if workflow.unsafe.is_replaying():
            return
        ThisProcess.observer.count("broken_plan", venue=self.plan.venue_id)
        self._trace.cut_off(self.plan, workflow.now())
        if not self._ended:
            self._revision, self._ended = self._revision + 1, True
            self._note(self._told, ends=True)

    def _replace(self, **fields: object) -> None:
        before, self.plan = self.plan, ExecutionPlan.model_validate({**dict(self.plan), **fields})
        self.telling.changed(before, self.plan)
