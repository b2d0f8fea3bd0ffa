"""Another action as the undo of one: its request, fed from the kept snapshot."""

from collections.abc import Mapping

from contracts.action import AtomicAction, CompensationTemplate, RequestTemplate
from contracts.base import Json, Tree


def as_compensation(
    action: AtomicAction, other: AtomicAction, inputs: Mapping[str, Tree], manual: str
) -> CompensationTemplate:
    """The compensation of `action` that does `other` with `inputs`.

    To `other`'s templates `before` is what is there when it starts: the undo's `now`. Parameters that `inputs`
    leaves out keep the value they have in `action`, if it has one of that name.
    """
    absent = {p.name: None for p in other.parameters if action.parameter(p.name) is None}
    written = other.request or RequestTemplate()
    places: dict[str, dict[str, Tree]] = {
        place: {**_targets(other, place), **getattr(written, place), **getattr(other.bound, place)}
        for place in ("path", "query", "header")
    }
    bodies = [body for body in (_targets(other, "body"), written.body, other.bound.body) if body]
    merged = {k: v for body in bodies for k, v in body.items()} if all(isinstance(b, dict) for b in bodies) else None
    body = merged if merged is not None else bodies[-1]
    return CompensationTemplate(
        operation=other.operation,
        request=RequestTemplate(path=places["path"], query=places["query"], header=places["header"], body=body or None),
        manual=manual,
        values={**absent, **inputs, "before": "{{ now }}"},
        # Alternatives are for an operator who asked for `other`, not for one who undoes something else.
        errors=tuple(r.model_copy(update={"alternatives": None}) for r in other.errors if not r.undo),
    )


def _targets(action: AtomicAction, place: str) -> dict[str, Tree]:
    """Parameters that go somewhere by themselves, as templates that leave an absent one out."""
    tree: dict[str, Json] = {}
    for parameter in action.parameters:
        where, _, path = (parameter.target or "").partition(".")
        if where != place:
            continue
        *outer, last = path.split(".")
        inner = tree
        for name in outer:
            inner = inner.setdefault(name, {})
        inner[last] = {"when": f"{parameter.name} is not none", "value": "{{ " + parameter.name + " }}"}
    return tree
