"""Documents with mistakes from the wild: each test is a class of them, met in a published document.

- References: in the place of an operation or of `properties`, anchors, `$id`s, definitions inside a schema.
- YAML's `<<`, NaN, numbers among the choices of a text, parameters as Swagger 2.0 wrote them.
- JSON Schema 2020-12: prefixItems, patternProperties, dependentRequired, unevaluatedProperties, discriminators that
  name what extends a schema.
- A broken optional part costs nothing; a broken required part is reported at its own pointer, with a hint.
- Secrets are recognised under glued names, in the parts of something sensitive, behind references and in example keys.
"""

import json
from pathlib import Path

import pytest

from authoring.all_operations import actions_of_document
from contracts.base import Json
from registry.openapi.document import Document
from registry.secrets.names import is_sensitive
from registry.tools.dialects import gemini_tool, openai_tool
from tests.support.tables import table
from tests.unit.registry.traps import NUMBER, TEXT, argument, asked, body, every, posted, read, schemas, thing


def test_an_operation_may_be_a_reference(tmp_path: Path) -> None:
    (tmp_path / "ops").mkdir()
    operation = {"operationId": "pet", "parameters": [argument("id", "path", NUMBER)]}
    (tmp_path / "ops" / "pet.json").write_text(json.dumps(operation))
    found = every(tmp_path, {"/pets/{id}": {"get": {"$ref": "ops/pet.json"}, "put": {"$ref": "ops/gone.json"}}})
    assert schemas(found.actions["pet"]) == {"id": NUMBER}
    (finding,) = found.findings
    assert (finding.pointer, finding.hint) == ("/paths/~1pets~1{id}/put", "put the file beside the document")


def test_a_pointer_into_another_file_names_its_folder(tmp_path: Path) -> None:
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "a.json").write_text(json.dumps({"operationId": "a", "parameters": 7}))
    (finding,) = every(tmp_path, {"/a": {"get": {"$ref": "ops/a.json"}}}).findings
    assert finding.pointer == "ops/a.json#/parameters"


def test_references_by_anchor_id_and_own_definitions(tmp_path: Path) -> None:
    size = {"$ref": "https://x.example/size"}
    schema = thing(a={"$ref": "#named"}, b=size, c={"$ref": "#/$defs/own"}, d={"$dynamicRef": "#named"})
    schema["$defs"] = {"own": {"type": "boolean"}}
    parts = {"A": {"$anchor": "named", **TEXT}, "B": {"$id": "https://x.example/size", **NUMBER}}
    (action,) = every(tmp_path, {"/x": {"post": body(schema)}}, components={"schemas": parts}).actions.values()
    assert schemas(action) == {"a": TEXT, "b": NUMBER, "c": {"type": "boolean"}, "d": TEXT}
    broken = every(tmp_path, {"/x": {"post": body(thing(a={"$ref": "#gone"}))}}).findings[0]
    assert "no anchor" in broken.message and broken.hint


def test_properties_may_be_a_reference(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"$ref": "#/components/schemas/Full/properties"}}
    found = every(tmp_path, {"/x": {"post": body(schema)}}, components={"schemas": {"Full": thing(a=TEXT, b=TEXT)}})
    assert schemas(found.actions["post_x"]) == {"a": TEXT}


