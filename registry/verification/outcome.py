"""The outcome of a write, from a read: whether it was applied, and whether as requested. Two checks answer that:

    the marker  ── proves that this very call was applied, but not what the venue made of it
    `verify`    ── proves that the booking is as requested, but not that this call changed it

A write that was applied but not as requested is misapplied: it is reported, and compensated like a whole one. A new
resource counts only if it is identified as this step's own (`undo_state.is_ours`); an id in a response proves nothing.
"""

import json
import logging
from typing import Any

from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Answer, Value
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, ActRequest, WriteOutcome
from language.messages.catalogue import translate
from registry.errors import TemplateRenderError
from registry.presentation.preview import observation, state_lines, summary_line
from registry.templating.scope import Scope
from registry.verification.snapshot import (
    covered,
    digest,
    has_marker,
    looks_for_new,
    marker_unchanged,
    matches_request,
    unchanged,
)
from registry.verification.undo_state import is_ours, left_digest, named_by_answer

log = logging.getLogger(__name__)


def write_outcome(action: AtomicAction, scope: Scope, *, accepted: bool, last: bool) -> WriteOutcome | None:
    """Return the outcome that `scope.now` shows; None while the write may still become visible.

    `accepted`: the venue answered 2xx. `last`: no request that was sent can be applied any more. Raises
    `TemplateRenderError`.
    """
    if action.verify is not None and action.verify.reads and not is_ours(action, scope):
        return _not_seen(action, scope, accepted=accepted) if last else None
    as_asked, ours = matches_request(action, scope), has_marker(action, scope)
    if as_asked and not accepted and _tells_nothing(action, scope, ours):
        as_asked = None
    elsewhere = ours is False and marker_unchanged(action, scope)
    if accepted:
        if as_asked or (as_asked is None and ours is not False):
            return WriteOutcome.APPLIED
        if not last:
            return None
        if action.verify is not None and action.verify.reads:
            # Not as requested, and perhaps not created by this call at all.
            sure = ours or not looks_for_new(action) or named_by_answer(action, scope)
            return WriteOutcome.MISAPPLIED if sure else WriteOutcome.UNKNOWN
        moved = action.snapshot is not None and not unchanged(action, scope)
        return WriteOutcome.MISAPPLIED if ours or (ours is None and moved) else WriteOutcome.UNKNOWN
    if as_asked and not elsewhere and ours is not False:
        return WriteOutcome.APPLIED
    if as_asked and not elsewhere:
        # Another call of ours made it so. Whether this one was applied before that is unknown.
        return WriteOutcome.UNKNOWN if last else None
    if ours:
        return WriteOutcome.APPLIED if as_asked is None else WriteOutcome.MISAPPLIED
    if not last:
        return None
    # Where another call of ours wrote since, this one may have been applied before that.
    overwritten = ours is False and not elsewhere and action.marker is not None and bool(action.marker.value)
    # A new resource that is not as requested: created by this call and changed since, or created by another.
    made = action.verify is not None and bool(action.verify.reads)
    untouched = not made and (elsewhere or (unchanged(action, scope) and not overwritten))
    return WriteOutcome.NOT_APPLIED if untouched else WriteOutcome.UNKNOWN


def _not_seen(action: AtomicAction, scope: Scope, *, accepted: bool) -> WriteOutcome:
    """Return the outcome for a new resource that no read found, or that belongs to another call. One that the venue
    accepted may not be visible yet, so it is neither present nor gone."""
    return WriteOutcome.NOT_APPLIED if not accepted and unchanged(action, scope) else WriteOutcome.UNKNOWN


def _tells_nothing(action: AtomicAction, scope: Scope, ours: bool | None) -> bool:
    """Return whether `verify` proves nothing about a write that was not accepted: it held before, or there is no
    earlier state, and any call may have created what it finds."""
    if action.snapshot is None:
        return not ours
    return matches_request(action, scope.with_(now=scope.before)) is True


