"""The state of a step that may have to be undone: as before, as the plan left it, or changed since.

                 ┌ as before ──────────── nothing to do
now is either ───┼ as the plan left it ── send the compensation
                 └ changed since ──────── another writer: undo only the plan's own part, or leave it to staff

The state that a plan left is known by its digest. Where that proves nothing (no read succeeded, or `covers` does not
include the change), `verify` decides. A marker never does, because it may outlive the undo.
"""

from collections.abc import Iterator
from enum import StrEnum

from contracts.action import AtomicAction
from contracts.base import Answer, Json, Value
from registry.errors import TemplateRenderError
from registry.templating.scope import Scope
from registry.templating.templates import evaluate, names_of, render
from registry.verification.snapshot import (
    covered,
    digest,
    has_marker,
    is_missing,
    known_by,
    matches_request,
    unchanged,
    with_request,
)


class UndoState(StrEnum):
    """How the current state compares with the states before and after the step."""

    UNCHANGED = "as_before"
    AS_PLANNED = "as_left"
    CHANGED_SINCE = "otherwise"


def left_digest(action: AtomicAction, now: Answer) -> str | None:
    """Return the hash of all that matters for the undo in the state that a write left; None when the action reads
    nothing back."""
    verify = action.verify
    if verify is not None and verify.reads:
        return digest(now, verify.covers or tuple(read.name for read in verify.reads), verify.ignore)
    return digest(now, action.snapshot.covers, action.snapshot.ignore) if action.snapshot else None


def undo_state(action: AtomicAction, scope: Scope, left: str | None, whole: str | None = None) -> UndoState:
    """Compare `scope.now` with `scope.before` and with what the step left, by its digests: of what matters (`left`),
    and of all of it (`whole`), for where the change is not among what matters. Raises TemplateRenderError."""
    if action.verify is not None and action.verify.reads:
        return _of_a_new_thing(action, scope, left)
    before = left_digest(action, scope.before)
    as_before, as_planned = left_digest(action, scope.now) == before, shows(action, scope)
    if left is not None and left != before:
        if left_digest(action, scope.now) == left:
            return UndoState.AS_PLANNED
    elif as_planned:
        touched = left is not None and whole is not None and digest(scope.now, ("*",)) != whole
        return UndoState.CHANGED_SINCE if touched else UndoState.AS_PLANNED
    elif left is not None and action.verify is None:
        return UndoState.CHANGED_SINCE
    return UndoState.UNCHANGED if as_before and not as_planned else UndoState.CHANGED_SINCE


def is_undone(action: AtomicAction, scope: Scope) -> bool:
    """Return whether `scope.now`, read after a compensation, shows that it worked. Raises TemplateRenderError."""
    if action.verify is not None and action.verify.reads:
        # A state that is not as requested may be another writer's change.
        return is_gone(action, scope) and _ground_as_before(action, scope)
    return not shows(action, scope) and (action.snapshot is None or unchanged(action, scope))


def is_gone(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the resource that the step created is gone. Raises TemplateRenderError."""
    if is_missing(action, scope.now):
        return True
    texts = action.verify.gone if action.verify else ()
    names = with_request(action, scope).names(action)
    return bool(texts) and all(evaluate(text, names, f"{action.name}: verify.gone") for text in texts)


def is_ours(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the new resource in `scope.now` was created by this step: it carries the step's marker, or, where
    the API keeps none, is as requested. Raises TemplateRenderError."""
    if is_missing(action, scope.now):
        return False
    ours = has_marker(action, scope)
    return ours if ours is not None else known_by(action, scope)


def named_by_answer(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the venue's response to the write names what the compensation would remove: each id that it would
    send, as it was read, is in the response. Raises TemplateRenderError."""
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
    """Return whether a part of what differed from before, when a compensation left (`prior`), is as before again. A
    value that another writer has set meanwhile is neither."""
    if action.snapshot is None:
        return False
    rules = (action.snapshot.covers, action.snapshot.ignore)
    before, then, now = (dict(_leaves(covered(one, *rules))) for one in (scope.before, prior, scope.now))
    touched = [path for path in {*before, *then} if before.get(path) != then.get(path)]
    return any(now.get(path) == before.get(path) for path in touched)


def own_changes_separable(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the plan's own part can be identified in `scope.now` and undone alone. Raises
    TemplateRenderError."""
    own = action.compensation.partial_undo if action.compensation else None
    if own is None:
        return False
    try:
        names = with_request(action, scope).names(action)
        return bool(evaluate(own.when, names, f"{action.name}: compensation.partial_undo.when"))
    except TemplateRenderError:
        if scope.left is None:
            return False  # The state that the step left was never read, so its own part cannot be identified.
        raise


def own_changes_removed(action: AtomicAction, scope: Scope) -> bool:
    """Return whether the plan's own part is out of `scope.now`. Raises TemplateRenderError."""
    own = action.compensation.partial_undo if action.compensation else None
    names = with_request(action, scope).names(action)
    where = f"{action.name}: compensation.partial_undo.gone"
    return own is not None and all(evaluate(text, names, where) for text in own.gone)


def _of_a_new_thing(action: AtomicAction, scope: Scope, left: str | None) -> UndoState:
    if left is None and is_missing(action, scope.now):
        return UndoState.CHANGED_SINCE  # It was never seen, so it cannot be known to be gone.
    if is_gone(action, scope):
        # A change that replaces a resource by a new one: removing that alone does not restore the old one.
        return UndoState.UNCHANGED if _ground_as_before(action, scope) else UndoState.CHANGED_SINCE
    if left is not None:
        return UndoState.AS_PLANNED if left_digest(action, scope.now) == left else UndoState.CHANGED_SINCE
    return UndoState.AS_PLANNED if matches_request(action, scope) else UndoState.CHANGED_SINCE


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
    """Return whether `verify` shows the write now and would not have shown it before."""
    asked = with_request(action, scope)
    return matches_request(action, asked) is True and matches_request(action, asked.with_(now=scope.before)) is not True
