"""The saga: what has been done, and how it is undone in reverse order.

A compensation is registered before its step acts, so a crash in between loses nothing; it must therefore tolerate a
step that was never applied. If one compensation fails, the others are still attempted: what the failed one left is the
plan's own change, and no concurrent one. The report lists exactly what remains applied (`docs/saga.md`).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError

with workflow.unsafe.imports_passed_through():
    from contracts import persisted_names
    from contracts.enums import ErrorType, RollbackOutcome, RollbackTrigger, StepRollbackOutcome
    from contracts.errors import VenueFailure
    from contracts.plan import RollbackReport, StepRollback
    from contracts.step_activities import ActReply, ExpectedState, SnapshotReply, StepScope, StepUndoResult
    from contracts.trace_context import ROLLBACK, UNDO
    from language.messages.catalogue import translate
    from workflows.plan.activities import PlanActivities
    from workflows.plan.credentials import Credentials
    from workflows.plan.step import StepState, shared

_DONE = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


@dataclass(frozen=True, slots=True)
class LastTry:
    """`sent`: whether a compensation may have been sent. `manual`: the manual instructions, as that attempt saw the
    state."""

    sent: bool = True
    failure: VenueFailure | None = None
    manual: str = ""


def last_attempt(error: ActivityError) -> LastTry:
    """Return what is known of the last attempt of a compensation that was given up: a failed attempt has it in its
    details, a timed-out one in its last heartbeat. If nothing is known, a compensation may have been sent."""
    cause, sent = error.cause, None
    while cause is not None:
        if isinstance(cause, TimeoutError) and sent is None:
            sent = persisted_names.NOTHING_SENT not in cause.last_heartbeat_details
        if isinstance(cause, ApplicationError) and cause.details:
            reply = StepUndoResult.model_validate(cause.details[0])
            return LastTry(reply.sent if sent is None else sent, reply.failure, reply.manual)
        cause = cause.__cause__
    return LastTry(sent is not False)


class Saga:
    """The compensations of one plan, in the order in which their steps acted."""

    def __init__(self, calls: PlanActivities, credentials: Credentials) -> None:
        self._activities = calls
        self._credentials = credentials
        self._registered: list[StepState] = []
        self._within = ROLLBACK
        self.all_seen = True
        """Whether the result of every compensation could be read."""
        self.lasting = False
        """Whether something remains that no compensation undoes."""

    def register(self, run: StepState, scope: StepScope, snapshot: SnapshotReply) -> None:
        """Register how to undo a step that is about to act."""
        run.begin_write(scope, snapshot)
        self._registered.append(run)

    def doubt(self, run: StepState) -> None:
        """Undo a step even though its write was rejected and showed no effect, because a change found since may be its
        late effect."""
        if run.scope is not None and run not in self._registered:
            run.landed = None
            self._registered.append(run)

    def record_outcome(self, run: StepState, reply: ActReply) -> None:
        """Record the outcome of a registered step. One that was not applied needs no undo. Of steps that were carried
        out in parallel, the one that ended last is undone first."""
        run.landed = reply
        self._registered.remove(run)
        if run.may_be_applied:
            self._registered.append(run)

    @property
    def possibly_applied(self) -> frozenset[int]:
        """Return the steps that were, or may have been, applied."""
        return frozenset(run.number for run in self._registered)

    @property
    def reversible(self) -> bool:
        """Return whether an undo would have something to reverse."""
        return any(run.action.reversible for run in self._registered)

    async def roll_back(
        self,
        trigger: RollbackTrigger,
        begins: Callable[[int], None],
        notify: Callable[[StepRollback], None],
        waiting: Callable[[bool], None],
    ) -> RollbackReport:
        """Undo everything registered, last first. `begins` is called with each step's number before its compensation,
        `notify` with each result, `waiting` when the operator has to sign in again first."""
        self._within = UNDO if trigger is RollbackTrigger.UNDO else ROLLBACK
        replies: dict[StepState, StepUndoResult] = {}
        for run in reversed(self._registered):
            begins(run.number)
            left = [other for other in replies if not _is_back(replies[other]) and shared(other, run)]
            replies[run] = await self._undo(run, waiting, later=left[0] if left else None)
            notify(_row(run, replies[run]))
            for other in left if replies[run].outcome is StepRollbackOutcome.REVERSED else ():
                replies[other] = await self._looked_again(other, run, replies[other])
                if _is_back(replies[other]):
                    notify(_row(other, replies[other]))
        self._registered.clear()
        self.all_seen = all(reply.seen for reply in replies.values())
        whole = all(_is_back(reply) for reply in replies.values())
        return RollbackReport(
            outcome=RollbackOutcome.COMPLETE if whole else RollbackOutcome.PARTIAL,
            trigger=trigger,
            steps=tuple(_row(run, reply) for run, reply in replies.items()),
            manual_steps=tuple(text for run, reply in replies.items() if (text := self._by_hand(run, reply))),
        )

    def _by_hand(self, run: StepState, reply: StepUndoResult) -> str:
        """Return the manual work that remains after a compensation; "" for none."""
        if not _is_back(reply):
            return reply.manual or manual_instruction(run)
        lasting = self._lasting(run, reply) if reply.outcome is StepRollbackOutcome.REVERSED else ""
        self.lasting = self.lasting or bool(lasting)
        return lasting

    async def _looked_again(self, run: StepState, earlier: StepState, known: StepUndoResult) -> StepUndoResult:
        """Return the state of a step that could not be undone after an `earlier` one was, because that may have undone
        it, too. If it has not, the manual instructions are based on the current state."""
        request = run.went_back_request(self._credentials.current, self._within, earlier, sent=known.sent)
        if not request.expected:
            return known
        try:
            reply = await self._activities.undo(request)
        except ActivityError:
            return known
        if _is_back(reply):
            return reply
        looked = reply.failure is None and reply.seen
        return known.model_copy(update={"manual": reply.manual}) if looked else known

    def _lasting(self, run: StepState, reply: StepUndoResult) -> str:
        """Return what no undo of the step reverts, as the operator was warned beforehand; "" for nothing."""
        lines = [f"{line.field}: {line.after}" for line in run.drafted.preview if line.lasting]
        if not lines:
            return ""
        whom = run.drafted.booking.reference if run.drafted.booking else ""
        key = "lasting_unsent" if not reply.sent else "lasting" if reply.seen else "lasting_unseen"
        return translate(f"undo.{key}", title=run.action.title, whom=whom, lines=lines)

    async def preview_undo(
        self, expected: Callable[[StepState], tuple[ExpectedState, ...]], token_ref: str
    ) -> list[tuple[StepState, StepUndoResult]]:
        """Return the result that each compensation would have, last first, without sending anything. `expected` is the
        state that the whole plan left for a step. An irreversible step is not read, because it stays. Raises
        `ActivityError`."""
        runs = [run for run in reversed(self._registered) if run.action.reversible]
        looks = [self._activities.undo(run.look_request(token_ref, expected(run))) for run in runs]
        return list(zip(runs, await asyncio.gather(*looks), strict=True))

    async def _undo(self, run: StepState, waiting: Callable[[bool], None], later: StepState | None) -> StepUndoResult:
        sent = False
        while True:
            used = self._credentials.current
            reply = await self._try_undo(run, sent, later)
            sent = sent or reply.sent
            failure = reply.failure
            if failure is None or failure.error_type is not ErrorType.UNAUTHORIZED:
                return reply
            if not await self._credentials.renewed(used, waiting):
                # A missing service sign-in is known only here, not where the reply was created.
                key = "undo.not_certain" if reply.sent else "undo.failed"
                fields = {"message": translate(key, title=run.action.title, why=failure.message)}
                return reply if failure.status is not None else reply.model_copy(update=fields)

    async def _try_undo(self, run: StepState, sent: bool, later: StepState | None) -> StepUndoResult:
        if not run.action.reversible and run.is_applied:
            return StepUndoResult(
                outcome=StepRollbackOutcome.IRREVERSIBLE,
                message=translate("undo.irreversible", title=run.action.title),
                manual=run.manual,
            )
        try:
            request = run.undo_request(self._credentials.current, sent=sent, within=self._within, later=later)
            return await self._activities.undo(request)
        except ActivityError as error:
            workflow.logger.error("step %d could not be undone: %s", run.number, type(error.cause).__name__)
            return _given_up(run, last_attempt(error), sent=sent)


def _given_up(run: StepState, last: LastTry, *, sent: bool) -> StepUndoResult:
    """Return the reply for a compensation without a conclusive attempt, from what the last one knew. `sent`: an earlier
    call may have sent the compensation."""
    title, why = run.action.title, last.failure.message if last.failure is not None else ""
    manual = last.manual or manual_instruction(run)
    if not run.action.reversible:
        message = translate("undo.irreversible_uncertain", title=title)
        return StepUndoResult(outcome=StepRollbackOutcome.IRREVERSIBLE, message=message, manual=manual)
    if not (sent or last.sent):
        message = translate("undo.not_sent", title=title, why=why)
        return StepUndoResult(outcome=StepRollbackOutcome.FAILED, message=message, manual=manual)
    message = translate("undo.not_certain" if why else "undo.failed_in_time", title=title, why=why)
    manual = translate("undo.perhaps", title=title, manual=manual)
    return StepUndoResult(outcome=StepRollbackOutcome.FAILED, message=message, manual=manual, sent=True)


def _is_back(reply: StepUndoResult) -> bool:
    return reply.outcome in _DONE


def _row(run: StepState, reply: StepUndoResult) -> StepRollback:
    return StepRollback(step=run.number, action_id=run.action.name, outcome=reply.outcome, message=reply.message)


def manual_instruction(run: StepState) -> str:
    """Return the manual instructions for a step. They start with a check if it is unknown whether the step was carried
    out."""
    if run.is_applied or not run.manual:
        return run.manual
    return translate("undo.check", title=run.action.title, manual=run.manual, lines=[])
