"""The saga: what has been done, and how it is undone in reverse.

A compensation is registered before its step acts, so a crash between the two loses nothing; it therefore tolerates a
step that never took effect. When one reversal fails the others are still attempted: what the failed one left is the
plan's own doing, and no change by somebody else. The report says exactly what stands (`docs/saga.md`).
"""

import asyncio
from collections.abc import Callable

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.effects import ActReply, Expectation, SnapshotReply, StepScope, UndoReply
    from contracts.enums import ErrorType, RollbackOutcome, RollbackTrigger, StepRollbackOutcome
    from contracts.plan import RollbackReport, StepRollback
    from contracts.tracing import ROLLBACK, UNDO
    from language.catalogue import say
    from workflows.calls import Calls
    from workflows.credentials import Credentials
    from workflows.last_try import LastTry, last_try
    from workflows.step_run import StepRun, shared

_DONE = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


class Saga:
    """The compensations of one plan, in the order their steps acted."""

    def __init__(self, calls: Calls, credentials: Credentials) -> None:
        self._calls = calls
        self._credentials = credentials
        self._registered: list[StepRun] = []
        self._within = ROLLBACK
        self.all_seen = True
        """Whether every reversal could be looked at afterwards."""
        self.lasting = False
        """Whether something stays that no reversal brings back."""

    def register(self, run: StepRun, scope: StepScope, snapshot: SnapshotReply) -> None:
        """Remember how to undo a step that is about to act."""
        run.about_to_act(scope, snapshot)
        self._registered.append(run)

    def doubt(self, run: StepRun) -> None:
        """Undo a step all the same whose write was refused and showed nothing: what was found since may be its late
        effect."""
        if run.scope is not None and run not in self._registered:
            run.landed = None
            self._registered.append(run)

    def settle(self, run: StepRun, reply: ActReply) -> None:
        """Say what became of a registered step; one that was not applied needs no undoing. Of those that were carried
        out together, what ended last is undone first."""
        run.landed = reply
        self._registered.remove(run)
        if run.may_be_applied:
            self._registered.append(run)

    @property
    def may_stand(self) -> frozenset[int]:
        """The steps that were, or may have been, applied."""
        return frozenset(run.number for run in self._registered)

    @property
    def reversible(self) -> bool:
        """Whether an undo would have something to reverse."""
        return any(run.action.reversible for run in self._registered)

    async def roll_back(
        self,
        trigger: RollbackTrigger,
        begins: Callable[[int], None],
        notify: Callable[[StepRollback], None],
        waiting: Callable[[bool], None],
    ) -> RollbackReport:
        """Undo everything registered, last first. `begins` hears the number of each step before, `notify` of each step
        as it is settled, `waiting` when the operator has to sign in again first."""
        self._within = UNDO if trigger is RollbackTrigger.UNDO else ROLLBACK
        replies: dict[StepRun, UndoReply] = {}
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

    def _by_hand(self, run: StepRun, reply: UndoReply) -> str:
        """What a person must do after a reversal; "" where there is nothing."""
        if not _is_back(reply):
            return reply.manual or by_hand(run)
        lasting = self._lasting(run, reply) if reply.outcome is StepRollbackOutcome.REVERSED else ""
        self.lasting = self.lasting or bool(lasting)
        return lasting

    async def _looked_again(self, run: StepRun, earlier: StepRun, known: UndoReply) -> UndoReply:
        """How a step that could not be undone stands after an `earlier` one was: that may have taken it back, too.
        Where it has not, what a person must do is by what is there now."""
        request = run.went_back_request(self._credentials.current, self._within, earlier, sent=known.sent)
        if not request.expected:
            return known
        try:
            reply = await self._calls.undo(request)
        except ActivityError:
            return known
        if _is_back(reply):
            return reply
        looked = reply.failure is None and reply.seen
        return known.model_copy(update={"manual": reply.manual}) if looked else known

    def _lasting(self, run: StepRun, reply: UndoReply) -> str:
        """What no undo of the step brings back, as the operator was told of it beforehand; "" when there is nothing."""
        lines = [f"{line.field}: {line.after}" for line in run.drafted.preview if line.lasting]
        if not lines:
            return ""
        whom = run.drafted.booking.reference if run.drafted.booking else ""
        key = "lasting_unsent" if not reply.sent else "lasting" if reply.seen else "lasting_unseen"
        return say(f"undo.{key}", title=run.action.title, whom=whom, lines=lines)

    async def would_undo(
        self, expected: Callable[[StepRun], tuple[Expectation, ...]], token_ref: str
    ) -> list[tuple[StepRun, UndoReply]]:
        """What would become of each reversal, last first; nothing is sent. `expected` is how the plan as a whole left
        what a step stands on. A step without a way back is not looked at: it stays. Raises `ActivityError`.

        Steps from before know nothing of what they left, and are not looked at."""
        runs = [run for run in reversed(self._registered) if run.action.reversible and run.looked_after]
        looks = [self._calls.undo(run.look_request(token_ref, expected(run))) for run in runs]
        return list(zip(runs, await asyncio.gather(*looks), strict=True))

    async def _undo(self, run: StepRun, waiting: Callable[[bool], None], later: StepRun | None) -> UndoReply:
        sent = False
        while True:
            used = self._credentials.current
            reply = await self._try_undo(run, sent, later)
            sent = sent or reply.sent
            failure = reply.failure
            if failure is None or failure.error_type is not ErrorType.UNAUTHORIZED:
                return reply
            if not await self._credentials.renewed(used, waiting):
                # Where this service had no sign-in, that is known here, and not where the reply was made.
                key = "undo.not_certain" if reply.sent else "undo.failed"
                told = {"message": say(key, title=run.action.title, why=failure.message)}
                return reply if failure.status is not None else reply.model_copy(update=told)

    async def _try_undo(self, run: StepRun, sent: bool, later: StepRun | None) -> UndoReply:
        if not run.action.reversible and run.surely_applied:
            return UndoReply(
                outcome=StepRollbackOutcome.IRREVERSIBLE,
                message=say("undo.irreversible", title=run.action.title),
                manual=run.manual,
            )
        try:
            request = run.undo_request(self._credentials.current, sent=sent, within=self._within, later=later)
            return await self._calls.undo(request)
        except ActivityError as error:
            workflow.logger.error("step %d could not be undone: %s", run.number, type(error.cause).__name__)
            return _given_up(run, last_try(error), sent=sent)


