"""The three venue activities of a step: snapshot, act, read back. `act` is the only place that sends a forward write
(`activities/dispatch.py`).

Whether a write was applied, and as asked, is read and never assumed (`registry/verification/outcome.py`).
"""

import asyncio
import logging
from datetime import UTC, datetime

from temporalio import activity

from activities import own_changes
from activities.dispatch import Dispatch, bind
from activities.recorded_outcomes import Outcomes
from clients.venue.availability import check_availability
from clients.venue.client import VenueClient, VenueResponse
from clients.venue.errors import HeldBackError, VenueError, store_unavailable_error
from clients.venue.reads import Snapshot, SnapshotReader
from contracts.base import QuickAction
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.persisted_names import Activity
from contracts.step_activities import (
    ActReply,
    ActRequest,
    ChangedState,
    SnapshotReply,
    SnapshotRequest,
    StepScope,
    WriteOutcome,
)
from infra.errors import DependencyUnavailableError
from infra.stores.booking_locks import Locks, LockTimeoutError, lock_name
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale, translate
from reasoning import error_messages
from registry import BoundAction, TemplateRenderError
from registry.presentation.error_rules import error_rule

log = logging.getLogger(__name__)

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Pauses before each read after an accepted write, as multiples of `Settings.look_every`. Some venues show a change a
moment later, and a read may fail."""

_TURN_WITHIN = 10.0
"""Seconds that a write waits for another plan's lock: longer than a short outage of Redis."""

_BEFORE_LAST_LOOKS = (1.0, 2.0, 4.0)
"""The same pauses, before reads that follow a failed one."""


class _NoAvailabilityError(VenueError):
    """The availability that the operator confirmed is gone, and nothing was sent."""


