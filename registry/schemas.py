"""The schemas of an API document made neutral: plain JSON Schema without references, for requests.

References are resolved and cycles cut to the empty schema, which accepts anything; `allOf` is merged, `nullable`
becomes the type "null", `const` an `enum`, OpenAPI 3.0's boolean `exclusiveMinimum` a number, a discriminator an
`enum` in each variant. With `needed`, only what a caller must send is followed: optional properties, readOnly and
sensitive ones are left out, which makes large documents quick.
"""

import re
from collections.abc import Mapping
from typing import NoReturn

from contracts.base import Json
from registry.faults import OperationFault
from registry.merging import Schema, kinds, merged, named
from registry.references import Place, References
from registry.sensitive import is_sensitive

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_ALIASES: dict[str, str | None] = {
    "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "float": "number",
    "double": "number", "decimal": "number", "bool": "boolean", "text": "string", "date": "string",
    "datetime": "string", "date-time": "string", "uuid": "string", "file": "string", "any": None, "": None,
}  # fmt: skip
_NUMBERS = frozenset({
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    "multipleOf",
})  # fmt: skip
_FLAGS = frozenset({"uniqueItems", "readOnly", "writeOnly"})
_TEXTS = frozenset({"format", "contentEncoding", "contentMediaType"})
_ONE_INSIDE = ("items", "additionalProperties", "not", "contains", "propertyNames")
_MOST_NODES = 20_000
_DEEPEST = 60


