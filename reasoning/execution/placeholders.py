"""Typed placeholders: `{{step_N.field}}` is replaced by the output of step N. They are checked when a plan is drafted
and resolved when the step runs."""

import re
from collections.abc import Iterator, Mapping, Sequence

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.identifiers import step_output

_FIELD = re.compile(r"[\w.]+")
_ANY = re.compile(r"\{\{\s*step_")  # other braces are user text and pass unchanged


class UnresolvedError(LookupError):
    """A placeholder names something that is not in the output of an earlier step."""


def reference(value: Json) -> tuple[int, str] | None:
    """Return (step, field) if the value is a placeholder, else None."""
    found = step_output(value)
    return (int(found[0]), found[1]) if found and _FIELD.fullmatch(found[1]) else None


def present(arguments: Mapping[str, Json]) -> bool:
    """Return whether any argument waits for an earlier step."""
    return any(reference(text) is not None for _, text in _texts(arguments))


def steps_in(arguments: Mapping[str, Json]) -> frozenset[int]:
    """Return the earlier steps that any argument waits for."""
    found = (reference(text) for _, text in _texts(arguments))
    return frozenset(target[0] for target in found if target is not None)


def problems(step: int, arguments: Mapping[str, Json], earlier: Sequence[AtomicAction]) -> list[str]:
    """Return the errors in the placeholders of step `step` (1-based), in words a model can act on."""
    found = []
    for name, value in _texts(arguments):
        if not _ANY.search(value):
            continue
        target = reference(value)
        if target is None:
            found.append(f"{name}: a placeholder must be the whole value, like {{{{step_1.field}}}}")
        elif not 1 <= target[0] < step:
            found.append(f"{name}: step {target[0]} does not come before step {step}")
        elif not _puts_out(earlier[target[0] - 1], target[1]):
            known = ", ".join(_outputs(earlier[target[0] - 1])) or "nothing"
            found.append(f"{name}: step {target[0]} puts out {known}, not {target[1]}")
    return found


def _outputs(action: AtomicAction) -> list[str]:
    shape = action.output.shape
    if not action.output.fields and shape is None:
        # It puts out what tells things apart: which of it, its answer shows.
        return [given[1:] for given in action.operation.gives if given.startswith(".")]
    return list(action.output.fields) or (list(shape) if isinstance(shape, dict) else [])


def _puts_out(action: AtomicAction, field: str) -> bool:
    whole = bool(action.output.fields) or action.output.shape is not None
    last = field if whole else field.rpartition(".")[2]
    return any(last == out or field.startswith(out + ".") for out in _outputs(action))


def resolve(arguments: Mapping[str, Json], outputs: Mapping[int, Json]) -> dict[str, Json]:
    """Return the arguments with placeholders replaced by the outputs of earlier steps. Raises `UnresolvedError`."""
    return {name: _value(name, value, outputs) for name, value in arguments.items()}


def resolve_known(arguments: Mapping[str, Json], outputs: Mapping[int, Json]) -> dict[str, Json]:
    """Return the arguments with those placeholders replaced whose value is known already; the others stay."""
    known: dict[str, Json] = {}
    for name, value in arguments.items():
        try:
            known[name] = _value(name, value, outputs)
        except UnresolvedError:
            known[name] = value
    return known


def _texts(value: Json, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (dotted name, text) of every text at any depth: a placeholder may be inside a list or an object."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, Sequence):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{name}[{index}]")


def _value(name: str, value: Json, outputs: Mapping[int, Json]) -> Json:
    if isinstance(value, Mapping):
        return {key: _value(f"{name}.{key}", inner, outputs) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_value(f"{name}[{index}]", inner, outputs) for index, inner in enumerate(value)]
    target = reference(value)
    if target is None:
        return value
    step, field = target
    found = outputs.get(step)
    for part in field.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise UnresolvedError(f"{name}: step {step} did not return {field}")
        found = found[part]
    return found
