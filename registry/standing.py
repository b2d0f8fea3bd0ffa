"""Where a step that may have to be undone stands: as before, as the plan left it, or otherwise.

                     ┌ as before ──────────── nothing to do
    now is either ───┼ as the plan left it ── send the compensation
                     └ otherwise ──────────── somebody else was here: only the plan's own part, or a person

What a plan left is known by its digest. Where that tells nothing (nobody could look, or `covers` does not see the
change), `verify` tells. A marker never does: it may outlive the undo.
"""

from collections.abc import Iterator
from enum import StrEnum

from contracts.action import AtomicAction
from contracts.base import Answer, Json, Value
from registry.faults import UnrenderableError
from registry.scope import Scope
from registry.snapshot import covered, digest, known_by, landed, marked, missing, unchanged, with_request
from registry.templates import evaluate, names_of, render


class Standing(StrEnum):
    """How what is there now compares with what a step found and what it left."""

    AS_BEFORE = "as_before"
    AS_LEFT = "as_left"
    OTHERWISE = "otherwise"


def left_digest(action: AtomicAction, now: Answer) -> str | None:
    """The hash of what a write left, of all that matters for its undoing; None when the action reads nothing back."""
    verify = action.verify
    if verify is not None and verify.reads:
        return digest(now, verify.covers or tuple(read.name for read in verify.reads), verify.ignore)
    return digest(now, action.snapshot.covers, action.snapshot.ignore) if action.snapshot else None


def standing(action: AtomicAction, scope: Scope, left: str | None, whole: str | None = None) -> Standing:
    """Compare `scope.now` with `scope.before` and with what the step left, by its digests: of what matters (`left`),
    and of all of it (`whole`), for where the change is not among what matters. Raises UnrenderableError."""
    if action.verify is not None and action.verify.reads:
        return _of_a_new_thing(action, scope, left)
    before = left_digest(action, scope.before)
    as_before, stands = left_digest(action, scope.now) == before, shows(action, scope)
    if left is not None and left != before:
        if left_digest(action, scope.now) == left:
            return Standing.AS_LEFT
    elif stands:
        touched = left is not None and whole is not None and digest(scope.now, ("*",)) != whole
        return Standing.OTHERWISE if touched else Standing.AS_LEFT
    elif left is not None and action.verify is None:
        return Standing.OTHERWISE
    return Standing.AS_BEFORE if as_before and not stands else Standing.OTHERWISE


def undone(action: AtomicAction, scope: Scope) -> bool:
    """Whether `scope.now`, read after a compensation, shows that it worked. Raises UnrenderableError."""
    if action.verify is not None and action.verify.reads:
        # Not as asked may be a change by somebody else.
        return is_gone(action, scope) and _ground_as_before(action, scope)
    return not shows(action, scope) and (action.snapshot is None or unchanged(action, scope))


def is_gone(action: AtomicAction, scope: Scope) -> bool:
    """Whether what the step made is there no more. Raises UnrenderableError."""
    if missing(action, scope.now):
        return True
    texts = action.verify.gone if action.verify else ()
    names = with_request(action, scope).names(action)
    return bool(texts) and all(evaluate(text, names, f"{action.name}: verify.gone") for text in texts)


def is_ours(action: AtomicAction, scope: Scope) -> bool:
    """Whether the new thing in `scope.now` is what this step made: it carries the step's marker, or, where the API
    keeps none, is as was asked. Raises UnrenderableError."""
    if missing(action, scope.now):
        return False
    ours = marked(action, scope)
    return ours if ours is not None else known_by(action, scope)


def named_by_answer(action: AtomicAction, scope: Scope) -> bool:
    """Whether the venue's answer to the write names what the compensation would take away: each id that it would send,
    as it was read, is in the answer. Raises UnrenderableError."""
    undo = action.compensation
    if undo is None or undo.request is None:
        return False
    ids = undo.values or undo.request.path or undo.request.body
    names, where = with_request(action, scope).names(action), f"{action.name}: compensation"
    of_what_was_read = [text for text in _scalars(ids) if isinstance(text, str) and "now" in names_of(text, where)]
    sent = [render(text, names, where) for text in of_what_was_read]
    answered = {str(value) for value in _scalars(scope.response)}
    return all(str(value) in answered for value in sent if not isinstance(value, dict | list))


def some_is_back(action: AtomicAction, scope: Scope, prior: Answer) -> bool:
    """Whether something of what differed from before, when a compensation left (`prior`), is as before again. What
    somebody else has set meanwhile is neither."""
    if action.snapshot is None:
        return False
    rules = (action.snapshot.covers, action.snapshot.ignore)
    before, then, now = (dict(_leaves(covered(one, *rules))) for one in (scope.before, prior, scope.now))
    touched = [path for path in {*before, *then} if before.get(path) != then.get(path)]
    return any(now.get(path) == before.get(path) for path in touched)


def own_part_stands(action: AtomicAction, scope: Scope) -> bool:
    """Whether the plan's own part can be told apart in `scope.now` and taken back alone. Raises UnrenderableError."""
    own = action.compensation.own_part if action.compensation else None
    if own is None:
        return False
    try:
        names = with_request(action, scope).names(action)
        return bool(evaluate(own.when, names, f"{action.name}: compensation.own_part.when"))
    except UnrenderableError:
        if scope.left is None:
            return False  # Nobody could look at what was left, so its own part cannot be told apart.
        raise


def own_part_gone(action: AtomicAction, scope: Scope) -> bool:
    """Whether the plan's own part is out of `scope.now`. Raises UnrenderableError."""
    own = action.compensation.own_part if action.compensation else None
    names = with_request(action, scope).names(action)
    where = f"{action.name}: compensation.own_part.gone"
    return own is not None and all(evaluate(text, names, where) for text in own.gone)


def _of_a_new_thing(action: AtomicAction, scope: Scope, left: str | None) -> Standing:
    if left is None and missing(action, scope.now):
        return Standing.OTHERWISE  # It was never seen, so it cannot be known to be gone.
    if is_gone(action, scope):
        # A change that makes a new thing of an old one: gone alone does not bring the old one back.
        return Standing.AS_BEFORE if _ground_as_before(action, scope) else Standing.OTHERWISE
    if left is not None:
        return Standing.AS_LEFT if left_digest(action, scope.now) == left else Standing.OTHERWISE
    return Standing.AS_LEFT if landed(action, scope) else Standing.OTHERWISE


def _scalars(tree: Json) -> Iterator[Json]:
    if isinstance(tree, dict | list):
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from _scalars(inner)
    else:
        yield tree


def _leaves(tree: Value, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Value]]:
    rows = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else None
    if rows is None:
        yield path, tree
        return
    for key, inner in rows:
        yield from _leaves(inner, (*path, key))


def _ground_as_before(action: AtomicAction, scope: Scope) -> bool:
    return action.snapshot is None or unchanged(action, scope)


def shows(action: AtomicAction, scope: Scope) -> bool:
    """Whether `verify` shows the write now and would not have shown it before."""
    asked = with_request(action, scope)
    return landed(action, asked) is True and landed(action, asked.with_(now=scope.before)) is not True
