"""How a write changed the state fingerprints of its plan's steps, and what of that is certainly its own effect.

An earlier step that is undone later treats what is recorded here as the plan's own change. A concurrent change by staff
or another plan must not be recorded: where that is not certain, the digest is None, and the step counts as changed by
others.
"""

from clients.venue.reads import Snapshot, part_of
from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.step_activities import ActRequest, ChangedState, ExpectedState
from registry import BoundAction
from registry.verification.snapshot import digest, paths_inside


def moved(
    request: ActRequest, bound: BoundAction, snapshot: Snapshot, *, promptly: Snapshot | None, as_asked: bool
) -> tuple[ChangedState, ...]:
    """Return the new digests of the fingerprints in `request.changed` from `snapshot`; None where a concurrent change
    is possible.

    `bound.before` is the state just before the write, `promptly` a read made soon after it was sent. A later read
    counts as the write's own effect only if it is `as_asked` and differs only in what the action covers.
    """
    found = []
    for wanted in request.changed:
        now, before = snapshot.digest_of(wanted), _answer(snapshot, wanted, bound.before)
        as_expected = _was_as_expected(request, wanted, before)
        sure = as_expected and (
            now == _digest(before, wanted)
            or (promptly is not None and promptly.digest_of(wanted) == now)
            or (as_asked and _only_own_differs(bound.action, snapshot, wanted, bound.before))
        )
        # A later step must detect a concurrent change of its own state.
        known = wanted.digest if wanted.step > request.step and not as_expected else None
        found.append(ChangedState(step=wanted.step, key=wanted.key, digest=now if sure else known))
    return tuple(found)


def _was_as_expected(request: ActRequest, wanted: ExpectedState, before: Answer) -> bool:
    """Return whether the state was as the plan expected when the write was sent. An unknown state of an earlier step
    stays unknown; the state of a later step is read again."""
    if not wanted.digest:
        return wanted.step >= request.step
    return _digest(before, wanted) == wanted.digest


def _only_own_differs(action: AtomicAction, snapshot: Snapshot, wanted: ExpectedState, document: Answer) -> bool:
    """Return whether only what the action covers has changed."""
    own = action.snapshot.covers if action.snapshot else ()
    name = _name(snapshot, wanted)
    rest = wanted.model_copy(update={"ignore": (*wanted.ignore, *(own if name is None else paths_inside(own, name)))})
    return snapshot.digest_of(rest) == _digest(_answer(snapshot, wanted, document), rest)


def _answer(snapshot: Snapshot, wanted: ExpectedState, document: Answer) -> Answer:
    """Return the part of a snapshot's whole `document` that a fingerprint covers."""
    return part_of(document, _name(snapshot, wanted) or "")


def _name(snapshot: Snapshot, wanted: ExpectedState) -> str | None:
    """Return the name of the read that a fingerprint covers; None for the whole snapshot."""
    return next((name for name, key, _ in snapshot.answers if key == wanted.key), None)


def _digest(answer: Answer, wanted: ExpectedState) -> str:
    return digest(answer, wanted.covers, wanted.ignore)
