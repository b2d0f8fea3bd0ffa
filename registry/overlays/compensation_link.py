"""Another action as the undo of one: its request, with values from the recorded snapshot."""

from collections.abc import Mapping

from contracts.action import AtomicAction, CompensationTemplate, RequestTemplate
from contracts.base import Json, Tree


def as_compensation(
    action: AtomicAction, other: AtomicAction, inputs: Mapping[str, Tree], manual: str
) -> CompensationTemplate:
    """Return the compensation of `action` that does `other` with `inputs`.

    In `other`'s templates `before` is the state when it starts: the undo's `now`. Parameters that `inputs` leaves out
    keep the value they have in `action`, if it has one of that name.
    """
    absent = {p.name: None for p in other.parameters if action.parameter(p.name) is None}
    written = other.request or RequestTemplate()
    places: dict[str, dict[str, Tree]] = {
        location: {**_targets(other, location), **getattr(written, location), **getattr(other.bound, location)}
        for location in ("path", "query", "header")
    }
    bodies = [body for body in (_targets(other, "body"), written.body, other.bound.body) if body]
    merged = {k: v for body in bodies for k, v in body.items()} if all(isinstance(b, dict) for b in bodies) else None
    body = merged if merged is not None else bodies[-1]
    return CompensationTemplate(
        operation=other.operation,
        request=RequestTemplate(path=places["path"], query=places["query"], header=places["header"], body=body or None),
        manual=manual,
        values={**absent, **inputs, "before": "{{ now }}"},
        # Alternatives are for an operator who requested `other`, not for one who undoes another action.
        errors=tuple(r.model_copy(update={"alternatives": None}) for r in other.errors if not r.undo),
    )


def _targets(action: AtomicAction, location: str) -> dict[str, Tree]:
    """Return parameters with a target of their own, as templates that leave an absent one out."""
    tree: dict[str, Json] = {}
    for parameter in action.parameters:
        where, _, path = (parameter.target or "").partition(".")
        if where != location:
            continue
        *outer, last = path.split(".")
        inner = tree
        for name in outer:
            inner = inner.setdefault(name, {})
        inner[last] = {"when": f"{parameter.name} is not none", "value": "{{ " + parameter.name + " }}"}
    return tree
