"""Sending one step's write: what is there is read, the write is sent once, and what became of it is found out."""

from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.effects import ActReply, ActRequest, Landing, SnapshotReply, SnapshotRequest, StepScope
    from contracts.enums import ErrorType, ParameterRole
    from contracts.errors import VenueFailure
    from contracts.messages import PlanStart
    from contracts.plan import PreviewLine
    from language.catalogue import say
    from reasoning import placeholders, wording
    from workflows import failures
    from workflows.calls import Calls
    from workflows.credentials import Credentials
    from workflows.grounds import Grounds
    from workflows.record import PlanRecord
    from workflows.saga import Saga
    from workflows.step_run import StepRun
    from workflows.stopping import StoppedError, Stopping

_STARTS = 3
"""How often a write that no worker started in time is tried anew, each time on a fresh snapshot."""


class Sending:
    """The writes of one plan."""

    def __init__(
        self,
        start: PlanStart,
        record: PlanRecord,
        calls: Calls,
        saga: Saga,
        credentials: Credentials,
        grounds: Grounds,
        stopping: Stopping,
    ) -> None:
        self._start = start
        self._record = record
        self._calls = calls
        self._saga = saga
        self._credentials = credentials
        self._grounds = grounds
        self._stopping = stopping

    async def send(self, run: StepRun, scope: StepScope) -> ActReply:
        """Snapshot and write; both anew when nothing came of the write for certain: no worker took it up in time, or it
        was lost with its worker and can no longer land. Raises `StoppedError`, which is recorded."""
        for _ in range(_STARTS):
            request = await self._snapshot(run, scope)
            if isinstance(request, ActReply):
                return _after_failed_try(run.failed_try, request)
            self._record.telling.progress("sending", run.number)
            reply = _after_failed_try(run.failed_try, await self._act_once(run, request))
            self._saga.settle(run, reply)
            run.sent = run.sent or reply.sent
            if reply.started:
                break
            run.refusal = reply.failure if reply.sent else run.refusal
            self._stopping.if_over(run)
        return reply

    async def _snapshot(self, run: StepRun, scope: StepScope) -> ActRequest | ActReply:
        """Read what is there before acting; the write, with the keys of what it stands on, or that there is no room for
        it, which counts like the venue's own no."""
        started, drifted = workflow.now(), False
        self._record.telling.progress("looking", run.number)
        request = SnapshotRequest(
            scope=scope,
            expectations=self._grounds.expected(run.number, run),
            unseen=self._grounds.unseen(run),
            show=scope.parameters != run.confirmed,
        )
        try:
            reply = await self._calls.snapshot(request)
            failure = reply.failure
            if reply.no_room:
                return ActReply(landing=Landing.NOT_APPLIED, sent=False, failure=failure, evidence="nothing was sent")
        except ActivityError:
            message, suggestions = wording.failure_words(ErrorType.TIMEOUT)
            failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
        if failure is None and reply.drifted:
            failure, drifted = wording.changed_since(), True
        if failure is not None:
            run.started = started
            late = drifted and run.failed_try is not None
            if late:
                self._saga.doubt(run)
            self._stopping.fail(run, failure, Landing.UNKNOWN if late else Landing.NOT_APPLIED)
        # Looked at before registering: what was never sent is no concern of a rollback.
        self._stopping.if_over(run)
        if self._other_effect(run, reply):
            raise StoppedError(failures.widened(run, say("plan.other_effect")))
        self._record.show(run.number, scope.parameters, self._with_lasting(run, reply.preview))
        scope = scope.model_copy(update={"keys": tuple(ground.key for ground in reply.grounds)})
        self._saga.register(run, scope, reply)
        self._grounds.read(run, reply)
        return ActRequest(scope=scope, before=reply.before, step=run.number, moved=self._grounds.expected(1, run))

    def _with_lasting(self, run: StepRun, preview: tuple[PreviewLine, ...] | None) -> tuple[PreviewLine, ...] | None:
        if not preview:
            return preview
        return preview + tuple(line for line in run.drafted.preview if line.lasting and line not in preview)

    def _other_effect(self, run: StepRun, reply: SnapshotReply) -> bool:
        """Whether what was filled in changes a line that the operator was shown and confirmed."""
        if not reply.preview or placeholders.present(run.confirmed):
            return False
        now = {(line.field, line.after) for line in reply.preview}
        gone = [line for line in run.drafted.preview if (line.field, line.after) not in now]
        if gone and all(line.lasting for line in gone):
            # What no undo brings back may come of reads that only the draft makes.
            return not workflow.patched("lasting-is-no-other-effect")
        return bool(gone)

    async def _act_once(self, run: StepRun, request: ActRequest) -> ActReply:
        try:
            reply = await self._calls.act(request)
        except ActivityError as error:
            if failures.never_started(error):
                failure = wording.not_started()
                return ActReply(landing=Landing.NOT_APPLIED, sent=False, started=False, failure=failure)
            workflow.logger.warning("the write of a step was lost (%s)", type(error.cause).__name__)
            # Its worker may have sent it at any time, so it is given the whole budget of a call to land.
            left = self._start.policy.call_timeout + request.scope.profile.settle_seconds
            lost = ActReply(
                landing=Landing.UNKNOWN,
                can_land_for=left,
                evidence="the call was lost with its worker",
                failure=wording.worker_lost(),
            )
            seen = await self._find_out(run, request, lost)
            if failures.raised(error):
                return seen
            # What did not land and cannot any more may be tried again: it is not repeated blindly.
            nothing_came_of_it = seen.landing is Landing.NOT_APPLIED and workflow.patched("lost-call-tried-anew")
            return seen.model_copy(update={"started": not nothing_came_of_it})
        if reply.landing is not Landing.UNKNOWN:
            return reply
        return await self._find_out(run, request, reply)

    async def _find_out(self, run: StepRun, request: ActRequest, lost: ActReply) -> ActReply:
        """Read back until the write shows, or can no longer land. Never repeats it, never guesses. A token that is gone
        tells nothing: where the operator has signed in again meanwhile it is looked with the new one, else the rollback
        waits for them."""
        self._record.telling.progress("finding_out", run.number)
        until = workflow.now() + timedelta(seconds=lost.can_land_for) if lost.can_land_for else None
        while True:
            token_ref = self._credentials.current
            scope = request.scope.model_copy(update={"token_ref": token_ref})
            look = request.model_copy(update={"scope": scope, "until": until, "accepted": lost.accepted})
            try:
                seen = await self._calls.read_back(look, lost.can_land_for)
            except ActivityError:
                seen = ActReply(landing=Landing.UNKNOWN, evidence="the booking could not be read back")
            signed_out = seen.failure is not None and seen.failure.error_type is ErrorType.UNAUTHORIZED
            if not signed_out or self._credentials.current == token_ref:
                break
        if seen.landing in (Landing.APPLIED, Landing.OTHERWISE):
            return seen
        failure = lost.failure
        not_found = failure is not None and failure.error_type is ErrorType.NOT_FOUND
        if not_found and seen.landing is Landing.NOT_APPLIED and run.action.with_role(ParameterRole.BOOKING):
            failure = wording.refused_though_there()
        if failure is not None and seen.landing is Landing.NOT_APPLIED:
            failure = wording.not_shown(failure)
        kept = {"failure": failure, "accepted": lost.accepted, "response": lost.response}
        return seen.model_copy(update={**kept, "evidence": f"{lost.evidence}; {seen.evidence}"})


def _after_failed_try(earlier: VenueFailure | None, reply: ActReply) -> ActReply:
    """The reply of a further try, behind an `earlier` one that was sent and showed nothing. What is not sent now was
    sent then, so that one's failure is the reason. A booking that has changed since may show its late effect."""
    if earlier is None or reply.sent or reply.failure is None or reply.failure.error_type is ErrorType.UNAUTHORIZED:
        return reply
    changed = reply.failure.code == wording.changed_since().code
    landing = Landing.UNKNOWN if changed else reply.landing
    return reply.model_copy(update={"sent": True, "landing": landing, "failure": earlier})
