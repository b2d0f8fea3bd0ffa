"""The three venue effects of a step: snapshot, act, read back. `act` is the only place that sends a forward write.

Whether a write landed, and as asked, is read and not assumed (`registry/landing.py`).
"""

import asyncio
import logging
import time
from datetime import UTC, datetime

from temporalio import activity

from clients.reads import Reader, Seen
from clients.room import look_for_room
from clients.venue import Answered, VenueClient, VenueError, store_away, unreadable
from contracts.action import AtomicAction, HttpRequest
from contracts.effects import ActReply, ActRequest, Landing, Moved, SnapshotReply, SnapshotRequest, StepScope
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.quick import QuickAction
from infra.heartbeat import beating
from infra.locks import BusyError, Hold, Locks, LocksAwayError, name_of
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
    unchanged,
)

log = logging.getLogger(__name__)

_SHOWS_WITHIN = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Pauses, in seconds, between looks at a booking whose write was accepted: some venues show it a moment later, and a
look may fail."""

_TURN_WITHIN = 10.0
"""Seconds that a write waits while another plan writes to the same thing: longer than a store's blip."""

_SENT_AGAIN_WITHIN = 10.0
"""Seconds after which an idempotent write is not sent once more: its activity has to end in time, and be told."""

_LOOK_EVERY = 1.0
_LOOKS_AGAIN = (1.0, 2.0, 4.0)


class _NoRoomError(VenueError):
    """There is no room any more for what was confirmed: nothing was sent."""