class Shaper:
    """Makes the schemas of one operation neutral; counts what it makes, since references fan out without bound.

    `hidden` gathers the names that were left out because no model may see them, `lost` those of them that a caller
    must send.
    """

    def __init__(self, references: References, *, needed: bool = False) -> None:
        self._references, self._needed, self._count = references, needed, 0
        self.hidden: set[str] = set()
        self.lost: list[str] = []

    @property
    def needed(self) -> bool:
        """Whether only what a caller must send is followed."""
        return self._needed

    def pointer(self, place: Place) -> str:
        """The JSON pointer of a place."""
        return self._references.pointer(place)

    def node(self, node: Json, place: Place) -> tuple[Json, Place]:
        """What stands at `place`, a reference followed as far as it leads. Raises OperationFault."""
        seen = set[str]()
        siblings: dict[str, Json] = {}
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            reference = f"{place.file}|{node['$ref']}"
            if reference in seen:
                self._fault(place, f"{node['$ref']} refers to itself")
            seen.add(reference)
            siblings = {**{k: v for k, v in node.items() if k in ("description", "summary")}, **siblings}
            node, place = self._references.find(node["$ref"], place)
        return ({**node, **siblings} if siblings and isinstance(node, dict) else node), place

    def top(self, raw: Json, place: Place) -> Schema:
        """A neutral schema, when only what is needed is followed without readOnly properties. Raises OperationFault."""
        shaped = self.schema(raw, place)
        return _without_read_only(shaped) if self._needed else shaped

    def schema(
        self, raw: Json, place: Place, stack: tuple[Place, ...] = (), must: frozenset[str] = frozenset()
    ) -> Schema:
        """A neutral schema; `must` names what a part beside this one requires. Raises OperationFault."""
        self._count += 1
        if raw is True or raw is None:
            return {}
        if raw is False:
            return {"not": {}}
        if not isinstance(raw, dict):
            self._fault(place, "a schema must be a mapping")
        if isinstance(raw.get("$ref"), str):
            return self._referred(raw, place, stack, must)
        if self._count > _MOST_NODES or len(stack) > _DEEPEST or len(place.keys) > 200:
            return {}
        result = self._plain(raw, place)
        parts = self._several(raw, "allOf", place)
        if self._needed and parts:
            must |= {name for part in (raw, *parts) for name in self._required(part, place)}
        self._object(raw, result, place, stack, must)
        for key in _ONE_INSIDE:
            if isinstance(raw.get(key), dict | bool) and not (key == "additionalProperties" and raw[key] is True):
                value = raw[key]
                result[key] = value if value is False and key == "additionalProperties" else self.schema(
                    value, place.under(key), stack)  # fmt: skip
            elif key == "items" and key in raw and not isinstance(raw[key], list):
                self._fault(place.under(key), "`items` must be a schema")
        for index, part in enumerate(parts):
            result = merged(result, self.schema(part, place.under("allOf", str(index)), stack, must))
        for key in ("anyOf", "oneOf"):
            if options := self._several(raw, key, place):
                result = self._choice(raw, result, key, options, place, stack)
        return _nullable(result) if raw.get("nullable") is True else result

    def _required(self, part: Json, place: Place) -> list[str]:
        node, _ = self.node(part, place)
        names = node.get("required") if isinstance(node, dict) else None
        return [n for n in names if isinstance(n, str)] if isinstance(names, list) else []

    def _referred(
        self, raw: Mapping[str, Json], place: Place, stack: tuple[Place, ...], must: frozenset[str]
    ) -> Schema:
        node, target = self._references.find(raw["$ref"], place)
        if target in stack or self._count > _MOST_NODES:
            return {}
        result = self.schema(node, target, (*stack, target), must)
        siblings = {k: v for k, v in raw.items() if k != "$ref"}
        return merged(result, self.schema(siblings, place, stack)) if siblings else result

    def _plain(self, raw: Mapping[str, Json], place: Place) -> Schema:
        result: Schema = {}
        types = self._types(raw, place)
        if types:
            result["type"] = named(types)
        for key in _NUMBERS & raw.keys():
            value = raw[key]
            if isinstance(value, int | float) and not isinstance(value, bool):
                result[key] = int(value) if isinstance(value, float) and value.is_integer() else value
        for key, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            value = raw.get(key)
            if value is True and limit in result:
                result[key] = result.pop(limit)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                result[key] = value
        result |= {key: raw[key] for key in _FLAGS & raw.keys() if isinstance(raw[key], bool)}
        result |= {key: raw[key] for key in _TEXTS & raw.keys() if isinstance(raw[key], str)}
        if raw.get("default") is not None:
            result["default"] = raw["default"]
        if isinstance(raw.get("pattern"), str) and _compiles(raw["pattern"]):
            result["pattern"] = raw["pattern"]
        if "const" in raw:
            result["enum"] = [raw["const"]]
        elif "enum" in raw:
            if not isinstance(raw["enum"], list):
                self._fault(place.under("enum"), "`enum` must be a list")
            result["enum"] = list(raw["enum"])
        return result

    def _types(self, raw: Mapping[str, Json], place: Place) -> list[str]:
        declared = raw.get("type")
        found: list[str] = []
        for kind in declared if isinstance(declared, list) else [] if declared is None else [declared]:
            text = kind if isinstance(kind, str) else "?"
            known = text if text in _TYPES else _ALIASES.get(text.lower(), "?")
            if known == "?":
                self._fault(place.under("type"), f"{kind!r} is no type", "one of " + ", ".join(sorted(_TYPES)))
            if known and known not in found:
                found.append(known)
        if not found and isinstance(raw.get("properties"), dict):
            found = ["object"]
        if not found and "items" in raw:
            found = ["array"]
        return found

    def _object(
        self, raw: Mapping[str, Json], result: Schema, place: Place, stack: tuple[Place, ...], must: frozenset[str]
    ) -> None:
        properties, required = raw.get("properties"), raw.get("required")
        if properties is not None and not isinstance(properties, dict):
            self._fault(place.under("properties"), "`properties` must be a mapping")
        # `required: true` inside a property is a slip from older drafts: it says nothing here.
        names = [n for n in required if isinstance(n, str)] if isinstance(required, list) else []
        if required is not None and not isinstance(required, list | bool):
            self._fault(place.under("required"), "`required` must be a list of names")
        shown: dict[str, Json] = {}
        for name, inner in (properties or {}).items():
            needed = name in names or name in must
            if not self._wanted(name, inner, needed):
                continue
            shown[name] = self.schema(inner, place.under("properties", name), stack)
            if self._needed and not shown[name].get("readOnly") and is_sensitive(name, shown[name]):
                self._hide(name, must=needed)
                del shown[name]
        if properties is not None:
            result["properties"] = shown
        if self._needed:
            names = [n for n in names if n in shown or n not in (properties or {})]
            names = [n for n in names if not is_sensitive(n) or self._hide(n, must=n not in (properties or {}))]
        if names:
            result["required"] = list(dict.fromkeys(names))

    def _wanted(self, name: str, inner: Json, must: bool) -> bool:
        if inner is False:
            return False
        if not self._needed:
            return True
        if is_sensitive(name, inner):
            read_only = isinstance(inner, dict) and inner.get("readOnly") is True
            self._hide(name, must=must and not read_only)
            return False
        return must

    def _hide(self, name: str, *, must: bool) -> bool:
        self.hidden.add(name)
        if must and name not in self.lost:
            self.lost.append(name)
        return False

    def _several(self, raw: Mapping[str, Json], key: str, place: Place) -> list[Json]:
        value = raw.get(key)
        if value is not None and not isinstance(value, list):
            self._fault(place.under(key), f"`{key}` must be a list of schemas")
        return value or []

    def _choice(
        self, raw: Mapping[str, Json], base: Schema, key: str, options: list[Json], place: Place,
        stack: tuple[Place, ...],
    ) -> Schema:  # fmt: skip
        lost, self.lost = self.lost, []
        shaped: list[Schema] = []
        spoilt: list[str] = []
        for index, option in enumerate(options):
            variant = self.schema(option, place.under(key, str(index)), stack)
            if self.lost:
                spoilt, self.lost = [*spoilt, *self.lost], []
                continue
            shaped.append(_tagged(variant, raw.get("discriminator"), option))
        # A variant that needs what no model may see cannot be chosen; when all do, nothing can.
        self.lost = lost if shaped else [*lost, *spoilt]
        if len(shaped) == 1:
            return merged(base, shaped[0])
        distinct = [v for i, v in enumerate(shaped) if v not in shaped[:i]]
        if not distinct or {} in distinct:
            return base
        return merged(base, distinct[0]) if len(distinct) == 1 else {**base, key: distinct}

    def _fault(self, place: Place, what: str, hint: str = "") -> NoReturn:
        raise OperationFault(f"is not well formed: {what}", pointer=self._references.pointer(place), hint=hint)


