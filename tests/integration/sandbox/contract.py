"""Checks that an answer of a stand-in fits its document, with no field that the document does not name."""

from pathlib import Path
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML


def read(file: Path) -> dict[str, Any]:
    """Return a pack's document as loaded."""
    loaded: dict[str, Any] = YAML(typ="safe", pure=True).load(file)
    return loaded


def shown(answer: httpx.Response) -> Any:
    """Return the body of an answer; None for none."""
    return answer.json() if answer.content else None


def close(schema: Any) -> Any:
    """Return the schema with no room for fields it does not name."""
    if isinstance(schema, list):
        return [close(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        closed["additionalProperties"] = False
    return closed


def fits(document: dict[str, Any], path: str, method: str, status: int, body: Any) -> list[str]:
    """Return what is wrong with an answer, empty when it fits."""
    text = document["paths"][path][method]["responses"][str(status)]
    if "$ref" in text:
        text = document["components"]["responses"][text["$ref"].rsplit("/", 1)[1]]
    if "content" not in text:
        return [] if body is None else ["a body where there is none"]
    schema = {**close(text["content"]["application/json"]["schema"]), "components": close(document["components"])}
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(body)]
