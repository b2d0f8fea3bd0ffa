"""Breaking changes of a new API document for users of the old one."""

import re
from collections.abc import Iterable

from authoring.all_operations import words_used
from contracts.action import Finding, Level, Operation, WireParameter
from contracts.base import Schema
from registry.errors import OperationError, did_you_mean
from registry.openapi.document import Document
from registry.openapi.schema_reading import parts_of, properties_of, required_of, types_of
from registry.overlays.yaml_file import YamlFile

Change = tuple[Level, str, str]
"""The level, the change, and the fix."""

_CHOICE = frozenset({"anyOf", "oneOf"})
_OF_PROPERTY = re.compile(r": \S*body\.\S+ (must be|no longer takes)")


def broken_by(old: Document, new: Document, keys: Iterable[str], overlay: YamlFile | None = None) -> list[Finding]:
    """Return the calls of these operations that are valid by `old` and not by `new`. Errors break, warnings may.

    For an `overlay`, a change to a property that it never names is only a warning.
    """
    found: list[Finding] = []
    if overlay is None and old.server != new.server:
        text = f"the document's address is {new.server or 'missing'} now, before {old.server or 'missing'}"
        found.append(Finding(level="warning", file=new.file.path.name, pointer="/servers", message=text))
    used = words_used(overlay) if overlay else None
    action = str(parts_of(overlay.data).get("action") or overlay.path.stem) if overlay else ""
    for name, parameter in parts_of(parts_of(overlay.data).get("parameters")).items() if overlay else ():
        if parts_of(parameter).get("sensitive") is False:
            text = f"{name} is declared not sensitive (`sensitive: false`): check that this still holds"
            location = new.file.path.name
            found.append(Finding(level="warning", file=location, pointer="", action=action, message=text))
    for key in keys:
        try:
            before = old.operation(key)
        except OperationError:
            continue  # it was unusable before: nothing to break
        for level, message, hint in _changes(before, key, new):
            name = re.split(r"[.:\s]+", message.partition(" must be ")[0].partition(" no longer takes ")[0])[-1]
            if used is not None and level == "error" and _OF_PROPERTY.search(message) and name.strip("[]") not in used:
                level = "warning"  # noqa: PLW2901 - what is not used cannot break
            pointer = (new if key in new.keys else old).pointer(key)
            found.append(new.finding(key, level, message, hint, pointer=pointer, action=action))
    return found


def _changes(before: Operation, key: str, new: Document) -> list[Change]:
    try:
        after = new.operation(key)
    except OperationError as fault:
        same = _same_place(before, new)
        hint = f"it is called {same} now" if same else fault.hint or "take it out of the overlays"
        return [("error", fault.message, hint)]
    rows: list[Change] = []
    if (before.method, before.path) != (after.method, after.path):
        rows.append(("warning", f"{key} is {after.method} {after.path} now, before {before.method} {before.path}", ""))
    old_wires = {_target(p): p for p in before.parameters}
    new_wires = {_target(p): p for p in after.parameters}
    for target, wire in old_wires.items():
        if target not in new_wires:
            rows.append(("error", f"{key} no longer takes {target}", did_you_mean(target, new_wires)))
        else:
            rows += _narrowed(f"{key}: {target}", wire.json_schema, new_wires[target].json_schema)
            if (wire.style, wire.explode) != (new_wires[target].style, new_wires[target].explode):
                rows.append(("warning", f"{key}: {target} is written in another style", "it is followed by itself"))
    for target, wire in new_wires.items():
        if wire.required and not (target in old_wires and old_wires[target].required):
            rows.append(("error", f"{key} now requires {target}", "expose, bind or template it"))
    return rows + _body_changes(key, before, after)


def _target(wire: WireParameter) -> str:
    """Return the target of a parameter; the names of headers are not case-sensitive."""
    return f"{wire.location}.{wire.name.lower() if wire.location == 'header' else wire.name}"


def _same_place(before: Operation, new: Document) -> str | None:
    try:
        return new.operation(f"{before.method} {before.path}").key
    except OperationError:
        return None


def _body_changes(key: str, before: Operation, after: Operation) -> list[Change]:
    if before.body_schema is None and after.body_schema is None:
        return []
    if after.body_schema is None:
        return [("error", f"{key} no longer takes a body", "")]
    rows: list[Change] = []
    if after.body_required and not before.body_required:
        rows.append(("error", f"{key} now requires a body", "expose, bind or template one"))
    if before.body_schema is not None and before.content_type != after.content_type:
        rows.append(("warning", f"{key} takes its body as {after.content_type} now", "it is followed by itself"))
    return rows + _narrowed(f"{key}: body", before.body_schema or {}, after.body_schema)


def _narrowed(  # noqa: PLR0912 - one branch a keyword
    where: str, before: Schema, after: object, depth: int = 0
) -> list[Change]:
    """Return the changes by which `after` rejects what `before` accepted."""
    if not isinstance(after, dict) or depth > 12:
        return []
    rows: list[Change] = []
    old_types, new_types = set(types_of(before)), set(types_of(after))
    took = " or ".join(sorted(old_types)) or "anything"
    must = f"{where} must be {' or '.join(sorted(new_types))} now, before {took}"
    if new_types and not old_types and not _CHOICE & before.keys():
        rows.append(("warning", must, ""))
    if new_types and not old_types <= new_types | ({"integer"} if "number" in new_types else set()):
        rows.append(("error", must, ""))
    gone = [v for v in before.get("enum") or () if v not in (after.get("enum") or [v])]
    if gone or (after.get("enum") and not before.get("enum")):
        text = ", ".join(map(str, gone)) or "anything but its list"
        rows.append(("error", f"{where} no longer takes {text}", f"it takes {', '.join(map(str, after['enum'][:12]))}"))
    for key, sign in (("maximum", 1), ("maxLength", 1), ("maxItems", 1), ("minimum", -1), ("minLength", -1)):
        was, now = before.get(key), after.get(key)
        if now is not None and (was is None or (now - was) * sign < 0):
            rows.append(("warning", f"{where}: {key} is {now} now, before {'none' if was is None else was}", ""))
    for key in ("pattern", "format"):
        if after.get(key) is not None and after[key] != before.get(key):
            was = before.get(key, "none")
            rows.append(("warning", f"{where}: {key} is {after[key]} now, before {was}", ""))
    gone_kinds = [o for key in _CHOICE for o in before.get(key) or () if o not in (after.get(key) or [o])]
    if gone_kinds:
        rows.append(("warning", f"{where} no longer takes {len(gone_kinds)} of its kinds as they were", ""))
    if after.get("additionalProperties") is False and before.get("additionalProperties") is not False:
        rows.append(("warning", f"{where} takes no other properties now", "those that it does not name are refused"))
    old_names, new_names = properties_of(before), properties_of(after)
    for name in required_of(after):
        if name not in required_of(before):
            rows.append(("error", f"{where} now requires {name}", "expose, bind or template it"))
    for name, inner in old_names.items():
        if name not in new_names and (new_names or after.get("additionalProperties") is False):
            rows.append(
                ("error", f"{where}.{name} no longer takes anything: it is gone", did_you_mean(name, new_names))
            )
        elif isinstance(inner, dict):
            rows += _narrowed(f"{where}.{name}", inner, new_names.get(name), depth + 1)
    if isinstance(before.get("items"), dict):
        rows += _narrowed(f"{where}[]", before["items"], after.get("items"), depth + 1)
    return rows
