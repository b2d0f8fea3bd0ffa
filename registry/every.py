"""Every operation of a document as an action with its required parameters only, before anybody wrote an overlay."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from contracts.action import ActionParameter, AtomicAction, Finding, Operation, WireParameter
from contracts.base import Schema
from registry.document import Described, Document
from registry.faults import OperationError
from registry.neutral import types_of
from registry.prose import prose
from registry.sensitive import is_sensitive
from registry.targets import body_target
from registry.tiers import default_tier, is_read
from registry.words import spoken_name, words_of

_BAD = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST = 64
_ORDER = ("path", "query", "header", "cookie")
_FLAT = frozenset({"type", "properties", "required", "additionalProperties", "format", "writeOnly", "default"})


@dataclass
class Everything:
    """The actions of a document by tool name, and what is wrong with the operations that gave none."""

    actions: dict[str, AtomicAction] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def actions_of_document(document: Document) -> Everything:
    """Every usable operation."""
    found = Everything(findings=list(document.findings))
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
    """A name within `[a-zA-Z0-9_-]{1,64}` for an operationId or `METHOD /path`, unlike all in `taken`."""
    method, space, path = key.partition(" ")
    if space and path.startswith("/"):
        key = "_".join([method.lower(), *re.sub(r"{([^}]*)}", r"by_\1", path).split("/")])
    name = re.sub(r"_{2,}", "_", _BAD.sub("_", key)).strip("_-") or "operation"
    return _unlike(short_name(name), taken)


def short_name(name: str) -> str:
    """A name of at most 64 characters, unlike that of any other long one."""
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
        said = f"{key} is served at {described.server}, the document at another address"
        warnings.append(document.finding(key, "warning", said, "give it a pack of its own, with that `base_url`"))
    for wire in served:
        said = f"{key} needs the {wire.location} {wire.name}, a credential that no model sees"
        hint = f"an overlay gives it: `bound: {{{wire.location}.{wire.name}: …}}`"
        warnings.append(document.finding(key, "warning", said, hint))
    return action, warnings


def _sorted_out(described: Described) -> tuple[list[WireParameter], list[WireParameter], list[str]]:
    """Required parameters that a model gives, those that the service gives as credentials, and sensitive others."""
    shown: list[WireParameter] = []
    served: list[WireParameter] = []
    hidden: list[str] = []
    for wire in described.operation.parameters:
        if not wire.required:
            continue
        target = f"{wire.location}.{wire.name}"
        sensitive = is_sensitive(wire.name, wire.json_schema, place=wire.location)
        if target in described.credentials or (sensitive and wire.location in ("header", "cookie")):
            served.append(wire)
        elif sensitive:
            hidden.append(wire.name)
        else:
            shown.append(wire)
    return sorted(shown, key=lambda w: _ORDER.index(w.location)), served, hidden


def _parameters(described: Described, wires: Iterable[WireParameter], hidden: set[str]) -> Iterator[ActionParameter]:
    taken: set[str] = set()
    rows = [(w.name, w.location, f"{w.location}.{w.name}", w.json_schema) for w in wires]
    for wire_name, place, target, schema in [*rows, *_body_rows(described.operation)]:
        name = short_name(re.sub(r"_{2,}", "_", _BAD.sub("_", wire_name)).strip("_") or place)
        if name in taken:
            name = _unlike(short_name(f"{name}_{place}"), taken)
        taken.add(name)
        text = described.texts.get(f"{place}.{wire_name}" if place != "body" or target != "body" else "body", "")
        words = words_of(wire_name)
        # `AccountSid` in a path says all there is to say of it.
        plain = place == "path" and len(words) > 1 and words[-1] in ("id", "sid", "uuid")
        said = "" if plain else prose(text, hidden, most=100)
        yield ActionParameter(name=name, target=target, json_schema=schema, required=True, description=said)


def _body_rows(operation: Operation) -> list[tuple[str, str, str, Schema]]:
    schema = operation.body_schema
    if schema is None:
        return []
    properties = schema.get("properties")
    if types_of(schema) == ["object"] and properties and schema.keys() <= _FLAT:
        names = schema.get("required") or []
        # Something must be sent: where no field is needed by itself, all of them are offered together.
        if set(names) <= set(properties) and (names or not operation.body_required):
            return [(n, "body", body_target(n), properties[n]) for n in names]
    if types_of(schema) == ["object"] and not properties and schema.get("additionalProperties") is False:
        return []
    if not operation.body_required and not schema.get("required"):
        return []
    return [("body", "body", "body", schema)]


def _description(described: Described, hidden: set[str], name: str) -> str:
    summary = prose(described.summary, hidden, most=100)
    detail = prose(described.description, hidden, most=120 if summary else 160)
    if detail and summary and not detail.lower().startswith(summary.lower().rstrip(".")):
        return f"{summary.rstrip('.')}. {detail}" if len(summary) < 60 else summary
    return detail or summary or spoken_name(name)
