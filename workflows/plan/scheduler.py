"""The order of a plan's steps: one after the other or, if the venue allows it, independent steps in parallel
(multi-step messaging, "Parallel Step Execution").

Parallel steps stop together: if one fails, the others send nothing more, their sent requests are awaited, and only then
is anything undone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import StepStatus
    from contracts.plan import PlanFailure
    from reasoning.drafting import step_order
    from workflows.plan.failures import PlanStoppedError, StopControl
    from workflows.plan.saga import Saga
    from workflows.plan.state import PlanRecord
    from workflows.plan.step import StepState


Finish = Callable[[StepState, bool], Awaitable[None]]
"""Carries out one step, alone (True) or beside others. Raises `PlanStoppedError` if it failed."""


class StepScheduler:
    """Schedules the steps of one plan."""

    def __init__(
        self, runs: Sequence[StepState], record: PlanRecord, saga: Saga, stopping: StopControl, *, together: bool
    ) -> None:
        self._runs = runs
        self._record = record
        self._saga = saga
        self._stop_control = stopping
        self._together = together
        self._declined: list[PlanFailure] = []

    async def run(self, finish: Finish) -> list[PlanFailure]:
        """Carry out every step that is not skipped. Returns the failures that the plan tolerates. Raises
        `PlanStoppedError`."""
        while batch := self._next():
            if len(batch) == 1:
                await self._one(batch[0], finish, alone=True)
            else:
                await self._all(batch, finish)
        return self._declined

    def _next(self) -> list[StepState]:
        """Return the steps to carry out now: the first open one, with those that may run in parallel to it."""
        status = {action.step: action.status for action in self._record.plan.actions}
        waiting = [run for run in self._runs if status[run.number] is StepStatus.PENDING]
        if not self._together:
            return waiting[:1]
        beside = step_order.parallel_batch(
            self._record.plan.actions, {run.number: frozenset(run.grounds) for run in waiting}
        )
        return [run for run in waiting if run.number in beside]

    async def _all(self, batch: Sequence[StepState], finish: Finish) -> None:
        branches = [asyncio.create_task(self._branch(run, finish)) for run in batch]
        ended = await asyncio.gather(*branches, return_exceptions=True)
        unexpected = [e for e in ended if isinstance(e, BaseException) and not isinstance(e, PlanStoppedError)]
        if unexpected:
            raise unexpected[0]
        if self._stop_control.first is not None:
            raise self._stop_control.first

    async def _branch(self, run: StepState, finish: Finish) -> None:
        try:
            await self._one(run, finish, alone=False)
        except PlanStoppedError as stopped:
            self._stop_control.stop_siblings(stopped)
        except Exception:
            self._stop_control.stop_siblings(None)
            raise

    async def _one(self, run: StepState, finish: Finish, *, alone: bool) -> None:
        try:
            await finish(run, alone)
        except PlanStoppedError as stopped:
            if not self._does_without(run):
                raise
            self._declined.append(stopped.failure)
        if nothing_to_do := step_order.unreachable_steps(self._record.plan.actions):
            self._record.skip_all(nothing_to_do)

    def _does_without(self, run: StepState) -> bool:
        """Return whether the plan continues after a step that has just failed: the step is optional, and nothing of it
        is applied."""
        return run.tolerated and run.number not in self._saga.possibly_applied and not self._stop_control.stopped