class Steps:
    """Venue effects of one step."""

    def __init__(self, venues: VenueClient, locks: Locks) -> None:
        self._venues = venues
        self._locks = locks

    @activity.defn(name="take_snapshot")
    async def take_snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """See `signatures.take_snapshot`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        async with beating():
            scope = _scope_of(step)
            try:
                if action.snapshot is None:
                    await self._look_again(step, scope)
                    return SnapshotReply(manual=manual_step(action, scope))
                seen = await self._reader(step).snapshot(action, scope)
                drifted = [
                    e.step for e in request.expectations if e.digest and seen.digest_of(e) not in (e.digest, None)
                ]
                drifted += [0] if await self._overruled(request) else []
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
            raise _NoRoomError(found, sent=False, final=True)

    async def _overruled(self, request: SnapshotRequest) -> bool:
        """Whether an earlier write of this plan, accepted but never seen, does not stand as asked."""
        for unseen in request.unseen:
            action = unseen.scope.action
            scope = _scope_of(unseen.scope).with_(before=unseen.before)
            now = (await self._reader(request.scope).snapshot(action, scope)).document
            if landed(action, scope.with_(now=now)) is False:
                return True
        return False

    @activity.defn(name="act")
    async def act(self, request: ActRequest) -> ActReply:
        """See `signatures.act`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        async with beating():
            try:
                token = await self._venues.token_of(step.token_ref, action=action)
                async with self._locks.held(lock_names(step), _TURN_WITHIN) as hold:
                    scope, sent = await self._prepared(request, token)
                    answer = await self._sent(step, sent, token, hold)
                    if isinstance(answer, Answered):
                        # Looked at before the next plan may write: what it finds is this write's doing.
                        return await self._accepted(request, scope, answer, token)
            except VenueError as refused:
                return ActReply(landing=Landing.NOT_APPLIED, failure=refused.failure, evidence="nothing was sent")
            except UnrenderableError as fault:
                return ActReply(landing=Landing.NOT_APPLIED, failure=_template_failure(fault))
            except BusyError:
                return ActReply(landing=Landing.NOT_APPLIED, failure=wording.busy(), evidence="nothing was sent")
            except LocksAwayError:
                return ActReply(landing=Landing.NOT_APPLIED, failure=store_away().failure, evidence="nothing was sent")
            return await self._not_accepted(step, action, scope, answer)

    async def _prepared(self, request: ActRequest, token: str) -> tuple[Scope, HttpRequest]:
        """The request, made of what is there this moment. Raises `VenueError`, also when that is not what the
        operator confirmed, and `UnrenderableError`: nothing was sent."""
        step, action = request.scope, request.scope.action
        scope = _scope_of(step).with_(before=request.before)
        if action.snapshot is not None:
            reader = Reader(self._venues, step.token_ref, step.trace_id, token=token)
            now = (await reader.snapshot(action, scope)).document
            if not unchanged(action, scope.with_(now=now)):
                if landing.unreadable_now(action, scope.with_(now=now)):
                    raise unreadable("not what it was")
                raise VenueError(wording.changed_since(), sent=False, final=True)
            scope = scope.with_(before=now)
        sent = build_request(action, scope)
        return scope.with_(request=sent), sent

    async def _sent(self, step: StepScope, sent: HttpRequest, token: str, hold: Hold) -> Answered | VenueError:
        """What the venue made of the one write: its answer, or how it did not answer."""
        # Also when this try is broken off in mid-call: what it has sent may still land.
        hold.keep_for = step.profile.settle_seconds
        action, unclear, began = step.action, None, time.monotonic()
        again = list(action.retry.pauses) if action.idempotent and action.retry else []
        while True:
            try:
                answer = await self._venues.send_with_token(
                    step.profile.base_url, sent, token, action=action, trace_id=step.trace_id
                )
            except VenueError as refused:
                unclear = unclear or (refused if uncertain(refused) else None)
                if again and sent_again(refused) and time.monotonic() - began < _SENT_AGAIN_WITHIN:
                    await asyncio.sleep(again.pop(0))
                    continue
                # A refusal behind a call of which nobody knows what became of it may be because that one landed.
                told = unclear or refused
                if told.final or not told.sent:
                    hold.keep_for = 0
                return told
            hold.keep_for = 0
            return answer

    @activity.defn(name="read_back")
    async def read_back(self, request: ActRequest) -> ActReply:
        """See `signatures.read_back`. Looks until the write shows or can no longer land, or the token is gone: the
        reply then says so as its failure."""
        speak(request.scope.profile.locale, request.scope.profile.words, request.scope.action.thing)
        told: set[str] = set()
        async with beating():
            while True:
                last = request.until is None or datetime.now(UTC) >= request.until
                seen = await self._look(request, told, last=last)
                if _looked_enough(seen):
                    return seen
                if last:
                    break
                await asyncio.sleep(_LOOK_EVERY)
            # One look that fails tells nothing about the write: a few more, then a person must.
            for pause in _LOOKS_AGAIN:
                await asyncio.sleep(pause)
                seen = await self._look(request, told, last=True)
                if _looked_enough(seen):
                    break
            return seen

    async def _look(self, request: ActRequest, told: set[str], *, last: bool) -> ActReply:
        """What a look shows; why one did not work is logged once of each kind, and is then among `told`."""
        step, action = request.scope, request.scope.action
        scope = _scope_of(step).with_(before=request.before)
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
        moved = seen.moved(request.moved)
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

    async def _accepted(self, request: ActRequest, scope: Scope, answer: Answered, token: str) -> ActReply:
        """The venue said yes. Look at what it made of it, which later steps of the plan are then measured against."""
        step, action, body = request.scope, request.scope.action, answer.body
        evidence = f"the venue answered {answer.status}"
        reader, scope = Reader(self._venues, step.token_ref, step.trace_id, token=token), scope.with_(response=body)
        if action.snapshot is None and not (action.verify and action.verify.reads):
            return landing.applied(request, scope, body, evidence)
        seen: Seen | None = None
        at_once: str | None = None
        for number, pause in enumerate(_SHOWS_WITHIN, 1):
            await asyncio.sleep(pause)
            try:
                looked = await reader.after(action, scope)
                now = scope.with_(now=looked.document)
                found = landing.told(action, now, accepted=True, last=number == len(_SHOWS_WITHIN))
            except (VenueError, UnrenderableError) as error:
                log.warning("%s was accepted and could not be looked at: %s", action.name, type(error).__name__)
                continue
            seen = looked
            at_once = left_digest(action, now.now) if number == 1 else at_once
            if found is Landing.APPLIED:
                reply = landing.applied(request, now, body, f"{evidence} and the booking shows it")
                return reply.model_copy(update={"moved": seen.moved(request.moved)})
            if found is Landing.OTHERWISE:
                surely = at_once == left_digest(action, now.now)
                reply = landing.partly(
                    request, now, body, f"{evidence}, but the booking is not as asked", surely_left=surely
                )
                return reply.model_copy(update={"moved": seen.moved(request.moved)})
        if seen is None:
            # It was accepted, so it counts as done. What it left is unknown until the next snapshot of the booking.
            unknown = tuple(Moved(step=e.step, key=e.key, digest=None) for e in request.moved)
            reply = landing.applied(request, scope, body, f"{evidence}; nobody could look at it yet")
            summary = say("plan.not_looked_at", title=action.title)
            return reply.model_copy(update={"moved": unknown, "summary": summary})
        return ActReply(
            landing=Landing.UNKNOWN,
            accepted=True,
            response=landing.kept_response(action, body),
            evidence=f"{evidence}, but the booking does not show the change",
        )

    def _reader(self, step: StepScope) -> Reader:
        return Reader(self._venues, step.token_ref, step.trace_id)

    async def _not_accepted(self, step: StepScope, action: AtomicAction, scope: Scope, refused: VenueError) -> ActReply:
        failure = refused.failure
        if uncertain(refused):
            # A venue that answered is done with the call; one that hung up or stayed silent may still be at work on it.
            wait = 0 if refused.final else step.profile.settle_seconds
            if failure.status is not None and failure.status < 300:
                # It did say why. That is told once the read-back shows that nothing came of it, and not before.
                failure = await self._explained(step, action, scope, failure)
            return ActReply(
                landing=Landing.UNKNOWN, can_land_for=wait, failure=failure, evidence=f"no clear answer ({refused})"
            )
        return ActReply(
            landing=Landing.NOT_APPLIED,
            failure=await self._explained(step, action, scope, failure),
            evidence=f"the venue refused it ({refused})" if refused.sent else "the venue could not be reached",
        )

    async def _explained(
        self, step: StepScope, action: AtomicAction, scope: Scope, failure: VenueFailure
    ) -> VenueFailure:
        """The failure in the overlay's words, with what would have worked."""
        rule = error_rule(action, failure.status, failure.code)
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


