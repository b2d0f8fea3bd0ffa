"""Neutral schemas of an API document for requests: plain JSON Schema without references.

References are resolved and cycles cut to an object or a list of anything; `allOf` is merged, `nullable` becomes the
type "null", `const` an `enum`, OpenAPI 3.0's boolean `exclusiveMinimum` a number, a discriminator an `enum` in each
variant. With `needed`, only what a caller must send is followed: optional properties, readOnly and sensitive ones are
left out, which makes large documents quick.
"""

from typing import NoReturn

from contracts.base import Json, Node, Parts, Schema
from registry.errors import OperationError
from registry.openapi.references import NodeLocation, References
from registry.openapi.schema_keywords import plain_keywords
from registry.openapi.schema_reading import distinct, entries_of, merged, parts_of, types_of, written
from registry.secrets.names import is_sensitive

_ONE_INSIDE = ("items", "additionalProperties", "not", "contains", "propertyNames")
_MOST_NODES = 20_000
_DEEPEST = 60
_MOST_KINDS = 24
_DEEPEST_OUTLINE = 4

Stack = tuple[NodeLocation, ...]
"""The references that are being followed."""


class SchemaNormalizer:
    """Makes the schemas of one operation neutral, and counts them, because references fan out without bound.

    `hidden` gathers the names that were left out because the model may not see them, `lost` those of them that a caller
    must send. `skipped` gives the reasons why broken optional properties were left out.
    """

    def __init__(self, references: References, *, needed: bool = False) -> None:
        self._references, self.needed, self._count = references, needed, 0
        self._within: list[str] = []
        self.old = references.old
        self.hidden: set[str] = set()
        self.lost: list[str] = []
        self.skipped: list[OperationError] = []

    def fault(self, location: NodeLocation, message: str, hint: str) -> OperationError:
        """Return the error for a location, to be raised."""
        return self._references.fault(location, message, hint)

    def node(self, node: Node, location: NodeLocation) -> tuple[Node, NodeLocation]:
        """Return the node at `location` after following references to the end. Raises OperationError."""
        seen = set[str]()
        siblings: dict[str, Node] = {}
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            reference = f"{location.file}|{node['$ref']}"
            if reference in seen:
                self._fault(location, f"{node['$ref']} refers to itself")
            seen.add(reference)
            siblings = {**{k: v for k, v in node.items() if k in ("description", "summary")}, **siblings}
            node, location = self._references.find(node["$ref"], location)
        return ({**node, **siblings} if siblings and isinstance(node, dict) else node), location

    def met(self, node: Node, location: NodeLocation) -> tuple[dict[str, Node], NodeLocation]:
        """Return the node as `node` does, for parts outside a request: empty where a reference is broken or no mapping
        is found."""
        try:
            found, where = self.node(node, location)
        except OperationError:
            return {}, location
        return parts_of(found), where

    def top(self, raw: Node, location: NodeLocation) -> Schema:
        """Return a neutral schema, without readOnly properties when only what is needed is followed. Raises
        OperationError."""
        shaped = self.schema(raw, location)
        return _without_read_only(shaped) if self.needed else shaped

    def argument(self, raw: Node, location: NodeLocation, name: str = "") -> Schema:
        """Return the schema as `top` does, for a parameter called `name`. An object without required properties lists
        its optional ones, because an empty one cannot be sent. Raises OperationError."""
        self._within = [name] if name else []
        try:
            return self._argument(raw, location)
        finally:
            self._within = []

    def _argument(self, raw: Node, location: NodeLocation) -> Schema:
        shaped = self.top(raw, location)
        if not self.needed or types_of(shaped) != ["object"] or shaped.get("properties") != {}:
            return shaped
        node, where = self.node(raw, location)
        parts = [node, *(self.node(p, where)[0] for p in self._several(parts_of(node), "allOf", where))]
        rows = [parts_of(parts_of(part).get("properties")) for part in parts]
        names = frozenset(n for row in rows for n, inner in row.items() if not self._secret(n, inner, where, row))
        lost = list(self.lost)
        shown: Schema = _without_read_only(self.schema(raw, location, must=names))
        self.lost = lost
        return shown

    def schema(
        self,
        raw: Node,
        location: NodeLocation,
        stack: Stack = (),
        must: frozenset[str] = frozenset(),
        *,
        part: bool = False,
    ) -> Schema:
        """Return a neutral schema. `must` names what a part beside this one requires, `part` marks it as one of several
        that hold together. Raises OperationError."""
        self._count += 1
        if raw is True or raw is None:
            return {}
        if raw is False:
            return {"not": {}}
        if not isinstance(raw, dict):
            self._fault(location, "a schema must be a mapping")
        if reference := _reference(raw):
            return self._referred(raw, reference, location, stack, must, part)
        if self._count > _MOST_NODES or len(stack) > _DEEPEST or len(location.keys) > 200:
            return {}
        result = plain_keywords(raw, location, self._fault)
        parts = self._several(raw, "allOf", location)
        choices = {key: self._several(raw, key, location) for key in ("anyOf", "oneOf")}
        options = [parts_of(option) for some in choices.values() for option in some]
        may = {name for option in options if "properties" not in option for name in _names(option.get("required"))}
        if self.needed and parts:
            nodes = [parts_of(self.node(node, location)[0]) for node in (raw, *parts)]
            must |= {name for node in nodes for name in _names(node.get("required"))}
        self._object(raw, result, location, stack, must, may)
        self._inside(raw, result, location, stack)
        for index, inner in enumerate(parts):
            result = merged(result, self.schema(inner, location.under("allOf", str(index)), stack, must, part=True))
        for key, some in choices.items():
            if some:
                result = self._choice(result, key, some, raw.get("discriminator"), location, stack, whole=False)
        if not part and not any(choices.values()):
            result = self._mapped(raw, result, location, stack)
        closed = raw.get("unevaluatedProperties") is False and not any(choices.values())
        if closed and "properties" in result and "patternProperties" not in raw:
            result.setdefault("additionalProperties", False)
        return _nullable(result) if raw.get("nullable") is True and self.old else result

    def _inside(self, raw: Parts, result: Schema, location: NodeLocation, stack: Stack) -> None:
        """Add the schemas that this one holds for its entries to `result`."""
        # Before 2020-12 a list under `items` described the entries in turn, and `additionalItems` the others.
        old = isinstance(raw.get("items"), list)
        others = {**raw, "items": raw.get("additionalItems", True)} if old else raw
        first = "items" if old else "prefixItems"
        for index, inner in enumerate(entries_of(raw.get(first))):
            result.setdefault("prefixItems", []).append(self.schema(inner, location.under(first, str(index)), stack))
        for key in _ONE_INSIDE:
            value = others.get(key)
            if key == "items" and value is False:
                longest = len(result.get("prefixItems", ()))
                result["maxItems"] = min(result.get("maxItems", longest), longest)
            elif value is False and key == "additionalProperties":
                result[key] = False
            elif isinstance(value, dict | bool) and not (value is True and key in ("items", "additionalProperties")):
                result[key] = self.schema(value, location.under(key), stack)
            elif key == "items" and "items" in raw and not isinstance(value, bool):
                self._fault(location.under(key), "`items` must be a schema")
        self._patterned(raw, result, location, stack)

    def _patterned(self, raw: Parts, result: Schema, location: NodeLocation, stack: Stack) -> None:
        """Add properties declared by a name pattern as `additionalProperties`, because no model knows the other
        keyword."""
        rows = parts_of(raw.get("patternProperties"))
        if not rows:
            return
        closed = result.get("additionalProperties") is False or raw.get("unevaluatedProperties") is False
        if closed:
            result.pop("additionalProperties", None)
        if len(rows) == 1 and (closed or not raw.get("properties")) and "additionalProperties" not in result:
            ((pattern, inner),) = rows.items()
            result["additionalProperties"] = self.schema(inner, location.under("patternProperties", pattern), stack)
            if closed and not raw.get("properties"):
                result["propertyNames"] = {"pattern": pattern}

    def _referred(
        self, raw: Parts, reference: str, location: NodeLocation, stack: Stack, must: frozenset[str], part: bool
    ) -> Schema:
        node, target = self._references.find(reference, location)
        if target in stack or self._count > _MOST_NODES:
            return _kind_only(node)
        result = self.schema(node, target, (*stack, target), must, part=part)
        siblings = {k: v for k, v in raw.items() if k not in ("$ref", "$dynamicRef")}
        return merged(result, self.schema(siblings, location, stack)) if siblings else result

    def _object(
        self, raw: Parts, result: Schema, location: NodeLocation, stack: Stack, must: frozenset[str], may: set[str]
    ) -> None:
        properties, required = raw.get("properties"), raw.get("required")
        inside = location.under("properties")
        if isinstance(properties, dict) and isinstance(properties.get("$ref"), str):
            # This is not a schema, but bundlers put references anywhere.
            shared, inside = self.node({"$ref": properties["$ref"]}, inside)
            properties = {**parts_of(shared), **properties}
            del properties["$ref"]
        if properties is not None and not isinstance(properties, dict):
            self._fault(location.under("properties"), "`properties` must be a mapping")
        # `required: true` inside a property comes from older drafts and has no meaning here.
        names = _names(required)
        together = parts_of(raw.get("dependentRequired"))
        known = set(names)
        for name in names:
            more = [n for n in dict.fromkeys(_names(together.get(name))) if n not in known]
            known.update(more)
            names += more  # grows during the iteration
        if required is not None and not isinstance(required, list | bool):
            self._fault(location.under("required"), "`required` must be a list of names")
        shown: dict[str, Schema] = {}
        declared = parts_of(properties)
        for name, inner in declared.items():
            needed = name in known or name in must
            if not self._wanted(name, inner, needed, name in may, inside, declared):
                continue
            self._within.append(name)
            try:
                shown[name] = self.schema(inner, inside.under(name), stack)
            except OperationError as fault:
                if needed:
                    raise
                self.skipped.append(fault)  # an optional property does not make the operation unusable
                continue
            finally:
                self._within.pop()
            if self.needed and not shown[name].get("readOnly") and self._sensitive(name, shown[name], declared):
                self._hide(name, must=needed)
                del shown[name]
        if properties is not None:
            result["properties"] = shown
        if self.needed:
            names = [n for n in names if n in shown or n not in declared]
            names = [n for n in names if n in shown or not self._sensitive(n) or self._hide(n, must=n not in declared)]
        if names:
            result["required"] = list(dict.fromkeys(names))

    def _wanted(self, name: str, inner: Node, must: bool, may: bool, inside: NodeLocation, declared: Parts) -> bool:
        if inner is False:
            return False
        if not self.needed:
            return True
        if self._secret(name, inner, inside.under(name), declared):
            self._hide(name, must=must and parts_of(inner).get("readOnly") is not True)
            return False
        return must or may

    def _secret(self, name: str, inner: Node, location: NodeLocation, beside: Parts) -> bool:
        """Return whether a schema as written in the document is sensitive, as `_sensitive` does."""
        if not self._sensitive(name, None, beside):
            return self._sensitive(name, inner, beside)
        return self._sensitive(name, self._outline(inner, location), beside)

    def _sensitive(self, name: str, schema: Node = None, beside: Parts | None = None) -> bool:
        return is_sensitive(name, schema, within=self._within, beside=beside or ())

    def _outline(self, raw: Node, location: NodeLocation, depth: int = 0) -> Schema:
        """Return a schema's types and the names in it, references followed; {} for what is broken or too deep."""
        try:
            node, where = self.node(raw, location)
        except OperationError:
            return {}
        found = parts_of(node)
        if depth > _DEEPEST_OUTLINE:
            return {}
        outline: Schema = {k: found[k] for k in ("type", "format", "enum", "const") if k in found}
        if isinstance(found.get("properties"), dict):
            outline["properties"] = {}
        if isinstance(found.get("items"), dict):
            outline["items"] = self._outline(found["items"], where.under("items"), depth + 1)
        for key in ("anyOf", "oneOf"):
            if options := entries_of(found.get(key)):
                outline[key] = [self._outline(o, where.under(key, str(i)), depth + 1) for i, o in enumerate(options)]
        for index, part in enumerate(entries_of(found.get("allOf"))):
            outline = {**self._outline(part, where.under("allOf", str(index)), depth + 1), **outline}
        return outline

    def _hide(self, name: str, *, must: bool) -> bool:
        self.hidden.add(name)
        if must and name not in self.lost:
            self.lost.append(name)
        return False

    def _several(self, raw: Parts, key: str, location: NodeLocation) -> list[Node]:
        value = raw.get(key)
        if value is not None and not isinstance(value, list):
            self._fault(location.under(key), f"`{key}` must be a list of schemas")
        return entries_of(value)

    def _choice(
        self,
        base: Schema,
        key: str,
        options: list[Node],
        discriminator: Node,
        location: NodeLocation,
        stack: Stack,
        whole: bool,
    ) -> Schema:
        """Return a choice. When the variants are made `whole`, each holds what is common to all."""
        lost, self.lost = self.lost, []
        shaped: list[Schema] = []
        spoilt: list[str] = []
        for index, option in enumerate(options):
            variant = self.schema(option, location.under(key, str(index)), stack)
            if self.lost:
                spoilt, self.lost = [*spoilt, *self.lost], []
                continue
            shaped.append(_tagged(merged(base, variant) if whole else variant, discriminator, option))
        # A variant that requires a value the model may not see cannot be chosen; when all do, nothing can.
        self.lost = lost if shaped else [*lost, *spoilt]
        if len(shaped) == 1:
            return merged(base, shaped[0])
        kinds = distinct(shaped)
        if not kinds or {} in kinds:
            return base
        if whole and len(kinds) > 1:
            return {key: kinds}
        return merged(base, kinds[0]) if len(kinds) == 1 else {**base, key: kinds}

    def _mapped(self, raw: Parts, base: Schema, location: NodeLocation, stack: Stack) -> Schema:
        """Return a schema that others extend as the choice among those that its discriminator names."""
        discriminator = raw.get("discriminator")
        mapping = parts_of(parts_of(discriminator).get("mapping"))
        named_by = [t for t in mapping.values() if isinstance(t, str)]
        targets = list(dict.fromkeys(t if set("/#.") & set(t) else f"#/components/schemas/{t}" for t in named_by))
        if not 1 < len(targets) <= _MOST_KINDS:
            return base
        lost = self.lost
        try:
            return self._choice(
                base, "oneOf", [{"$ref": t} for t in targets], discriminator, location, stack, whole=True
            )
        except OperationError:
            self.lost = lost  # one broken variant removes the choice, not the operation
            return base

    def _fault(self, location: NodeLocation, what: str, hint: str = "") -> NoReturn:
        raise self.fault(location, f"is not well formed: {what}", hint or "check it with an OpenAPI linter")


