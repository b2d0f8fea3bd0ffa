"""Instructions for undoing a step manually, and the state before the plan."""

from activities.dispatch import scope_of
from clients.venue.reads import Snapshot, read_key
from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.step_activities import FoundBefore
from language.messages.catalogue import translate
from registry import Scope, build_read, state_lines


def lines(action: AtomicAction, scope: Scope, *, only_changed: bool = False) -> list[str]:
    """Return each value as it was, as the plan set it and as it is now. `only_changed` omits unchanged values."""
    return [
        translate("undo.line", field=field, before=before, after=after, now=now)
        for field, before, after, now in state_lines(action, scope)
        if not only_changed or before != after or after != now
    ]


def before_the_plan(snapshot: Snapshot, scope: Scope, earlier: FoundBefore | None) -> Answer:
    """Return the state before the plan: what the step's snapshot found, with the result of an `earlier` step for reads
    that both made. Raises `TemplateRenderError`."""
    document = scope.before
    if earlier is None:
        return document
    known = _answers(earlier)
    for name, key, _ in snapshot.answers:
        if key in known:
            document = {**(document if isinstance(document, dict) else {}), name: known[key]} if name else known[key]
    return document


def _answers(earlier: FoundBefore) -> dict[str, Answer]:
    """Return the answer of each read of a step, by its key."""
    action, found = earlier.scope.action, earlier.before
    scope = scope_of(earlier.scope).with_(before=found)
    inner = found if isinstance(found, dict) else {}
    reads = action.snapshot.reads if action.snapshot else ()
    return {read_key(build_read(read, scope)): inner.get(read.name) if read.name else found for read in reads}
