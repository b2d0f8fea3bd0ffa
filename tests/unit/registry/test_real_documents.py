"""Every document in ../shared/specs, and small ones with the mistakes of real ones.

- A document loads, or fails with a sentence; never a traceback. A broken operation costs only itself, and its finding
  has a JSON pointer, the operation, the error and the fix.
- Both dialects of every tool keep to their rules; names fit; nothing sensitive shows at any depth.
- Stripe and Twilio give all their tools.
- Files beside the document are read, those elsewhere are not; for Swagger 2.0 the message asks for a conversion.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.all_operations import DocumentActions, actions_of_document, tool_name
from contracts.base import Json
from infra.config.settings import ROOT
from registry.errors import PackError
from registry.openapi.document import Document
from registry.secrets.names import is_sensitive, mentions_secret
from registry.text import spoken_name
from registry.tools.dialects import gemini_tool, openai_tool

SHARED = ROOT.parent / "shared" / "specs"
NAMES = sorted(str(p.relative_to(SHARED)) for p in SHARED.rglob("*") if p.suffix in (".json", ".yaml"))
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the documents in ../shared/specs are not here")


def read(name: str) -> DocumentActions:
    return actions_of_document(Document.read(SHARED / name))


def nodes(schema: Json) -> Iterator[dict[str, Json]]:
    """Yield every schema in a schema."""
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key == "properties":
                for inner in value.values():
                    yield from nodes(inner)
            elif key not in ("enum", "default"):
                yield from nodes(value)
    elif isinstance(schema, list):
        for part in schema:
            yield from nodes(part)


def property_names(schema: Json) -> set[str]:
    return {n for node in nodes(schema) for n in [*node.get("properties", {}), *node.get("required", [])]}


@needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_every_document(name: str) -> None:
    try:
        found = read(name)
    except PackError:
        return
    for finding in found.findings:
        assert finding.message
        assert finding.level != "error" or (finding.pointer and finding.action)
    for action in found.actions.values():
        assert NAME.fullmatch(action.name)
        openai, gemini = openai_tool(action)["function"], gemini_tool(action)
        assert openai["description"] and openai["name"] == gemini["name"] == action.name
        check_openai(openai)
        for schema in nodes(gemini["parameters"]) if "parameters" in gemini else ():
            check_gemini(schema)
        which = {p.name for p in action.parameters if str(p.target).startswith("path.")}
        for shown in (openai["parameters"], gemini.get("parameters", {})):
            hidden = {n for n in property_names(shown) if is_sensitive(n, location="path" if n in which else "")}
            assert not hidden, (action.name, hidden)
        message = [openai["description"], *[str(n.get("description", "")) for n in nodes(openai["parameters"])]]
        # Where the document has no text fit to be shown, the tool's own name is used as words.
        for text in message if message[0] != spoken_name(action.name) else message[1:]:
            assert not mentions_secret(text), (action.name, text)


def check_openai(function: dict[str, Json]) -> None:
    assert all(NAME.fullmatch(name) for name in function["parameters"]["properties"])
    for node in nodes(function["parameters"]):
        assert not {"$ref", "const", "nullable", "readOnly", "default", "oneOf"} & set(node)
        if function["strict"]:
            assert not {"allOf", "not", "minLength", "maxLength", "default", "uniqueItems"} & set(node)
            assert node.get("type") or node.get("anyOf"), node
        if function["strict"] and "properties" in node:
            assert node["additionalProperties"] is False
            assert sorted(node["required"]) == sorted(node["properties"])


def check_gemini(schema: dict[str, Json]) -> None:
    assert not {"$ref", "const", "oneOf", "allOf", "additionalProperties", "not", "default", "format"} & set(schema)
    assert "anyOf" in schema or isinstance(schema["type"], str)
    assert schema.get("type") != "null"
    if "enum" in schema:
        assert schema["type"] == "string" and all(isinstance(choice, str) for choice in schema["enum"])
    assert schema.get("type") != "array" or schema["items"]
    assert set(schema.get("required", [])) <= set(schema.get("properties", {}))


@needs_shared
@pytest.mark.parametrize(("name", "operations"), [("stripe.json", 400), ("twilio.json", 180)])
def test_large_documents_give_all_their_tools(name: str, operations: int) -> None:
    found = read(name)
    assert len([openai_tool(action) for action in found.actions.values()]) > operations


@needs_shared
def test_the_valid_operations_of_a_malformed_document_are_usable() -> None:
    found = read("bookeo-malformed.json")
    broken = [f for f in found.findings if f.level == "error"]
    # 13 have their body as Swagger 2.0 wrote it; one other needs an API key in its path, which no model may see.
    assert [f.message for f in broken] == [
        "DeleteSubaccountsSubaccountApikeysApikey needs apiKey, which no model may see"
    ]
    assert broken[0].pointer.startswith("/paths/") and len(found.actions) == 50
    change = found.actions["PutBookingsBookingnumber"]
    assert (change.operation.content_type, [p.name for p in change.parameters]) == (
        "application/json", ["bookingNumber", "body"],
    )  # fmt: skip


def document(tmp_path: Path, paths: Json, version: str = "3.1.0", **more: Json) -> Document:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps({"openapi": version, "paths": paths, **more}), encoding="utf-8")
    return Document.read(path)


def body(schema: Json, kind: str = "application/json") -> Json:
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema}}}}


def parameters(tmp_path: Path, schema: Json, version: str = "3.1.0", **more: Json) -> dict[str, Json]:
    found = actions_of_document(document(tmp_path, {"/x": {"post": body(schema)}}, version, **more))
    (action,) = found.actions.values()
    return {p.name: p.json_schema for p in action.parameters}


def test_all_of_is_merged_and_what_another_part_requires_is_kept(tmp_path: Path) -> None:
    base = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["b"]}]}
    assert parameters(tmp_path, schema, components={"schemas": {"Base": base}}) == {"b": {"type": "integer"}}


def test_nullable_and_exclusive_limits_both_ways(tmp_path: Path) -> None:
    old = {"type": "integer", "nullable": True, "minimum": 1, "exclusiveMinimum": True}
    new = {"type": ["integer", "null"], "exclusiveMinimum": 1}
    for version, schema in (("3.0.3", old), ("3.1.0", new)):
        shaped = parameters(tmp_path, {"type": "object", "required": ["n"], "properties": {"n": schema}}, version)
        assert shaped == {"n": {"type": ["integer", "null"], "exclusiveMinimum": 1}}


def test_a_discriminator_names_each_variant(tmp_path: Path) -> None:
    kinds = {n: {"type": "object", "properties": {"kind": {"type": "string"}, n: {"type": "string"}}, "required": [n]}
             for n in ("cat", "dog")}  # fmt: skip
    choice = {
        "oneOf": [{"$ref": f"#/components/schemas/{n}"} for n in kinds],
        "discriminator": {"propertyName": "kind"},
    }
    shaped = parameters(tmp_path, choice, components={"schemas": kinds})["body"]
    assert [option["properties"]["kind"]["enum"] for option in shaped["oneOf"]] == [["cat"], ["dog"]]
    assert all("kind" in option["required"] for option in shaped["oneOf"])


def test_read_only_and_optional_properties_are_left_out_and_defaults_and_booleans_live(tmp_path: Path) -> None:
    schema = {
        "type": "object", "required": ["id", "any", "never", "x"],
        "properties": {"id": {"type": "string", "readOnly": True}, "any": True, "never": False,
                       "x": {"const": "y"}, "optional": {"type": "string"}},
    }  # fmt: skip
    assert parameters(tmp_path, schema) == {"any": {}, "x": {"enum": ["y"]}}


def test_cycles_and_collisions(tmp_path: Path) -> None:
    node = {"type": "object", "required": ["id", "next"], "properties": {
        "id": {"type": "string"}, "next": {"$ref": "#/components/schemas/Node"}}}  # fmt: skip
    common = {"name": "id", "required": True, "schema": {"type": "string"}}
    item = {"parameters": [{**common, "in": "path"}], "post": {
        "parameters": [{**common, "in": "query"}], **body({"$ref": "#/components/schemas/Node"})}}  # fmt: skip
    found = actions_of_document(document(tmp_path, {"/n/{id}": item}, components={"schemas": {"Node": node}}))
    (action,) = found.actions.values()
    assert action.name == "post_n_by_id"
    assert [(p.name, p.target) for p in action.parameters] == [
        ("id", "path.id"), ("id_query", "query.id"), ("id_body", "body.id"), ("next", "body.next"),
    ]  # fmt: skip


def test_names_fit_and_differ() -> None:
    assert tool_name("get /pets/{pet id}") == "get_pets_by_pet_id"
    assert tool_name("käse.liste!") == "k_se_liste"
    assert tool_name("!!!") == "operation"
    long = tool_name("x" * 100)
    assert len(long) == 64 and NAME.fullmatch(long)
    assert tool_name("a", ["a", "a_2"]) == "a_3"


def test_twice_the_same_operation_id_and_a_broken_neighbour(tmp_path: Path) -> None:
    paths = {"/a": {"get": {"operationId": "same"}, "put": {"operationId": "bad", "parameters": 7}},
             "/b": {"get": {"operationId": "same"}}, "/c": "nonsense", "/d": {"get": "nonsense"}}  # fmt: skip
    found = actions_of_document(document(tmp_path, paths))
    assert set(found.actions) == {"same", "get_b"}
    assert {f.pointer for f in found.findings} >= {"/paths/~1a/put/parameters", "/paths/~1c", "/paths/~1d/get"}
    assert any("twice" in f.message for f in found.findings)


def test_secrets_never_show_in_words_either(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "description": "The name. Not the cvv. Sent with my_pass."},
        "my_pass": {"type": "string", "format": "password"}, "cvv": {"type": "string"}}}  # fmt: skip
    key = {"name": "X-Api-Key", "in": "header", "required": True, "schema": {"type": "string"}}
    message = "Saves it. Needs the header X-Api-Key. Give my_pass too."
    operation = {"description": message, "parameters": [key], **body(schema)}
    found = actions_of_document(document(tmp_path, {"/x": {"post": operation}}))
    (action,) = found.actions.values()
    for tool in (openai_tool(action), gemini_tool(action)):
        assert not re.search(r"cvv|my_pass|api.?key", json.dumps(tool), re.IGNORECASE)
        assert "Saves it." in json.dumps(tool) and "The name." in json.dumps(tool)
    assert "X-Api-Key" in found.findings[0].message


def test_a_needed_secret_makes_the_operation_unusable(tmp_path: Path) -> None:
    inner = {"type": "object", "required": ["pin"], "properties": {"pin": {"type": "string"}}}
    schema = {"type": "object", "required": ["user"], "properties": {"user": inner}}
    found = actions_of_document(document(tmp_path, {"/x": {"post": body(schema)}}))
    assert found.actions == {}
    (finding,) = found.findings
    assert "pin" in finding.message and "bound" in finding.hint


def test_files_beside_the_document_are_read_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "tree.yaml").write_text(
        "Tree:\n  type: object\n  required: [leaf]\n  properties:\n    leaf: {$ref: '#/Leaf'}\nLeaf: {type: integer}\n"
    )
    paths = {
        "/ok": {"post": body({"$ref": "parts/tree.yaml#/Tree"})},
        "/up": {"post": body({"$ref": "../secret.yaml"})},
        "/net": {"post": body({"$ref": "https://example.com/a.yaml#/A"})},
    }
    found = actions_of_document(document(tmp_path, paths))
    assert [p.json_schema for p in found.actions["post_ok"].parameters] == [{"type": "integer"}]
    messages = {f.action: (f.message, f.hint) for f in found.findings}
    assert "outside" in messages["POST /up"][0]
    assert messages["POST /net"][1] == "fetch it with `iq actions fetch`"


def test_files_to_send_are_explained(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["photo"], "properties": {"photo": {"type": "string", "format": "binary"}}}
    found = actions_of_document(document(tmp_path, {"/x": {"post": body(schema, "multipart/form-data")}}))
    assert found.actions == {} and "needs a file" in found.findings[0].message


def test_versions(tmp_path: Path) -> None:
    newer = document(tmp_path, {"/x": {"get": {}}}, "3.2.0")
    assert newer.keys == ("GET /x",) and newer.findings[0].level == "warning"
    (tmp_path / "old.json").write_text('{"swagger": "2.0", "paths": {}}')
    with pytest.raises(PackError, match=r"Swagger 2\.0: convert"):
        Document.read(tmp_path / "old.json")


def test_server_variables(tmp_path: Path) -> None:
    servers = [{"url": "https://{region}.x.com/{v}", "variables": {"region": {"default": "eu"}, "v": {"enum": ["v1"]}}}]
    assert document(tmp_path, {}, servers=servers).server == "https://eu.x.com/v1"
