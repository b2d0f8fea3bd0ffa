"""OpenAPI documents, one operation at a time.

- References are resolved, cycles are cut, path-level parameters are merged, the operation's own win.
- Operations without an operationId are named by METHOD and path; JSON bodies are preferred.
- A broken operation is named with its JSON pointer and leaves the others usable, in 3.0 and 3.1.
"""

import json
from pathlib import Path

import pytest

from contracts.base import Json
from registry.errors import OperationError, PackError
from registry.openapi.document import Document
from tests.unit.registry.traps import NUMBER, TEXT, argument, every, request

PATHS: dict[str, Json] = {
    "/trees/{id}": {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "q", "in": "query", "schema": {"type": "string"}},
            {"name": "Authorization", "in": "header", "required": True, "schema": {"type": "string"}},
        ],
        "get": {
            "parameters": [{"name": "q", "in": "query", "required": True, "schema": {"type": "integer", "title": "Q"}}],
            "responses": {200: {"$ref": "#/nowhere"}},
        },
        "put": {
            "operationId": "put-tree",
            "requestBody": {
                "content": {
                    "application/xml": {"schema": {"type": "string"}},
                    "application/json": {"schema": {"$ref": "#/components/schemas/Tree"}},
                }
            },
            "responses": {},
        },
        "delete": {"operationId": "cut-tree", "parameters": [{"$ref": "#/components/parameters/Gone"}]},
        "post": {"operationId": "bad-tree", "requestBody": {"content": {"application/json": {"schema": {"type": 7}}}}},
    },
    "/gap/{missing}": {"get": {"operationId": "gap", "responses": {}}},
}
SCHEMAS: dict[str, Json] = {
    "Tree": {
        "type": "object",
        "description": "A tree",
        "properties": {
            "title": {"type": "string", "description": "A property called title", "example": "x"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
            "open": True,
        },
    }
}


@pytest.fixture(params=["3.0.3", "3.1.0"])
def document(request: pytest.FixtureRequest, tmp_path: Path) -> Document:
    path = tmp_path / "openapi.json"
    root = {"openapi": request.param, "paths": PATHS, "components": {"schemas": SCHEMAS}}
    path.write_text(json.dumps(root), encoding="utf-8")
    return Document.read(path)


def test_keys_and_parameters(document: Document) -> None:
    assert document.keys == ("GET /trees/{id}", "put-tree", "cut-tree", "bad-tree", "gap") or set(document.keys) == {
        "GET /trees/{id}", "put-tree", "cut-tree", "bad-tree", "gap",
    }  # fmt: skip
    operation = document.operation("GET /trees/{id}")
    assert [(p.location, p.name, p.required) for p in operation.parameters] == [
        ("path", "id", True), ("query", "q", True),
    ]  # fmt: skip
    assert operation.parameters[1].json_schema == {"type": "integer"}
    assert (operation.parameters[1].style, operation.parameters[1].explode) == ("form", True)
    assert document.operation("PUT /trees/{id}") == document.operation("put-tree")


def test_bodies_and_cycles(document: Document) -> None:
    operation = document.operation("put-tree")
    assert operation.content_type == "application/json"
    assert operation.body_schema is not None
    properties = operation.body_schema["properties"]
    assert properties["title"] == {"type": "string"}
    assert properties["children"] == {"type": "array", "items": {"type": "object"}}
    assert "description" not in operation.body_schema


@pytest.mark.parametrize(
    ("name", "message", "pointer"),
    [
        ("cut-tree", "leads nowhere", "/paths/~1trees~1{id}"),
        ("bad-tree", "not well formed", "/paths/~1trees~1{id}/post"),
        ("put-tre", "no operation", ""),
    ],
)
def test_broken_operations(document: Document, name: str, message: str, pointer: str) -> None:
    with pytest.raises(OperationError, match=message) as caught:
        document.operation(name)
    assert caught.value.pointer.startswith(pointer)
    document.operation("put-tree")


def test_the_nearest_operation_is_named(document: Document) -> None:
    with pytest.raises(OperationError) as caught:
        document.operation("put-tre")
    assert caught.value.hint == "did you mean put-tree?"


@pytest.mark.parametrize(
    ("text", "message"),
    [("{}", "not an OpenAPI 3"), ("swagger: '2.0'", "convert"), ("openapi: 3.1.0", "no `paths`"), ("a: [", "line")],
)
def test_documents_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=message):
        Document.read(path)


def test_a_gap_that_no_one_declares_is_a_text(tmp_path: Path) -> None:
    found = every(tmp_path, {"/a/{a-id}/b/{b}": {"get": {"parameters": [argument("b", "path", NUMBER)]}}})
    (action,) = found.actions.values()
    assert {p.name: (p.target, p.json_schema, p.required) for p in action.parameters} == {
        "b": ("path.b", NUMBER, True), "a-id": ("path.a-id", TEXT, True),
    }  # fmt: skip
    assert request(action, b=1, **{"a-id": "x y"}).path == "/a/x%20y/b/1"
