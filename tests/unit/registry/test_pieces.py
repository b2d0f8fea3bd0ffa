"""Fragments that overlays of a pack share.

- An overlay with fragments equals the same overlay written out in full; this holds for ROLLER.
- An unknown fragment, a circle, and one that grows without end cost the overlay that uses them, at its own line; others
  still work. A line after an included list keeps its number.
- A broken fragments file costs only the overlays that use fragments, whose last good version stays.
- An unused fragment is reported; the published schema accepts `{include: …}` and no other addition.
"""

import json
from pathlib import Path
from shutil import copytree

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from authoring.all_operations import operations_used, overlay_files
from registry.loading.last_good import LastGood, fill_from_last_good
from registry.loading.load import load_pack, read_here
from registry.loading.subprocess_reader import read_in_subprocess
from registry.overlays.json_schema import overlay_schema
from tests.support.shipped import shipped
from tests.unit.registry import studio
from tests.unit.registry.examples import ROLLER

SNAPSHOT = """snapshot:
  operation: get-lesson
  with: {lesson_id: "{{ lesson }}"}
  covers: [startsAt, status, seats.holder]
  ignore: [seats.id]
"""
assert SNAPSHOT in studio.OVERLAY


def write(folder: Path, pieces: str, overlay: str) -> Path:
    studio.write(folder, overlay)
    (folder / "fragments.yaml").write_text(pieces, encoding="utf-8")
    return folder


def shared(name: str = "the_lesson") -> str:
    return studio.OVERLAY.replace(SNAPSHOT, f"snapshot: {{include: {name}}}\n")


def piece(name: str = "the_lesson") -> str:
    return SNAPSHOT.replace("snapshot:", f"{name}:")


def inlined(node: object, pieces: dict[str, object]) -> object:
    """Include the fragments by other means than the product's."""
    if isinstance(node, list):
        rows: list[object] = []
        for row in node:
            value = inlined(row, pieces)
            spread = isinstance(row, dict) and set(row) == {"include"} and isinstance(value, list)
            rows += value if spread and isinstance(value, list) else [value]
        return rows
    if isinstance(node, dict):
        return (
            inlined(pieces[node["include"]], pieces)
            if set(node) == {"include"}
            else {k: inlined(v, pieces) for k, v in node.items()}
        )
    return node


def test_roller_is_what_it_would_be_without_pieces(tmp_path: Path) -> None:
    folder = Path(copytree(ROLLER, tmp_path / "roller"))
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    pieces = yaml.load(folder / "fragments.yaml")
    (folder / "fragments.yaml").unlink()
    used = 0
    for path in (folder / "actions").glob("*.yaml"):
        if "{include: " in path.read_text():
            path.write_text(json.dumps(inlined(YAML(typ="safe", pure=True).load(path), pieces)))
            used += 1
    assert used >= 2
    assert dict(load_pack(folder).actions) == dict(shipped("roller").actions)


def test_a_piece_is_as_if_it_stood_there(tmp_path: Path) -> None:
    whole = studio.load(tmp_path / "a" / "studio")
    pack = load_pack(write(tmp_path / "b" / "studio", piece(), shared()))
    assert studio.pack_texts(pack) == studio.pack_texts(whole)
    assert dict(pack.actions) == dict(whole.actions)
    assert [operations_used(f) for f in overlay_files(tmp_path / "b" / "studio")] == [
        operations_used(f) for f in overlay_files(tmp_path / "a" / "studio")
    ]


