"""The part of a document that a plan depends on, its digest for the drift check, and whether a write landed."""

import hashlib
import json
from collections.abc import Iterable

from contracts.action import AtomicAction, SnapshotTemplate
from contracts.base import Answer, Value
from contracts.effects import Ground
from registry.request import build_request
from registry.scope import Scope
from registry.templates import evaluate

Paths = dict[str, "Paths"]


def covered(document: Answer, covers: Iterable[str], ignore: Iterable[str] = ()) -> Value:
    """The values of `document` at the dotted paths `covers`, without those at `ignore`.

    Paths pass through lists; `*` stands for any key. Numbers are made alike (1.0 becomes 1); the order of lists
    is kept. What is not there is left out.
    """
    kept, dropped = _paths(covers), _paths(ignore)
    return _alike(_without(_only(document, kept), dropped) if kept else None)


def digest(document: Answer, covers: Iterable[str], ignore: Iterable[str] = ()) -> str:
    """SHA-256, in hex, of the canonical JSON of what is covered: equal when nothing that matters differs."""
    text = json.dumps(covered(document, covers, ignore), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unchanged(action: AtomicAction, scope: Scope) -> bool:
    """Whether what the action depends on is in `now` as it was `before`; False when it depends on nothing."""
    if action.snapshot is None:
        return False
    rules = (action.snapshot.covers, action.snapshot.ignore)
    return digest(scope.now, *rules) == digest(scope.before, *rules)


def grounds(snapshot: SnapshotTemplate, answers: Iterable[tuple[str, str, Answer]]) -> tuple[Ground, ...]:
    """What a step stands on, by read. `answers`: (the read's name, its key, what it answered)."""
    found = []
    for name, key, answer in answers:
        covers, ignore = paths_inside(snapshot.covers, name), paths_inside(snapshot.ignore, name)
        if covers:
            found.append(Ground(key=key, covers=covers, ignore=ignore, digest=digest(answer, covers, ignore)))
    return tuple(found)


def paths_inside(dotted: Iterable[str], name: str) -> tuple[str, ...]:
    """The paths of a snapshot that are inside the answer of the read `name`; "" is the whole snapshot."""
    if not name:
        return tuple(dotted)
    return tuple(p.removeprefix(f"{name}.") if p != name else "*" for p in dotted if p.partition(".")[0] == name)


def landed(action: AtomicAction, scope: Scope) -> bool | None:
    """Whether `now` shows what `request` asked for; None when the action declares no check.

    What a write makes anew shows when it can be read. A scope without `request` gets the one that its parameters and
    `before` make. Raises UnrenderableError.
    """
    if action.verify is None:
        return None
    if missing(action, scope.now):
        return False
    names = with_request(action, scope).names(action)
    return all(evaluate(check, names, f"{action.name}: verify") for check in action.verify.checks)


def missing(action: AtomicAction, now: Answer) -> bool:
    """Whether what the write makes anew is not there: one of `verify`'s own reads answered that there is no such
    thing."""
    reads = action.verify.reads if action.verify else ()
    return any(not isinstance(now, dict) or now.get(read.name) is None for read in reads)


def looks_for_new(action: AtomicAction) -> bool:
    """Whether what the write makes can be looked for by what it was answered."""
    reads = action.verify.reads if action.verify else ()
    return any("response" in read.model_dump_json(include={"inputs"}) for read in reads)


def known_by(action: AtomicAction, scope: Scope) -> bool:
    """Whether a new thing in `now` is the one that was asked for, where no marker tells: by `verify.known_by`, else by
    all that was asked. Raises UnrenderableError."""
    assert action.verify is not None
    if not action.verify.known_by:
        return landed(action, scope) is True
    names = with_request(action, scope).names(action)
    return all(evaluate(text, names, f"{action.name}: verify.known_by") for text in action.verify.known_by)


def marked(action: AtomicAction, scope: Scope) -> bool | None:
    """Whether `now` carries the scope's `marker`: this very write landed. None when the action leaves no marker."""
    if action.marker is None or not scope.marker:
        return None
    return bool(evaluate(action.marker.present, scope.names(action), f"{action.name}: marker.present"))


def unmarked_since(action: AtomicAction, scope: Scope) -> bool:
    """Whether `now` carries the marker that `before` carried: then none of our writes landed in between."""
    if action.marker is None or not action.marker.value or scope.now is None:
        return False
    where = f"{action.name}: marker.value"
    found = [evaluate(action.marker.value, scope.with_(now=d).names(action), where) for d in (scope.before, scope.now)]
    return bool(found[0] == found[1])


def with_request(action: AtomicAction, scope: Scope) -> Scope:
    """`scope` with the request that the step sent, made anew from its values and `before`. Raises UnrenderableError."""
    return scope if scope.request is not None else scope.with_(request=build_request(action, scope))


def _paths(dotted: Iterable[str]) -> Paths:
    tree: Paths = {}
    whole = sorted(dotted, key=len)
    for path in whole:
        if any(path.startswith(f"{shorter}.") for shorter in whole):
            continue
        inner = tree
        for name in path.split("."):
            inner = inner.setdefault(name, {})
    return tree


def _only(value: Value, paths: Paths) -> Value:
    if not paths:
        return value
    if isinstance(value, list):
        return [_only(v, paths) for v in value]
    if isinstance(value, dict):
        return {k: _only(v, paths.get(k, paths.get("*", {}))) for k, v in value.items() if k in paths or "*" in paths}
    return value


def _without(value: Value, paths: Paths) -> Value:
    if isinstance(value, list):
        return [_without(v, paths) for v in value]
    if not isinstance(value, dict) or not paths:
        return value
    inner = {k: paths.get(k, paths.get("*")) for k in value}
    return {k: _without(v, inner[k] or {}) for k, v in value.items() if inner[k] is None or inner[k]}


def _alike(value: Value) -> Value:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_alike(v) for v in value]
    return {k: _alike(v) for k, v in value.items()} if isinstance(value, dict) else value
