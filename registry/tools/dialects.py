"""A tool in the format of a model vendor: one neutral schema, two dialects.

OpenAI: strict where that loses nothing (every property required, optional ones null too, objects closed), else `strict:
false` with our own validation. Gemini: single types, `nullable`, text enums, `anyOf`; none of $ref, const, oneOf,
allOf, additionalProperties. A keyword that a dialect lacks is expressed in the description.
"""

import json
from collections.abc import Collection
from typing import Any, Literal

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Schema
from registry.http.styles import plain
from registry.openapi.regex import looks_around
from registry.openapi.schema_reading import distinct, merged, types_of
from registry.text import word_set, words_of

Tool = dict[str, Any]
"""A tool in the format of a model vendor's API."""


def description_of(action: AtomicAction) -> str:
    """Return what the action does, when to use it, and examples of valid calls."""
    parts = [" ".join(action.description.split())]
    if action.when_to_use:
        parts.append(f"Use when: {' '.join(action.when_to_use.split()).rstrip('.')}.")
    if action.require_any:
        parts.append(f"At least one of {', '.join(action.require_any)} is needed.")
    text = " ".join(parts)
    if not action.examples:
        return text
    lines = [f'- "{e.say}" -> {json.dumps(e.call, ensure_ascii=False)}' for e in action.examples]
    return "\n".join([text, "Examples:", *lines])


def parameter_text(parameter: ActionParameter) -> str:
    """Return what a parameter means, its role in words."""
    role = f"[{parameter.role.words}]" if parameter.role else ""
    return f"{parameter.description} {role}".strip()


Dialect = Literal["openai", "gemini"]

_STRICT = word_set("""
    type enum anyOf properties required additionalProperties items pattern format multipleOf minimum maximum
    exclusiveMinimum exclusiveMaximum minItems maxItems description
""")
_STRICT_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_GEMINI = word_set("""
    type nullable enum anyOf properties required items pattern minimum maximum minItems maxItems minLength maxLength
    description
""")
_UNSTRICT = frozenset({"not", "allOf", "contains", "propertyNames", "prefixItems"})
_UNSAID = frozenset({"default", "readOnly", "writeOnly", "nullable", "contentEncoding", "contentMediaType"})
# OpenAI's limits of a strict schema: ten nested objects, of which two are around a parameter's own parts.
_DEEPEST = 8
_MOST_CHOICES, _LONGEST_CHOICES, _MANY = 1000, 15_000, 250
_IDS = (["id"], ["sid"], ["uuid"], ["uid"], ["guid"])


class _LossyError(Exception):
    """A schema that strict mode cannot express."""


def emitted(action: AtomicAction, dialect: Dialect) -> Tool:
    """Return the tool of `action` in a dialect."""
    return gemini_tool(action) if dialect == "gemini" else openai_tool(action)


def openai_tool(action: AtomicAction) -> Tool:
    """Return the OpenAI function tool of `action`, strict where that loses nothing."""
    try:
        properties = {p.name: _strict_parameter(p) for p in action.parameters}
        required, strict = list(properties), True
    except _LossyError:
        properties = {p.name: _with_text(_loose(_shown(p)), p) for p in action.parameters}
        required, strict = [p.name for p in action.parameters if p.required], False
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    function = {"name": action.name, "description": description_of(action), "strict": strict, "parameters": schema}
    return {"type": "function", "function": function}


def plain_tool(tool: Tool) -> Tool:
    """Return an OpenAI tool in keywords that every endpoint knows. Nothing is lost but a hint: the values are checked
    against the whole schema when they come back."""
    function = {name: value for name, value in tool["function"].items() if name != "strict"}
    return {**tool, "function": {**function, "parameters": _plain(function.get("parameters") or {"type": "object"})}}


def _plain(schema: Schema) -> Schema:
    options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if options:
        about = {"description": schema["description"]} if "description" in schema else {}
        return {**_plain(options[0]), **about}
    kept: Schema = {name: schema[name] for name in ("description", "enum") if name in schema}
    if "enum" in kept:
        kept["enum"] = [value for value in kept["enum"] if value is not None]
    types = [kind for kind in types_of(schema) if kind != "null"]
    kept["type"] = types[0] if types else "string"
    if kept["type"] == "array":
        kept["items"] = _plain(schema["items"]) if isinstance(schema.get("items"), dict) else {"type": "string"}
    if kept["type"] == "object":
        inside = schema.get("properties") or {}
        kept["properties"] = {name: _plain(one) for name, one in inside.items()}
        kept["required"] = [n for n in schema.get("required") or () if "null" not in types_of(inside.get(n) or {})]
    return kept


