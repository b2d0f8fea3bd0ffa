"""The three venue effects of a step: snapshot, act, read back. `act` is the only place that sends a forward write.

Whether a write landed is read, not assumed: by the marker it left where the overlay declares one, else by the overlay's
`verify`.
"""

import asyncio
import logging
from datetime import UTC, datetime

from temporalio import activity

from activities.heartbeat import beating
from activities.reads import read_snapshot, subject_of
from activities.venue_client import VenueClient, VenueRefused
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.effects import ActReply, ActRequest, Expectation, Landing, SnapshotReply, SnapshotRequest, StepScope
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from infra.settings import Settings
from language.catalogue import say, speak, spoken
from reasoning import wording
from registry import (
    Scope,
    TemplateFault,
    alternative_labels,
    build_read,
    build_request,
    digest,
    error_rule,
    landed,
    manual_step,
    marked,
    observe,
    rule_message,
    rule_suggestions,
    summary_line,
)

log = logging.getLogger(__name__)

_SHOWS_WITHIN = (0.0, 0.2, 0.5, 1.0)
"""Pauses, in seconds, between looks at a booking whose write was accepted: some venues show it a moment later."""

_LOOK_EVERY = 1.0
_LOOKS_AGAIN = (1.0, 2.0, 4.0)


class Steps:
    """Venue effects of one step."""

    def __init__(self, settings: Settings, venues: VenueClient) -> None:
        self._venues = venues
        self._timeout = settings.call_timeout

    @activity.defn(name="take_snapshot")
    async def take_snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """See `signatures.take_snapshot`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale)
        async with beating():
            scope = Scope.of(action, step.parameters, step.profile, step.idempotency_key)
            if action.snapshot is None:
                return SnapshotReply(manual=manual_step(action, scope))
            try:
                before, asked = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            except VenueRefused as refused:
                return SnapshotReply(failure=refused.failure)
            except TemplateFault as fault:
                return SnapshotReply(failure=_template_failure(fault))
            drifted = tuple(e.step for e in request.expectations if digest(before, e.covers, e.ignore) != e.digest)
            return SnapshotReply(
                before=before,
                subject=subject_of(asked),
                digest=digest(before, action.snapshot.covers, action.snapshot.ignore),
                drifted=drifted,
                manual=manual_step(action, scope.with_(before=before)),
            )

    @activity.defn(name="act")
    async def act(self, request: ActRequest) -> ActReply:
        """See `signatures.act`."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale)
        async with beating():
            scope = Scope.of(action, step.parameters, step.profile, step.idempotency_key).with_(before=request.before)
            try:
                sent = build_request(action, scope)
            except TemplateFault as fault:
                return ActReply(landing=Landing.NOT_APPLIED, failure=_template_failure(fault))
            if action.idempotency_header:
                headers = {**sent.headers, action.idempotency_header: step.idempotency_key}
                sent = sent.model_copy(update={"headers": headers})
            scope = scope.with_(request=sent)
            try:
                answer = await self._venues.send(
                    step.profile.base_url, sent, step.token_ref, action=action, trace_id=step.trace_id
                )
            except VenueRefused as refused:
                return await self._not_accepted(step, action, scope, refused)
            return await self._accepted(request, scope, answer.status, answer.body)

    @activity.defn(name="read_back")
    async def read_back(self, request: ActRequest) -> ActReply:
        """See `signatures.read_back`. Looks until the write shows or can no longer land."""
        speak(request.scope.profile.locale)
        async with beating():
            while True:
                last_look = request.until is None or datetime.now(UTC) >= request.until
                seen = await self._look(request)
                if seen.landing is Landing.APPLIED or (last_look and seen.landing is Landing.NOT_APPLIED):
                    return seen
                if last_look:
                    break
                await asyncio.sleep(_LOOK_EVERY)
            # One look that fails tells nothing about the write: a few more, then a person must.
            for pause in _LOOKS_AGAIN:
                await asyncio.sleep(pause)
                seen = await self._look(request)
                if seen.landing is not Landing.UNKNOWN:
                    break
            return seen

    async def _look(self, request: ActRequest) -> ActReply:
        step, action = request.scope, request.scope.action
        scope = Scope.of(action, step.parameters, step.profile, step.idempotency_key).with_(before=request.before)
        if action.snapshot is None:
            return ActReply(landing=Landing.UNKNOWN, evidence="nothing tells whether it landed")
        try:
            scope = scope.with_(request=build_request(action, scope))
            now, _ = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            scope = scope.with_(now=now)
            if shows(action, scope):
                return self._applied(request, scope, None, "the booking shows the change")
            if marked(action, scope) is False:
                return ActReply(landing=Landing.NOT_APPLIED, evidence="the booking does not carry this write's marker")
            if _unchanged(action, request.before, now):
                return ActReply(landing=Landing.NOT_APPLIED, evidence="the booking is as it was before")
        except (VenueRefused, TemplateFault) as error:
            log.warning("read-back of %s did not work: %s", action.name, error)
            return ActReply(landing=Landing.UNKNOWN, evidence="the booking could not be read back")
        return ActReply(landing=Landing.UNKNOWN, evidence="the booking is neither as before nor as asked")

    async def _accepted(self, request: ActRequest, scope: Scope, status: int, body: Json) -> ActReply:
        """The venue said yes. Look at what it made of it, which later steps of the plan are then measured against."""
        step, action = request.scope, request.scope.action
        evidence = f"the venue answered {status}"
        scope = scope.with_(response=body)
        if action.snapshot is None:
            return self._applied(request, scope, body, evidence)
        for pause in _SHOWS_WITHIN:
            await asyncio.sleep(pause)
            try:
                now, _ = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            except VenueRefused as refused:
                log.warning("%s was accepted but could not be read back: %s", action.name, refused)
                return self._applied(request, scope, body, evidence)
            if shows(action, scope.with_(now=now)) is not False:
                return self._applied(request, scope.with_(now=now), body, f"{evidence} and the booking shows it")
        return ActReply(landing=Landing.UNKNOWN, evidence=f"{evidence}, but the booking does not show the change")

    def _applied(self, request: ActRequest, scope: Scope, body: Json, evidence: str) -> ActReply:
        action = request.scope.action
        tells = body is not None or action.output.shape is not None
        seen = observe(action, body, scope) if tells else {"ok": True}
        return ActReply(
            landing=Landing.APPLIED,
            observation=seen,
            output=seen,
            response=body if _undo_needs_answer(action) else None,
            summary=_summary(action, scope),
            digests=_moved(request.moved, scope.now),
            evidence=evidence,
        )

    async def _not_accepted(
        self, step: StepScope, action: AtomicAction, scope: Scope, refused: VenueRefused
    ) -> ActReply:
        failure = refused.failure
        uncertain = refused.sent and (failure.status is None or failure.status >= 500 or not refused.final)
        if uncertain:
            # A venue that answered is done with the call; one that hung up or stayed silent may still be at work on it.
            wait = 0 if refused.final else step.profile.settle_seconds
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
            found: tuple[str, ...] = ()
            if rule.alternatives is not None:
                answer = await self._venues.send(
                    step.profile.base_url, build_read(rule.alternatives, scope), step.token_ref,
                    action=action, trace_id=step.trace_id,
                )  # fmt: skip
                found = alternative_labels(action, rule, answer.body, scope)
            general = wording.failure_words(failure.error_type, spoken(), failure.retry_after_seconds)[1]
            return failure.model_copy(
                update={
                    "message": rule_message(action, rule, scope) or failure.message,
                    "suggestions": (*rule_suggestions(action, rule, scope), *general),
                    "alternatives": found,
                }
            )
        except (VenueRefused, TemplateFault) as error:
            log.warning("no alternatives for %s: %s", action.name, error)
            return failure


def shows(action: AtomicAction, scope: Scope) -> bool | None:
    """Whether `now` shows the write: its own marker is proof; without one, the overlay's check; None when neither
    tells."""
    if marked(action, scope):
        return True
    return landed(action, scope)


def _undo_needs_answer(action: AtomicAction) -> bool:
    undo = action.compensation
    return undo is not None and "response" in undo.model_dump_json(include={"request", "values"})


def _unchanged(action: AtomicAction, before: Json, now: Json) -> bool:
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    return digest(now, *rules) == digest(before, *rules)


def _moved(expectations: tuple[Expectation, ...], now: Json) -> dict[int, str]:
    return {e.step: digest(now, e.covers, e.ignore) for e in expectations} if now is not None else {}


def _summary(action: AtomicAction, scope: Scope) -> str:
    try:
        return summary_line(action, scope)
    except TemplateFault as fault:
        log.warning("no summary for %s: %s", action.name, fault)
        return say("plan.step_done", spoken(), title=action.title)


def _template_failure(fault: TemplateFault) -> VenueFailure:
    return VenueFailure(
        error_type=ErrorType.BAD_REQUEST,
        message=say("failure.does_not_fit", spoken(), why=fault),
        suggestions=(say("next.does_not_fit", spoken()),),
    )
