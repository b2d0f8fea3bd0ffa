"""The outcome of a write, from a read: whether it was applied, and whether as requested. Two checks answer that:

    the marker  ── proves that this very call was applied, but not what the venue made of it
    `verify`    ── proves that the booking is as requested, but not that this call changed it

A write that was applied but not as requested is misapplied: it is reported, and compensated like a whole one. A new
resource counts only if it is identified as this step's own (`snapshot.is_ours`); an id in a response proves nothing.
"""

import json
import logging
from typing import Any

from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Value
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, WriteOutcome
from language.messages.catalogue import translate
from registry.errors import TemplateRenderError
from registry.presentation.preview import observation, state_lines, summary_line
from registry.templating.scope import Scope
from registry.verification.snapshot import (
    covered,
    digest,
    has_marker,
    is_ours,
    looks_for_new,
    marker_unchanged,
    matches_request,
    unchanged,
)
from registry.verification.undo_state import left_digest, named_by_answer

log = logging.getLogger(__name__)


def write_outcome(scope: Scope, *, accepted: bool, last: bool, seen_unchanged: bool = False) -> WriteOutcome | None:
    """Return the outcome that `scope.now` shows; None while the write may still become visible.

    `accepted`: the venue answered 2xx. `last`: no request that was sent can be applied any more. `seen_unchanged`: an
    earlier read after that answer showed no change, so a later one may be another user's. Raises `TemplateRenderError`.
    """
    action = scope.action
    if scope.creates and not is_ours(scope):
        return _not_seen(scope, accepted=accepted) if last else None
    as_asked, ours = matches_request(scope), has_marker(scope)
    if as_asked and not accepted and _tells_nothing(scope, ours):
        as_asked = None
    elsewhere = ours is False and marker_unchanged(scope)
    if accepted:
        if as_asked or (as_asked is None and ours is not False):
            return WriteOutcome.APPLIED
        if not last:
            return None
        if scope.creates:
            # Not as requested, and perhaps not created by this call at all.
            sure = ours or not looks_for_new(action) or named_by_answer(scope)
            return WriteOutcome.MISAPPLIED if sure else WriteOutcome.UNKNOWN
        moved = action.snapshot is not None and not seen_unchanged and not unchanged(scope)
        return WriteOutcome.MISAPPLIED if ours or (ours is None and moved) else WriteOutcome.UNKNOWN
    if (as_asked and ours is not False) or (as_asked is None and ours):
        return WriteOutcome.APPLIED
    if not last:
        return None
    if as_asked:
        # Another call or user made it so, or the venue dropped the marker: nothing tells whether this call was applied.
        return WriteOutcome.UNKNOWN
    if ours:
        return WriteOutcome.MISAPPLIED
    # Where another call of ours wrote since, this one may have been applied before that.
    overwritten = ours is False and not elsewhere and action.marker is not None and bool(action.marker.value)
    # A new resource that is not as requested: created by this call and changed since, or created by another.
    untouched = not scope.creates and (elsewhere or (unchanged(scope) and not overwritten))
    return WriteOutcome.NOT_APPLIED if untouched else WriteOutcome.UNKNOWN


def _not_seen(scope: Scope, *, accepted: bool) -> WriteOutcome:
    """Return the outcome for a new resource that no read found, or that belongs to another call. One that the venue
    accepted may not be visible yet, so it is neither present nor gone."""
    return WriteOutcome.NOT_APPLIED if not accepted and unchanged(scope) else WriteOutcome.UNKNOWN


def _tells_nothing(scope: Scope, ours: bool | None) -> bool:
    """Return whether `verify` proves nothing about a write that was not accepted: it held before, or there is no
    earlier state, and any call may have created what it finds."""
    if scope.action.snapshot is None:
        return not ours
    return matches_request(scope.with_(now=scope.before)) is True


