"""One plan, from its draft to its end: the state model (`docs/state-model.md`) as a workflow.

    pending_confirmation ──confirm──▶ confirmed ──▶ executing ──▶ completed ──undo──▶ rolled_back
            │  │                          └──────┬──────┘
     no word│  │cancel                           │ failure, cancel
            ▼  ▼                                 ▼
      expired  cancelled                      failed ──saga──▶ rolled_back

`run` is one loop round one task. A workflow cancel is therefore only ever a flag: it may arrive at any
await, twice, or during a rollback, and no compensation is lost.

Updates: `confirm`, `skip_step`, `cancel`, `undo`. Signals: `answer`, `signed_in`, `slot_granted`. Queries: `plan`,
`events`. Their names, like those of the activities, are compatibility data.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import (
        ErrorType,
        PlanStatus,
        RollbackState,
        RollbackTrigger,
        ServiceErrorType,
    )
    from contracts.events import EventsView
    from contracts.messages import (
        Answer,
        CancelRequest,
        ConfirmRequest,
        PlanStart,
        PlanView,
        SignedIn,
        SkipStep,
        UndoPlan,
    )
    from contracts.plan import ExecutionPlan, PlanFailure, RollbackProgress
    from contracts.usage import Word
    from language.catalogue import say, speak
    from reasoning import wording
    from workflows.calls import Calls
    from workflows.cancellation import Cancellation
    from workflows.commands import AbortedError, Commands, given_up
    from workflows.credentials import Credentials
    from workflows.ending import Ending
    from workflows.execution import Execution
    from workflows.questions import Questions
    from workflows.record import PlanRecord
    from workflows.refusals import refusal, refuse_late, refuse_skip, refuse_stranger
    from workflows.saga import Saga
    from workflows.stopping import StoppedError
    from workflows.telling import in_sentences
    from workflows.undoing import look_before_undo


@workflow.defn(name="Plan")
class PlanWorkflow:
    """One plan. Its result is the plan as it ended."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        self._start = start
        self._record = PlanRecord(start)
        self._calls = Calls(start.policy)
        self._credentials = Credentials(start.policy.sign_in_within)
        self._saga = Saga(self._calls, self._credentials)
        self._confirm: ConfirmRequest | None = None
        self._undo: UndoPlan | None = None
        self._over = False
        self._undoing: UndoPlan | None = None
        self._undo_refused: ApplicationError | None = None
        self._cancellation = Cancellation()
        self._commands = Commands(self._calls, start.plan.plan_id)
        self._ending = Ending(self._record, self._saga, self._cancellation)
        self._questions = Questions(self._record, self._calls, start, self._cancellation, self._commands)
        self._execution = Execution(
            start,
            self._record,
            self._calls,
            self._saga,
            self._questions,
            self._credentials,
            self._cancellation,
            self._commands,
        )

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Live through the plan's whole life, whatever is cancelled meanwhile."""
        speak(start.profile.locale, start.profile.words)
        life = asyncio.create_task(self._life())
        while not life.done():
            try:
                await asyncio.shield(life)
            except asyncio.CancelledError:
                self._stop()
                this = asyncio.current_task()
                if this is not None:
                    this.uncancel()
        self._over = True
        life.result()
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self._record.plan

    def _stop(self) -> None:
        self._cancellation.requested = True
        # A plan from before has told its later events under numbers without this one.
        if workflow.patched("stopping-is-told"):
            self._record.stop()

    async def _life(self) -> None:
        try:
            await self._wait_for_confirmation()
            if self._confirm is not None:
                await self._execute_and_forget()
                if self._record.plan.status is PlanStatus.COMPLETED:
                    await self._stand_ready_to_undo()
        except Exception as error:
            self._record.broken(error)
            raise ApplicationError(
                f"plan {self._record.plan.plan_id} stopped on an unexpected {type(error).__name__}",
                type="unexpected",
                non_retryable=True,
            ) from error

    async def _wait_for_confirmation(self) -> None:
        patience = self._record.plan.expires_at - workflow.now()
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._confirm is not None or self._cancellation.requested,
                timeout=max(patience, timedelta()),
                timeout_summary="waits for the operator to confirm, then expires",
            )
        await self._commands.settled()
        if self._record.plan.status is PlanStatus.PENDING_CONFIRMATION:
            self._record.move(PlanStatus.CANCELLED if self._cancellation.requested else PlanStatus.EXPIRED)

    async def _execute_and_forget(self) -> None:
        # No `finally`: it would also run, outside the workflow, when a cached workflow is put aside.
        try:
            await self._execute()
        except Exception:
            await self._forget_tokens()
            raise
        await self._forget_tokens()

    async def _execute(self) -> None:
        try:
            await self._execution.run()
            await self._settle_cancel()
        except StoppedError as stopped:
            await self._ending.end_early(stopped.failure)
        except Exception as error:
            workflow.logger.exception("unexpected while executing")
            failure = PlanFailure(
                error_type=ErrorType.SERVER_ERROR,
                message=say("plan.unexpected"),
                suggestions=(say("next.support"),),
            )
            await self._ending.end_early(failure)
            raise error
        else:
            now = workflow.now()
            window = timedelta(seconds=self._start.profile.undo_window_seconds)
            self._record.move(
                PlanStatus.COMPLETED,
                completed_at=now,
                summary=in_sentences(self._execution.changes),
                undo_until=now + window if self._saga.reversible and window else None,
            )

    async def _settle_cancel(self) -> None:
        """A cancel that came before the end counts, though it is committed only now. Raises `StoppedError`."""
        await self._commands.settled()
        if self._cancellation.requested:
            raise StoppedError(PlanFailure(error_type=ErrorType.CONFLICT, message=say("plan.cancelled")))

    async def _stand_ready_to_undo(self) -> None:
        until = self._record.plan.undo_until
        if until is None:
            return
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._undo is not None or self._cancellation.requested,
                timeout=until - workflow.now(),
                timeout_summary="can be undone until then",
            )
        # An undo that came in time is still being looked into.
        await workflow.wait_condition(lambda: self._undoing is None)
        if self._undo is None:
            if self._cancellation.requested:
                self._record.set(undo_until=None)
            else:
                self._record.can_no_longer_be_undone()
        else:
            self._record.set(rollback=RollbackProgress(state=RollbackState.RUNNING))
            await self._ending.roll_back(RollbackTrigger.UNDO)
            await self._forget_tokens()

    async def _forget_tokens(self) -> None:
        # An undo may hand over its own token while these are wiped: that one stays.
        spent = tuple(self._credentials.used)
        self._credentials.used.clear()
        for reference in spent:
            await self._wipe(reference)

    async def _wipe(self, reference: str) -> None:
        try:
            await self._calls.wipe_token(reference)
        except ActivityError:
            workflow.logger.warning("a token could not be wiped; its time to live ends it")

    @asynccontextmanager
    async def _committed(self, attempt: str, allowed: Callable[[], object], token_ref: str = "") -> AsyncIterator[None]:
        """Commit a command and carry it out by the body. Raises `service_unavailable` when its caller has given it up,
        and forgets the token that came with it."""
        try:
            async with self._commands.committed(attempt, allowed):
                yield
        except AbortedError:
            if token_ref and token_ref not in self._credentials.used:
                await self._wipe(token_ref)
            raise given_up() from None

    @workflow.update
    async def confirm(self, request: ConfirmRequest) -> PlanView:
        """Confirm the plan: the enqueue. Idempotent until execution starts, and for a retry of the same request."""
        speak(self._start.profile.locale, self._start.profile.words)
        if self._confirm is not None:
            return self.plan()
        async with self._committed(request.attempt, lambda: self._refuse_confirm(request), request.token_ref):
            if self._confirm is None:
                self._confirm = request
                self._credentials.replace(request.token_ref)
                self._record.heard(Word.CONFIRMED)
                self._record.move(PlanStatus.CONFIRMED, confirmed_at=workflow.now())
        return self.plan()

    @confirm.validator
    def _may_confirm(self, request: ConfirmRequest) -> None:
        speak(self._start.profile.locale, self._start.profile.words)
        refuse_stranger(self._record.plan, request.user_id)
        refuse_late(request.deadline, request.attempt)
        self._refuse_confirm(request)

    def _refuse_confirm(self, request: ConfirmRequest) -> None:
        plan = self._record.plan
        if self._confirm is not None and request.request_id == self._confirm.request_id:
            return
        if (
            plan.status is PlanStatus.PENDING_CONFIRMATION
            and not self._cancellation.requested
            and workflow.now() < plan.expires_at
        ):
            return
        if plan.status is not PlanStatus.CONFIRMED:
            raise refusal(ServiceErrorType.CONFLICT, wording.already(plan.status))

    @workflow.update
    async def cancel(self, request: CancelRequest) -> PlanView:
        """Drop a pending plan, or stop an executing one before its next step."""
        speak(self._start.profile.locale, self._start.profile.words)
        async with self._committed(request.attempt, lambda: self._refuse_cancel(request)):
            # One that ended by itself while this was being committed is stopped as it is.
            if not self._record.plan.status.terminal:
                self._record.heard(Word.REPLACED if request.superseded_by else Word.CANCELLED)
                self._stop()
                if self._confirm is None:
                    self._record.move(PlanStatus.CANCELLED, superseded_by=request.superseded_by)
        return self.plan()

    @cancel.validator
    def _may_cancel(self, request: CancelRequest) -> None:
        speak(self._start.profile.locale, self._start.profile.words)
        refuse_stranger(self._record.plan, request.user_id)
        refuse_late(request.deadline, request.attempt)
        self._refuse_cancel(request)

    def _refuse_cancel(self, request: CancelRequest) -> None:
        plan = self._record.plan
        if request.superseded_by is not None and plan.status is not PlanStatus.PENDING_CONFIRMATION:
            raise refusal(ServiceErrorType.CONFLICT, say("refuse.not_replaced"))
        if request.waits_for is not None and request.waits_for != self._record.waits_for():
            raise refusal(ServiceErrorType.CONFLICT, say("refuse.answered"))
        if plan.status.terminal:
            raise refusal(ServiceErrorType.CONFLICT, wording.already(plan.status))

    @workflow.update
    async def skip_step(self, request: SkipStep) -> PlanView:
        """Leave out a step that the plan can do without and that has not started, with all that depend on it."""
        speak(self._start.profile.locale, self._start.profile.words)
        async with self._committed(request.attempt, lambda: refuse_skip(self._record.plan, request.step)):
            # No step starts meanwhile; a plan that another step has stopped does without this one as it is.
            if not self._record.plan.status.terminal:
                self._record.heard(Word.SKIPPED)
                self._record.skip(request.step)
        return self.plan()

    @skip_step.validator
    def _may_skip(self, request: SkipStep) -> None:
        speak(self._start.profile.locale, self._start.profile.words)
        refuse_stranger(self._record.plan, request.user_id)
        refuse_late(request.deadline, request.attempt)
        refuse_skip(self._record.plan, request.step)

    @workflow.update
    async def undo(self, request: UndoPlan) -> PlanView:
        """Reverse a completed plan, if every change still stands as the plan left it. The same undo said again while it
        is being looked into gets the same answer."""
        speak(self._start.profile.locale, self._start.profile.words)
        if self._undoing is not None:
            await workflow.wait_condition(lambda: self._undoing is None)
            if self._undo is None and self._undo_refused is not None:
                raise self._undo_refused
            return self.plan()
        self._undoing, self._undo_refused = request, None
        try:
            await look_before_undo(self._calls, self._saga, self._execution, request.token_ref)
            async with self._committed(request.attempt, lambda: None, request.token_ref):
                self._credentials.replace(request.token_ref)
                self._undo = request
                self._record.heard(Word.UNDONE)
        except ApplicationError as refused:
            self._undo_refused = refused
            raise
        finally:
            self._undoing = None
        return self.plan()

    @undo.validator
    def _may_undo(self, request: UndoPlan) -> None:
        speak(self._start.profile.locale, self._start.profile.words)
        plan = self._record.plan
        refuse_stranger(plan, request.user_id)
        refuse_late(request.deadline, request.attempt)
        if self._undoing is not None:
            if request.attempt and request.attempt == self._undoing.attempt:
                return
            raise refusal(ServiceErrorType.CONFLICT, say("refuse.undo_under_way"))
        if plan.status is not PlanStatus.COMPLETED or self._undo is not None:
            back = plan.rollback is not None
            raise refusal(ServiceErrorType.CONFLICT, wording.cannot_undo(plan) if back else say("refuse.undo_once"))
        if plan.undo_until is None or workflow.now() >= plan.undo_until:
            raise refusal(ServiceErrorType.CONFLICT, say("refuse.not_undone"))

    @workflow.signal(name="answer")
    def answer(self, answer: Answer) -> None:
        """The operator's answer to the open question."""
        self._questions.receive(answer)

    @workflow.signal(name="signed_in")
    async def signed_in(self, message: SignedIn) -> None:
        """The operator has signed in again; the venue has accepted the new token. One that comes when nothing will use
        it any more is wiped here: whoever sent it may have seen the plan at work."""
        if message.user_id != self._record.plan.user_id:
            return
        if self._record.plan.settled and workflow.patched("late-sign-in-wiped"):
            await self._wipe(message.token_ref)
        else:
            self._credentials.replace(message.token_ref)

    @workflow.signal(name="slot_granted")
    def slot_granted(self) -> None:
        """The session's chat lets this plan ask."""
        self._questions.grant()

    @workflow.query(name="plan")
    def plan(self) -> PlanView:
        """The plan as it stands."""
        return PlanView(
            plan=self._record.plan,
            prompts_asked=self._questions.asked,
            taken_answers=tuple(self._questions.taken),
            confirm_request_id=self._confirm.request_id if self._confirm else None,
            token_ref=self._credentials.current or None,
        )

    @workflow.query(name="events")
    def events(self, after: int) -> EventsView:
        """What watchers are told, after a number (0 for all)."""
        return EventsView(events=tuple(self._record.telling.after(after)), over=self._over)
