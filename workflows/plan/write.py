"""Sends one step's write: reads the state, sends the write once, and determines its outcome."""

from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PlanStart
    from contracts.enums import ErrorType, ParameterRole
    from contracts.errors import VenueFailure
    from contracts.plan import PreviewLine
    from contracts.step_activities import ActReply, ActRequest, SnapshotReply, SnapshotRequest, StepScope, WriteOutcome
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from reasoning.execution import placeholders
    from workflows.plan import failures
    from workflows.plan.activities import PlanActivities
    from workflows.plan.credentials import Credentials
    from workflows.plan.failures import PlanStoppedError, StopControl
    from workflows.plan.preconditions import Preconditions
    from workflows.plan.saga import Saga
    from workflows.plan.state import PlanRecord
    from workflows.plan.step import StepState

_STARTS = 3
"""How often a write that no worker started in time is retried, each time with a fresh snapshot."""


class StepWriter:
    """The writes of one plan."""

    def __init__(
        self,
        start: PlanStart,
        record: PlanRecord,
        calls: PlanActivities,
        saga: Saga,
        credentials: Credentials,
        grounds: Preconditions,
        stopping: StopControl,
    ) -> None:
        self._start = start
        self._record = record
        self._activities = calls
        self._saga = saga
        self._credentials = credentials
        self._preconditions = grounds
        self._stop_control = stopping

    async def send(self, run: StepState, scope: StepScope) -> ActReply:
        """Take a snapshot and send the write. Both are repeated if the write certainly had no effect: no worker started
        it in time, or it was lost with its worker and can no longer be applied. Raises `PlanStoppedError`, which is
        recorded."""
        for _ in range(_STARTS):
            request = await self._snapshot(run, scope)
            if isinstance(request, ActReply):
                return _after_failed_try(run.failed_try, request)
            self._record.events.progress("sending", run.number)
            reply = _after_failed_try(run.failed_try, await self._act_once(run, request))
            self._saga.record_outcome(run, reply)
            run.sent = run.sent or reply.sent
            if reply.started:
                break
            run.refusal = reply.failure if reply.sent else run.refusal
            self._stop_control.raise_if_stopped(run)
        return reply

    async def _snapshot(self, run: StepState, scope: StepScope) -> ActRequest | ActReply:
        """Read the state before acting. Returns the write with the keys of its preconditions; or that there is no
        availability, which counts like the venue's own rejection."""
        started, drifted = workflow.now(), False
        self._record.events.progress("looking", run.number)
        request = SnapshotRequest(
            scope=scope,
            expectations=self._preconditions.expected(run.number, run),
            unseen=self._preconditions.unverified(run),
            show=scope.parameters != run.confirmed,
        )
        try:
            reply = await self._activities.snapshot(request)
            failure = reply.failure
            if reply.no_availability:
                return ActReply(
                    write_outcome=WriteOutcome.NOT_APPLIED, sent=False, failure=failure, evidence="nothing was sent"
                )
        except ActivityError:
            message, suggestions = error_messages.failure_message(ErrorType.TIMEOUT)
            failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
        if failure is None and reply.drifted:
            failure, drifted = error_messages.drift_error(), True
        if failure is not None:
            run.started = started
            late = drifted and run.failed_try is not None
            if late:
                self._saga.doubt(run)
            self._stop_control.fail(run, failure, WriteOutcome.UNKNOWN if late else WriteOutcome.NOT_APPLIED)
        # Checked before registering, because a write that was never sent needs no rollback.
        self._stop_control.raise_if_stopped(run)
        if self._other_effect(run, reply):
            raise PlanStoppedError(failures.widened(run, translate("plan.other_effect")))
        self._record.set_preview(run.number, scope.parameters, self._with_lasting(run, reply.preview))
        scope = scope.model_copy(update={"keys": tuple(ground.key for ground in reply.fingerprints)})
        self._saga.register(run, scope, reply)
        self._preconditions.on_snapshot(run, reply)
        return ActRequest(
            scope=scope, before=reply.before, step=run.number, changed=self._preconditions.expected(1, run)
        )

    def _with_lasting(self, run: StepState, preview: tuple[PreviewLine, ...] | None) -> tuple[PreviewLine, ...] | None:
        if not preview:
            return preview
        return preview + tuple(line for line in run.drafted.preview if line.lasting and line not in preview)

    def _other_effect(self, run: StepState, reply: SnapshotReply) -> bool:
        """Return whether filled-in values change a preview line that the operator confirmed."""
        if not reply.preview or placeholders.present(run.confirmed):
            return False
        now = {(line.field, line.after) for line in reply.preview}
        gone = [line for line in run.drafted.preview if (line.field, line.after) not in now]
        # Lines about irreversible effects may come from reads that only the draft makes.
        return any(not line.lasting for line in gone)

    async def _act_once(self, run: StepState, request: ActRequest) -> ActReply:
        try:
            reply = await self._activities.act(request)
        except ActivityError as error:
            if failures.never_started(error):
                failure = error_messages.not_started()
                return ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=False, started=False, failure=failure)
            workflow.logger.warning("the write of a step was lost (%s)", type(error.cause).__name__)
            # The lost worker may have sent it at any time, so it has a call's whole time to be applied.
            remaining = self._start.policy.call_timeout + request.scope.profile.settle_seconds
            lost = ActReply(
                write_outcome=WriteOutcome.UNKNOWN,
                can_land_for=remaining,
                evidence="the call was lost with its worker",
                failure=error_messages.worker_lost_error(),
            )
            seen = await self._find_out(run, request, lost)
            if failures.raised(error):
                return seen
            # A write that was not applied and no longer can be is safe to retry.
            return seen.model_copy(update={"started": seen.write_outcome is not WriteOutcome.NOT_APPLIED})
        if reply.write_outcome is not WriteOutcome.UNKNOWN:
            return reply
        return await self._find_out(run, request, reply)

    async def _find_out(self, run: StepState, request: ActRequest, lost: ActReply) -> ActReply:
        """Read back until the write is visible, or can no longer be applied. Never repeats the write, never guesses.
        Without a valid token nothing can be read: if the operator has signed in again meanwhile, the new token is used,
        else the rollback waits for that."""
        self._record.events.progress("finding_out", run.number)
        until = workflow.now() + timedelta(seconds=lost.can_land_for) if lost.can_land_for else None
        while True:
            token_ref = self._credentials.current
            scope = request.scope.model_copy(update={"token_ref": token_ref})
            look = request.model_copy(update={"scope": scope, "until": until, "accepted": lost.accepted})
            try:
                reply = await self._activities.read_back(look, lost.can_land_for)
            except ActivityError:
                reply = ActReply(write_outcome=WriteOutcome.UNKNOWN, evidence="the booking could not be read back")
            signed_out = reply.failure is not None and reply.failure.error_type is ErrorType.UNAUTHORIZED
            if not signed_out or self._credentials.current == token_ref:
                break
        if reply.write_outcome in (WriteOutcome.APPLIED, WriteOutcome.MISAPPLIED):
            return reply
        failure = lost.failure
        not_found = failure is not None and failure.error_type is ErrorType.NOT_FOUND
        if (
            not_found
            and reply.write_outcome is WriteOutcome.NOT_APPLIED
            and run.action.with_role(ParameterRole.BOOKING)
        ):
            failure = error_messages.refused_though_there()
        if failure is not None and reply.write_outcome is WriteOutcome.NOT_APPLIED:
            failure = error_messages.not_shown(failure)
        kept = {"failure": failure, "accepted": lost.accepted, "response": lost.response}
        return reply.model_copy(update={**kept, "evidence": f"{lost.evidence}; {reply.evidence}"})


def _after_failed_try(earlier: VenueFailure | None, reply: ActReply) -> ActReply:
    """Return the reply of another attempt after an `earlier` one that was sent and showed no effect. If this attempt
    sent nothing, the earlier failure is the reason. A booking that has changed since may show the earlier one's late
    effect."""
    if earlier is None or reply.sent or reply.failure is None or reply.failure.error_type is ErrorType.UNAUTHORIZED:
        return reply
    changed = reply.failure.code == error_messages.drift_error().code
    landing = WriteOutcome.UNKNOWN if changed else reply.write_outcome
    return reply.model_copy(update={"sent": True, "write_outcome": landing, "failure": earlier})
