"""What a read tells of a write: whether it landed, and whether it is as asked. Two questions, two witnesses.

    the marker  ── proves that this very call landed, and says nothing of what the venue made of it
    `verify`    ── proves that the booking is as asked, and says nothing of who made it so

Landed and not as asked is a partial application: reported, and compensated like a whole one. A new thing counts only
where it is known as this step's own (`standing.is_ours`); an id in an answer alone proves nothing.
"""

import json
import logging
from typing import Any

from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Answer, Value
from contracts.effects import ActReply, ActRequest, Landing
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from language.catalogue import say
from registry.faults import UnrenderableError
from registry.scope import Scope
from registry.show import observe, standing_lines, summary_line
from registry.snapshot import covered, digest, landed, looks_for_new, marked, unchanged, unmarked_since
from registry.standing import is_ours, left_digest, named_by_answer

log = logging.getLogger(__name__)


def told(action: AtomicAction, scope: Scope, *, accepted: bool, last: bool) -> Landing | None:
    """What `scope.now` tells of a write; None while it may still be on its way to show.

    `accepted`: the venue answered 2xx. `last`: nothing that was sent can land any more. Raises `UnrenderableError`.
    """
    if action.verify is not None and action.verify.reads and not is_ours(action, scope):
        return _not_seen(action, scope, accepted=accepted) if last else None
    as_asked, ours = landed(action, scope), marked(action, scope)
    if as_asked and not accepted and _tells_nothing(action, scope, ours):
        as_asked = None
    elsewhere = ours is False and unmarked_since(action, scope)
    if accepted:
        if as_asked or (as_asked is None and ours is not False):
            return Landing.APPLIED
        if not last:
            return None
        if action.verify is not None and action.verify.reads:
            # Not as asked, and perhaps not made by this call at all.
            sure = ours or not looks_for_new(action) or named_by_answer(action, scope)
            return Landing.OTHERWISE if sure else Landing.UNKNOWN
        moved = action.snapshot is not None and not unchanged(action, scope)
        return Landing.OTHERWISE if ours or (ours is None and moved) else Landing.UNKNOWN
    if as_asked and not elsewhere and ours is not False:
        return Landing.APPLIED
    if as_asked and not elsewhere:
        # Another call of ours made it so. Whether this one landed before that, nothing tells.
        return Landing.UNKNOWN if last else None
    if ours:
        return Landing.APPLIED if as_asked is None else Landing.OTHERWISE
    if not last:
        return None
    # Where another call of ours wrote since, this one may have taken effect before that.
    overwritten = ours is False and not elsewhere and action.marker is not None and bool(action.marker.value)
    # A new thing that is there, and not as asked: made by this call and changed since, or made by another.
    made = action.verify is not None and bool(action.verify.reads)
    untouched = not made and (elsewhere or (unchanged(action, scope) and not overwritten))
    return Landing.NOT_APPLIED if untouched else Landing.UNKNOWN


def _not_seen(action: AtomicAction, scope: Scope, *, accepted: bool) -> Landing:
    """What is said of a new thing that no look found, or found as somebody else's. One that the venue took may be on
    its way: neither there nor gone."""
    return Landing.NOT_APPLIED if not accepted and unchanged(action, scope) else Landing.UNKNOWN


def _tells_nothing(action: AtomicAction, scope: Scope, ours: bool | None) -> bool:
    """Whether `verify` says nothing of a write that nobody accepted: it held before, or there is no before, and what it
    finds may have been made by anybody."""
    if action.snapshot is None:
        return not ours
    return landed(action, scope.with_(now=scope.before)) is True


def unreadable_now(action: AtomicAction, scope: Scope) -> bool:
    """Whether what was read just now is of another shape than before: no change by anybody, an odd answer."""
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    before, now = covered(scope.before, *rules), covered(scope.now, *rules)
    if not isinstance(before, dict) or not isinstance(now, dict):
        return type(before) is not type(now)
    inner = {name: value for name, value in before.items() if isinstance(value, dict | list)}
    return any(type(now.get(name)) is not type(value) for name, value in inner.items())


def applied(request: ActRequest, scope: Scope, body: Answer, evidence: str) -> ActReply:
    """The write is as asked. `body` is the venue's answer where there was one."""
    action = request.scope.action
    seen = _observed(action, body, scope)
    return ActReply(
        landing=Landing.APPLIED,
        observation=seen,
        output=seen,
        response=kept_response(action, body),
        summary=_summary(action, scope),
        evidence=evidence,
        **_left(action, scope),
    )


def partly(request: ActRequest, scope: Scope, body: Answer, evidence: str, *, surely_left: bool) -> ActReply:
    """The write landed and is not as asked: what is there instead, in words.

    `surely_left`: it was so just after the write had left, so it is this write's doing. Otherwise somebody else may
    have had a hand in it: no digest of what was left, and a new thing only where it is known as ours.
    """
    action = request.scope.action
    left = _left(action, scope)
    if not surely_left:
        made = action.verify is not None and bool(action.verify.reads)
        left = {"left": left.get("left")} if made and is_ours(action, scope) else {}
    lines = [(field, now, after) for field, _, after, now in standing_lines(action, scope) if now != after]
    facts = [say("failure.instead_of", field=field, now=now, asked=asked) for field, now, asked in lines]
    return ActReply(
        landing=Landing.OTHERWISE,
        response=kept_response(action, body),
        evidence=evidence,
        failure=VenueFailure(
            error_type=ErrorType.PARTLY_APPLIED,
            message=say("failure.partly_applied", facts=facts),
            suggestions=(say("next.partly_applied"),),
        ),
        **left,
    )


def _observed(action: AtomicAction, body: Answer, scope: Scope) -> Value:
    """What later steps may refer to, within bounds. The write is done, so an answer that cannot be read costs only
    what it would have told."""
    if body is None and action.output.shape is None:
        return {"ok": True}
    try:
        kept: Value = json.loads(bounds.shown(observe(action, body, scope), bounds.ANSWER_BYTES // 100))
        return kept
    except UnrenderableError as fault:
        log.warning("the answer to %s could not be read: %s", action.name, fault.where)
        return {"ok": True}


def kept_response(action: AtomicAction, body: Answer) -> Value:
    """The whole answer where undoing needs it; one that is too large to keep leaves the undoing to a person."""
    needed = _undo_mentions(action, "response") and bounds.size(body) <= bounds.SNAPSHOT_BYTES
    return body if needed else None


def _left(action: AtomicAction, scope: Scope) -> dict[str, Any]:
    if scope.now is None:
        return {}
    left = scope.now if _undo_mentions(action, "left") else None
    return {"left": left, "left_digest": left_digest(action, scope.now), "left_whole": digest(scope.now, ("*",))}


def _undo_mentions(action: AtomicAction, name: str) -> bool:
    """Whether undoing, or looking whether it is needed, takes a document that only the write can give."""
    undo = action.compensation
    parts = [undo.model_dump_json(include={"request", "values", "own_part"})] if undo else []
    parts += [action.verify.model_dump_json(include={"reads", "gone", "checks"})] if action.verify else []
    return any(name in part for part in parts)


def _summary(action: AtomicAction, scope: Scope) -> str:
    try:
        return summary_line(action, scope)
    except UnrenderableError as fault:
        log.warning("no summary for %s: %s", action.name, fault.where)
        return say("plan.step_done", title=action.title)
