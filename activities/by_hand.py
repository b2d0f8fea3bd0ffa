"""What a person is asked to do about a step that could not be undone, and what was there before the plan."""

from activities.dispatch import scope_of
from clients.reads import Seen, key_of
from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.effects import FoundBefore
from language.catalogue import say
from registry import Scope, build_read, standing_lines


def lines(action: AtomicAction, scope: Scope, *, only_changed: bool = False) -> list[str]:
    """Each value as it was, as the plan has it and as it is now. `only_changed`: without those that did not change."""
    return [
        say("undo.line", field=field, before=before, after=after, now=now)
        for field, before, after, now in standing_lines(action, scope)
        if not only_changed or before != after or after != now
    ]


def before_the_plan(seen: Seen, scope: Scope, earlier: FoundBefore | None) -> Answer:
    """What was there before the plan: what a step found, but with what an `earlier` step of the plan found where both
    read the same. Raises `UnrenderableError`."""
    document = scope.before
    if earlier is None:
        return document
    known = _answers(earlier)
    for name, key, _ in seen.answers:
        if key in known:
            document = {**(document if isinstance(document, dict) else {}), name: known[key]} if name else known[key]
    return document


def _answers(earlier: FoundBefore) -> dict[str, Answer]:
    """What each read of a step answered, by its key."""
    action, found = earlier.scope.action, earlier.before
    scope = scope_of(earlier.scope).with_(before=found)
    inner = found if isinstance(found, dict) else {}
    reads = action.snapshot.reads if action.snapshot else ()
    return {key_of(build_read(read, scope)): inner.get(read.name) if read.name else found for read in reads}
