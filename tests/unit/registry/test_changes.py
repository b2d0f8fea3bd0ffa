"""The damage that a new document does, and first overlays of operations that are awkward to draft.

- Removed, renamed and moved operations; parameters and properties that were added, removed, narrowed or moved.
- Each finding points into the new document, or into the old one when the new has no such operation.
- A draft passes the check when it is enabled: long names differ, a secret's place is bound and not shown.
"""

import json
from pathlib import Path

import pytest

from authoring.diff import broken_by
from authoring.drafts.draft import draft_overlay
from contracts.base import Json
from registry.loading.load import load_pack
from registry.openapi.document import Document
from tests.unit.registry.traps import NUMBER, TEXT, argument, body, read, thing

VENUE = """venue_id: t
name: T
time_zone: UTC
locale: en-AU
country: AU
currency: AUD
base_url: https://x.example
check_operation: ping
"""


def found(tmp_path: Path, old: Json, new: Json, **more: Json) -> list[tuple[str, str, str]]:
    """Return (level, pointer, message) of what `new` breaks for users of `old`."""
    documents: list[Document] = []
    for name, paths in (("old", old), ("new", new)):
        (tmp_path / name).mkdir(exist_ok=True)
        documents.append(read(tmp_path / name, paths, **(more if name == "new" else {})))
    before, after = documents
    return [(f.level, f.pointer, f.message) for f in broken_by(before, after, before.keys)]


def op(*parameters: Json, **more: Json) -> Json:
    return {"get": {"operationId": "op", "parameters": list(parameters), **more}}


def test_an_operation_that_is_gone_is_pointed_at_where_it_was(tmp_path: Path) -> None:
    (row,) = found(tmp_path, {"/x": op(), "/y": {"get": {"operationId": "other"}}}, {"/x": op()})
    assert row == ("error", "/paths/~1y/get", "the API document has no operation 'other'")


def test_header_names_are_the_same_in_any_case(tmp_path: Path) -> None:
    old, new = argument("X-A", "header", TEXT), argument("x-a", "header", TEXT)
    assert found(tmp_path, {"/x": op(old)}, {"/x": op(new)}) == []


@pytest.mark.parametrize(
    ("before", "after", "level", "says"),
    [
        ({}, TEXT, "warning", "must be string now, before anything"),
        (TEXT, {**TEXT, "pattern": "^a"}, "warning", "pattern is ^a now"),
        (TEXT, {**TEXT, "format": "date"}, "warning", "format is date now"),
        (NUMBER, TEXT, "error", "must be string now, before integer"),
        ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["a"]}, "error", "no longer takes b"),
        ({"oneOf": [TEXT, NUMBER, {"type": "boolean"}]}, {"oneOf": [TEXT, NUMBER]}, "warning", "1 of its kinds"),
    ],
)
def test_narrower_values(before: Json, after: Json, level: str, says: str, tmp_path: Path) -> None:
    rows = found(tmp_path, {"/x": op(argument("a", "query", before))}, {"/x": op(argument("a", "query", after))})
    assert [(row[0], says in row[2]) for row in rows] == [(level, True)]


def test_a_body_that_closes_and_an_address_that_moves(tmp_path: Path) -> None:
    old, new = thing(a=TEXT), {**thing(a=TEXT), "additionalProperties": False}
    post = {"/x": {"post": {"operationId": "op", **body(old)}}}
    shut = {"/x": {"post": {"operationId": "op", **body(new)}}}
    rows = found(tmp_path, post, shut, servers=[{"url": "https://new.example"}])
    assert [row[:2] for row in rows] == [("warning", "/servers"), ("warning", "/paths/~1x/post")]


def test_drafts_pass_the_check(tmp_path: Path) -> None:
    long = "update" + "Something" * 9
    paths = {
        "/ping": {"get": {"operationId": "ping"}},
        "/a": {"post": {"operationId": f"{long}One", **body(thing(a=TEXT))}},
        "/b": {"post": {"operationId": f"{long}Two", **body(thing(a=TEXT, payee=thing(iban=TEXT)))}},
        "/c": {"post": {"operationId": "filled", **body(thing(a=TEXT, notes=thing(token=TEXT)))}},
    }
    document = read(tmp_path, paths)
    (tmp_path / "actions").mkdir()
    (tmp_path / "venue.yaml").write_text(VENUE)
    for key in document.keys:
        name, text = draft_overlay(document, key)
        assert len(name) <= 64
        with (tmp_path / "actions" / f"{name}.yaml").open("x") as file:
            file.write(text.replace("iq_enabled: false", "iq_enabled: true"))
    pack = load_pack(tmp_path)
    assert [f.message for f in pack.findings if f.level == "error"] == []
    assert len(pack.actions) == 4
    assert "iban" not in json.dumps([[p.model_dump() for p in a.parameters] for a in pack.actions.values()])
