"""A model's arguments in the types that an action requires. Guarantees:

- a number written as a text, a text written as a number, and true and false written as texts are converted, at any
  depth of lists and objects, and so are lists and objects written as texts of JSON;
- nothing is lost and nothing invented: an ambiguous value stays as it was written, and is then reported as wrong;
- a value that fits already stays as it is, and so do placeholders.
"""

from typing import Any

import pytest

import registry
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json, Schema

WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TEXT: Schema = {"type": "string"}
YES_NO: Schema = {"type": "boolean"}
ROWS: Schema = {"type": "array", "items": {"type": "object", "properties": {"count": WHOLE, "code": TEXT}}}


def fitted(pack: registry.Pack, schema: Schema, value: Json) -> Json:
    parameter = ActionParameter(name="value", target=None, json_schema=schema, required=True, description="")
    action: AtomicAction = pack.actions["edit_note"].model_copy(update={"parameters": (parameter,)})
    return registry.fitted_arguments(action, {"value": value})["value"]


@pytest.mark.parametrize(
    ("schema", "value", "meant"),
    [
        (WHOLE, "15", 15),
        (WHOLE, "15.0", 15),
        (WHOLE, 15.0, 15),
        (WHOLE, "-3", -3),
        (NUMBER, "12.5", 12.5),
        (NUMBER, "15", 15),
        (TEXT, 8231, "8231"),
        (TEXT, 8231.0, "8231"),
        (TEXT, 12.5, "12.5"),
        (TEXT, 61400123456789012345, "61400123456789012345"),
        (TEXT, True, "true"),
        (YES_NO, "true", True),
        (YES_NO, "false", False),
        ({"type": ["integer", "null"]}, "15", 15),
        ({"anyOf": [WHOLE, {"type": "null"}]}, "15", 15),
        ({"oneOf": [{"type": "integer", "maximum": 3}, {"type": "integer", "minimum": 10}]}, "15", 15),
        (ROWS, [{"count": "2", "code": 7}, {"count": 3, "code": "8"}], [{"count": 2, "code": "7"},
                                                                       {"count": 3, "code": "8"}]),
        (ROWS, '[{"count": "2", "code": 7}]', [{"count": 2, "code": "7"}]),
        ({"type": "object", "properties": {"in": ROWS}}, {"in": [{"count": "2"}]}, {"in": [{"count": 2}]}),
        ({"type": "object", "additionalProperties": WHOLE}, {"a": "1"}, {"a": 1}),
        ({"type": "array", "prefixItems": [TEXT, WHOLE]}, [1, "2"], ["1", 2]),
    ],
)  # fmt: skip
def test_what_was_meant(pack: registry.Pack, schema: Schema, value: Json, meant: Json) -> None:
    found = fitted(pack, schema, value)
    assert (found, type(found)) == (meant, type(meant))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (WHOLE, "015"),
        (WHOLE, "15.5"),
        (WHOLE, 15.5),
        (WHOLE, "abc"),
        (WHOLE, " 15"),
        (WHOLE, "+15"),
        (WHOLE, "1e3"),
        (WHOLE, "1_5"),
        (WHOLE, "١٥"),
        (WHOLE, ""),
        (WHOLE, "9" * 5000),
        (WHOLE, True),
        (WHOLE, "true"),
        (NUMBER, "0.1000000000000000055"),
        (NUMBER, "NaN"),
        (TEXT, 1e22),
        (TEXT, 1e-7),
        (TEXT, [8231]),
        (TEXT, {"id": 8231}),
        (YES_NO, "yes"),
        (YES_NO, 1),
        (ROWS, "no list"),
        (ROWS, '{"count": 2}'),
        (ROWS, "[" * 100),
        ({"type": "array", "items": WHOLE}, "15"),
        (WHOLE, ["15"]),
    ],
)
def test_what_has_no_one_meaning_stays(pack: registry.Pack, schema: Schema, value: Json) -> None:
    found = fitted(pack, schema, value)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": ["integer", "string"]}, "15"),
        ({"anyOf": [WHOLE, TEXT]}, "15"),
        ({}, "15"),
        (NUMBER, 15.0),
        (WHOLE, "{{step_1.count}}"),
        (TEXT, None),
        ({"type": "array", "items": WHOLE}, ["{{step_1.count}}"]),
    ],
)
def test_what_fits_already_stays(pack: registry.Pack, schema: Schema, value: Any) -> None:
    found = fitted(pack, schema, value)
    assert (found, type(found)) == (value, type(value))


def test_what_is_no_argument_stays(pack: registry.Pack) -> None:
    assert registry.fitted_arguments(pack.actions["edit_note"], {"other": "15"}) == {"other": "15"}