def shape_changed(scope: Scope) -> bool:
    """Return whether the latest read has another shape than before: an odd response, not a change."""
    assert scope.action.snapshot is not None
    rules = (scope.action.snapshot.covers, scope.action.snapshot.ignore)
    before, now = covered(scope.before, *rules), covered(scope.now, *rules)
    if not isinstance(before, dict) or not isinstance(now, dict):
        return type(before) is not type(now)
    inner = {name: value for name, value in before.items() if isinstance(value, dict | list)}
    return any(type(now.get(name)) is not type(value) for name, value in inner.items())


def applied_reply(scope: Scope, evidence: str) -> ActReply:
    """Return the reply for a write that was applied as requested."""
    seen = _observed(scope)
    return ActReply(
        write_outcome=WriteOutcome.APPLIED,
        observation=seen,
        output=seen,
        response=kept_response(scope),
        summary=f"{_summary(scope)} {_unchecked(scope)}".strip(),
        evidence=evidence,
        **_left(scope),
    )


def misapplied_reply(scope: Scope, evidence: str, *, surely_left: bool) -> ActReply:
    """Return the reply for a write that was misapplied, with the actual state as text.

    `surely_left`: the state was read directly after the write, so this write caused it. Otherwise another writer may
    have changed it: there is no digest of what the write left, and a new resource counts only if identified as ours.
    """
    left = _left(scope)
    if not surely_left:
        left = {"left": left.get("left")} if scope.creates and is_ours(scope) else {}
    lines = [(field, now, after) for field, _, after, now in state_lines(scope) if now != after]
    facts = [translate("failure.instead_of", field=field, now=now, asked=question) for field, now, question in lines]
    return ActReply(
        write_outcome=WriteOutcome.MISAPPLIED,
        response=kept_response(scope),
        evidence=evidence,
        failure=VenueFailure(
            error_type=ErrorType.PARTLY_APPLIED,
            message=translate("failure.partly_applied", facts=facts),
            suggestions=(translate("next.partly_applied"),),
        ),
        **left,
    )


def _observed(scope: Scope) -> Value:
    """Return the output for later steps, within limits. The write is done, so an unreadable response only loses its own
    output."""
    if scope.response is None and scope.action.output.shape is None:
        return {"ok": True}
    try:
        kept: Value = json.loads(limits.truncate_json(observation(scope), limits.ANSWER_BYTES // 100))
        return kept
    except TemplateRenderError as fault:
        log.warning("the answer to %s could not be read: %s", scope.action.name, fault.where)
        return {"ok": True}


def kept_response(scope: Scope) -> Value:
    """Return the whole response where the undo needs it. One that is too large to store leaves the undo to staff."""
    needed = _undo_mentions(scope.action, "response") and limits.json_size(scope.response) <= limits.SNAPSHOT_BYTES
    return scope.response if needed else None


def _left(scope: Scope) -> dict[str, Any]:
    action, now = scope.action, scope.now
    if now is None:
        return {}
    left = now if _undo_mentions(action, "left") else None
    return {"left": left, "left_digest": left_digest(action, now), "left_whole": digest(now, ("*",))}


def _undo_mentions(action: AtomicAction, name: str) -> bool:
    """Return whether the undo, or its check, uses a document that only the write returns."""
    undo = action.compensation
    parts = [undo.model_dump_json(include={"request", "values", "partial_undo"})] if undo else []
    parts += [action.verify.model_dump_json(include={"reads", "gone", "checks"})] if action.verify else []
    return any(name in part for part in parts)


def _unchecked(scope: Scope) -> str:
    """Return what to say of the values that were sent and that no read shows; "" where there are none."""
    sent = [
        p.display_name for p in scope.action.parameters if p.not_readable and scope.parameters.get(p.name) is not None
    ]
    return translate("plan.not_readable", fields=sent) if sent else ""


def _summary(scope: Scope) -> str:
    try:
        return summary_line(scope)
    except TemplateRenderError as fault:
        log.warning("no summary for %s: %s", scope.action.name, fault.where)
        return translate("plan.step_done", title=scope.action.title)
