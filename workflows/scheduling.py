"""Which step of a plan is carried out when: one after the other, or, where the venue allows it, those together that
have nothing to do with one another (multi-step messaging, "Parallel Step Execution").

What is carried out together stops together: where one of them fails, the others send nothing any more, what they have
sent already is waited for, and only then is anything undone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import StepStatus
    from contracts.plan import PlanFailure
    from reasoning import arranging
    from workflows.record import PlanRecord
    from workflows.saga import Saga
    from workflows.step_run import StepRun
    from workflows.stopping import StoppedError, Stopping


Finish = Callable[[StepRun, bool], Awaitable[None]]
"""Carries out one step, alone (True) or beside others. Raises `StoppedError` where it did not work out."""


class Scheduling:
    """The order of one plan's steps."""

    def __init__(
        self, runs: Sequence[StepRun], record: PlanRecord, saga: Saga, stopping: Stopping, *, together: bool
    ) -> None:
        self._runs = runs
        self._record = record
        self._saga = saga
        self._stopping = stopping
        self._together = together
        self._declined: list[PlanFailure] = []

    async def carry_out(self, finish: Finish) -> list[PlanFailure]:
        """Carry out every step that is not left out; why those did not work out that the plan can do without. Raises
        `StoppedError`."""
        while batch := self._next():
            if len(batch) == 1:
                await self._one(batch[0], finish, alone=True)
            else:
                await self._all(batch, finish)
        return self._declined

    def _next(self) -> list[StepRun]:
        """The steps that are carried out now: the first that is open, with those that may go beside it."""
        status = {action.step: action.status for action in self._record.plan.actions}
        waiting = [run for run in self._runs if status[run.number] is StepStatus.PENDING]
        if not self._together:
            return waiting[:1]
        beside = arranging.together(self._record.plan.actions, {run.number: frozenset(run.grounds) for run in waiting})
        return [run for run in waiting if run.number in beside]

    async def _all(self, batch: Sequence[StepRun], finish: Finish) -> None:
        branches = [asyncio.create_task(self._branch(run, finish)) for run in batch]
        ended = await asyncio.gather(*branches, return_exceptions=True)
        unexpected = [e for e in ended if isinstance(e, BaseException) and not isinstance(e, StoppedError)]
        if unexpected:
            raise unexpected[0]
        if self._stopping.first is not None:
            raise self._stopping.first

    async def _branch(self, run: StepRun, finish: Finish) -> None:
        try:
            await self._one(run, finish, alone=False)
        except StoppedError as stopped:
            self._stopping.wind_down(stopped)
        except Exception:
            self._stopping.wind_down(None)
            raise

    async def _one(self, run: StepRun, finish: Finish, *, alone: bool) -> None:
        try:
            await finish(run, alone)
        except StoppedError as stopped:
            if not self._does_without(run):
                raise
            self._declined.append(stopped.failure)
        if nothing_to_do := arranging.left_out(self._record.plan.actions):
            self._record.leave_out(nothing_to_do)

    def _does_without(self, run: StepRun) -> bool:
        """Whether the plan goes on from a step that has just stopped it: it can, and nothing of the step stands."""
        return run.declined and run.number not in self._saga.may_stand and not self._stopping.over