def gemini_tool(action: AtomicAction) -> Tool:
    """Return the Gemini function declaration of `action`; without `parameters` when there are none."""
    tool: Tool = {"name": action.name, "description": description_of(action)}
    if action.parameters:
        properties = {p.name: _with_text(_gemini(_shown(p)), p) for p in action.parameters}
        tool["parameters"] = {"type": "object", "properties": properties}
        if required := [p.name for p in action.parameters if p.required]:
            tool["parameters"]["required"] = required
    return tool


def _shown(parameter: ActionParameter) -> Schema:
    """Return the schema a model needs. An id in a path is copied from another answer: only we validate its form."""
    if (parameter.target or "").startswith("path.") and words_of(parameter.name)[-1:] in _IDS:
        return {k: v for k, v in parameter.json_schema.items() if k not in ("pattern", "minLength", "maxLength")}
    return parameter.json_schema


def _with_text(schema: Schema, parameter: ActionParameter) -> Schema:
    text = " ".join(filter(None, [parameter_text(parameter), str(schema.get("description") or "")]))
    return {**schema, "description": text} if text else schema


def _strict_parameter(parameter: ActionParameter) -> Schema:
    schema = _with_text(_strict(_shown(parameter), 0), parameter)
    return schema if parameter.required else _or_null(schema)


def _or_null(schema: Schema) -> Schema:
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    types = types_of(schema)
    if "null" in types:
        return schema
    enum = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [*types, "null"], **enum}


def _strict(schema: Schema, depth: int) -> Schema:
    types = [kind for kind in types_of(schema) if kind != "null"]
    options = schema.get("anyOf") or schema.get("oneOf")
    if depth > _DEEPEST or not schema or _UNSTRICT & schema.keys():
        raise _LossyError
    if options:
        if set(schema) - {"anyOf", "oneOf", "type", *_UNSAID} or ("anyOf" in schema and "oneOf" in schema):
            raise _LossyError
        common = {"type": schema["type"]} if "type" in schema else {}
        return {"anyOf": [_strict(merged(common, option), depth + 1) for option in options]}
    if not types_of(schema):
        schema = {**schema, "type": _kind_of_choices(schema.get("enum") or ())}
    if len(schema.get("enum") or ()) > _MANY and _too_many(schema["enum"]):
        raise _LossyError
    result = {k: v for k, v in schema.items() if k in _STRICT}
    if looks_around(str(result.get("pattern", ""))):
        del result["pattern"]
    if result.get("format") not in _STRICT_FORMATS:
        result.pop("format", None)
    if "object" in types:
        properties, required = schema.get("properties") or {}, schema.get("required") or []
        if not properties or set(properties) - set(required) or set(required) - set(properties) or len(types) > 1:
            raise _LossyError
        if schema.get("additionalProperties") not in (None, False) or "minProperties" in schema:
            raise _LossyError
        result["properties"] = {name: _strict(inner, depth + 1) for name, inner in properties.items()}
        result["required"], result["additionalProperties"] = list(properties), False
    if "array" in types:
        if not isinstance(schema.get("items"), dict) or len(types) > 1:
            raise _LossyError
        result["items"] = _strict(schema["items"], depth + 1)
    return _result_schema(schema, result, _STRICT)


def _too_many(choices: Collection[object]) -> bool:
    return len(choices) > _MOST_CHOICES or sum(len(str(choice)) for choice in choices) > _LONGEST_CHOICES


def _loose(schema: Schema) -> Schema:
    """Return a neutral schema without our own keywords, for any validator; `oneOf` as `anyOf`."""
    result: Schema = {}
    for key, value in schema.items():
        if key in _UNSAID:
            continue
        if key == "properties":
            result[key] = {name: _loose(inner) if isinstance(inner, dict) else inner for name, inner in value.items()}
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            result["anyOf" if key == "oneOf" and "anyOf" not in schema else key] = [_loose(part) for part in value]
        else:
            result[key] = _loose(value) if isinstance(value, dict) else value
    if "array" in types_of(schema):
        result.setdefault("items", {})  # without it OpenAI rejects the tool, strict or not
    return result


