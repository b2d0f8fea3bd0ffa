"""The fields of a body that is a choice (`oneOf`, `anyOf`): which option is meant shows only in what is sent, so what
any of them takes may be given, and what all of them require must be."""

from contracts.base import Schema
from registry.neutral import distinct, properties_of, required_of, types_of

_ONE_WORD = frozenset({"enum", "const"})


def fields_of(schema: Schema) -> dict[str, Schema | bool]:
    """The properties of an object schema, those that only an option of it has included."""
    own, options = properties_of(schema), _objects(schema)
    found: dict[str, list[Schema | bool]] = {}
    for option in options:
        for name, inner in fields_of(option).items():
            found.setdefault(name, []).append(inner)
    fields = dict(own)
    for name, parts in found.items():
        either = _either(parts)
        known = own.get(name)
        if not isinstance(known, dict):
            fields[name] = either
        elif len(parts) == len(options) and not {"anyOf", "oneOf"} & either.keys():
            fields[name] = {**known, **either}
    return fields


def needed_of(schema: Schema) -> list[str]:
    """The properties that a caller must send, whichever option it means."""
    must, options = required_of(schema), [needed_of(option) for option in _objects(schema)]
    every = [name for name in options[0] if all(name in other for other in options)] if options else []
    return [*dict.fromkeys([*must, *every])]


def items_of(schema: Schema) -> Schema | bool | None:
    """What a row of a list is, by any option that is a list; None where nothing is said of it."""
    if "items" in schema:
        items: Schema | bool | None = schema["items"]
        return items
    found = [items_of(option) for option in options_of(schema) if not types_of(option) or "array" in types_of(option)]
    return _either([one for one in found if one is not None]) if found and None not in found else None


def options_of(schema: Schema) -> list[Schema]:
    """The schemas one of which a value fits, [] where there is no choice."""
    inner = [option for part in schema.get("allOf") or () for option in options_of(part)]
    own = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return [option for option in (*own, *inner) if isinstance(option, dict)]


def is_open(schema: Schema) -> bool:
    """Whether an object may have properties that are not declared, by what its author most likely meant."""
    more, own, options = schema.get("additionalProperties"), properties_of(schema), options_of(schema)
    if more not in (None, False):
        return True
    if not own and not options:
        return more is not False
    # An option such as `required: [a]` says nothing of other names than those that stand beside it.
    telling = [o for o in _objects(schema) if not own or types_of(o) or options_of(o)]
    return more is None and any(map(is_open, telling))


def _objects(schema: Schema) -> list[Schema]:
    """The options that an object may be."""
    return [option for option in options_of(schema) if not types_of(option) or "object" in types_of(option)]


def _either(parts: list[Schema | bool]) -> Schema:
    """What a value may be that fits at least one of several schemas."""
    kept: list[Schema] = [part for part in parts if isinstance(part, dict)]
    if True in [part for part in parts if isinstance(part, bool)] or {} in kept:
        return {}
    rows: list[Schema] = distinct(kept)
    if len(rows) < 2:
        return rows[0] if rows else {}
    rest = [{key: value for key, value in row.items() if key not in _ONE_WORD} for row in rows]
    if all(_ONE_WORD & row.keys() for row in rows) and len(distinct(rest)) == 1:
        words = [word for row in rows for word in row.get("enum") or [row.get("const")]]
        return {**rest[0], "enum": distinct(words)}
    return {"anyOf": rows}
