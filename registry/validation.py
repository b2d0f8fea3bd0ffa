"""JSON Schema's own validator, with every pattern matched in linear time (`ecma.py`): the library's uses `re`."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from contracts.base import Schema, Value
from registry.ecma import misses


def _pattern(_validator: object, pattern: str, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    if misses(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern}")


def _pattern_properties(validator: Any, rows: Schema, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        for pattern, rule in rows.items():
            if not misses(pattern, name):
                yield from validator.descend(inner, rule, path=name, schema_path=pattern)


def _additional(validator: Any, rule: Value, value: Value, schema: Schema) -> Iterator[ValidationError]:
    known, forms = schema.get("properties") or {}, schema.get("patternProperties") or {}
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name not in known and all(misses(pattern, name) for pattern in forms):
            if rule is False:
                yield ValidationError(f"{name!r} is none of its properties")
            else:
                yield from validator.descend(inner, rule, path=name)


_OWN = {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _additional}

# What reads patterns once more by itself: no schema that comes out of `schemas.py` has it.
_UNUSED = {"unevaluatedProperties": lambda *_: ()}

Validator: Any = validators.extend(Draft202012Validator, {**_OWN, **_UNUSED})  # type: ignore[no-untyped-call]
"""A class: `Validator(schema).iter_errors(value)`. Formats are not looked at."""