def _reference(raw: Parts) -> str | None:
    """Return the reference that a schema is, `$dynamicRef` treated as a plain one."""
    found = raw.get("$ref", raw.get("$dynamicRef"))
    return found if isinstance(found, str) else None


def _kind_only(node: Node) -> Schema:
    """Return the rest of a schema where a cycle is cut: an object stays one, and a list a list."""
    kinds = [kind for kind in types_of(parts_of(node)) if kind in ("object", "array")]
    return {"type": kinds[0]} if len(kinds) == 1 == len(types_of(parts_of(node))) else {}


def _names(required: Node) -> list[str]:
    return [n for n in required if isinstance(n, str)] if isinstance(required, list) else []


def _without_read_only(schema: Schema) -> Schema:
    plain = ("enum", "default")
    result = {k: v if k in plain else _held(v) for k, v in schema.items() if k != "properties"}
    if isinstance(schema.get("properties"), dict):
        shown = {n: s for n, s in schema["properties"].items() if not (isinstance(s, dict) and s.get("readOnly"))}
        result["properties"] = {name: _held(inner) for name, inner in shown.items()}
        gone = set(schema["properties"]) - set(shown)
        if "required" in result and gone:
            result["required"] = [n for n in result["required"] if n not in gone]
    return result


def _held(value: object) -> Json:
    """Return a keyword's value, its schemas without readOnly properties."""
    if isinstance(value, list):
        return [_held(v) for v in value]
    return _without_read_only(value) if isinstance(value, dict) else value


def _nullable(schema: Schema) -> Schema:
    types = types_of(schema)
    if types:
        schema = {**schema, "type": written([*types, *(["null"] if "null" not in types else [])])}
    elif schema.get("anyOf") or schema.get("oneOf"):
        key = "anyOf" if schema.get("anyOf") else "oneOf"
        schema = {**schema, key: [*schema[key], {"type": "null"}]}
    if "enum" in schema and None not in schema["enum"]:
        schema = {**schema, "enum": [*schema["enum"], None]}
    return schema


def _tagged(variant: Schema, discriminator: Node, option: Node) -> Schema:
    """Return a variant whose discriminator property identifies it."""
    name, reference = parts_of(discriminator).get("propertyName"), parts_of(option).get("$ref")
    if not isinstance(name, str) or not isinstance(reference, str) or "object" not in types_of(variant):
        return variant
    own = reference.rpartition("/")[2]
    mapping = parts_of(parts_of(discriminator).get("mapping"))
    values = [value for value, target in mapping.items() if target in (reference, own)]
    declared = (variant.get("properties") or {}).get(name, {})
    tag = merged(declared, {"type": "string", "enum": values or [own]}) if not declared.get("enum") else declared
    return merged(variant, {"properties": {name: tag}, "required": [name]})
