"""The schemas of an API document made neutral: plain JSON Schema without references, for requests.

References are resolved and cycles cut to an object or a list of anything; `allOf` is merged, `nullable`
becomes the type "null", `const` an `enum`, OpenAPI 3.0's boolean `exclusiveMinimum` a number, a discriminator an
`enum` in each variant. With `needed`, only what a caller must send is followed: optional properties, readOnly and
sensitive ones are left out, which makes large documents quick.
"""

from typing import NoReturn

from contracts.base import Json, Node, Parts, Schema
from registry.faults import OperationError
from registry.keywords import plain_keywords
from registry.merging import merged
from registry.neutral import distinct, types_of, written
from registry.nodes import entries_of, parts_of
from registry.references import Place, References
from registry.sensitive import is_sensitive

_ONE_INSIDE = ("items", "additionalProperties", "not", "contains", "propertyNames")
_MOST_NODES = 20_000
_DEEPEST = 60
_MOST_KINDS = 24
_DEEPEST_OUTLINE = 4

Stack = tuple[Place, ...]
"""The references that are being followed."""


class Shaper:
    """Makes the schemas of one operation neutral; counts what it makes, since references fan out without bound.

    `hidden` gathers the names that were left out because no model may see them, `lost` those of them that a caller
    must send; `skipped` says why optional properties that are broken were left out.
    """

    def __init__(self, references: References, *, needed: bool = False) -> None:
        self._references, self.needed, self._count = references, needed, 0
        self._within: list[str] = []
        self.old = references.old
        self.hidden: set[str] = set()
        self.lost: list[str] = []
        self.skipped: list[OperationError] = []

    def fault(self, place: Place, message: str, hint: str) -> OperationError:
        """What is wrong at a place, to be raised."""
        return self._references.fault(place, message, hint)

    def node(self, node: Node, place: Place) -> tuple[Node, Place]:
        """What stands at `place`, a reference followed as far as it leads. Raises OperationError."""
        seen = set[str]()
        siblings: dict[str, Node] = {}
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            reference = f"{place.file}|{node['$ref']}"
            if reference in seen:
                self._fault(place, f"{node['$ref']} refers to itself")
            seen.add(reference)
            siblings = {**{k: v for k, v in node.items() if k in ("description", "summary")}, **siblings}
            node, place = self._references.find(node["$ref"], place)
        return ({**node, **siblings} if siblings and isinstance(node, dict) else node), place

    def met(self, node: Node, place: Place) -> tuple[dict[str, Node], Place]:
        """As `node`, for what is no part of a request: nothing where a reference is broken or no mapping stands."""
        try:
            found, where = self.node(node, place)
        except OperationError:
            return {}, place
        return parts_of(found), where

    def top(self, raw: Node, place: Place) -> Schema:
        """A neutral schema, when only what is needed is followed without readOnly properties. Raises OperationError."""
        shaped = self.schema(raw, place)
        return _without_read_only(shaped) if self.needed else shaped

    def argument(self, raw: Node, place: Place, name: str = "") -> Schema:
        """As `top`, for a parameter called `name`: an object of which nothing is required shows what it may hold, since
        an empty one cannot be written. Raises OperationError."""
        self._within = [name] if name else []
        try:
            return self._argument(raw, place)
        finally:
            self._within = []

    def _argument(self, raw: Node, place: Place) -> Schema:
        shaped = self.top(raw, place)
        if not self.needed or types_of(shaped) != ["object"] or shaped.get("properties") != {}:
            return shaped
        node, where = self.node(raw, place)
        parts = [node, *(self.node(p, where)[0] for p in self._several(parts_of(node), "allOf", where))]
        rows = [parts_of(parts_of(part).get("properties")) for part in parts]
        names = frozenset(n for row in rows for n, inner in row.items() if not self._secret(n, inner, where, row))
        lost = list(self.lost)
        shown: Schema = _without_read_only(self.schema(raw, place, must=names))
        self.lost = lost
        return shown

    def schema(
        self, raw: Node, place: Place, stack: Stack = (), must: frozenset[str] = frozenset(), *, part: bool = False
    ) -> Schema:
        """A neutral schema; `must` names what a part beside this one requires, and `part` says that it is one of
        several that hold together. Raises OperationError."""
        self._count += 1
        if raw is True or raw is None:
            return {}
        if raw is False:
            return {"not": {}}
        if not isinstance(raw, dict):
            self._fault(place, "a schema must be a mapping")
        if reference := _reference(raw):
            return self._referred(raw, reference, place, stack, must, part)
        if self._count > _MOST_NODES or len(stack) > _DEEPEST or len(place.keys) > 200:
            return {}
        result = plain_keywords(raw, place, self._fault)
        parts = self._several(raw, "allOf", place)
        choices = {key: self._several(raw, key, place) for key in ("anyOf", "oneOf")}
        options = [parts_of(option) for some in choices.values() for option in some]
        may = {name for option in options if "properties" not in option for name in _names(option.get("required"))}
        if self.needed and parts:
            nodes = [parts_of(self.node(node, place)[0]) for node in (raw, *parts)]
            must |= {name for node in nodes for name in _names(node.get("required"))}
        self._object(raw, result, place, stack, must, may)
        self._inside(raw, result, place, stack)
        for index, inner in enumerate(parts):
            result = merged(result, self.schema(inner, place.under("allOf", str(index)), stack, must, part=True))
        for key, some in choices.items():
            if some:
                result = self._choice(result, key, some, raw.get("discriminator"), place, stack, whole=False)
        if not part and not any(choices.values()):
            result = self._mapped(raw, result, place, stack)
        closed = raw.get("unevaluatedProperties") is False and not any(choices.values())
        if closed and "properties" in result and "patternProperties" not in raw:
            result.setdefault("additionalProperties", False)
        return _nullable(result) if raw.get("nullable") is True and self.old else result

    def _inside(self, raw: Parts, result: Schema, place: Place, stack: Stack) -> None:
        """The schemas that this one holds for its entries, into `result`."""
        # Before 2020-12 a list under `items` meant the entries in turn, and `additionalItems` the others.
        old = isinstance(raw.get("items"), list)
        others = {**raw, "items": raw.get("additionalItems", True)} if old else raw
        first = "items" if old else "prefixItems"
        for index, inner in enumerate(entries_of(raw.get(first))):
            result.setdefault("prefixItems", []).append(self.schema(inner, place.under(first, str(index)), stack))
        for key in _ONE_INSIDE:
            value = others.get(key)
            if key == "items" and value is False:
                longest = len(result.get("prefixItems", ()))
                result["maxItems"] = min(result.get("maxItems", longest), longest)
            elif value is False and key == "additionalProperties":
                result[key] = False
            elif isinstance(value, dict | bool) and not (value is True and key in ("items", "additionalProperties")):
                result[key] = self.schema(value, place.under(key), stack)
            elif key == "items" and "items" in raw and not isinstance(value, bool):
                self._fault(place.under(key), "`items` must be a schema")
        self._patterned(raw, result, place, stack)

    def _patterned(self, raw: Parts, result: Schema, place: Place, stack: Stack) -> None:
        """Properties by the form of their names: as `additionalProperties`, for no model knows the other keyword."""
        rows = parts_of(raw.get("patternProperties"))
        if not rows:
            return
        closed = result.get("additionalProperties") is False or raw.get("unevaluatedProperties") is False
        if closed:
            result.pop("additionalProperties", None)
        if len(rows) == 1 and (closed or not raw.get("properties")) and "additionalProperties" not in result:
            ((pattern, inner),) = rows.items()
            result["additionalProperties"] = self.schema(inner, place.under("patternProperties", pattern), stack)
            if closed and not raw.get("properties"):
                result["propertyNames"] = {"pattern": pattern}

    def _referred(
        self, raw: Parts, reference: str, place: Place, stack: Stack, must: frozenset[str], part: bool
    ) -> Schema:
        node, target = self._references.find(reference, place)
        if target in stack or self._count > _MOST_NODES:
            return _kind_only(node)
        result = self.schema(node, target, (*stack, target), must, part=part)
        siblings = {k: v for k, v in raw.items() if k not in ("$ref", "$dynamicRef")}
        return merged(result, self.schema(siblings, place, stack)) if siblings else result

    def _object(
        self, raw: Parts, result: Schema, place: Place, stack: Stack, must: frozenset[str], may: set[str]
    ) -> None:
        properties, required = raw.get("properties"), raw.get("required")
        inside = place.under("properties")
        if isinstance(properties, dict) and isinstance(properties.get("$ref"), str):
            # No schema stands here, but bundlers follow a reference wherever it is.
            shared, inside = self.node({"$ref": properties["$ref"]}, inside)
            properties = {**parts_of(shared), **properties}
            del properties["$ref"]
        if properties is not None and not isinstance(properties, dict):
            self._fault(place.under("properties"), "`properties` must be a mapping")
        # `required: true` inside a property is a slip from older drafts: it says nothing here.
        names = _names(required)
        together = parts_of(raw.get("dependentRequired"))
        known = set(names)
        for name in names:
            more = [n for n in dict.fromkeys(_names(together.get(name))) if n not in known]
            known.update(more)
            names += more  # grows while it is gone through
        if required is not None and not isinstance(required, list | bool):
            self._fault(place.under("required"), "`required` must be a list of names")
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
                self.skipped.append(fault)  # what nobody has to send costs nobody the operation
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

    def _wanted(self, name: str, inner: Node, must: bool, may: bool, inside: Place, declared: Parts) -> bool:
        if inner is False:
            return False
        if not self.needed:
            return True
        if self._secret(name, inner, inside.under(name), declared):
            self._hide(name, must=must and parts_of(inner).get("readOnly") is not True)
            return False
        return must or may

    def _secret(self, name: str, inner: Node, place: Place, beside: Parts) -> bool:
        """As `_sensitive`, of a schema as it stands in the document."""
        if not self._sensitive(name, None, beside):
            return self._sensitive(name, inner, beside)
        return self._sensitive(name, self._outline(inner, place), beside)

    def _sensitive(self, name: str, schema: Node = None, beside: Parts | None = None) -> bool:
        return is_sensitive(name, schema, within=self._within, beside=beside or ())

    def _outline(self, raw: Node, place: Place, depth: int = 0) -> Schema:
        """A schema's kinds and the names in it, references followed; {} for what is broken or too deep."""
        try:
            node, where = self.node(raw, place)
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

    def _several(self, raw: Parts, key: str, place: Place) -> list[Node]:
        value = raw.get(key)
        if value is not None and not isinstance(value, list):
            self._fault(place.under(key), f"`{key}` must be a list of schemas")
        return entries_of(value)

    def _choice(
        self, base: Schema, key: str, options: list[Node], discriminator: Node, place: Place, stack: Stack, whole: bool
    ) -> Schema:
        """A choice; when the variants are made `whole`, each holds what is common to all."""
        lost, self.lost = self.lost, []
        shaped: list[Schema] = []
        spoilt: list[str] = []
        for index, option in enumerate(options):
            variant = self.schema(option, place.under(key, str(index)), stack)
            if self.lost:
                spoilt, self.lost = [*spoilt, *self.lost], []
                continue
            shaped.append(_tagged(merged(base, variant) if whole else variant, discriminator, option))
        # A variant that needs what no model may see cannot be chosen; when all do, nothing can.
        self.lost = lost if shaped else [*lost, *spoilt]
        if len(shaped) == 1:
            return merged(base, shaped[0])
        kinds = distinct(shaped)
        if not kinds or {} in kinds:
            return base
        if whole and len(kinds) > 1:
            return {key: kinds}
        return merged(base, kinds[0]) if len(kinds) == 1 else {**base, key: kinds}

    def _mapped(self, raw: Parts, base: Schema, place: Place, stack: Stack) -> Schema:
        """A schema that others extend, as the choice among those that its discriminator names."""
        discriminator = raw.get("discriminator")
        mapping = parts_of(parts_of(discriminator).get("mapping"))
        named_by = [t for t in mapping.values() if isinstance(t, str)]
        targets = list(dict.fromkeys(t if set("/#.") & set(t) else f"#/components/schemas/{t}" for t in named_by))
        if not 1 < len(targets) <= _MOST_KINDS:
            return base
        lost = self.lost
        try:
            return self._choice(base, "oneOf", [{"$ref": t} for t in targets], discriminator, place, stack, whole=True)
        except OperationError:
            self.lost = lost  # one kind that is broken costs the choice, not the operation
            return base

    def _fault(self, place: Place, what: str, hint: str = "") -> NoReturn:
        raise self.fault(place, f"is not well formed: {what}", hint or "check it with an OpenAPI linter")


def _reference(raw: Parts) -> str | None:
    """The reference that a schema is, `$dynamicRef` taken as a plain one."""
    found = raw.get("$ref", raw.get("$dynamicRef"))
    return found if isinstance(found, str) else None


def _kind_only(node: Node) -> Schema:
    """What is left of a schema where a cycle is cut: an object stays one, and a list a list."""
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
    """What a keyword holds, its schemas without readOnly properties."""
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
    """A variant that says by its discriminator property which one it is."""
    name, reference = parts_of(discriminator).get("propertyName"), parts_of(option).get("$ref")
    if not isinstance(name, str) or not isinstance(reference, str) or "object" not in types_of(variant):
        return variant
    own = reference.rpartition("/")[2]
    mapping = parts_of(parts_of(discriminator).get("mapping"))
    values = [value for value, target in mapping.items() if target in (reference, own)]
    declared = (variant.get("properties") or {}).get(name, {})
    tag = merged(declared, {"type": "string", "enum": values or [own]}) if not declared.get("enum") else declared
    return merged(variant, {"properties": {name: tag}, "required": [name]})
