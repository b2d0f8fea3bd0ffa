"""Unusual requests of real documents.

- Paths: `{+name}`, fragments, queries and odd characters in the template.
- Bodies: text kinds of JSON, plain text of any kind, parts with their own kind, files by `encoding`, null where it is a
  value, an empty object where one is enough.
- Parameters that are documents of text; objects whose names resemble other parameters.
- Formats and patterns as JavaScript means them; cookies that the service sets.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import registry
from contracts.base import Json
from registry.http.styles import encoded_body
from registry.openapi.regex import python_pattern
from registry.tools.arguments import format_problem
from tests.unit.registry.examples import edited
from tests.unit.registry.traps import NUMBER, TEXT, argument, asked, body, every, posted, read, request, schemas, thing

Load = Callable[..., registry.Pack]
FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data"


@pytest.mark.parametrize(
    ("template", "value", "path"),
    [
        ("/v1/{+v}:get", "projects/a b/x?y", "/v1/projects/a%20b/x%3Fy:get"),
        ("/files/{v}#add", "1#2", "/files/1%232"),
        ("/caffè und/{v}", "ü", "/caff%C3%A8%20und/%C3%BC"),
        ("/a%20b/{v}.json", "x.y", "/a%20b/x.y.json"),
    ],
)
def test_paths(template: str, value: str, path: str, tmp_path: Path) -> None:
    assert request(asked(tmp_path, argument("v", "path", TEXT), template), v=value).path == path


@pytest.mark.parametrize("value", ["../x", "a//b", "a/./b", "/a", "a/"])
def test_whole_paths_stay_below_where_they_start(value: str, tmp_path: Path) -> None:
    action = asked(tmp_path, argument("v", "path", TEXT), "/v1/{+v}")
    assert "cannot be part of a path" in registry.argument_problems(action, {"v": value})[0]


def test_a_query_written_into_the_path(tmp_path: Path) -> None:
    rows = [argument("v", "path", TEXT), argument("q", "query", TEXT)]
    (action,) = every(tmp_path, {"/do?action=go&v={v}": {"get": {"parameters": rows}}}).actions.values()
    made = request(action, v="a&b", q="x")
    assert (made.path, made.query) == ("/do", (("action", "go"), ("v", "a&b"), ("q", "x")))


def test_a_path_parameter_without_a_gap_is_not_asked_for(tmp_path: Path) -> None:
    assert schemas(asked(tmp_path, argument("v", "path", TEXT), "/x")) == {}


@pytest.mark.parametrize(
    ("kind", "schema", "value", "sent"),
    [
        ("text/json", thing(a=NUMBER), {"a": 1}, b'{"a": 1}'),
        ("application/text", TEXT, "a\nb", b"a\nb"),
        ("application/xml", TEXT, "<a/>", b"<a/>"),
        ("text/csv", TEXT, "a,b", b"a,b"),
        ("application/vnd.x+json", TEXT, "a", b'"a"'),
    ],
)
def test_bodies_by_kind(kind: str, schema: Json, value: Json, sent: bytes, tmp_path: Path) -> None:
    arguments = value if isinstance(value, dict) else {"body": value}
    made = request(posted(tmp_path, schema, kind), **arguments)
    assert encoded_body(made) == (sent, kind)


def test_plain_json_comes_before_its_patches(tmp_path: Path) -> None:
    patches = {"schema": {"type": "array", "items": thing(op=TEXT)}}
    content = {"application/json-patch+json": patches, "application/json": {"schema": thing(a=TEXT)}}
    operation = {"requestBody": {"required": True, "content": content}}
    (action,) = every(tmp_path, {"/x": {"patch": operation}}).actions.values()
    assert action.operation.content_type == "application/json"


_IN_FORM = {"name": "n", "in": "formData", "type": "integer", "required": True}


@pytest.mark.parametrize(
    ("rows", "value", "sent"),
    [
        ([{"name": "b", "in": "body", "schema": thing(a=NUMBER)}], {"a": 1}, (b'{"a": 1}', "application/json")),
        ([{"name": "b", "in": "body"}], {"body": {"a": 1}}, (b'{"a": 1}', "application/json")),
        ([_IN_FORM, {"name": "t", "in": "formData", "type": "string"}], {"n": 2}, (b"n=2", FORM)),
    ],
)
def test_bodies_as_swagger_wrote_them(rows: Json, value: Json, sent: Json, tmp_path: Path) -> None:
    (action,) = every(tmp_path, {"/x": {"post": {"parameters": rows}}}).actions.values()
    assert encoded_body(request(action, **value)) == sent


@pytest.mark.parametrize(
    ("message", "required"), [({}, True), ({"required": False}, False), ({"required": True}, True)]
)
def test_a_body_of_swagger_is_wanted_unless_it_says_otherwise(message: Json, required: bool, tmp_path: Path) -> None:
    rows = [{"name": "b", "in": "body", "schema": thing(a=NUMBER), **message}]
    described = read(tmp_path, {"/x": {"post": {"parameters": rows}}}).described("POST /x")
    assert described.operation.body_required is required


def test_a_body_without_a_schema_is_stated_and_taken_part_by_part(tmp_path: Path) -> None:
    described = read(tmp_path, {"/x": {"post": {"parameters": [{"name": "b", "in": "body"}]}}}).described("POST /x")
    assert described.skipped == ("what the body (b) holds: its `in: body`, of Swagger 2.0, has no `schema`",)
    assert described.operation.body_schema == {}


def test_what_swagger_left_over_yields_to_a_body_of_openapi(tmp_path: Path) -> None:
    operation = {**body(thing(a=NUMBER)), "parameters": [{"name": "b", "in": "body", "schema": thing(z=TEXT)}]}
    (action,) = every(tmp_path, {"/x": {"post": operation}}).actions.values()
    assert list(schemas(action)) == ["a"]


def test_a_file_as_swagger_wrote_it_is_reported(tmp_path: Path) -> None:
    rows = [{"name": "photo", "in": "formData", "type": "file", "required": True}]
    found = every(tmp_path, {"/x": {"post": {"parameters": rows}}})
    assert found.actions == {} and "needs a file as photo" in found.findings[0].message


@pytest.mark.parametrize(("kind", "more"), [("*/*", {}), ("application/octet-stream", {}), ("text/plain", {})])
def test_files_as_bodies_are_no_text(kind: str, more: Json, tmp_path: Path) -> None:
    found = every(tmp_path, {"/x": {"post": body({"type": "string", "format": "binary"}, kind)}})
    assert found.actions == {} and "POST /x" in found.findings[0].message


def test_parts_say_their_kind_and_files_are_known_by_it(tmp_path: Path) -> None:
    encoding = {"note": {"contentType": "text/markdown"}, "size": {"contentType": "application/json"},
                "photo": {"contentType": "image/png, image/jpeg"}}  # fmt: skip
    schema = {"type": "object", "required": ["note", "size"], "properties": {"note": TEXT, "size": NUMBER, "photo": {}}}
    made = request(posted(tmp_path, schema, PARTS, encoding=encoding), note="# a", size=3)
    content, _ = encoded_body(made)
    assert b'name="note"\r\nContent-Type: text/markdown\r\n\r\n# a' in (content or b"")
    assert b'name="size"\r\nContent-Type: application/json\r\n\r\n3' in (content or b"")
    needed = {**schema, "required": ["photo"]}
    found = every(tmp_path, {"/x": {"post": body(needed, PARTS, encoding=encoding)}})
    assert "needs a file as photo" in found.findings[0].message


def test_a_form_of_which_nothing_is_required_shows_its_fields_and_is_not_empty(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "secret": TEXT}}
    action = posted(tmp_path, schema, PARTS)
    assert schemas(action)["body"]["properties"] == {"a": TEXT}
    assert "is empty" in registry.argument_problems(action, {"body": {}})[0]


def test_null_where_it_is_a_value(tmp_path: Path) -> None:
    may = {"type": ["string", "null"]}
    inner = {"type": "object", "properties": {"x": may, "y": TEXT}, "required": ["x"]}
    action = posted(tmp_path, thing(a=may, b={"anyOf": [NUMBER, {"type": "null"}]}, c=inner))
    assert request(action, a=None, b=None, c={"x": None}).body == {"a": None, "b": None, "c": {"x": None}}
    assert registry.argument_problems(action, {"a": "x", "b": 1, "c": None}) == ["c: is required ()"]
    query = asked(tmp_path, argument("q", "query", may))
    assert registry.argument_problems(query, {"q": None}) == ["q: is required ()"]


def test_a_parameter_that_is_a_document_of_text(tmp_path: Path) -> None:
    row = {"name": "q", "in": "query", "required": True, "content": {"text/plain": {"schema": TEXT}}}
    assert request(asked(tmp_path, row), q="a b").query == (("q", "a b"),)
    both = {
        **row,
        "content": {"application/xml": {"schema": thing(a=TEXT)}, "application/json": {"schema": thing(a=TEXT)}},
    }
    assert request(asked(tmp_path, both), q={"a": "b"}).query == (("q", '{"a":"b"}'),)


def test_names_that_would_be_taken_for_others_are_found_before_anything_is_built(tmp_path: Path) -> None:
    spread = {"type": "object", "required": ["page"], "properties": {"page": TEXT}}
    rows = [argument("page", "query", TEXT), argument("o", "query", spread)]
    (action,) = every(tmp_path, {"/x": {"get": {"parameters": rows}}}).actions.values()
    assert registry.argument_problems(action, {"page": "1", "o": {"page": "2"}}) == [
        "o: page would be taken for something else"
    ]


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        (r"^\d+$", "12", "12\n"), (r"^\d+$", "12", "١٢"), (r"^\w+$", "ab", "ü"), ("^[a-z[]+$", "a[", "A"),
        (r"^(?<y>\d{4})-x\/$", "2026-x/", "2026-x"), (r"[^]", "\n", ""), (r"^[\d-]+$", "1-2", "١"),
        (r"^\$5$", "$5", "5"), (r"^\u00e9$", "é", "e"),
    ],
)  # fmt: skip
def test_patterns_as_javascript_means_them(pattern: str, right: str, wrong: str) -> None:
    rule = python_pattern(pattern)
    assert rule is not None
    assert rule.search(right) and not rule.search(wrong)


@pytest.mark.parametrize("pattern", [r"^\p{L}+$", "/^[a-z]+$/i", "(", r"\cA", "a{2,1}"])
def test_patterns_that_are_left_to_the_api(pattern: str, tmp_path: Path) -> None:
    assert python_pattern(pattern) is None
    assert schemas(posted(tmp_path, thing(a={"type": "string", "pattern": pattern}))) == {"a": TEXT}


@pytest.mark.parametrize(
    ("format_", "right", "wrong"),
    [
        ("date", "2026-02-28", "2026-02-30"), ("date-time", "2026-02-28T10:00:00.5+02:00", "tomorrow"),
        ("date-time", "2026-02-28T10:00", "2026-02-28T25:00:00Z"), ("time", "10:00:00Z", "10.00"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "x"), ("ipv4", "1.2.3.4", "1.2.3"), ("int32", 5, 2**31),
        ("email", "a@b.co", "a@b"), ("made-up", "x", None),
    ],
)  # fmt: skip
def test_formats(format_: str, right: Json, wrong: Json, tmp_path: Path) -> None:
    assert format_problem(right, format_) is None
    assert wrong is None or format_problem(wrong, format_)
    kind = "integer" if format_ == "int32" else "string"
    action = posted(tmp_path, thing(a=thing(deep={"type": kind, "format": format_})))
    assert registry.argument_problems(action, {"a": {"deep": right}}) == []
    assert wrong is None or registry.argument_problems(action, {"a": {"deep": wrong}})[0].startswith("a.deep: ")
    assert kind != "string" or registry.argument_problems(action, {"a": {"deep": "{{step_1.x}}"}}) == []


def test_a_cookie_that_the_service_gives(folder: Path, load: Load) -> None:
    path = folder / "openapi.yaml"
    text = path.read_text(encoding="utf-8")
    old = "      operationId: get-booking-detail\n"
    assert old in text
    cookie = "      parameters: [{name: sid, in: cookie, required: true, schema: {type: string}}]\n"
    path.write_text(text.replace(old, old + cookie), encoding="utf-8")
    plain = "action: {0}\noperation: get-booking-detail\niq_enabled: true\ntitle: A look\ndescription: Look.\n" \
            "parameters:\n  booking_id: {{in: path.uniqueId, role: booking}}\n"  # fmt: skip
    pack = load(with_it=plain.format("with_it") + "bound: {cookie.sid: abc}\n", without=plain.format("without"))
    assert "with_it" in pack.actions and "without" not in pack.actions
    action = pack.actions["with_it"]
    assert request(action, booking_id="1").headers == {"Cookie": "sid=abc"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"description: ": "description: Sends venue_key along. "}, "names venue_key"),
        ({"parameters:\n": "parameters:\n  number: {in: body.card.number}\n"}, "is sensitive"),
    ],
)
def test_what_is_bound_is_not_spoken_of(change: dict[str, str], why: str, load: Load) -> None:
    bound = "bound: {header.venue_key: abc}\n" if "names" in why else ""
    pack = load(edit_note=edited("edit_note", change) + bound)
    assert "edit_note" not in pack.actions
    assert any(why in f.message for f in pack.findings)
