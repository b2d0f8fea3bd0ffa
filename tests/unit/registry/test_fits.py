"""A template that is a whole path of an answer must be of a type that the request takes there, by the document:

- an error where it never can be, such as text for a list, or a date for a number;
- a warning where only some texts are valid;
- nothing where the document leaves it open, or where the sample shows that it fits.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from registry.loading.load import load_pack
from tests.unit.registry.examples import ROLLER
from tests.unit.registry.studio import DOCUMENT, OVERLAY, load, pack_texts

BODY = '    startsAt: "{{ new_date | instant(new_time) }}"\n'


def document() -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    lesson = found["components"]["schemas"]["Lesson"]["properties"]
    lesson |= {"count": {"type": "integer"}, "price": {"type": "number"}, "paid": {"type": "boolean"}}
    lesson |= {"code": {"type": "string"}, "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
    patch = found["paths"]["/lessons/{lesson_id}"]["patch"]
    body = patch["requestBody"]["content"]["application/json"]["schema"]["properties"]
    body |= {"paid": {"type": "boolean"}, "names": {"type": "array", "items": {"type": "string"}}}
    return found


CASES = [
    ('level: "{{ before.id }}"', "warning"),
    ('level: "{{ before.code }}"', "warning"),
    ('paid: "{{ before.code }}"', "warning"),
    ('level: "{{ before.startsAt }}"', "error"),
    ('level: "{{ before.status }}"', "error"),
    ('level: "{{ before.seats }}"', "error"),
    ('level: "{{ before.paid }}"', "error"),
    ('names: "{{ before.code }}"', "error"),
    ('names: "{{ before.contact }}"', "error"),
    ('paid: "{{ before.count }}"', "error"),
    ('note: "{{ before.seats }}"', "error"),
    ('note: "{{ before.contact }}"', "error"),
    ('seats: [{holder: "{{ before.contact }}"}]', "error"),
    ('seats: {for_each: before.seats, value: {holder: "{{ item }}"}}', ""),
    ('names: {for_each: before.seats, value: "{{ item.holder }}"}', ""),
    ('level: "{{ before.count }}"', ""),
    ('level: "{{ before.price }}"', ""),
    ('level: "{{ before.either }}"', ""),
    ('level: "{{ before.extras.anything }}"', ""),
    ('level: "{{ before.seats[0].level }}"', ""),
    ('level: "{{ before.code | int }}"', ""),
    ('level: "{{ before.count or before.code }}"', ""),
    ('note: "{{ before.paid }}"', ""),
    ('note: "{{ before.count }}"', ""),
    ('names: ["{{ before.code }}"]', ""),
    ('seats: "{{ before.seats }}"', ""),
    ('note: "of {{ before.code }}"', ""),
]
BARE = OVERLAY[: OVERLAY.index("sample:")] + "sample: none\n"


@pytest.mark.parametrize(("line", "level"), CASES)
def test_what_cannot_be_taken_is_found(tmp_path: Path, line: str, level: str) -> None:
    pack = load(tmp_path / "studio", BARE.replace(BODY, BODY + f"    {line}\n"), document=document())
    found = [f for f in pack.findings if not f.message.startswith("sample: none")]
    assert [f.level for f in found] == ([level] if level else []), pack_texts(pack)
    assert all("by the API document, and what it is put into takes" in f.message for f in found)


def test_reads_and_undoes_are_looked_at_as_well(tmp_path: Path) -> None:
    undo = BARE.replace('{startsAt: "{{ before.startsAt }}"}', '{level: "{{ before.startsAt }}"}')
    pack = load(tmp_path / "a", undo, document=document())
    [found] = [f for f in pack.findings if f.level == "error"]
    assert found.message == (
        "compensation.request.body.level: before.startsAt is text by the API document, and what it is put into takes"
        " a whole number"
    )
    looks = BARE + 'preview_reads: {other: {operation: get-lesson, with: {lesson_id: "{{ before.seats }}"}}}\n'
    pack = load(tmp_path / "b", looks, document=document())
    assert any("preview_reads.other.with.lesson_id: before.seats is a list" in text for text in pack_texts(pack)), (
        pack_texts(pack)
    )


@pytest.mark.parametrize(("seen", "level"), [("code: '12'", []), ("code: 12", []), ("note: x", ["warning"])])
def test_what_was_seen_to_fit_does(tmp_path: Path, seen: str, level: list[str]) -> None:
    """A sample is an answer that its author has seen."""
    body = BODY + '    level: "{{ before.code | default(3) }}"\n'
    sampled = OVERLAY.replace(BODY, body.replace(" | default(3)", "")).replace(
        "status: open, ", f"status: open, {seen}, "
    )
    pack = load(tmp_path / "studio", sampled, document=document())
    assert [f.level for f in pack.findings if "is text by" in f.message] == level, pack_texts(pack)


def test_real_packs_are_not_accused() -> None:
    for folder in (ROLLER, ROLLER.parent / "bookeo"):
        assert [f for f in load_pack(folder).findings if "put into" in f.message] == []
