"""The operator's message for a venue's error, from the overlay's `errors`."""

from contracts.action import AtomicAction, ErrorRule
from contracts.base import Answer, QuickAction
from registry.errors import TemplateRenderError
from registry.templating.scope import Scope
from registry.templating.templates import evaluate, render_text

MOST_ALTERNATIVES = 5


def error_rule(
    action: AtomicAction, status: int | None, code: str | None, *, undo: bool | None = False
) -> ErrorRule | None:
    """Return the best matching rule: status and code, then code, then status, then one that names neither; first wins.
    With `undo`, of those about a rejected compensation, or of both where it is None."""
    about = [rule for rule in action.errors if undo in (None, rule.undo)]
    fitting = [rule for rule in about if rule.status in (None, status) and rule.code in (None, code)]
    return max(fitting, key=lambda rule: (rule.code is not None, rule.status is not None), default=None)


def undo_rule(action: AtomicAction, status: int | None, code: str | None) -> ErrorRule | None:
    """Return the best rule about a rejected compensation: the action's own, else one of the action that is its undo."""
    linked = action.model_copy(update={"errors": action.compensation.errors if action.compensation else ()})
    return error_rule(action, status, code, undo=True) or error_rule(linked, status, code)


def compensating(action: AtomicAction) -> AtomicAction:
    """Return `action` with the rules for a rejected compensation: its own rules for that, then those of the action that
    is its undo, else its other rules."""
    own = tuple(rule for rule in action.errors if rule.undo)
    linked = action.compensation.errors if action.compensation is not None else ()
    rest = linked or tuple(rule for rule in action.errors if not rule.undo)
    return action.model_copy(update={"errors": (*own, *rest)})


def rule_message(scope: Scope, rule: ErrorRule) -> str | None:
    """Return the rule's message with its values filled in; None when it has none. Raises TemplateRenderError."""
    return render_text(rule.message, scope.names(), f"{scope.action.name}: errors.message") if rule.message else None


def rule_suggestions(scope: Scope, rule: ErrorRule) -> tuple[str, ...]:
    """Return the rule's suggestions with their values filled in. Raises TemplateRenderError."""
    names = scope.names()
    return tuple(render_text(text, names, f"{scope.action.name}: errors.suggestions") for text in rule.suggestions)


def alternatives(scope: Scope, rule: ErrorRule, response: Answer) -> tuple[QuickAction, ...]:
    """Return at most five alternatives that would have worked, from the response to the read `rule.alternatives`. `say`
    is empty where the overlay has no wording for one.

    Raises TemplateRenderError.
    """
    if rule.alternatives is None or rule.alternative_label is None:
        return ()
    where = f"{scope.action.name}: errors.alternatives"
    names = scope.with_(response=response).names()
    rows = evaluate(rule.alternatives_rows, names, f"{where}.rows") if rule.alternatives_rows else response
    if not isinstance(rows, list):
        raise TemplateRenderError(f"{where}.rows", "gives no list")
    found: dict[str, QuickAction] = {}
    for row in rows:
        label = render_text(rule.alternative_label, {**names, "item": row}, f"{where}.label")
        say = render_text(rule.alternative_say or "", {**names, "item": row}, f"{where}.say")
        found.setdefault(label, QuickAction(label=label, say=say))
        if len(found) == MOST_ALTERNATIVES:
            break
    return tuple(found.values())


def preflight_rejection(scope: Scope) -> str | None:
    """Return the message for a plan that the venue is known to reject; None where no rejection is known. Raises
    TemplateRenderError."""
    action, names = scope.action, scope.names()
    for refusal in action.rejects_when:
        if evaluate(refusal.when, names, f"{action.name}: refuses.when"):
            return render_text(refusal.message, names, f"{action.name}: refuses.message")
    return None


def availability_text(scope: Scope, response: Answer) -> str:
    """Return the text of the overlay's `availability` where there is capacity and it is a step of its own. Raises
    TemplateRenderError."""
    action = scope.action
    assert action.availability is not None and action.availability.step is not None
    names = scope.with_(response=response).names()
    return render_text(action.availability.step.done, names, f"{action.name}: room.step.done")


def availability_error(scope: Scope, response: Answer) -> ErrorRule | None:
    """Return the rule that the response of the overlay's `availability` triggers; None where there is capacity. Raises
    TemplateRenderError."""
    action, names = scope.action, scope.with_(response=response).names()
    for code, text in action.availability.requires if action.availability else ():
        if not evaluate(text, names, f"{action.name}: room.needs.{code}"):
            return next((rule for rule in action.errors if rule.code == code), None)
    return None
