"""The part of a document that a plan depends on, its digest for the drift check, and whether a write landed."""

import hashlib
import json
from collections.abc import Iterable

from contracts.action import AtomicAction
from contracts.base import Json
from registry.request import build_request
from registry.scope import Scope
from registry.templates import evaluate

Paths = dict[str, "Paths"]


def covered(document: Json, covers: Iterable[str], ignore: Iterable[str] = ()) -> Json:
    """The values of `document` at the dotted paths `covers`, without those at `ignore`.

    Paths pass through lists; `*` stands for any key. Numbers are made alike (1.0 becomes 1); the order of lists
    is kept. What is not there is left out.
    """
    kept, dropped = _paths(covers), _paths(ignore)
    return _alike(_without(_only(document, kept), dropped) if kept else None)


def digest(document: Json, covers: Iterable[str], ignore: Iterable[str] = ()) -> str:
    """SHA-256, in hex, of the canonical JSON of what is covered: equal when nothing that matters differs."""
    text = json.dumps(covered(document, covers, ignore), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def landed(action: AtomicAction, scope: Scope) -> bool | None:
    """Whether `now` shows what `request` asked for; None when the action declares no check.

    A scope without `request` gets the one that its parameters and `before` make. Raises TemplateFault.
    """
    if action.verify is None:
        return None
    names = with_request(action, scope).names(action)
    return all(evaluate(check, names, f"{action.name}: verify") for check in action.verify.checks)


def marked(action: AtomicAction, scope: Scope) -> bool | None:
    """Whether `now` carries the scope's `marker`: this very write landed. None when the action leaves no marker."""
    if action.marker is None or not scope.marker:
        return None
    return bool(evaluate(action.marker.present, scope.names(action), f"{action.name}: marker.present"))


def with_request(action: AtomicAction, scope: Scope) -> Scope:
    """`scope` with its `request` filled in. Raises TemplateFault."""
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


def _only(value: Json, paths: Paths) -> Json:
    if not paths:
        return value
    if isinstance(value, list):
        return [_only(v, paths) for v in value]
    if isinstance(value, dict):
        return {k: _only(v, paths.get(k, paths.get("*", {}))) for k, v in value.items() if k in paths or "*" in paths}
    return value


def _without(value: Json, paths: Paths) -> Json:
    if isinstance(value, list):
        return [_without(v, paths) for v in value]
    if not isinstance(value, dict) or not paths:
        return value
    return {k: _without(v, paths.get(k, {})) for k, v in value.items() if k not in paths or paths[k]}


def _alike(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_alike(v) for v in value]
    return {k: _alike(v) for k, v in value.items()} if isinstance(value, dict) else value