def test_yaml_merges(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text("""
openapi: 3.0.3
x-common: &common {get: {operationId: base}}
x-more: &more {put: {operationId: more}, get: {operationId: less}}
paths:
  /a: {<<: *common, post: {operationId: own}}
  /b: {<<: [{get: {operationId: first}}, *more], put: {operationId: wins}}
  /c: {"<<": {get: {operationId: quoted}}, get: {operationId: plain}}
""")
    assert Document.read(path).keys == ("base", "own", "first", "wins", "plain")


def test_what_json_cannot_say_again_is_left_out(tmp_path: Path) -> None:
    action = posted(tmp_path, thing(a={"type": "number", "minimum": float("nan"), "maximum": float("inf")}))
    assert schemas(action) == {"a": {"type": "number"}}
    huge = posted(tmp_path, thing(a={"type": "integer", "maximum": 10**400}))
    json.dumps(openai_tool(huge), allow_nan=False)


@pytest.mark.parametrize(
    ("schema", "choices"),
    [
        ({"type": "string", "enum": [1.0, "b", True, None]}, ["1.0", "b", "true"]),
        ({"type": "integer", "enum": ["1", "2", "x"]}, [1, 2]),
        ({"type": "boolean", "enum": ["true"]}, [True]),
        ({"type": "string", "enum": []}, None),
        ({"type": ["string", "null"], "enum": ["a", None]}, ["a", None]),
        # OpenAPI 3.1 has no `nullable`.
        ({"type": "string", "nullable": True, "enum": ["a", None]}, ["a"]),
    ],
)
def test_choices_are_of_their_type(schema: Json, choices: Json, tmp_path: Path) -> None:
    assert schemas(posted(tmp_path, thing(a=schema)))["a"].get("enum") == choices


def test_parameters_of_swagger_and_without_schema(tmp_path: Path) -> None:
    old = {"name": "a", "in": "query", "required": "true", "type": "integer"}
    assert schemas(asked(tmp_path, old)) == {"a": NUMBER}
    assert schemas(asked(tmp_path, {"name": "a", "in": "query", "required": True})) == {"a": TEXT}


def test_lists_whose_entries_differ(tmp_path: Path) -> None:
    new = {"type": "array", "prefixItems": [TEXT, NUMBER], "items": False}
    old = {"type": "array", "items": [TEXT, NUMBER], "additionalItems": False}
    wanted = {"type": "array", "prefixItems": [TEXT, NUMBER], "maxItems": 2}
    action = posted(tmp_path, thing(new=new, old=old))
    assert schemas(action) == {"new": wanted, "old": wanted}
    assert openai_tool(action)["function"]["strict"] is False
    shown = gemini_tool(action)["parameters"]["properties"]["new"]
    assert shown == {"type": "array", "maxItems": 2, "items": {"anyOf": [TEXT, NUMBER]}}


def test_names_by_their_form_and_names_that_go_together(tmp_path: Path) -> None:
    by_form = {"type": "object", "patternProperties": {"^x-": TEXT}, "additionalProperties": False}
    shaped = schemas(posted(tmp_path, thing(a=by_form)))["a"]
    assert shaped == {"type": "object", "additionalProperties": TEXT, "propertyNames": {"pattern": "^x-"}}
    together = {"type": "object", "required": ["a"], "properties": {"a": TEXT, "b": TEXT, "c": TEXT},
                "dependentRequired": {"a": ["b"]}, "unevaluatedProperties": False}  # fmt: skip
    assert list(schemas(posted(tmp_path, together))) == ["a", "b"]


def test_a_discriminator_that_names_what_extends_its_schema(tmp_path: Path) -> None:
    pet = {**thing(kind=TEXT), "discriminator": {"propertyName": "kind",
                                                 "mapping": {"c": "#/components/schemas/Cat", "d": "Dog"}}}  # fmt: skip
    parts = {"Pet": pet, "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, thing(meow=NUMBER)]},
             "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, thing(bark=NUMBER)]}}  # fmt: skip
    paths = {"/pet": {"post": body({"$ref": "#/components/schemas/Pet"})},
             "/cat": {"post": body({"$ref": "#/components/schemas/Cat"})}}  # fmt: skip
    found = every(tmp_path, paths, components={"schemas": parts}).actions
    kinds = schemas(found["post_pet"])["body"]["oneOf"]
    assert [(k["properties"]["kind"]["enum"], k["required"]) for k in kinds] == [
        (["c"], ["kind", "meow"]), (["d"], ["kind", "bark"]),
    ]  # fmt: skip
    assert openai_tool(found["post_pet"])["function"]["strict"] is True
    assert set(schemas(found["post_cat"])) == {"kind", "meow"}


def test_one_broken_kind_costs_the_choice_only(tmp_path: Path) -> None:
    mapping = {"c": "#/components/schemas/Gone", "d": "#/components/schemas/Dog"}
    pet = {**thing(kind=TEXT), "discriminator": {"propertyName": "kind", "mapping": mapping}}
    found = every(tmp_path, {"/x": {"post": body(pet)}}, components={"schemas": {"Dog": thing(bark=NUMBER)}})
    assert schemas(found.actions["post_x"]) == {"kind": TEXT}


def test_one_of_several_required_names_is_shown(tmp_path: Path) -> None:
    either = {"type": "object", "properties": {"a": TEXT, "b": TEXT, "c": TEXT, "password": TEXT},
              "anyOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["password"]}]}  # fmt: skip
    shaped = schemas(posted(tmp_path, either))["body"]
    assert set(shaped["properties"]) == {"a", "b"}
    assert shaped["anyOf"] == [{"required": ["a"]}, {"required": ["b"]}]


def test_a_needed_object_of_which_nothing_is_required_shows_what_it_holds(tmp_path: Path) -> None:
    inner = {"type": "object", "properties": {"far": TEXT}}
    window = {"type": "object", "properties": {"from": TEXT, "to": inner, "token": TEXT}}
    assert schemas(asked(tmp_path, argument("window", "query", window, style="deepObject"))) == {
        "window": {"type": "object", "properties": {"from": TEXT, "to": {"type": "object", "properties": {}}}}
    }  # fmt: skip


def test_what_is_broken_and_optional_is_left_out(tmp_path: Path) -> None:
    schema = {**thing(a=TEXT), "properties": {"a": TEXT, "b": {"$ref": "#/components/schemas/Gone"}}}
    described = read(tmp_path, {"/x": {"post": {"operationId": "op", **body(schema)}}}).described("op")
    assert described.operation.body_schema == {"type": "object", "required": ["a"], "properties": {"a": TEXT}}
    assert "#/components/schemas/Gone leads nowhere" in described.skipped[0]


def test_findings_point_at_the_parameter_itself(tmp_path: Path) -> None:
    shared = {"components": {"parameters": {"Bad": {"name": "b", "in": "nowhere", "schema": TEXT}}}}
    rows = [{"name": "a", "in": "query", "schema": TEXT}, {"$ref": "#/components/parameters/Bad"}]
    (finding,) = every(tmp_path, {"/x": {"get": {"parameters": rows}}}, **shared).findings
    assert finding.pointer == "/components/parameters/Bad/in" and finding.hint
    (finding,) = every(tmp_path, {"/x": {"get": {"parameters": [rows[0], shared["components"]["parameters"]["Bad"]]}}}
                       ).findings  # fmt: skip
    assert finding.pointer == "/paths/~1x/get/parameters/1/in"


@pytest.mark.parametrize(
    "operation",
    [
        {"parameters": 7}, {"parameters": [{"in": "query"}]}, {"parameters": [{"$ref": "#/gone"}]}, "text",
        {"parameters": [{"$ref": "\x00.json"}]}, {"parameters": [{"$ref": "\ud800"}]}, {"requestBody": {"content": 5}},
        body({"$ref": "a.json"}), body({"type": "strin"}), body({"properties": []}), body({"enum": "a"}),
        body(thing(a=TEXT), "application/xml"), body({"type": "string", "format": "binary"}, "image/png"),
        {"parameters": [argument("q", "query", None, content={"application/xml": {"schema": thing(a=TEXT)}})]},
    ],
)  # fmt: skip
def test_every_error_has_a_pointer_and_a_way_out(operation: Json, tmp_path: Path) -> None:
    if isinstance(operation, dict) and "content" in str(operation.get("parameters")):
        del operation["parameters"][0]["schema"]
    found = every(tmp_path, {"/x": {"post": operation}, "/ok": {"get": {}}})
    assert list(found.actions) == ["get_ok"]
    (finding,) = found.findings
    assert finding.pointer and finding.message and finding.hint and finding.action == "POST /x"


def test_an_operation_at_another_address_is_reported(tmp_path: Path) -> None:
    paths = {"/a": {"get": {"servers": [{"url": "https://up.example"}]}}, "/b": {"get": {}},
             "/c": {"servers": [{"url": "https://x.example/"}], "get": {}}}  # fmt: skip
    (finding,) = every(tmp_path, paths, servers=[{"url": "https://x.example"}]).findings
    assert "https://up.example" in finding.message and finding.level == "warning"
    assert read(tmp_path, {"/c": paths["/c"]}).server == "https://x.example/"


def test_webhooks_alone_are_no_operations(tmp_path: Path) -> None:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "webhooks": {"w": {"post": {}}}}))
    (finding,) = actions_of_document(Document.read(path)).findings
    assert finding.pointer == "/webhooks"


