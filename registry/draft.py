"""A first overlay for one operation, for its author to finish."""

import json
from collections.abc import Iterator

from contracts.base import Schema
from registry.document import Described, Document
from registry.every import short_name
from registry.faults import OperationError
from registry.neutral import is_read_only, properties_of, required_of
from registry.prose import prose
from registry.scope import RESERVED
from registry.sensitive import is_sensitive, without_sensitive
from registry.targets import body_target, split_path
from registry.tiers import default_tier, is_read
from registry.words import spoken_name, words_of

_ROLES = {role: role for role in ("date", "time", "email", "phone")}
_ROLES |= dict.fromkeys(("note", "comment", "comments", "notes"), "note")

_UNDO = """\
# It can be taken back when it is read before and put back after. Finish these and remove the note:
# snapshot:
#   operation: {read}
#   with: {{{inputs}}}
#   covers: ['*']
# verify:
#   all: ["now.… == …"]
# compensation:
#   operation: {operation}
#   request: {{body: {{}}}}
#   manual: What a person does when that fails too."""


def action_name(key: str) -> str:
    """A name an overlay may have: small letters, digits and _."""
    name = "_".join(words_of(key)).strip("_") or "action"
    return short_name(name if name[0].isalpha() else f"do_{name}")


def draft_overlay(document: Document, key: str) -> tuple[str, str]:
    """(name, YAML text) of an overlay over the operation `key`. Raises OperationError."""
    described = document.described(key)
    operation = described.operation
    name = action_name(operation.key)
    title = prose(described.summary, most=60).rstrip(".") or spoken_name(name)
    about = prose(described.description, most=200) or title
    lines = [
        f"# {operation.method} {operation.path}: a first draft. README.md in the folder overlays/ explains every key.",
        f"action: {name}",
        f"operation: {_text(operation.key)}",
        "iq_enabled: false                  # true once you have read it through",
        f"title: {_text(title)}",
        *([f"category: {_text(described.tags[0])}"] if described.tags else []),
        f"safety: {default_tier(operation.method, operation.key, operation.path).value}",
        f"description: {_text(about)}",
        f"when_to_use: {_text('the operator wants to ' + _asked(title))}",
        *_parameters(described),
        *([] if is_read(operation.method) else _undo(document, described)),
        "# Sentences people type and the arguments they mean; several teach the model best:",
        "# examples:",
        f"#   - {{say: {_text(_asked(title))}, call: {{{_called(described)}}}}}",
    ]
    return name, "\n".join(lines) + "\n"


def _asked(title: str) -> str:
    return title[:1].lower() + title[1:]


def _called(described: Described) -> str:
    return ", ".join(f"{action_name(name)}: …" for name, _, required, _ in _rows(described) if required)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rows(described: Described) -> Iterator[tuple[str, str, bool, Schema | bool]]:
    """(wire name, target, required, schema) of everything the operation takes."""
    for wire in described.operation.parameters:
        yield wire.name, f"{wire.location}.{wire.name}", wire.required, wire.json_schema
    body = described.operation.body_schema
    if body is not None and not properties_of(body):
        yield "body", "body", described.operation.body_required, body
    for name, schema in properties_of(body or {}).items():
        if not is_read_only(schema):
            yield name, body_target(name), name in required_of(body or {}), schema


def _parameters(described: Described) -> list[str]:
    shown, optional, bound, taken = list[str](), list[str](), list[str](), set[str]()
    filled = bool(required_of(described.operation.body_schema or {}))
    for wire_name, target, required, schema in _rows(described):
        place, *within = split_path(target)
        _, lost = without_sensitive(schema, within) if isinstance(schema, dict) else ({}, [])
        beside = properties_of(described.operation.body_schema or {}) if place == "body" else ()
        secret = target in described.credentials or is_sensitive(wire_name, schema, beside=beside, place=place)
        if secret or lost:
            line = f"{_text(target)}: " + ("''" if secret else f"{{}}  # with {', '.join(dict.fromkeys(lost))}")
            bound.append(f"  {line}" if required else f"  # {line}")
            continue
        name = action_name(wire_name)
        name = f"the_{name}" if name in RESERVED else name
        name = name if name not in taken else f"{name}_{target.partition('.')[0]}"[:64]
        taken.add(name)
        words = set(words_of(wire_name))
        role = next((role for word, role in _ROLES.items() if word in words), None)
        said = prose(described.texts.get(target, ""), most=100)
        text = isinstance(schema, dict) and schema.get("type") == "string" and "enum" not in schema
        played = f"role: {role}, " if role and text else ""
        line = f"{name}: {{in: {_text(target)}, {played}describe: {_text(said or spoken_name(wire_name))}}}"
        # A body that must be there needs something in it.
        filled = filled or (required and target.startswith("body"))
        first = described.operation.body_required and target.startswith("body") and not filled
        filled = filled or first
        (shown if required or first else optional).append(line)
    lines = ["parameters:" if shown else "parameters: {}"] + [f"  {line}" for line in shown]
    lines += ["# Others it takes; keep those that operators speak of:"] if optional else []
    lines += [f"#  {line}" for line in optional]
    if any(not line.lstrip().startswith("#") for line in bound):
        lines += ["# What no model may see: give the value here, or leave the action off.", "bound:", *bound]
    return lines


def _undo(document: Document, described: Described) -> list[str]:
    path = described.operation.path
    try:
        read = document.operation(f"GET {path}")
    except OperationError:
        read = None
    lines: list[str] = []
    if read is not None:
        given = {p.name: f"{{{{ {action_name(p.name)} }}}}" for p in read.parameters if p.location == "path"}
        inputs = ", ".join(f"{_text(n)}: {_text(v)}" for n, v in given.items())
        lines.append(_UNDO.format(read=_text(read.key), inputs=inputs, operation=_text(described.operation.key)))
    return [*lines, f"irreversible_note: {_text('Undo by hand: ' + (described.summary or path) + '.')}"]