def shape_changed(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the latest read has another shape than before: an odd response, not a change."""
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    before, now = covered(scope.before, *rules), covered(scope.now, *rules)
    if not isinstance(before, dict) or not isinstance(now, dict):
        return type(before) is not type(now)
    inner = {name: value for name, value in before.items() if isinstance(value, dict | list)}
    return any(type(now.get(name)) is not type(value) for name, value in inner.items())


def applied_reply(request: ActRequest, scope: Scope, body: Answer, evidence: str) -> ActReply:
    """Return the reply for a write that was applied as requested. `body` is the venue's response where there was
    one."""
    action = request.scope.action
    seen = _observed(action, body, scope)
    return ActReply(
        write_outcome=WriteOutcome.APPLIED,
        observation=seen,
        output=seen,
        response=kept_response(action, body),
        summary=_summary(action, scope),
        evidence=evidence,
        **_left(action, scope),
    )


def misapplied_reply(request: ActRequest, scope: Scope, body: Answer, evidence: str, *, surely_left: bool) -> ActReply:
    """Return the reply for a write that was misapplied, with the actual state as text.

    `surely_left`: the state was read directly after the write, so this write caused it. Otherwise another writer may
    have changed it: there is no digest of what the write left, and a new resource counts only if identified as ours.
    """
    action = request.scope.action
    left = _left(action, scope)
    if not surely_left:
        made = action.verify is not None and bool(action.verify.reads)
        left = {"left": left.get("left")} if made and is_ours(action, scope) else {}
    lines = [(field, now, after) for field, _, after, now in state_lines(action, scope) if now != after]
    facts = [translate("failure.instead_of", field=field, now=now, asked=question) for field, now, question in lines]
    return ActReply(
        write_outcome=WriteOutcome.MISAPPLIED,
        response=kept_response(action, body),
        evidence=evidence,
        failure=VenueFailure(
            error_type=ErrorType.PARTLY_APPLIED,
            message=translate("failure.partly_applied", facts=facts),
            suggestions=(translate("next.partly_applied"),),
        ),
        **left,
    )


def _observed(action: AtomicAction, body: Answer, scope: Scope) -> Value:
    """Return the output for later steps, within limits. The write is done, so an unreadable response only loses its own
    output."""
    if body is None and action.output.shape is None:
        return {"ok": True}
    try:
        kept: Value = json.loads(limits.truncate_json(observation(action, body, scope), limits.ANSWER_BYTES // 100))
        return kept
    except TemplateRenderError as fault:
        log.warning("the answer to %s could not be read: %s", action.name, fault.where)
        return {"ok": True}


def kept_response(action: AtomicAction, body: Answer) -> Value:
    """Return the whole response where the undo needs it. One that is too large to store leaves the undo to staff."""
    needed = _undo_mentions(action, "response") and limits.json_size(body) <= limits.SNAPSHOT_BYTES
    return body if needed else None


def _left(action: AtomicAction, scope: Scope) -> dict[str, Any]:
    if scope.now is None:
        return {}
    left = scope.now if _undo_mentions(action, "left") else None
    return {"left": left, "left_digest": left_digest(action, scope.now), "left_whole": digest(scope.now, ("*",))}


def _undo_mentions(action: AtomicAction, name: str) -> bool:
    """Return whether the undo, or its check, uses a document that only the write returns."""
    undo = action.compensation
    parts = [undo.model_dump_json(include={"request", "values", "partial_undo"})] if undo else []
    parts += [action.verify.model_dump_json(include={"reads", "gone", "checks"})] if action.verify else []
    return any(name in part for part in parts)


def _summary(action: AtomicAction, scope: Scope) -> str:
    try:
        return summary_line(action, scope)
    except TemplateRenderError as fault:
        log.warning("no summary for %s: %s", action.name, fault.where)
        return translate("plan.step_done", title=action.title)
