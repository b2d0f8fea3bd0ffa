"""Small documents with the features of real ones, and the requests of their actions."""

import json
from pathlib import Path

import registry
from authoring.all_operations import DocumentActions, actions_of_document
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.credentials import HttpRequest
from registry import BoundAction
from registry.openapi.document import Document

TEXT: dict[str, Json] = {"type": "string"}
NUMBER: dict[str, Json] = {"type": "integer"}


def read(tmp_path: Path, paths: Json, version: str = "3.1.0", **more: Json) -> Document:
    """Return a document of these paths, on disk as JSON."""
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps({"openapi": version, "paths": paths, **more}), encoding="utf-8")
    return Document.read(path)


def every(tmp_path: Path, paths: Json, version: str = "3.1.0", **more: Json) -> DocumentActions:
    """Return every usable operation of a document of these paths."""
    return actions_of_document(read(tmp_path, paths, version, **more))


def thing(**properties: Json) -> dict[str, Json]:
    """Return an object schema that requires all its properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


def body(schema: Json, kind: str = "application/json", **more: Json) -> dict[str, Json]:
    """Return a required request body."""
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema, **more}}}}


def argument(name: str, location: str, schema: Json, **more: Json) -> dict[str, Json]:
    """Return a required parameter."""
    return {"name": name, "in": location, "required": True, "schema": schema, **more}


def posted(tmp_path: Path, schema: Json, kind: str = "application/json", **more: Json) -> AtomicAction:
    """Return the action that posts one body."""
    (action,) = every(tmp_path, {"/x": {"post": body(schema, kind, **more)}}).actions.values()
    return action


def asked(tmp_path: Path, parameter: Json, path: str = "/x") -> AtomicAction:
    """Return the action that reads with one parameter."""
    (action,) = every(tmp_path, {path: {"get": {"parameters": [parameter]}}}).actions.values()
    return action


def request(action: AtomicAction, **arguments: Json) -> HttpRequest:
    """Return the request of valid arguments."""
    assert registry.argument_problems(action, arguments) == []
    return BoundAction.of(action, arguments).request()


def schemas(action: AtomicAction) -> dict[str, Json]:
    """Return the schema of each argument by name."""
    return {p.name: p.json_schema for p in action.parameters}