@pytest.mark.parametrize(
    ("pieces", "name", "text", "hint"),
    [
        (piece(), "the_leson", "there is no piece the_leson", "did you mean the_lesson?"),
        ("a: {include: b}\nb: {x: {include: a}}\n", "a", "the piece a uses itself: a → b → a", "mend fragments.yaml"),
        ("a: [1\n", "a", "uses the piece a, and fragments.yaml cannot be read", "mend fragments.yaml"),
        ("- a\n", "a", "uses the piece a, and fragments.yaml is no list of names", "mend fragments.yaml"),
        (
            "\n".join(f"p{n}: [{{include: p{n + 1}}}, {{include: p{n + 1}}}]" for n in range(40)) + "\np40: 1\n",
            "p0",
            "makes this file too large",
            "use fewer pieces in pieces",
        ),
    ],
)
def test_what_is_wrong_with_a_piece_is_stated_of_its_user(
    tmp_path: Path, pieces: str, name: str, text: str, hint: str
) -> None:
    folder = write(tmp_path / "studio", pieces, shared(name))
    other = studio.OVERLAY.replace("action: move_lesson", "action: other")
    (folder / "actions" / "other.yaml").write_text(other, encoding="utf-8")
    pack = load_pack(folder)
    assert set(pack.actions) == {"other"}
    [found] = [f for f in pack.findings if f.action == "move_lesson" and f.level == "error"]
    assert found.file == "studio/actions/move_lesson.yaml"
    assert shared(name).splitlines()[(found.line or 0) - 1].startswith("snapshot:")
    assert text in found.message
    assert found.hint == hint


def test_lines_behind_a_list_that_was_put_in(tmp_path: Path) -> None:
    pieces = "rules:\n  - {status: 409, type: conflict, message: A}\n  - {status: 410, type: conflict, message: B}\n"
    overlay = studio.OVERLAY + "errors:\n  - {include: rules}\n  - {status: 400, message: C, typo: 1}\n"
    pack = load_pack(write(tmp_path / "studio", pieces, overlay))
    [found] = [f for f in pack.findings if f.level == "error"]
    assert "typo" in overlay.splitlines()[(found.line or 0) - 1]
    behind = overlay.replace(", typo: 1", "").replace("errors:\n", "errors:\n  - {status: 400, message: D}\n")
    pack = load_pack(write(tmp_path / "inside" / "studio", pieces.replace("410,", "410, typo: 1,"), behind))
    [found] = [f for f in pack.findings if f.level == "error"]
    assert behind.splitlines()[(found.line or 0) - 1] == "  - {include: rules}"
    fine = load_pack(write(tmp_path / "fine" / "studio", pieces, overlay.replace(", typo: 1", "")))
    assert [rule.status for rule in fine.actions["move_lesson"].errors] == [409, 410, 400]


def test_a_broken_pieces_file_takes_nothing_away(tmp_path: Path) -> None:
    folder = write(tmp_path / "studio", piece(), shared())
    good = read_here(folder, None, None)[0]
    _, known = fill_from_last_good(folder, good, LastGood(), {})
    (folder / "fragments.yaml").write_text("the_lesson: [\n")
    made, _ = read_in_subprocess(folder, None, None)
    assert not made.actions
    now, _ = fill_from_last_good(folder, made, known, {})
    assert now.actions == good.actions
    assert any("stays as it was" in f.message for f in now.findings)


def test_a_disabled_overlay_says_nothing_of_its_pieces(tmp_path: Path) -> None:
    overlay = shared("nothing").replace("iq_enabled: true", "iq_enabled: false")
    pack = load_pack(write(tmp_path / "studio", piece(), overlay))
    assert [(f.level, f.file) for f in pack.findings if f.level != "info"] == [("warning", "studio/fragments.yaml")]
    assert "the_lesson: no overlay uses it" in pack.findings[-1].message


def test_the_schema_takes_pieces_where_there_is_something_to_share() -> None:
    judge = Draft202012Validator(overlay_schema())
    least = {"action": "a", "operation": "b", "title": "c", "description": "d"}
    assert judge.is_valid({**least, "snapshot": {"include": "x"}, "errors": [{"include": "y"}]})
    assert not judge.is_valid({**least, "snapshot": {"include": "x", "covers": ["a"]}})
    assert not judge.is_valid({**least, "snapshot": {"used": "x"}})
    assert not judge.is_valid({**least, "title": {"include": "x"}})
