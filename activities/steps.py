"""The three venue effects of a step: snapshot, act, read back. `act` is the only place that sends a forward write
(`activities/dispatch.py`).

Whether a write landed, and as asked, is read and not assumed (`registry/landing.py`).
"""

import asyncio
import logging
from datetime import UTC, datetime

from temporalio import activity

from activities import own_doing
from activities.dispatch import Dispatch, scope_of
from activities.recorded import Outcomes
from clients.reads import Reader, Seen
from clients.room import look_for_room
from clients.venue import Answered, HeldBackError, VenueClient, VenueError, store_away
from contracts.action import AtomicAction
from contracts.effects import ActReply, ActRequest, Landing, Moved, SnapshotReply, SnapshotRequest, StepScope
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.quick import QuickAction
from infra.heartbeat import beating
from infra.locks import BusyError, Locks, LocksAwayError, name_of
from language.catalogue import say, speak
from reasoning import wording
from registry import (
    Scope,
    UnrenderableError,
    alternatives,
    build_read,
    build_request,
    error_rule,
    landed,
    landing,
    left_digest,
    manual_step,
    preview_lines,
    rule_message,
    rule_suggestions,
)

log = logging.getLogger(__name__)

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Pauses, in parts of `Settings.look_every`, before each look at a booking whose write was accepted: some venues show
it a moment later, and a look may fail."""

_TURN_WITHIN = 10.0
"""Seconds that a write waits while another plan writes to the same thing: longer than a store's blip."""

_BEFORE_LAST_LOOKS = (1.0, 2.0, 4.0)
"""The same, before looks that are made where the last one failed."""


class _NoRoomError(VenueError):
    """There is no room any more for what was confirmed: nothing was sent."""


