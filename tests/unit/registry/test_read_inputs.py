"""An input of a read under `with` must be one that its operation takes, however deep: a misspelt name is an error with
the nearest right one, in the form in which it was written."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.unit.registry.studio import DOCUMENT, OVERLAY, TEXT, load, pack_texts

_RANGE = {"type": "object", "properties": {"from": TEXT, "until": TEXT}}


def document() -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    schema = {
        "type": "object",
        "properties": {
            "query": TEXT,
            "range": _RANGE,
            "more": {"type": "object", "additionalProperties": True},
            "tags": {"type": "array", "items": _RANGE},
        },
    }
    found["paths"]["/lessons/search"] = {
        "post": {
            "operationId": "search-lessons",
            "parameters": [{"name": "status", "in": "query", "schema": TEXT}],
            "requestBody": {"content": {"application/json": {"schema": schema}}},
            "responses": {"200": {"description": "ok"}},
        }
    }
    return found


CASES = [
    ("body.query: x", None),
    ("query.status: x", None),
    ("status: x", None),
    ("range: {from: x}", None),
    ("body.range.from: x", None),
    ("range.from: x", None),
    ("body.more.anything: x", None),
    ("more: {anything: x}", None),
    ("query: x", "did you mean body.query?"),
    ("header: x", "say what of it: `header.NAME`"),
    ("query.stauts: x", "did you mean query.status?"),
    ("stauts: x", "did you mean status?"),
    ("body.qeury: x", "did you mean body.query?"),
    ("body.range.form: x", "did you mean body.range.from?"),
    ("range.form: x", "did you mean range.from?"),
    ("rnge.from: x", "did you mean range?"),
    ("range: {form: x}", "did you mean from?"),
    ("body.tags: [{form: x}]", "did you mean from?"),
]


@pytest.mark.parametrize(("given", "hint"), CASES)
def test_every_name_is_one_that_the_read_takes(tmp_path: Path, given: str, hint: str | None) -> None:
    looks = f"{OVERLAY}preview_reads: {{found: {{operation: search-lessons, read_only: true, with: {{{given}}}}}}}\n"
    pack = load(tmp_path / "studio", looks, document=document())
    assert [f.hint for f in pack.findings] == ([] if hint is None else [hint]), pack_texts(pack)
    assert all(f.level == "error" and "preview_reads.found.with." in f.message for f in pack.findings)


def test_an_operation_without_a_body_takes_none(tmp_path: Path) -> None:
    wrong = OVERLAY.replace('with: {lesson_id: "{{ lesson }}"}', 'with: {lesson_id: "{{ lesson }}", lesson: x}')
    [found] = load(tmp_path / "studio", wrong).findings
    assert found.message == "snapshot.with.lesson: get-lesson has no lesson" and found.hint == "did you mean lesson_id?"