def _given_up(run: StepRun, last: LastTry, *, sent: bool) -> UndoReply:
    """The reply where no try came to an end that tells: what is known by the last one. `sent`: an earlier call may have
    sent the compensation."""
    title, why = run.action.title, last.failure.message if last.failure is not None else ""
    manual = last.manual or by_hand(run)
    if not run.action.reversible:
        message = say("undo.irreversible_uncertain", title=title)
        return UndoReply(outcome=StepRollbackOutcome.IRREVERSIBLE, message=message, manual=manual)
    if not (sent or last.sent):
        message = say("undo.not_sent", title=title, why=why)
        return UndoReply(outcome=StepRollbackOutcome.FAILED, message=message, manual=manual)
    message = say("undo.not_certain" if why else "undo.failed_in_time", title=title, why=why)
    manual = say("undo.perhaps", title=title, manual=manual)
    return UndoReply(outcome=StepRollbackOutcome.FAILED, message=message, manual=manual, sent=True)


def _is_back(reply: UndoReply) -> bool:
    return reply.outcome in _DONE


def _row(run: StepRun, reply: UndoReply) -> StepRollback:
    return StepRollback(step=run.number, action_id=run.action.name, outcome=reply.outcome, message=reply.message)


def by_hand(run: StepRun) -> str:
    """What a person would do about a step, who looks first where nobody knows whether it was carried out."""
    if run.surely_applied or not run.manual:
        return run.manual
    return say("undo.check", title=run.action.title, manual=run.manual, lines=[])