def _gemini(schema: Schema) -> Schema:
    for part in schema.get("allOf") or ():
        schema = {**schema, **{k: v for k, v in part.items() if k not in schema and k != "oneOf"}}
    types = [kind for kind in types_of(schema) if kind != "null"]
    nullable = {"nullable": True} if "null" in types_of(schema) else {}
    options = [o for o in schema.get("anyOf") or schema.get("oneOf") or () if types_of(o) != ["null"]]
    if options:
        base = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}
        if len(options) < len(schema.get("anyOf") or schema.get("oneOf") or ()):
            nullable = {"nullable": True}
        variants = [_gemini(merged(base, option) if base else option) for option in options]
        return {"anyOf": variants, **nullable} if len(variants) > 1 else {**variants[0], **nullable}
    if len(types) > 1:
        return {"anyOf": [_gemini({**schema, "type": kind}) for kind in types], **nullable}
    kind = types[0] if types else _kind_of(schema)
    apart = ("type", "description", "enum", "properties", "required")
    result = {"type": kind, **{k: v for k, v in schema.items() if k in _GEMINI and k not in apart}}
    choices = [choice for choice in schema.get("enum") or () if choice is not None]
    if kind == "string" and choices and all(isinstance(choice, str) and choice for choice in choices):
        result["enum"] = choices
    if kind == "object":
        properties = {n: _gemini(s) for n, s in (schema.get("properties") or {}).items() if isinstance(s, dict)}
        required = [n for n in schema.get("required") or () if n in properties]
        result |= {key: held for key, held in (("properties", properties), ("required", required)) if held}
    if kind == "array":
        result["items"] = _gemini_items(schema)
    else:
        result.pop("items", None)
    return {**_result_schema(schema, result, _GEMINI), **nullable}


def _gemini_items(schema: Schema) -> Schema:
    """Return the schema of a list's entries: Gemini has one for all of them."""
    items = schema.get("items")
    rows = [*(schema.get("prefixItems") or ()), *([items] if isinstance(items, dict) else [])]
    kinds_of = [_gemini(row) for row in rows if isinstance(row, dict) and row]
    kinds = distinct(kinds_of)
    return {"anyOf": kinds} if len(kinds) > 1 else kinds[0] if kinds else {"type": "string"}


def _kind_of(schema: Schema) -> str:
    choices = [choice for choice in schema.get("enum") or () if choice is not None]
    try:
        return str(_kind_of_choices(choices))
    except _LossyError:
        return "object" if "required" in schema else "string"


def _kind_of_choices(choices: Collection[object]) -> str:
    """Return the one type that all the choices have. Raises _LossyError when there is none."""
    if choices and all(isinstance(c, str) for c in choices):
        return "string"
    if choices and all(isinstance(c, bool) for c in choices):
        return "boolean"
    if choices and all(isinstance(c, int | float) and not isinstance(c, bool) for c in choices):
        return "integer" if all(isinstance(c, int) for c in choices) else "number"
    raise _LossyError


_WORDS = {
    "minLength": "at least {} characters", "maxLength": "at most {} characters", "format": "format {}",
    "multipleOf": "a multiple of {}", "exclusiveMinimum": "above {}", "exclusiveMaximum": "below {}",
    "minItems": "at least {} entries", "maxItems": "at most {} entries", "pattern": "matching {}",
}  # fmt: skip

_NO_WORDS = (0, "int32", "int64", "float", "double", "string")


def _result_schema(schema: Schema, result: Schema, known: frozenset[str]) -> Schema:
    """Return `result`, its description extended by what the dialect has no keyword for."""
    unsaid = {k: v for k, v in schema.items() if k not in result and v not in _NO_WORDS}
    if "pattern" in schema:
        unsaid = {k: v for k, v in unsaid.items() if not k.endswith("Length")}
    keys = [key for key in _WORDS if key in unsaid and (key not in known or key in ("format", "pattern"))]
    messages = [_WORDS[key].format(unsaid[key]) for key in keys]
    choices = [choice for choice in schema.get("enum") or () if choice is not None]
    if choices and "enum" not in result:
        messages.append("one of " + ", ".join(map(plain, choices)))
    return {**result, "description": f"({'; '.join(messages)})"} if messages else result
