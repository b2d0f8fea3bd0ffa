"""Valid arguments, made into a request and decoded by a server that knows only the document.

- For every style of path, query, header and cookie parameters, deepObject, JSON, form, multipart and text bodies: a
  valid value arrives exactly as it was given, or is refused with a sentence before anything is sent.
- Every operation of the real documents makes a request out of any valid arguments.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import registry
from authoring.all_operations import actions_of_document
from contracts.action import AtomicAction
from contracts.base import Json
from infra.config.settings import ROOT
from registry import BoundAction
from registry.openapi.document import Document
from tests.unit.registry.decoder import decoded

SHARED = ROOT.parent / "shared" / "specs"

TEXTS = st.text(max_size=8) | st.sampled_from(
    ["a,b", "a b", "a|b", "..", ".", "a.b", ";x=1", "{v}", "ü", "%2C", "", "&="]
)
SCALARS: dict[str, Json] = {"string": {"type": "string"}, "integer": {"type": "integer"},
                            "boolean": {"type": "boolean"}, "number": {"type": "number"}}  # fmt: skip
OBJECT = {"type": "object", "properties": {"k": {"type": "string"}, "n": {"type": "integer"}}, "required": ["k"],
          "additionalProperties": False}  # fmt: skip
NESTED = {
    "type": "object",
    "properties": {"k": {"type": "string"}, "deep": {"type": "array", "items": OBJECT}},
    "required": ["k"],
    "additionalProperties": False,
}
SHAPES: dict[str, Json] = {
    **SCALARS,
    "texts": {"type": "array", "items": {"type": "string"}},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "object": OBJECT,
}
STYLES = [
    *[("path", style, explode) for style in ("simple", "label", "matrix") for explode in (False, True)],
    *[("query", style, explode) for style in ("form", "spaceDelimited", "pipeDelimited") for explode in (False, True)],
    ("query", "deepObject", True), ("header", "simple", False), ("header", "simple", True),
    ("cookie", "form", False), ("cookie", "form", True),
]  # fmt: skip


def values(schema: Json) -> st.SearchStrategy[Json]:
    """Return a strategy for values of a schema, awkward ones among them."""
    if not isinstance(schema, dict):
        return st.just("x")
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return st.one_of(*[values({**{k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}, **o})
                           for o in options])  # fmt: skip
    kind = schema.get("type", "string")
    kind = next(k for k in kind if k != "null") if isinstance(kind, list) else kind
    if kind == "object":
        rules, required = schema.get("properties", {}), schema.get("required", [])
        return st.fixed_dictionaries(
            {n: values(rules.get(n, {})) for n in required},
            optional={n: values(s) for n, s in rules.items() if n not in required},
        )
    if kind == "array":
        return st.lists(values(schema.get("items", {})), min_size=schema.get("minItems", 0), max_size=3)
    low, high = schema.get("minimum"), schema.get("maximum")
    plain: dict[str, st.SearchStrategy[Json]] = {
        "integer": st.integers(low if low is None else int(low), high if high is None else int(high)),
        "number": st.floats(low, high, allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return plain.get(kind, TEXTS)


def made(tmp: Path, operation: Json, path: str = "/p/x") -> AtomicAction:
    method = "post" if "requestBody" in operation else "get"
    text = json.dumps({"openapi": "3.1.0", "paths": {path: {method: {"operationId": "op", **operation}}}})
    file = tmp / "openapi.json"
    file.write_text(text, encoding="utf-8")
    found = actions_of_document(Document.read(file))
    assert not found.findings, found.findings
    return found.actions["op"]


def round_trip(action: AtomicAction, arguments: dict[str, Json]) -> None:
    if registry.argument_problems(action, arguments):
        return
    request = BoundAction.of(action, arguments).request()
    expected = {str(p.target).replace("\\.", "."): arguments[p.name] for p in action.parameters if p.name in arguments}
    assert decoded(action.operation, request) == expected


@pytest.mark.parametrize(("location", "style", "explode"), STYLES)
def test_parameters_arrive_as_given(location: str, style: str, explode: bool, tmp_path: Path) -> None:
    shapes = ("object",) if style == "deepObject" else tuple(SHAPES)
    path = "/p/{v}/x" if location == "path" else "/p/x"
    common: dict[str, Json] = {"name": "v", "in": location, "required": True, "style": style, "explode": explode}
    actions = {n: made(tmp_path, {"parameters": [{**common, "schema": SHAPES[n]}]}, path) for n in shapes}

    @settings(max_examples=60, deadline=None, database=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        shape = data.draw(st.sampled_from(shapes))
        round_trip(actions[shape], {"v": data.draw(values(SHAPES[shape]))})

    check()


BODIES: list[Json] = [
    {"application/json": {}},
    {"application/x-www-form-urlencoded": {}},
    {"application/x-www-form-urlencoded": {"encoding": {"nested": {"style": "deepObject", "explode": True},
                                                        "texts": {"style": "pipeDelimited", "explode": False}}}},
    {"multipart/form-data": {}},
]  # fmt: skip


@pytest.mark.parametrize("content", BODIES)
def test_bodies_arrive_as_given(content: Json, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {**SHAPES, "nested": NESTED, "dotted.name": {"type": "string"}}}
    schema["required"] = list(schema["properties"])
    ((kind, more),) = content.items()
    action = made(tmp_path, {"requestBody": {"required": True, "content": {kind: {"schema": schema, **more}}}})

    @settings(max_examples=80, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def check(data: st.DataObject) -> None:
        arguments = {p.name: data.draw(values(p.json_schema)) for p in action.parameters}
        # Forms do not keep line ends: browsers and servers normalise them.
        assume(not kind.startswith("multipart") or not any(c in json.dumps(arguments) for c in ("\\r", "\\n")))
        round_trip(action, arguments)

    check()


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("application/json", {"type": "array", "items": {"type": "integer"}}),
        ("application/json", {"type": "string"}),
        ("application/json", {"anyOf": [OBJECT, {"type": "integer"}]}),
        ("text/plain", {"type": "string"}),
    ],
)
def test_array_and_scalar_bodies_are_wrapped(kind: str, schema: Json, tmp_path: Path) -> None:
    action = made(tmp_path, {"requestBody": {"required": True, "content": {kind: {"schema": schema}}}})
    assert [p.name for p in action.parameters] == ["body"]

    @settings(max_examples=30, deadline=None, database=None)
    @given(value=values(schema))
    def check(value: Json) -> None:
        if not registry.argument_problems(action, {"body": value}):
            request = BoundAction.of(action, {"body": value}).request()
            found = decoded(action.operation, request)
            assert found == ({f"body.{k}": v for k, v in value.items()} if isinstance(value, dict) else {"body": value})

    check()


@pytest.mark.parametrize(
    "name", ["stripe.json", "twilio.json", "roller-rest-api.yaml", "oas-examples/3.0-parameters-style.json"]
)
def test_every_real_operation_makes_a_request(name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("the documents in ../shared/specs are not here")
    found = list(actions_of_document(Document.read(SHARED / name)).actions.values())
    bound = [
        a for a in found if not any(w.required and w.location in ("header", "cookie") for w in a.operation.parameters)
    ]

    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        action = data.draw(st.sampled_from(bound))
        arguments = {p.name: data.draw(values(p.json_schema)) for p in action.parameters}
        if not registry.argument_problems(action, arguments):
            request = BoundAction.of(action, arguments).request()
            assert "{" not in request.path
            assert (
                action.operation.body_schema is None or not action.operation.body_required or request.body is not None
            )

    check()
