"""The state of a step that may have to be undone: as before, as the plan left it, or changed since.

                 ┌ as before ──────────── nothing to do
now is either ───┼ as the plan left it ── send the compensation
                 └ changed since ──────── another writer: undo only the plan's own part, or leave it to staff

The state that a plan left is known by its digest, of all that `covers` names; only a comparison with the state before
leaves out what no undo restores. Where that proves nothing (no read succeeded, or `covers` does not
include the change), `verify` decides. A marker never does, because it may outlive the undo.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from contracts.action import AtomicAction
from contracts.base import Answer, Json, Value
from registry.errors import TemplateRenderError
from registry.http.request import with_request
from registry.templating.scope import Scope
from registry.templating.templates import evaluate, names_of, render
from registry.verification.snapshot import (
    covered,
    digest,
    has_marker,
    is_missing,
    is_ours,
    looks_for_new,
    matches_request,
    unchanged,
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


def named_by_answer(scope: Scope) -> bool:
    """Return whether the venue's response to the write names what the compensation would remove: each id that it would
    send, as it was read, is in the response. Raises TemplateRenderError."""
    undo = scope.action.compensation
    if undo is None or undo.request is None:
        return False
    ids = undo.values or undo.request.path or undo.request.body
    names, where = with_request(scope).names(), f"{scope.action.name}: compensation"
    of_what_was_read = [text for text in _scalars(ids) if isinstance(text, str) and "now" in names_of(text, where)]
    sent = [render(text, names, where) for text in of_what_was_read]
    answered = {str(value) for value in _scalars(scope.response)}
    return all(str(value) in answered for value in sent if not isinstance(value, dict | list))


@dataclass(frozen=True)
class UndoCheck:
    """What the latest read (`scope.now`) shows of a step that may have to be undone. `left`, `whole`: the digests of
    the state that the step left, of what matters and of all of it. Everything here raises TemplateRenderError."""

    scope: Scope
    left: str | None = None
    whole: str | None = None

    @property
    def state(self) -> UndoState:
        """Compare the state with the one before the step and with what the step left: by what matters or, where the
        change is not among what matters, by all of it."""
        scope, left = self.scope, self.left
        if scope.creates:
            return self._of_a_new_thing()
        before, now = left_digest(scope.action, scope.before), left_digest(scope.action, scope.now)
        as_planned = self.shows_write
        if left is not None and left != before:
            if now == left:
                return UndoState.AS_PLANNED
        elif as_planned:
            touched = left is not None and self.whole is not None and digest(scope.now, ("*",)) != self.whole
            return UndoState.CHANGED_SINCE if touched else UndoState.AS_PLANNED
        elif left is not None and scope.action.verify is None:
            return UndoState.CHANGED_SINCE
        return UndoState.UNCHANGED if self._ground_as_before and not as_planned else UndoState.CHANGED_SINCE

    @property
    def is_undone(self) -> bool:
        """Return whether the read, made after a compensation, shows that it worked."""
        if self.scope.creates:
            # A state that is not as requested may be another writer's change.
            return self.is_gone and self._ground_as_before
        return not self.shows_write and self._ground_as_before

    @property
    def is_gone(self) -> bool:
        """Return whether the resource that the step created is gone."""
        if is_missing(self.scope):
            return True
        texts = self.scope.action.verify.gone if self.scope.action.verify else ()
        return self._hold(texts, "verify.gone") and bool(texts)

    @property
    def shows_write(self) -> bool:
        """Return whether `verify` shows the write now and would not have shown it before."""
        asked = with_request(self.scope)
        return matches_request(asked) is True and matches_request(asked.with_(now=asked.before)) is not True

    @property
    def is_whole(self) -> bool:
        """Return whether all that the whole compensation would remove is there. A read that lacks rows of a list is
        otherwise sent as a request that removes none and adds them a second time."""
        undo = self.scope.action.compensation
        return undo is None or not undo.when or self._hold((undo.when,), "compensation.when")

    @property
    def own_part_separable(self) -> bool:
        """Return whether the plan's own part can be identified in the state and undone alone."""
        own = self.scope.action.compensation.partial_undo if self.scope.action.compensation else None
        try:
            return own is not None and self._hold((own.when,), "compensation.partial_undo.when")
        except TemplateRenderError:
            if self.scope.left is None:
                return False  # The state that the step left was never read, so its own part cannot be identified.
            raise

    @property
    def own_part_removed(self) -> bool:
        """Return whether the plan's own part is out of the state."""
        own = self.scope.action.compensation.partial_undo if self.scope.action.compensation else None
        return self._hold(own.gone if own else (), "compensation.partial_undo.gone") and own is not None

    @property
    def is_ours(self) -> bool:
        """See `snapshot.is_ours`."""
        return is_ours(self.scope)

    def is_certainly_ours(self, *, applied: bool) -> bool:
        """Return whether this step created what the compensation would name. An id in an answer alone proves nothing.
        Without a marker, it counts as created by this step only if the venue accepted the call (it is `applied`) and
        its answer names what was found, because another source may have created an identical item."""
        scope = self.scope
        if not scope.creates:
            # The visible change may be an identical one by another call, and then it carries that call's marker.
            return applied or has_marker(scope) is not False
        if (ours := has_marker(scope)) is not None:
            return ours
        if not looks_for_new(scope.action):
            return is_ours(scope)
        return applied and scope.response is not None and is_ours(scope) and named_by_answer(scope)

    def some_is_back(self, prior: Answer) -> bool:
        """Return whether a part of what differed from before, when a compensation left (`prior`), is as before again. A
        value that another writer has set meanwhile is neither."""
        snapshot = self.scope.action.snapshot
        if snapshot is None:
            return False
        rules = (snapshot.covers, (*snapshot.ignore, *snapshot.not_restored))
        states = (self.scope.before, prior, self.scope.now)
        before, then, now = (dict(_leaves(covered(one, *rules))) for one in states)
        touched = [path for path in {*before, *then} if before.get(path) != then.get(path)]
        return any(now.get(path) == before.get(path) for path in touched)

    def _of_a_new_thing(self) -> UndoState:
        if self.left is None and is_missing(self.scope):
            return UndoState.CHANGED_SINCE  # It was never seen, so it cannot be known to be gone.
        if self.is_gone:
            # A change that replaces a resource by a new one: removing that alone does not restore the old one.
            return UndoState.UNCHANGED if self._ground_as_before else UndoState.CHANGED_SINCE
        if self.left is not None:
            as_planned = left_digest(self.scope.action, self.scope.now) == self.left
        else:
            as_planned = matches_request(self.scope) is True
        return UndoState.AS_PLANNED if as_planned else UndoState.CHANGED_SINCE

    @property
    def _ground_as_before(self) -> bool:
        return self.scope.action.snapshot is None or unchanged(self.scope, undone=True)

    def _hold(self, texts: Iterable[str], where: str) -> bool:
        names = with_request(self.scope).names()
        return all(evaluate(text, names, f"{self.scope.action.name}: {where}") for text in texts)


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
