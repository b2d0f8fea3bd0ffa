"""The plan workflow, from draft to end: it implements the state model (`docs/state-model.md`).

    pending_confirmation ──confirm──▶ confirmed ──▶ executing ──▶ completed ──undo──▶ rolled_back
            │  │                          └──────┬──────┘
     timeout│  │cancel                           │ failure, cancel
            ▼  ▼                                 ▼
      expired  cancelled                      failed ──saga──▶ rolled_back

`run` is one loop around one task. A workflow cancel only sets a flag, because it may arrive at any await, twice, or
during a rollback, and no compensation may be lost.

Updates: `confirm`, `skip_step`, `cancel`, `undo`. Signals: `answer`, `token_renewed`, `prompt_slot_granted`. Queries:
`plan`, `events`. Their names, like those of the activities, are compatibility data."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import (
        CancelRequest,
        ConfirmRequest,
        PlanStart,
        PlanView,
        PromptAnswer,
        SkipRequest,
        TokenRenewed,
        UndoRequest,
    )
    from contracts.enums import (
        ErrorType,
        PlanStatus,
        RollbackState,
        RollbackTrigger,
        ServiceErrorType,
    )
    from contracts.events import EventsView
    from contracts.persisted_names import Query, Signal, WorkflowType
    from contracts.plan import ExecutionPlan, PlanFailure, RollbackProgress
    from contracts.usage import AuditAction
    from language.messages.catalogue import activate_locale, translate
    from reasoning import error_messages
    from workflows.plan.activities import PlanActivities
    from workflows.plan.commands import AbortedError, CommandCommits, given_up
    from workflows.plan.credentials import Credentials
    from workflows.plan.event_log import join_sentences
    from workflows.plan.execution import PlanExecution
    from workflows.plan.failures import PlanCancellation, PlanStoppedError
    from workflows.plan.prompts import Prompts
    from workflows.plan.rollback import Rollback, check_undoable
    from workflows.plan.saga import Saga
    from workflows.plan.state import PlanRecord
    from workflows.update_errors import refusal, require_owner, require_skippable


@workflow.defn(name=WorkflowType.PLAN)
class PlanWorkflow:
    """One plan. Its result is the plan's final state."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        self._start = start
        self._record = PlanRecord(start)
        self._activities = PlanActivities(start.policy)
        self._credentials = Credentials(start.policy.sign_in_timeout)
        self._saga = Saga(self._activities, self._credentials)
        self._confirm: ConfirmRequest | None = None
        self._undo: UndoRequest | None = None
        self._over = False
        self._undoing: UndoRequest | None = None
        self._undo_refused: ApplicationError | None = None
        self._cancellation = PlanCancellation()
        self._commands = CommandCommits(self._activities, start.plan.plan_id)
        self._rollback = Rollback(self._record, self._saga, self._cancellation)
        self._prompts = Prompts(self._record, self._activities, start, self._cancellation, self._commands)
        self._execution = PlanExecution(
            start,
            self._record,
            self._activities,
            self._saga,
            self._prompts,
            self._credentials,
            self._cancellation,
            self._commands,
        )

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Run the plan's whole life, whatever is cancelled meanwhile."""
        activate_locale(start.profile.locale, start.profile.words)
        life = asyncio.create_task(self._run_lifecycle())
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
        self._record.stop()

    async def _run_lifecycle(self) -> None:
        try:
            await self._wait_for_confirmation()
            if self._confirm is not None:
                await self._execute_and_forget()
                if self._record.plan.status is PlanStatus.COMPLETED:
                    await self._undo_window()
        except Exception as error:
            self._record.record_crash(error)
            raise ApplicationError(
                f"plan {self._record.plan.plan_id} stopped on an unexpected {type(error).__name__}",
                type="unexpected",
                non_retryable=True,
            ) from error

    async def _wait_for_confirmation(self) -> None:
        timeout = self._record.plan.expires_at - workflow.now()
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._confirm is not None or self._cancellation.requested,
                timeout=max(timeout, timedelta()),
                timeout_summary="waits for the operator to confirm, then expires",
            )
        await self._commands.settled()
        if self._record.plan.status is PlanStatus.PENDING_CONFIRMATION:
            self._record.transition(PlanStatus.CANCELLED if self._cancellation.requested else PlanStatus.EXPIRED)

    async def _execute_and_forget(self) -> None:
        # No `finally`, because it would also run outside the workflow when a cached workflow is evicted.
        try:
            await self._execute()
        except Exception:
            await self._wipe_tokens()
            raise
        await self._wipe_tokens()

    async def _execute(self) -> None:
        try:
            await self._execution.run()
            await self._settle_cancel()
        except PlanStoppedError as stopped:
            await self._rollback.fail_early(stopped.failure)
        except Exception as error:
            workflow.logger.exception("unexpected while executing")
            failure = PlanFailure(
                error_type=ErrorType.SERVER_ERROR,
                message=translate("plan.unexpected"),
                suggestions=(translate("next.support"),),
            )
            await self._rollback.fail_early(failure)
            raise error
        else:
            now = workflow.now()
            window = timedelta(seconds=self._start.profile.undo_window_seconds)
            self._record.transition(
                PlanStatus.COMPLETED,
                completed_at=now,
                summary=join_sentences(self._execution.changes),
                undo_until=now + window if self._saga.reversible and window else None,
            )

    async def _settle_cancel(self) -> None:
        """Apply a cancel that came before the end, even if it is committed only now. Raises `PlanStoppedError`."""
        await self._commands.settled()
        if self._cancellation.requested:
            raise PlanStoppedError(PlanFailure(error_type=ErrorType.CONFLICT, message=translate("plan.cancelled")))

    async def _undo_window(self) -> None:
        until = self._record.plan.undo_until
        if until is None:
            return
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._undo is not None or self._cancellation.requested,
                timeout=until - workflow.now(),
                timeout_summary="can be undone until then",
            )
        # An undo that came in time is still being checked.
        await workflow.wait_condition(lambda: self._undoing is None)
        if self._undo is None:
            if self._cancellation.requested:
                self._record.update(undo_until=None)
            else:
                self._record.can_no_longer_be_undone()
        else:
            await self._rollback.roll_back(RollbackTrigger.UNDO)
            await self._wipe_tokens()

    async def _wipe_tokens(self) -> None:
        # An undo may store its own token while these are wiped. That one stays.
        spent = tuple(self._credentials.used)
        self._credentials.used.clear()
        for reference in spent:
            await self._wipe(reference)

    async def _wipe(self, reference: str) -> None:
        try:
            await self._activities.wipe_token(reference)
        except ActivityError:
            workflow.logger.warning("a token could not be wiped; its time to live ends it")

    @asynccontextmanager
    async def _commit(self, attempt: str, allowed: Callable[[], object], token_ref: str = "") -> AsyncIterator[None]:
        """Commit a command and carry it out by the body. Raises `service_unavailable` if its caller has aborted it, and
        wipes the token that came with it."""
        try:
            async with self._commands.committed(attempt, allowed):
                yield
        except AbortedError:
            if token_ref and token_ref not in self._credentials.used:
                await self._wipe(token_ref)
            raise given_up() from None

    @workflow.update
    async def confirm(self, request: ConfirmRequest) -> PlanView:
        """Confirm the plan and start its execution. Idempotent until execution starts, and for a retry of the same
        request."""
        activate_locale(self._start.profile.locale, self._start.profile.words)
        if self._confirm is not None:
            return self.plan()
        async with self._commit(request.commit_token, lambda: self._refuse_confirm(request), request.token_ref):
            if self._confirm is None:
                self._confirm = request
                self._credentials.replace(request.token_ref)
                self._record.audit(AuditAction.CONFIRMED)
                self._record.transition(PlanStatus.CONFIRMED, confirmed_at=workflow.now())
        return self.plan()

    @confirm.validator
    def _may_confirm(self, request: ConfirmRequest) -> None:
        activate_locale(self._start.profile.locale, self._start.profile.words)
        require_owner(self._record.plan, request.user_id)
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
            # Its time is up, and it has not ended yet: a command that came in time may still be under way.
            pending = plan.status is PlanStatus.PENDING_CONFIRMATION
            why = translate("refuse.too_late") if pending else error_messages.already_text(plan.status)
            raise refusal(ServiceErrorType.CONFLICT, why)

    @workflow.update
    async def cancel(self, request: CancelRequest) -> PlanView:
        """Drop a pending plan, or stop an executing one before its next step."""
        activate_locale(self._start.profile.locale, self._start.profile.words)
        async with self._commit(request.commit_token, lambda: self._refuse_cancel(request)):
            # A plan that ended during the commit has stopped already.
            if not self._record.plan.status.terminal:
                self._record.audit(AuditAction.REPLACED if request.superseded_by else AuditAction.CANCELLED)
                self._stop()
                if self._confirm is None:
                    self._record.transition(PlanStatus.CANCELLED, superseded_by=request.superseded_by)
        return self.plan()

    @cancel.validator
    def _may_cancel(self, request: CancelRequest) -> None:
        activate_locale(self._start.profile.locale, self._start.profile.words)
        require_owner(self._record.plan, request.user_id)
        self._refuse_cancel(request)

    def _refuse_cancel(self, request: CancelRequest) -> None:
        plan = self._record.plan
        if request.superseded_by is not None and plan.status is not PlanStatus.PENDING_CONFIRMATION:
            raise refusal(ServiceErrorType.CONFLICT, translate("refuse.not_replaced"))
        if request.waits_for is not None and request.waits_for != self._record.waits_for():
            raise refusal(ServiceErrorType.CONFLICT, translate("refuse.answered"))
        if plan.status.terminal:
            raise refusal(ServiceErrorType.CONFLICT, error_messages.already_text(plan.status))

    @workflow.update
    async def skip_step(self, request: SkipRequest) -> PlanView:
        """Skip an optional step that has not started, with all steps that depend on it."""
        activate_locale(self._start.profile.locale, self._start.profile.words)
        async with self._commit(request.commit_token, lambda: require_skippable(self._record.plan, request.step)):
            # No step starts meanwhile. A plan that another step has stopped leaves this one out anyway.
            if not self._record.plan.status.terminal:
                self._record.audit(AuditAction.SKIPPED)
                self._record.skip(request.step)
        return self.plan()

    @skip_step.validator
    def _may_skip(self, request: SkipRequest) -> None:
        activate_locale(self._start.profile.locale, self._start.profile.words)
        require_owner(self._record.plan, request.user_id)
        require_skippable(self._record.plan, request.step)

    @workflow.update
    async def undo(self, request: UndoRequest) -> PlanView:
        """Undo a completed plan, if every change is still as the plan left it. A repeated undo during the check gets
        the same result."""
        activate_locale(self._start.profile.locale, self._start.profile.words)
        if self._undoing is not None:
            await workflow.wait_condition(lambda: self._undoing is None)
            if self._undo is None and self._undo_refused is not None:
                raise self._undo_refused
            return self.plan()
        self._undoing, self._undo_refused = request, None
        try:
            await check_undoable(self._saga, self._execution, request.token_ref)
            async with self._commit(request.commit_token, lambda: None, request.token_ref):
                self._credentials.replace(request.token_ref)
                self._undo = request
                self._record.audit(AuditAction.UNDONE)
                # The answer must show it: a plan that is completed and has no rollback is not looked at again.
                self._record.update(rollback=RollbackProgress(state=RollbackState.RUNNING))
        except ApplicationError as refused:
            self._undo_refused = refused
            raise
        finally:
            self._undoing = None
        return self.plan()

    @undo.validator
    def _may_undo(self, request: UndoRequest) -> None:
        activate_locale(self._start.profile.locale, self._start.profile.words)
        plan = self._record.plan
        require_owner(plan, request.user_id)
        if self._undoing is not None:
            if request.commit_token == self._undoing.commit_token:
                return
            raise refusal(ServiceErrorType.CONFLICT, translate("refuse.undo_under_way"))
        if plan.status is not PlanStatus.COMPLETED or self._undo is not None:
            back = plan.rollback is not None
            raise refusal(
                ServiceErrorType.CONFLICT, error_messages.cannot_undo(plan) if back else translate("refuse.undo_once")
            )
        if plan.undo_until is None or workflow.now() >= plan.undo_until:
            raise refusal(ServiceErrorType.CONFLICT, translate("refuse.not_undone"))

    @workflow.signal(name=Signal.ANSWER)
    def answer(self, answer: PromptAnswer) -> None:
        """Receive the operator's answer to the open prompt."""
        self._prompts.receive_answer(answer)

    @workflow.signal(name=Signal.TOKEN_RENEWED)
    async def token_renewed(self, message: TokenRenewed) -> None:
        """Receive the operator's new token, which the venue has accepted. If the plan no longer needs a token, it is
        wiped here, because its sender may have read an older state of the plan."""
        if message.user_id != self._record.plan.user_id:
            return
        if self._record.plan.settled:
            await self._wipe(message.token_ref)
        else:
            self._credentials.replace(message.token_ref)

    @workflow.signal(name=Signal.PROMPT_SLOT_GRANTED)
    def prompt_slot_granted(self) -> None:
        """Receive the prompt slot from the session's chat."""
        self._prompts.grant_slot()

    @workflow.query(name=Query.PLAN)
    def plan(self) -> PlanView:
        """Return the current plan."""
        return PlanView(
            plan=self._record.plan,
            prompts_asked=self._prompts.asked,
            taken_answers=tuple(self._prompts.taken),
            confirm_request_id=self._confirm.request_id if self._confirm else None,
            token_ref=self._credentials.current or None,
            committing=self._commands.pending,
        )

    @workflow.query(name=Query.EVENTS)
    def events(self, after: int) -> EventsView:
        """Return the events after a number (0 for all)."""
        return EventsView(events=tuple(self._record.events.after(after)), over=self._over)
