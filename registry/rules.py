"""What a venue's refusal means to an operator, from the overlay's `errors`."""

from contracts.action import AtomicAction, ErrorRule
from contracts.base import Answer
from contracts.quick import QuickAction
from registry.faults import UnrenderableError
from registry.scope import Scope
from registry.templates import evaluate, render_text

MOST_ALTERNATIVES = 5


def error_rule(
    action: AtomicAction, status: int | None, code: str | None, *, undo: bool | None = False
) -> ErrorRule | None:
    """The rule that fits best: status and code, then code, then status, then one that names neither; first wins. With
    `undo` of those about a refused compensation, or of both where it is None."""
    about = [rule for rule in action.errors if undo in (None, rule.undo)]
    fitting = [rule for rule in about if rule.status in (None, status) and rule.code in (None, code)]
    return max(fitting, key=lambda rule: (rule.code is not None, rule.status is not None), default=None)


def compensating(action: AtomicAction) -> AtomicAction:
    """`action` with the rules for a refusal of what undoes it: its own rules for that, then those of the action that
    serves as its undo, else its other rules."""
    own = tuple(rule for rule in action.errors if rule.undo)
    linked = action.compensation.errors if action.compensation is not None else ()
    rest = linked or tuple(rule for rule in action.errors if not rule.undo)
    return action.model_copy(update={"errors": (*own, *rest)})


def rule_message(action: AtomicAction, rule: ErrorRule, scope: Scope) -> str | None:
    """The rule's message with its values filled in; None when it has none. Raises UnrenderableError."""
    return render_text(rule.message, scope.names(action), f"{action.name}: errors.message") if rule.message else None


def rule_suggestions(action: AtomicAction, rule: ErrorRule, scope: Scope) -> tuple[str, ...]:
    """The rule's next moves with their values filled in. Raises UnrenderableError."""
    names = scope.names(action)
    return tuple(render_text(text, names, f"{action.name}: errors.suggestions") for text in rule.suggestions)


def alternatives(action: AtomicAction, rule: ErrorRule, response: Answer, scope: Scope) -> tuple[QuickAction, ...]:
    """At most five things that would have worked, from the answer of `build_read(rule.alternatives, scope)`; `say` is
    empty where the overlay does not tell how to ask for one.

    Raises UnrenderableError.
    """
    if rule.alternatives is None or rule.alternative_label is None:
        return ()
    where = f"{action.name}: errors.alternatives"
    names = scope.with_(response=response).names(action)
    rows = evaluate(rule.alternatives_rows, names, f"{where}.rows") if rule.alternatives_rows else response
    if not isinstance(rows, list):
        raise UnrenderableError(f"{where}.rows", "gives no list")
    found: dict[str, QuickAction] = {}
    for row in rows:
        label = render_text(rule.alternative_label, {**names, "item": row}, f"{where}.label")
        say = render_text(rule.alternative_say or "", {**names, "item": row}, f"{where}.say")
        found.setdefault(label, QuickAction(label=label, say=say))
        if len(found) == MOST_ALTERNATIVES:
            break
    return tuple(found.values())


def always_refused(action: AtomicAction, scope: Scope) -> str | None:
    """What is said instead of a plan that the venue is known to refuse; None where nothing is known. Raises
    UnrenderableError."""
    names = scope.names(action)
    for refusal in action.refuses:
        if evaluate(refusal.when, names, f"{action.name}: refuses.when"):
            return render_text(refusal.message, names, f"{action.name}: refuses.message")
    return None


def look_text(action: AtomicAction, response: Answer, scope: Scope) -> str:
    """What is said of the overlay's `room` where it has room and is a step of its own. Raises UnrenderableError."""
    assert action.room is not None and action.room.step is not None
    names = scope.with_(response=response).names(action)
    return render_text(action.room.step.done, names, f"{action.name}: room.step.done")


def lacking_room(action: AtomicAction, response: Answer, scope: Scope) -> ErrorRule | None:
    """What the answer of the overlay's `room` speaks against; None where there is room. Raises UnrenderableError."""
    names = scope.with_(response=response).names(action)
    for code, text in action.room.needs if action.room else ():
        if not evaluate(text, names, f"{action.name}: room.needs.{code}"):
            return next((rule for rule in action.errors if rule.code == code), None)
    return None