class Steps:
    """The venue activities of one step."""

    def __init__(
        self, venues: VenueClient, locks: Locks, outcomes: Outcomes, look_every: float = 1.0, retry_within: float = 10.0
    ) -> None:
        """`look_every`: seconds, see `Settings.look_every`. `retry_within`: seconds after which an idempotent write is
        not retried, because its activity has to end in time with a reply."""
        self._venues = venues
        self._locks = locks
        self._outcomes = outcomes
        self._look_every = look_every
        self._retry_within = retry_within

    @activity.defn(name=Activity.TAKE_SNAPSHOT)
    async def take_snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """See `signatures.take_snapshot`."""
        step, action = request.scope, request.scope.action
        activate_locale(step.profile.locale, step.profile.words, step.action.thing)
        async with heartbeating():
            bound = bind(step)
            try:
                if action.snapshot is None:
                    await self._look_again(step, bound)
                    return SnapshotReply(manual=bound.manual_instruction())
                snapshot = await self._reader(step).snapshot(bound)
                drifted = [
                    e.step for e in request.expectations if e.digest and snapshot.digest_of(e) not in (e.digest, None)
                ]
                moved, overruled = await self._earlier(request)
                drifted += [0] if overruled else []
                bound = bound.with_(before=snapshot.document)
                await self._look_again(step, bound)
                preview = tuple(bound.preview()) if request.show else None
            except VenueError as refused:
                return SnapshotReply(failure=refused.failure, no_availability=isinstance(refused, _NoAvailabilityError))
            except TemplateRenderError as fault:
                return SnapshotReply(failure=_template_failure(fault))
            return SnapshotReply(
                before=snapshot.document,
                fingerprints=snapshot.grounds_of(action),
                drifted=tuple(drifted),
                changed=moved,
                preview=preview,
                manual=bound.manual_instruction(),
            )

    async def _look_again(self, step: StepScope, bound: BoundAction) -> None:
        """Repeat the reads that are steps of the plan. Raises `_NoAvailabilityError` if there is no availability any
        more, `VenueError` if a read fails."""
        availability = bound.action.availability
        if availability is None or availability.step is None:
            return
        found = await check_availability(self._reader(step), bound.with_request())
        if isinstance(found, VenueFailure):
            raise _NoAvailabilityError(found, sent=False)

    async def _earlier(self, request: SnapshotRequest) -> tuple[tuple[ChangedState, ...], bool]:
        """Return the state fingerprints after the plan's unverified writes, and whether one of those writes is not
        applied as asked."""
        moved, overruled = list[ChangedState](), False
        for write in request.unseen:
            bound = bind(write.scope).with_(before=write.before)
            snapshot = await self._reader(request.scope).snapshot(bound)
            bound = bound.with_(now=snapshot.document)
            shown = bound.matches_request()
            moved += own_changes.moved(write, bound, snapshot, promptly=None, as_asked=shown is True)
            overruled = overruled or shown is False
        return tuple(moved), overruled

    @activity.defn(name=Activity.ACT)
    async def act(self, request: ActRequest) -> ActReply:
        """See `signatures.act`."""
        step, action = request.scope, request.scope.action
        activate_locale(step.profile.locale, step.profile.words, step.action.thing)
        async with heartbeating():
            try:
                token = await self._venues.get_token(step.token_ref, action=action)
                async with self._locks.held(lock_names(step), _TURN_WITHIN, step.idempotency_key) as hold:
                    dispatch = Dispatch(self._venues, request, token, hold, self._retry_within)
                    bound = await dispatch.prepare()
                    answer = await dispatch.send(bound.request())
                    # The read happens before the next plan may write, so it shows only this write's effect.
                    if isinstance(answer, VenueResponse):
                        reply = await self._on_success(request, bound, answer, token, dispatch)
                        if await self._is_settled(step, reply):
                            hold.keep_for = 0
                        return reply
                    if answer.sent and not answer.may_have_landed and (seen := await self._shown(request, dispatch)):
                        hold.keep_for = 0 if await self._is_settled(step, seen) else step.profile.settle_seconds
                        return seen
            except HeldBackError:
                evidence, failure = "nothing was sent: it was held up for too long", error_messages.held_back()
                return _unsent(failure, evidence, started=False)
            except VenueError as refused:
                return _unsent(refused.failure, "nothing was sent")
            except TemplateRenderError as fault:
                return _unsent(_template_failure(fault))
            except LockTimeoutError:
                return _unsent(error_messages.lock_error(), "nothing was sent")
            except DependencyUnavailableError:
                return _unsent(store_unavailable_error().failure, "nothing was sent")
            return await self._refused(step, bound, answer)

    @activity.defn(name=Activity.READ_BACK)
    async def read_back(self, request: ActRequest) -> ActReply:
        """See `signatures.read_back`. Reads until the write is visible, can no longer be applied, or the token is gone;
        in the last case the reply carries that as its failure. A visible write no longer holds its lock."""
        activate_locale(request.scope.profile.locale, request.scope.profile.words, request.scope.action.thing)
        step = request.scope
        async with heartbeating():
            reply = await self._outcomes.find(step.idempotency_key, ActReply) or await self._looked_for(request)
            if not _shows(reply):
                # Another worker that lost Temporal may have recorded the outcome.
                reply = await self._outcomes.find(step.idempotency_key, ActReply) or reply
            if _shows(reply) and await self._is_settled(step, reply):
                await self._locks.release(lock_names(step), step.idempotency_key)
        return reply

    async def _is_settled(self, step: StepScope, reply: ActReply) -> bool:
        """Return whether no sent request can still be applied and the next worker can learn the outcome. A visible
        write is recorded first."""
        if reply.can_land_for:
            return False
        return not _shows(reply) or await self._outcomes.keep(step.idempotency_key, reply)

    async def _looked_for(self, request: ActRequest) -> ActReply:
        names: set[str] = set()
        while True:
            last = request.until is None or datetime.now(UTC) >= request.until
            reply = await self._look(request, names, last=last)
            if _looked_enough(reply):
                return reply
            if last:
                break
            await asyncio.sleep(self._look_every)
        # One failed read says nothing about the write. A few more are tried before staff must check.
        for pause in _BEFORE_LAST_LOOKS:
            await asyncio.sleep(pause * self._look_every)
            reply = await self._look(request, names, last=True)
            if _looked_enough(reply):
                break
        return reply

    async def _look(
        self, request: ActRequest, names: set[str], *, last: bool, dispatch: Dispatch | None = None
    ) -> ActReply:
        """Read once and return what it shows. Each kind of failure is logged once and then added to `names`. `dispatch`
        is set if this process just sent the write."""
        step, action = request.scope, request.scope.action
        bound = bind(step).with_(before=request.before)
        if not bound.can_be_read:
            return ActReply(write_outcome=WriteOutcome.UNKNOWN, evidence="nothing tells whether it landed")
        try:
            bound = bound.with_request()
            snapshot = await self._reader(step).read_back(bound)
            bound = bound.with_(now=snapshot.document)
            # An accepted write is read here only if the reads directly after it showed no effect.
            took = request.accepted
            found = bound.outcome(accepted=took, last=last, seen_unchanged=took)
        except (VenueError, TemplateRenderError) as error:
            if (kind := _kind(error)) not in names:
                names.add(kind)
                log.warning("read-back of %s did not work: %s", action.name, kind)
            failure = error.failure if isinstance(error, VenueError) else None
            if failure is not None and failure.error_type is not ErrorType.UNAUTHORIZED:
                failure = None
            return ActReply(
                write_outcome=WriteOutcome.UNKNOWN, evidence="the booking could not be read back", failure=failure
            )
        promptly = snapshot if dispatch is not None and dispatch.is_recent else None
        moved = own_changes.moved(request, bound, snapshot, promptly=promptly, as_asked=found is WriteOutcome.APPLIED)
        if found is WriteOutcome.APPLIED:
            reply = bound.applied_reply("the booking shows the change")
            return reply.model_copy(update={"changed": moved})
        if found is WriteOutcome.MISAPPLIED:
            # Concurrent writes since it was sent cannot be distinguished from the venue's own effect.
            reply = bound.misapplied_reply("accepted or marked, and not as asked", surely_left=False)
            return reply.model_copy(update={"changed": moved})
        if found is WriteOutcome.NOT_APPLIED:
            return ActReply(write_outcome=found, evidence="the booking shows nothing of it")
        return ActReply(write_outcome=WriteOutcome.UNKNOWN, evidence="the booking is neither as before nor as asked")

    async def _on_success(
        self, request: ActRequest, bound: BoundAction, answer: VenueResponse, token: str, dispatch: Dispatch
    ) -> ActReply:
        """Handle an accepted write: read its effect, which later steps of the plan are compared with. Ends within one
        call's time, because the answer would be lost with an activity that timed out."""
        step, action, clock = request.scope, request.scope.action, asyncio.get_running_loop().time
        evidence = f"the venue answered {answer.status}"
        reader = SnapshotReader(self._venues, step.token_ref, step.trace_id, token=token)
        bound = bound.with_(response=answer.body)
        if not bound.can_be_read:
            return bound.applied_reply(evidence)
        seen: Snapshot | None = None
        first: Snapshot | None = None
        nothing_named = unmoved = False
        until = clock() + self._venues.timeout
        for number, pause in enumerate(_BEFORE_LOOKS, 1):
            await asyncio.sleep(pause * self._look_every)
            if clock() >= until:
                break
            try:
                async with asyncio.timeout_at(until):
                    looked = await reader.read_back(bound)
                now = bound.with_(now=looked.document)
                found = now.outcome(accepted=True, last=number == len(_BEFORE_LOOKS), seen_unchanged=unmoved)
                unmoved = unmoved or now.unchanged()
            except (VenueError, TemplateRenderError, TimeoutError) as error:
                log.warning("%s was accepted and could not be looked at: %s", action.name, type(error).__name__)
                nothing_named = nothing_named or isinstance(error, TemplateRenderError)
                continue
            seen, nothing_named = looked, False
            recent = seen if dispatch.is_recent else None
            first = recent if number == 1 else first
            if found is WriteOutcome.APPLIED:
                reply = now.applied_reply(f"{evidence} and the booking shows it")
                moved = own_changes.moved(request, now, seen, promptly=recent, as_asked=True)
                return reply.model_copy(update={"changed": moved})
            if found is WriteOutcome.MISAPPLIED:
                surely = first is not None and now.left_digest(first.document) == now.left_digest(now.now)
                reply = now.misapplied_reply(f"{evidence}, not as asked", surely_left=surely)
                moved = own_changes.moved(request, now, seen, promptly=first, as_asked=False)
                return reply.model_copy(update={"changed": moved})
        if seen is None and not nothing_named:
            # It was accepted, so it counts as done. Its effect is unknown until the next snapshot of the booking.
            return _accepted_unread(request, bound, evidence)
        return ActReply(
            write_outcome=WriteOutcome.UNKNOWN,
            accepted=True,
            response=bound.kept_response(),
            can_land_for=step.profile.settle_seconds,
            evidence=f"{evidence}, but {'does not say what it made' if nothing_named else 'shows no change'}",
        )

    def _reader(self, step: StepScope) -> SnapshotReader:
        return SnapshotReader(self._venues, step.token_ref, step.trace_id)

    async def _shown(self, request: ActRequest, dispatch: Dispatch) -> ActReply | None:
        """Return the write's reply if one read shows that it was applied although it was rejected."""
        reply = await self._look(request, set(), last=True, dispatch=dispatch)
        return reply if _shows(reply) else None

    async def _refused(self, step: StepScope, bound: BoundAction, refused: VenueError) -> ActReply:
        """Handle a write whose answer is a failure. The answer counts as the reason only once reads show no effect,
        because a gateway may have sent the request twice, or answered while the venue was still processing."""
        failure = await self._explained(step, bound, refused.failure)
        if refused.may_have_landed:
            wait = step.profile.settle_seconds
            evidence = f"the venue answered {failure.status}" if failure.status else f"no answer ({refused})"
            return ActReply(write_outcome=WriteOutcome.UNKNOWN, can_land_for=wait, failure=failure, evidence=evidence)
        evidence = f"the venue refused it ({refused})" if refused.sent else "the venue could not be reached"
        return ActReply(
            write_outcome=WriteOutcome.NOT_APPLIED,
            sent=refused.sent,
            unprocessed=refused.unprocessed,
            failure=failure,
            evidence=evidence,
        )

    async def _explained(self, step: StepScope, bound: BoundAction, failure: VenueFailure) -> VenueFailure:
        """Return the failure in the overlay's text, with alternatives that would work."""
        action = bound.action
        rule = error_rule(action, failure.status, failure.code) if failure.status is not None else None
        if rule is None:
            return failure
        try:
            general = error_messages.failure_message(failure.error_type, failure.retry_after_seconds)[1]
            suggestions = (*bound.rule_suggestions(rule), *general)
            message = bound.rule_message(rule) or failure.message
            failure = failure.model_copy(update={"message": message, "suggestions": suggestions})
            found: tuple[QuickAction, ...] = ()
            if rule.alternatives is not None:
                answer = await self._venues.send(
                    step.profile.base_url,
                    bound.read(rule.alternatives),
                    step.token_ref,
                    action=action,
                    trace_id=step.trace_id,
                )
                found = bound.alternatives(rule, answer.body)
            return failure.model_copy(
                update={
                    "alternatives": tuple(one.label for one in found),
                    "quick_actions": tuple(one for one in found if one.say),
                }
            )
        except (VenueError, TemplateRenderError) as error:
            log.warning("no alternatives for %s: %s", action.name, _kind(error))
            return failure


