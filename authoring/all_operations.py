"""Every operation of a document as an action with its required parameters only, without any overlay.

The operations that the overlays of a pack name, valid or not.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from contracts.action import ActionParameter, AtomicAction, Finding, Operation, WireParameter
from contracts.base import Node, Schema
from registry.errors import OperationError, YamlSyntaxError
from registry.http.request import body_target
from registry.openapi.descriptions import summarize_description
from registry.openapi.document import DescribedOperation, Document
from registry.openapi.safety import default_tier, is_read
from registry.openapi.schema_reading import parts_of, types_of
from registry.overlays.fragments import read_fragments
from registry.overlays.yaml_file import YamlFile, read_limited_yaml
from registry.secrets.names import is_sensitive
from registry.text import spoken_name, words_of

_BAD = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST = 64
_ORDER = ("path", "query", "header", "cookie")
_FLAT = frozenset({"type", "properties", "required", "additionalProperties", "format", "writeOnly", "default"})


@dataclass
class DocumentActions:
    """The actions of a document by tool name, and the findings about the operations that gave none."""

    actions: dict[str, AtomicAction] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def actions_of_document(document: Document) -> DocumentActions:
    """Return every usable operation as an action."""
    found = DocumentActions(findings=list(document.findings))
    for key in document.keys:
        try:
            action, warnings = _action(document, key, found.actions)
        except OperationError as fault:
            found.findings.append(document.finding(key, "error", fault.message, fault.hint, pointer=fault.pointer))
            continue
        found.actions[action.name] = action
        found.findings += warnings
    return found


def tool_name(key: str, taken: Iterable[str] = ()) -> str:
    """Return a name within `[a-zA-Z0-9_-]{1,64}` for an operationId or `METHOD /path`, different from all in
    `taken`."""
    method, space, path = key.partition(" ")
    if space and path.startswith("/"):
        key = "_".join([method.lower(), *re.sub(r"{([^}]*)}", r"by_\1", path).split("/")])
    name = re.sub(r"_{2,}", "_", _BAD.sub("_", key)).strip("_-") or "operation"
    return _unlike(short_name(name), taken)


def short_name(name: str) -> str:
    """Return a name of at most 64 characters, different for every long name."""
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 7].rstrip('_-')}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _unlike(name: str, taken: Iterable[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name[: _LONGEST - 4]}_{number}", number + 1
    return candidate


def _action(document: Document, key: str, taken: Iterable[str]) -> tuple[AtomicAction, list[Finding]]:
    described = document.described(key, needed=True)
    operation = described.operation
    wires, served, hidden = _sorted_out(described)
    if described.lost or hidden:
        names = ", ".join(dict.fromkeys([*hidden, *described.lost]))
        hint = "write an overlay that gives it under `bound`"
        raise OperationError(f"{key} needs {names}, which no model may see", pointer=document.pointer(key), hint=hint)
    secrets = {*described.hidden, *(w.name for w in served)}
    parameters = tuple(_parameters(described, wires, secrets))
    name = tool_name(key, taken)
    action = AtomicAction(
        name=name,
        pack="",
        title=described.summary[:80] or spoken_name(name),
        category=described.tags[0] if described.tags else "",
        description=_description(described, secrets, name),
        operation=operation,
        read_only=is_read(operation.method),
        safety=default_tier(operation.method, key, operation.path),
        reversible=False,
        parameters=parameters,
        version="",
    )
    warnings: list[Finding] = []
    if described.server is not None:
        text = f"{key} is served at {described.server}, the document at another address"
        warnings.append(document.finding(key, "warning", text, "give it a pack of its own, with that `base_url`"))
    for wire in served:
        text = f"{key} needs the {wire.location} {wire.name}, a credential that no model sees"
        hint = f"an overlay gives it: `bound: {{{wire.location}.{wire.name}: …}}`"
        warnings.append(document.finding(key, "warning", text, hint))
    return action, warnings


def _sorted_out(described: DescribedOperation) -> tuple[list[WireParameter], list[WireParameter], list[str]]:
    """Return required parameters that a model gives, credentials that the service fills, and sensitive others."""
    shown: list[WireParameter] = []
    served: list[WireParameter] = []
    hidden: list[str] = []
    for wire in described.operation.parameters:
        if not wire.required:
            continue
        target = f"{wire.location}.{wire.name}"
        sensitive = is_sensitive(wire.name, wire.json_schema, location=wire.location)
        if target in described.credentials or (sensitive and wire.location in ("header", "cookie")):
            served.append(wire)
        elif sensitive:
            hidden.append(wire.name)
        else:
            shown.append(wire)
    return sorted(shown, key=lambda w: _ORDER.index(w.location)), served, hidden


def _parameters(
    described: DescribedOperation, wires: Iterable[WireParameter], hidden: set[str]
) -> Iterator[ActionParameter]:
    taken: set[str] = set()
    rows = [(w.name, w.location, f"{w.location}.{w.name}", w.json_schema) for w in wires]
    for wire_name, location, target, schema in [*rows, *_body_rows(described.operation)]:
        name = short_name(re.sub(r"_{2,}", "_", _BAD.sub("_", wire_name)).strip("_") or location)
        if name in taken:
            name = _unlike(short_name(f"{name}_{location}"), taken)
        taken.add(name)
        text = described.texts.get(f"{location}.{wire_name}" if location != "body" or target != "body" else "body", "")
        words = words_of(wire_name)
        # The name `AccountSid` in a path needs no description.
        plain = location == "path" and len(words) > 1 and words[-1] in ("id", "sid", "uuid")
        message = "" if plain else summarize_description(text, hidden, limit=100)
        yield ActionParameter(name=name, target=target, json_schema=schema, required=True, description=message)


def _body_rows(operation: Operation) -> list[tuple[str, str, str, Schema]]:
    schema = operation.body_schema
    if schema is None:
        return []
    properties = schema.get("properties")
    if types_of(schema) == ["object"] and properties and schema.keys() <= _FLAT:
        names = schema.get("required") or []
        # The body needs some content: if no field is required by itself, all of them are offered together.
        if set(names) <= set(properties) and (names or not operation.body_required):
            return [(n, "body", body_target(n), properties[n]) for n in names]
    if types_of(schema) == ["object"] and not properties and schema.get("additionalProperties") is False:
        return []
    if not operation.body_required and not schema.get("required"):
        return []
    return [("body", "body", "body", schema)]


def _description(described: DescribedOperation, hidden: set[str], name: str) -> str:
    summary = summarize_description(described.summary, hidden, limit=100)
    detail = summarize_description(described.description, hidden, limit=120 if summary else 160)
    if detail and summary and not detail.lower().startswith(summary.lower().rstrip(".")):
        return f"{summary.rstrip('.')}. {detail}" if len(summary) < 60 else summary
    return detail or summary or spoken_name(name)


def overlay_files(folder: Path) -> list[YamlFile]:
    """Return the readable overlay files of a pack, with their fragments; `iq actions check` reports the others."""
    files, pieces = [], read_fragments(folder)[0]
    for path in sorted((folder / "actions").glob("*.yaml")):
        try:
            files.append(pieces.applied(read_limited_yaml(path))[0])
        except (OSError, YamlSyntaxError):
            continue
    return files


def operations_used(file: YamlFile) -> list[str]:
    """Return the operations an overlay names anywhere: to act, read, undo or find alternatives."""
    return list(dict.fromkeys(_named(file.data)))


def words_used(file: YamlFile) -> frozenset[str]:
    """Return every name in an overlay's keys and texts; it uses no other property."""
    return frozenset(re.findall(r"[A-Za-z_][\w-]*", json.dumps(file.data, ensure_ascii=False)))


def _named(node: Node) -> list[str]:
    if isinstance(node, list):
        return [name for part in node for name in _named(part)]
    own = parts_of(node).get("operation")
    inner = [v for k, v in parts_of(node).items() if k not in ("sample", "examples", "parameters", "body")]
    return [*([own] if isinstance(own, str) else []), *(name for part in inner for name in _named(part))]
