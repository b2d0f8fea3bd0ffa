"""What a venue's refusal means to an operator, from the overlay's `errors`."""

from contracts.action import AtomicAction, ErrorRule
from contracts.base import Answer
from registry.faults import UnrenderableError
from registry.scope import Scope
from registry.templates import evaluate, render_text

MOST_ALTERNATIVES = 5


def error_rule(action: AtomicAction, status: int | None, code: str | None) -> ErrorRule | None:
    """The rule that fits best: status and code, then code, then status, then one that names neither; first wins."""
    fitting = [rule for rule in action.errors if rule.status in (None, status) and rule.code in (None, code)]
    return max(fitting, key=lambda rule: (rule.code is not None, rule.status is not None), default=None)


def rule_message(action: AtomicAction, rule: ErrorRule, scope: Scope) -> str | None:
    """The rule's message with its values filled in; None when it has none. Raises UnrenderableError."""
    return render_text(rule.message, scope.names(action), f"{action.name}: errors.message") if rule.message else None


def rule_suggestions(action: AtomicAction, rule: ErrorRule, scope: Scope) -> tuple[str, ...]:
    """The rule's next moves with their values filled in. Raises UnrenderableError."""
    names = scope.names(action)
    return tuple(render_text(text, names, f"{action.name}: errors.suggestions") for text in rule.suggestions)


def alternative_labels(action: AtomicAction, rule: ErrorRule, response: Answer, scope: Scope) -> tuple[str, ...]:
    """At most five things that would have worked, from the answer of `build_read(rule.alternatives, scope)`.

    Raises UnrenderableError.
    """
    if rule.alternatives is None or rule.alternative_label is None:
        return ()
    where = f"{action.name}: errors.alternatives"
    names = scope.with_(response=response).names(action)
    rows = evaluate(rule.alternatives_rows, names, f"{where}.rows") if rule.alternatives_rows else response
    if not isinstance(rows, list):
        raise UnrenderableError(f"{where}.rows", "gives no list")
    labels = [render_text(rule.alternative_label, {**names, "item": row}, f"{where}.label") for row in rows]
    return tuple(dict.fromkeys(labels))[:MOST_ALTERNATIVES]
