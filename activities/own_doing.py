"""How a write left the grounds of its plan's steps, and what of that is surely its own doing.

An earlier step that is undone later takes what is recorded here for the plan's own change. A change by somebody else
must therefore not get in: where that is not sure, the digest is None, and the step counts as changed by others.
"""

from clients.reads import Seen, part_of
from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.effects import ActRequest, Expectation, Moved
from registry import Scope, digest, paths_inside


def moved(request: ActRequest, scope: Scope, seen: Seen, *, promptly: Seen | None, as_asked: bool) -> tuple[Moved, ...]:
    """What the grounds in `request.moved` hash to in `seen`, None where somebody else may have had a hand in it.

    `scope.before` is what was there just before the write, `promptly` what was seen soon after it had left. What was
    seen later is the write's own doing only where it is `as_asked` and differs in nothing but what its action covers.
    """
    found = []
    for wanted in request.moved:
        now, before = seen.digest_of(wanted), _answer(seen, wanted, scope.before)
        as_expected = _was_as_expected(request, wanted, before)
        sure = as_expected and (
            now == _digest(before, wanted)
            or (promptly is not None and promptly.digest_of(wanted) == now)
            or (as_asked and _only_own_differs(request.scope.action, seen, wanted, scope.before))
        )
        # A later step is to meet what somebody else has changed of its ground.
        known = wanted.digest if wanted.step > request.step and not as_expected else None
        found.append(Moved(step=wanted.step, key=wanted.key, digest=now if sure else known))
    return tuple(found)


def _was_as_expected(request: ActRequest, wanted: Expectation, before: Answer) -> bool:
    """Whether the ground was still as the plan knew it when the write left. What is unknown of an earlier step stays
    unknown; of a later one it is found again."""
    if not wanted.digest:
        return wanted.step >= request.step
    return _digest(before, wanted) == wanted.digest


def _only_own_differs(action: AtomicAction, seen: Seen, wanted: Expectation, document: Answer) -> bool:
    """Whether the ground is as before but for what the action covers."""
    own = action.snapshot.covers if action.snapshot else ()
    name = _name(seen, wanted)
    rest = wanted.model_copy(update={"ignore": (*wanted.ignore, *(own if name is None else paths_inside(own, name)))})
    return seen.digest_of(rest) == _digest(_answer(seen, wanted, document), rest)


def _answer(seen: Seen, wanted: Expectation, document: Answer) -> Answer:
    """The part of a snapshot's whole `document` that a ground is about."""
    return part_of(document, _name(seen, wanted) or "")


def _name(seen: Seen, wanted: Expectation) -> str | None:
    """The name of the read that a ground is about; None where it is the whole snapshot, as in plans from before."""
    return next((name for name, key, _ in seen.answers if key == wanted.key), None)


def _digest(answer: Answer, wanted: Expectation) -> str:
    return digest(answer, wanted.covers, wanted.ignore)