def uncertain(refused: VenueError) -> bool:
    """Whether a call that was not answered with a yes may have done something all the same."""
    status = refused.failure.status
    return refused.sent and (status is None or status >= 500 or not refused.final)


def sent_again(refused: VenueError) -> bool:
    """Whether an idempotent write may be sent once more: what came of it is not known, or it was never sent. A venue
    that has answered no, or asks for patience, has been heard."""
    return uncertain(refused) or (not refused.sent and refused.failure.error_type is ErrorType.NETWORK)


def lock_names(step: StepScope) -> list[str]:
    """What nobody else of ours may write to meanwhile."""
    return [name_of(step.profile.base_url, key) for key in step.keys]


def _looked_enough(seen: ActReply) -> bool:
    """Whether another look would tell no more: it is known what became of the write, or the token is gone."""
    return seen.landing is not Landing.UNKNOWN or seen.failure is not None


def _scope_of(step: StepScope) -> Scope:
    scope = Scope.of(step.action, step.parameters, step.profile, step.idempotency_key)
    return scope.with_(in_place_of=step.in_place_of)


def _template_failure(fault: UnrenderableError) -> VenueFailure:
    return VenueFailure(
        error_type=ErrorType.BAD_REQUEST,
        message=say("failure.does_not_fit", why=fault),
        suggestions=(say("next.does_not_fit"),),
    )


def _kind(error: VenueError | UnrenderableError) -> str:
    """What a log may tell of it: of a template its place alone, as its reason may quote a booking."""
    return error.where if isinstance(error, UnrenderableError) else str(error)