class Steps:
    """Venue effects of one step."""

    def __init__(
        self, venues: VenueClient, locks: Locks, outcomes: Outcomes, look_every: float = 1.0, retry_within: float = 10.0
    ) -> None:
        """`look_every`: seconds, see `Settings.look_every`. `retry_within`: seconds after which an idempotent write is
        not sent once more: its activity has to end in time, with a reply."""
        self._venues = venues
        self._locks = locks
        self._outcomes = outcomes
        self._look_every = look_every
        self._retry_within = retry_within

    @activity.defn(name="take_snapshot")
    async def take_snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """See `signatures.take_snapshot`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        async with beating():
            scope = scope_of(step)
            try:
                if action.snapshot is None:
                    await self._look_again(step, scope)
                    return SnapshotReply(manual=manual_step(action, scope))
                seen = await self._reader(step).snapshot(action, scope)
                drifted = [
                    e.step for e in request.expectations if e.digest and seen.digest_of(e) not in (e.digest, None)
                ]
                moved, overruled = await self._earlier(request)
                drifted += [0] if overruled else []
                scope = scope.with_(before=seen.document)
                await self._look_again(step, scope)
                preview = tuple(preview_lines(action, scope)) if request.show else None
            except VenueError as refused:
                return SnapshotReply(failure=refused.failure, no_room=isinstance(refused, _NoRoomError))
            except UnrenderableError as fault:
                return SnapshotReply(failure=_template_failure(fault))
            return SnapshotReply(
                before=seen.document,
                grounds=seen.grounds_of(action),
                drifted=tuple(drifted),
                moved=moved,
                preview=preview,
                manual=manual_step(action, scope),
            )

    async def _look_again(self, step: StepScope, scope: Scope) -> None:
        """Raises `_NoRoomError` where a look that is a step of the plan no longer finds room, `VenueError` where it
        cannot be made."""
        action = step.action
        if action.room is None or action.room.step is None:
            return
        found = await look_for_room(self._reader(step), action, scope.with_(request=build_request(action, scope)))
        if isinstance(found, VenueFailure):
            raise _NoRoomError(found, sent=False)

    async def _earlier(self, request: SnapshotRequest) -> tuple[tuple[Moved, ...], bool]:
        """How the plan's unseen writes left their grounds, and whether one of them does not show as asked."""
        moved, overruled = list[Moved](), False
        for write in request.unseen:
            action = write.scope.action
            scope = scope_of(write.scope).with_(before=write.before)
            seen = await self._reader(request.scope).snapshot(action, scope)
            scope = scope.with_(now=seen.document)
            shown = landed(action, scope)
            moved += own_doing.moved(write, scope, seen, promptly=None, as_asked=shown is True)
            overruled = overruled or shown is False
        return tuple(moved), overruled

    @activity.defn(name="act")
    async def act(self, request: ActRequest) -> ActReply:
        """See `signatures.act`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        async with beating():
            try:
                token = await self._venues.token_of(step.token_ref, action=action)
                async with self._locks.held(lock_names(step), _TURN_WITHIN, step.idempotency_key) as hold:
                    dispatch = Dispatch(self._venues, request, token, hold, self._retry_within)
                    scope, sent = await dispatch.prepare()
                    answer = await dispatch.send(sent)
                    # Looked at before the next plan may write: what it finds is this write's doing.
                    if isinstance(answer, Answered):
                        reply = await self._accepted(request, scope, answer, token, dispatch)
                        if await self._is_settled(step, reply):
                            hold.keep_for = 0
                        return reply
                    if answer.sent and not answer.may_have_landed and (seen := await self._shown(request, dispatch)):
                        hold.keep_for = 0 if await self._is_settled(step, seen) else step.profile.settle_seconds
                        return seen
            except HeldBackError:
                evidence, failure = "nothing was sent: it was held up for too long", wording.held_back()
                return _unsent(failure, evidence, started=False)
            except VenueError as refused:
                return _unsent(refused.failure, "nothing was sent")
            except UnrenderableError as fault:
                return _unsent(_template_failure(fault))
            except BusyError:
                return _unsent(wording.busy(), "nothing was sent")
            except LocksAwayError:
                return _unsent(store_away().failure, "nothing was sent")
            return await self._refused(step, action, scope, answer)

    @activity.defn(name="read_back")
    async def read_back(self, request: ActRequest) -> ActReply:
        """See `signatures.read_back`. Looks until the write shows or can no longer land, or the token is gone: the
        reply then says so as its failure. A write that shows keeps no other plan out any more."""
        speak(request.scope.profile.locale, request.scope.profile.words, request.scope.action.thing)
        step = request.scope
        async with beating():
            seen = await self._outcomes.find(step.idempotency_key, ActReply) or await self._looked_for(request)
            if not _shows(seen):
                # Another worker that was cut off from Temporal may have seen it meanwhile.
                seen = await self._outcomes.find(step.idempotency_key, ActReply) or seen
            if _shows(seen) and await self._is_settled(step, seen):
                await self._locks.release(lock_names(step), step.idempotency_key)
        return seen

    async def _is_settled(self, step: StepScope, reply: ActReply) -> bool:
        """Whether nothing that was sent can take effect any more, and the next worker will know what did: a write that
        shows is put on record first."""
        if reply.can_land_for:
            return False
        return not _shows(reply) or await self._outcomes.keep(step.idempotency_key, reply)

    async def _looked_for(self, request: ActRequest) -> ActReply:
        told: set[str] = set()
        while True:
            last = request.until is None or datetime.now(UTC) >= request.until
            seen = await self._look(request, told, last=last)
            if _looked_enough(seen):
                return seen
            if last:
                break
            await asyncio.sleep(self._look_every)
        # One look that fails tells nothing about the write: a few more, then a person must.
        for pause in _BEFORE_LAST_LOOKS:
            await asyncio.sleep(pause * self._look_every)
            seen = await self._look(request, told, last=True)
            if _looked_enough(seen):
                break
        return seen

    async def _look(
        self, request: ActRequest, told: set[str], *, last: bool, dispatch: Dispatch | None = None
    ) -> ActReply:
        """What a look shows; why one did not work is logged once of each kind, and is then among `told`. `dispatch`
        has sent the write just now."""
        step, action = request.scope, request.scope.action
        scope = scope_of(step).with_(before=request.before)
        if action.snapshot is None and not (action.verify and action.verify.reads):
            return ActReply(landing=Landing.UNKNOWN, evidence="nothing tells whether it landed")
        try:
            scope = scope.with_(request=build_request(action, scope))
            seen = await self._reader(step).after(action, scope)
            scope = scope.with_(now=seen.document)
            found = landing.told(action, scope, accepted=request.accepted, last=last)
        except (VenueError, UnrenderableError) as error:
            if (kind := _kind(error)) not in told:
                told.add(kind)
                log.warning("read-back of %s did not work: %s", action.name, kind)
            failure = error.failure if isinstance(error, VenueError) else None
            if failure is not None and failure.error_type is not ErrorType.UNAUTHORIZED:
                failure = None
            return ActReply(landing=Landing.UNKNOWN, evidence="the booking could not be read back", failure=failure)
        promptly = seen if dispatch is not None and dispatch.is_recent else None
        moved = own_doing.moved(request, scope, seen, promptly=promptly, as_asked=found is Landing.APPLIED)
        if found is Landing.APPLIED:
            reply = landing.applied(request, scope, None, "the booking shows the change")
            return reply.model_copy(update={"moved": moved})
        if found is Landing.OTHERWISE:
            # Whoever else was there since it was sent cannot be told from the venue.
            reply = landing.partly(
                request, scope, None, "the booking carries this write and is not as asked", surely_left=False
            )
            return reply.model_copy(update={"moved": moved})
        if found is Landing.NOT_APPLIED:
            return ActReply(landing=found, evidence="the booking shows nothing of it")
        return ActReply(landing=Landing.UNKNOWN, evidence="the booking is neither as before nor as asked")

    async def _accepted(
        self, request: ActRequest, scope: Scope, answer: Answered, token: str, dispatch: Dispatch
    ) -> ActReply:
        """The venue said yes. Look at what it made of it, which later steps of the plan are then measured against."""
        step, action, body = request.scope, request.scope.action, answer.body
        evidence = f"the venue answered {answer.status}"
        reader, scope = Reader(self._venues, step.token_ref, step.trace_id, token=token), scope.with_(response=body)
        if action.snapshot is None and not (action.verify and action.verify.reads):
            return landing.applied(request, scope, body, evidence)
        seen: Seen | None = None
        first: Seen | None = None
        nothing_named = False
        for number, pause in enumerate(_BEFORE_LOOKS, 1):
            await asyncio.sleep(pause * self._look_every)
            try:
                looked = await reader.after(action, scope)
                now = scope.with_(now=looked.document)
                found = landing.told(action, now, accepted=True, last=number == len(_BEFORE_LOOKS))
            except (VenueError, UnrenderableError) as error:
                log.warning("%s was accepted and could not be looked at: %s", action.name, type(error).__name__)
                nothing_named = isinstance(error, UnrenderableError)
                continue
            seen, nothing_named = looked, False
            recent = dispatch.is_recent
            first = seen if number == 1 and recent else first
            if found is Landing.APPLIED:
                reply = landing.applied(request, now, body, f"{evidence} and the booking shows it")
                moved = own_doing.moved(request, now, seen, promptly=seen if recent else None, as_asked=True)
                return reply.model_copy(update={"moved": moved})
            if found is Landing.OTHERWISE:
                surely = first is not None and left_digest(action, first.document) == left_digest(action, now.now)
                reply = landing.partly(
                    request, now, body, f"{evidence}, but the booking is not as asked", surely_left=surely
                )
                moved = own_doing.moved(request, now, seen, promptly=first, as_asked=False)
                return reply.model_copy(update={"moved": moved})
        if seen is None and not nothing_named:
            # It was accepted, so it counts as done. What it left is unknown until the next snapshot of the booking.
            unknown = tuple(Moved(step=e.step, key=e.key, digest=None) for e in request.moved)
            reply = landing.applied(request, scope, body, f"{evidence}; nobody could look at it yet")
            summary = say("plan.not_looked_at", title=action.title)
            settles = step.profile.settle_seconds
            return reply.model_copy(update={"moved": unknown, "summary": summary, "can_land_for": settles})
        return ActReply(
            landing=Landing.UNKNOWN,
            accepted=True,
            response=landing.kept_response(action, body),
            can_land_for=step.profile.settle_seconds,
            evidence=f"{evidence}, but {'does not say what it made' if nothing_named else 'shows no change'}",
        )

    def _reader(self, step: StepScope) -> Reader:
        return Reader(self._venues, step.token_ref, step.trace_id)

    async def _shown(self, request: ActRequest, dispatch: Dispatch) -> ActReply | None:
        """The write, where one look shows that it took effect though it was refused."""
        seen = await self._look(request, set(), last=True, dispatch=dispatch)
        return seen if _shows(seen) else None

    async def _refused(self, step: StepScope, action: AtomicAction, scope: Scope, refused: VenueError) -> ActReply:
        """The write did not succeed by its answer. What it says is the reason only once looks show that nothing came of
        the write: a gateway may have sent it twice, or answered for a venue that was still at work."""
        failure = await self._explained(step, action, scope, refused.failure)
        if refused.may_have_landed:
            wait = step.profile.settle_seconds
            evidence = f"the venue answered {failure.status}" if failure.status else f"no answer ({refused})"
            return ActReply(landing=Landing.UNKNOWN, can_land_for=wait, failure=failure, evidence=evidence)
        evidence = f"the venue refused it ({refused})" if refused.sent else "the venue could not be reached"
        return ActReply(
            landing=Landing.NOT_APPLIED,
            sent=refused.sent,
            unprocessed=refused.unprocessed,
            failure=failure,
            evidence=evidence,
        )

    async def _explained(
        self, step: StepScope, action: AtomicAction, scope: Scope, failure: VenueFailure
    ) -> VenueFailure:
        """The failure in the overlay's words, with what would have worked."""
        rule = error_rule(action, failure.status, failure.code) if failure.status is not None else None
        if rule is None:
            return failure
        try:
            general = wording.failure_words(failure.error_type, failure.retry_after_seconds)[1]
            suggestions = (*rule_suggestions(action, rule, scope), *general)
            message = rule_message(action, rule, scope) or failure.message
            failure = failure.model_copy(update={"message": message, "suggestions": suggestions})
            found: tuple[QuickAction, ...] = ()
            if rule.alternatives is not None:
                answer = await self._venues.send(
                    step.profile.base_url,
                    build_read(rule.alternatives, scope),
                    step.token_ref,
                    action=action,
                    trace_id=step.trace_id,
                )
                found = alternatives(action, rule, answer.body, scope)
            return failure.model_copy(
                update={
                    "alternatives": tuple(one.label for one in found),
                    "quick_actions": tuple(one for one in found if one.say),
                }
            )
        except (VenueError, UnrenderableError) as error:
            log.warning("no alternatives for %s: %s", action.name, _kind(error))
            return failure


def lock_names(step: StepScope) -> list[str]:
    """What nobody else of ours may write to meanwhile."""
    return [name_of(step.profile.base_url, key) for key in step.keys]


def _unsent(failure: VenueFailure, evidence: str = "", *, started: bool = True) -> ActReply:
    return ActReply(landing=Landing.NOT_APPLIED, sent=False, started=started, failure=failure, evidence=evidence)


def _shows(seen: ActReply) -> bool:
    return seen.landing in (Landing.APPLIED, Landing.OTHERWISE)


def _looked_enough(seen: ActReply) -> bool:
    """Whether another look would tell no more: it is known what became of the write, or the token is gone."""
    return seen.landing is not Landing.UNKNOWN or seen.failure is not None


def _template_failure(fault: UnrenderableError) -> VenueFailure:
    return VenueFailure(
        error_type=ErrorType.BAD_REQUEST,
        message=say("failure.does_not_fit", why=fault),
        suggestions=(say("next.does_not_fit"),),
    )


def _kind(error: VenueError | UnrenderableError) -> str:
    """What a log may tell of it: of a template its place alone, as its reason may quote a booking."""
    return error.where if isinstance(error, UnrenderableError) else str(error)
