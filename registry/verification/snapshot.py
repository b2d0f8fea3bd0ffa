"""The part of a document that a plan depends on, its digest for the drift check, and whether a write was applied."""

import hashlib
import json
from collections.abc import Iterable

from contracts.action import AtomicAction, SnapshotTemplate
from contracts.base import Answer, Value
from contracts.step_activities import StateFingerprint
from registry.http.request import with_request
from registry.templating.scope import Scope
from registry.templating.templates import evaluate

Paths = dict[str, "Paths"]


def covered(document: Answer, covers: Iterable[str], ignore: Iterable[str] = ()) -> Value:
    """Return the values of `document` at the dotted paths `covers`, without those at `ignore`.

    Paths pass through lists; `*` matches any key. Numbers are normalised (1.0 becomes 1); the order of lists is kept.
    Missing values are left out.
    """
    kept, dropped = _paths(covers), _paths(ignore)
    return _alike(_without(_only(document, kept), dropped) if kept else None)


def lacks_field(before: Value, now: Value) -> bool:
    """Return whether `now` has no such field where `before` has a value; the rows of lists may differ."""
    if not isinstance(before, dict) or not isinstance(now, dict):
        return False
    return any(value and (name not in now or lacks_field(value, now[name])) for name, value in before.items())


def digest(document: Answer, covers: Iterable[str], ignore: Iterable[str] = ()) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of the covered part: equal when nothing that matters
    differs."""
    text = json.dumps(covered(document, covers, ignore), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unchanged(scope: Scope, *, undone: bool = False) -> bool:
    """Return whether what the action depends on is the same in `now` as in `before`; False when it depends on nothing.
    `undone`: what no undo restores may differ."""
    snapshot = scope.action.snapshot
    if snapshot is None:
        return False
    ignore = (*snapshot.ignore, *snapshot.not_restored) if undone else snapshot.ignore
    return digest(scope.now, snapshot.covers, ignore) == digest(scope.before, snapshot.covers, ignore)


def fingerprints(
    snapshot: SnapshotTemplate, answers: Iterable[tuple[str, str, Answer]]
) -> tuple[StateFingerprint, ...]:
    """Return the state fingerprints of a step, by read. `answers`: (the read's name, its key, its response)."""
    found = []
    for name, key, answer in answers:
        parts = (snapshot.covers, snapshot.ignore, snapshot.not_restored)
        covers, ignore, lost = (paths_inside(paths, name) for paths in parts)
        if covers:
            ground = StateFingerprint(
                key=key,
                covers=covers,
                ignore=ignore,
                digest=digest(answer, covers, ignore),
                not_restored=lost,
                undone_digest=digest(answer, covers, (*ignore, *lost)) if lost else None,
            )
            found.append(ground)
    return tuple(found)


def paths_inside(dotted: Iterable[str], name: str) -> tuple[str, ...]:
    """Return the paths of a snapshot that are inside the response of the read `name`; "" is the whole snapshot."""
    if not name:
        return tuple(dotted)
    return tuple(p.removeprefix(f"{name}.") if p != name else "*" for p in dotted if p.partition(".")[0] == name)


def matches_request(scope: Scope) -> bool | None:
    """Return whether `now` shows what `request` asked for; None when the action declares no check.

    A created resource counts as shown when it can be read. A scope without its request gets the one that its
    parameters and `before` make. Raises TemplateRenderError.
    """
    verify = scope.action.verify
    if verify is None:
        return None
    if is_missing(scope):
        return False
    names = with_request(scope).names()
    return all(evaluate(check, names, f"{scope.action.name}: verify") for check in verify.checks)


def is_missing(scope: Scope) -> bool:
    """Return whether the resource that the write creates is missing: one of `verify`'s own reads found no such
    resource."""
    now, reads = scope.now, scope.action.verify.reads if scope.action.verify else ()
    return any(not isinstance(now, dict) or now.get(read.name) is None for read in reads)


def looks_for_new(action: AtomicAction) -> bool:
    """Return whether the response of the write is enough to find the resource that it creates."""
    reads = action.verify.reads if action.verify else ()
    return any("response" in read.model_dump_json(include={"inputs"}) for read in reads)


def known_by(scope: Scope) -> bool:
    """Return whether a new resource in `now` is the requested one, where there is no marker: by `verify.known_by`, else
    by all requested values. Raises TemplateRenderError."""
    verify = scope.action.verify
    assert verify is not None
    if not verify.known_by:
        return matches_request(scope) is True
    names = with_request(scope).names()
    return all(evaluate(text, names, f"{scope.action.name}: verify.known_by") for text in verify.known_by)


def has_marker(scope: Scope) -> bool | None:
    """Return whether `now` carries the scope's `marker`, which proves that this write was applied. None when the action
    leaves no marker."""
    marker = scope.action.marker
    if marker is None or not scope.marker:
        return None
    return bool(evaluate(marker.present, scope.names(), f"{scope.action.name}: marker.present"))


def is_ours(scope: Scope) -> bool:
    """Return whether the new resource in `now` was created by this step: it carries the step's marker, or, where the
    API keeps none, is as requested. Raises TemplateRenderError."""
    if is_missing(scope):
        return False
    ours = has_marker(scope)
    return ours if ours is not None else known_by(scope)


def marker_unchanged(scope: Scope) -> bool:
    """Return whether `now` carries the marker of `before`, so that none of our writes was applied in between."""
    marker = scope.action.marker
    if marker is None or not marker.value or scope.now is None:
        return False
    where = f"{scope.action.name}: marker.value"
    found = [evaluate(marker.value, scope.with_(now=d).names(), where) for d in (scope.before, scope.now)]
    return bool(found[0] == found[1])


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