@table(
    "name",
    ["clientsecret", "accessToken", "refreshtoken", "apitoken", "userpassword", "creditcardnumber", "ccNumber",
     "security_code", "socialSecurityNumber", "app_key", "privatekey", "otp", "jwt", "Cookie", "X-Auth-Token"],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert is_sensitive(name)


@pytest.mark.parametrize("name", ["discard", "tokenize", "secretary", "keyword", "cookie_consent", "pinned", "company"])
def test_names_that_only_look_like_secrets(name: str) -> None:
    assert not is_sensitive(name)


def test_credentials_are_found_behind_references_and_headers_of_the_client_are_its_own(tmp_path: Path) -> None:
    rows = [argument("k2", "query", TEXT), argument("Host", "header", TEXT), argument("Content-Length", "header", TEXT),
            argument("Cookie", "header", TEXT), argument("q", "query", TEXT)]  # fmt: skip
    schemes = {"a": {"$ref": "#/components/securitySchemes/b"}, "b": {"type": "apiKey", "in": "query", "name": "k2"}}
    found = every(tmp_path, {"/x": {"get": {"parameters": rows}}}, components={"securitySchemes": schemes})
    assert list(schemas(found.actions["get_x"])) == ["q"]
    assert [w.name for w in found.actions["get_x"].operation.parameters] == ["k2", "Cookie", "q"]


def test_example_keys_do_not_travel(tmp_path: Path) -> None:
    text = "Lists things. Send it as sk_live_51HxYz. Or eyJhbGciOiJI.e30.x is fine."
    action = asked(tmp_path, argument("q", "query", TEXT, description=text))
    assert "sk_live" not in json.dumps(openai_tool(action)) and "eyJ" not in json.dumps(gemini_tool(action))
    assert action.parameters[0].description == "Lists things."


def test_strict_tools_hold_what_openai_takes(tmp_path: Path) -> None:
    around = {"type": "string", "pattern": "^(?!x)y"}
    function = openai_tool(posted(tmp_path, thing(a=around, b={"const": 5})))["function"]
    shown = function["parameters"]["properties"]
    assert function["strict"] is True
    assert shown["a"] == {"type": "string", "description": "(matching ^(?!x)y)"}
    assert shown["b"] == {"type": "integer", "enum": [5]}
    many = {"type": "string", "enum": [f"choice-{i:06}" for i in range(1200)]}
    assert openai_tool(posted(tmp_path, thing(a=many)))["function"]["strict"] is False
    deep: Json = TEXT
    for _ in range(12):
        deep = thing(a=deep)
    assert openai_tool(posted(tmp_path, deep))["function"]["strict"] is False
    loose = openai_tool(posted(tmp_path, thing(a={"type": "array"})))["function"]["parameters"]["properties"]["a"]
    assert loose["items"] == {}