def lock_names(step: StepScope) -> list[str]:
    """Return the locks that exclude writes by other plans meanwhile."""
    return [lock_name(step.profile.base_url, key) for key in step.keys]


def _unsent(failure: VenueFailure, evidence: str = "", *, started: bool = True) -> ActReply:
    return ActReply(
        write_outcome=WriteOutcome.NOT_APPLIED, sent=False, started=started, failure=failure, evidence=evidence
    )


def _accepted_unread(request: ActRequest, bound: BoundAction, evidence: str) -> ActReply:
    reply = bound.applied_reply(f"{evidence}; it could not be read back yet")
    return reply.model_copy(
        update={
            "changed": tuple(ChangedState(step=e.step, key=e.key, digest=None) for e in request.changed),
            "can_land_for": request.scope.profile.settle_seconds,
            "summary": translate("plan.not_looked_at", title=request.scope.action.title),
        }
    )


def _shows(reply: ActReply) -> bool:
    return reply.write_outcome in (WriteOutcome.APPLIED, WriteOutcome.MISAPPLIED)


def _looked_enough(reply: ActReply) -> bool:
    """Return whether another read would add nothing: the outcome is known, or the token is gone."""
    return reply.write_outcome is not WriteOutcome.UNKNOWN or reply.failure is not None


def _template_failure(fault: TemplateRenderError) -> VenueFailure:
    return VenueFailure(
        error_type=ErrorType.BAD_REQUEST,
        message=translate("failure.does_not_fit", why=fault),
        suggestions=(translate("next.does_not_fit"),),
    )


def _kind(error: VenueError | TemplateRenderError) -> str:
    """Return what a log may contain of an error. Of a template error it is only the location, because the reason may
    quote a booking."""
    return error.where if isinstance(error, TemplateRenderError) else str(error)