def _without_read_only(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_without_read_only(v) for v in schema]
    if not isinstance(schema, dict):
        return schema
    plain = ("enum", "default")
    result = {k: v if k in plain else _without_read_only(v) for k, v in schema.items() if k != "properties"}
    if isinstance(schema.get("properties"), dict):
        shown = {n: s for n, s in schema["properties"].items() if not (isinstance(s, dict) and s.get("readOnly"))}
        result["properties"] = {n: _without_read_only(s) for n, s in shown.items()}
        gone = set(schema["properties"]) - set(shown)
        if "required" in result and gone:
            result["required"] = [n for n in result["required"] if n not in gone]
    return result


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False  # ECMA syntax that Python does not have: the API checks it
    return True


def _nullable(schema: Schema) -> Schema:
    types = kinds(schema)
    if types:
        schema = {**schema, "type": named([*types, *(["null"] if "null" not in types else [])])}
    elif schema.get("anyOf") or schema.get("oneOf"):
        key = "anyOf" if schema.get("anyOf") else "oneOf"
        schema = {**schema, key: [*schema[key], {"type": "null"}]}
    if "enum" in schema and None not in schema["enum"]:
        schema = {**schema, "enum": [*schema["enum"], None]}
    return schema


def _tagged(variant: Schema, discriminator: Json, option: Json) -> Schema:
    """A variant that says by its discriminator property which one it is."""
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    reference = option.get("$ref") if isinstance(option, dict) else None
    if not isinstance(name, str) or not isinstance(reference, str) or "object" not in kinds(variant):
        return variant
    own = reference.rpartition("/")[2]
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    values = [v for v, target in mapping.items() if target in (reference, own)] if isinstance(mapping, dict) else []
    declared = (variant.get("properties") or {}).get(name, {})
    tag = merged(declared, {"type": "string", "enum": values or [own]}) if not declared.get("enum") else declared
    return merged(variant, {"properties": {name: tag}, "required": [name]})
