"""An optional parameter that a template requires is found when the pack is loaded:

- where the request, a read or the preview would fail without it: an error;
- where a sentence would have a gap, or a preview would show a removal: a warning;
- no finding where `when`, `if`, a default or `require_any` handles it.
"""

from pathlib import Path

import pytest

from registry.loading.load import load_pack
from tests.unit.registry.examples import ROLLER
from tests.unit.registry.studio import OVERLAY, load, pack_texts

NOTED = OVERLAY.replace("  new_time: {", "  note: {type: string, required: false, technical: true}\n  new_time: {")
BODY = '    startsAt: "{{ new_date | instant(new_time) }}"\n'


def sending(text: str, overlay: str = NOTED) -> str:
    return overlay.replace(BODY, BODY + f"    {text}\n")


FAILS = [
    'channel: "{{ note }}"',
    'channel: "by {{ note }}"',
    'channel: "{{ note | day }}"',
    'seats: [{holder: "{{ note }}"}]',
]


@pytest.mark.parametrize("line", FAILS)
def test_a_request_that_fails_without_it_is_an_error(tmp_path: Path, line: str) -> None:
    pack = load(tmp_path / "studio", sending(line))
    [found] = [f for f in pack.findings if f.level == "error"]
    assert "note need not be given, and then this fails" in found.message and "request.body" in found.message
    assert "{when: note, value: …}" in found.hint


GUARDED = [
    'note: {when: note, value: "{{ note }}"}',
    "note: \"{{ note or 'none' }}\"",
    "note: \"{{ note | default('', true) }}\"",
    'note: "x{% if note %} {{ note }}{% endif %}"',
    'note: "{{ note }}"',
]


@pytest.mark.parametrize("line", GUARDED)
def test_what_is_seen_to_is_not_reported(tmp_path: Path, line: str) -> None:
    """By the document `note` may be null: an empty one clears it."""
    assert pack_texts(load(tmp_path / "studio", sending(line))) == []


def test_where_one_of_two_must_be_given(tmp_path: Path) -> None:
    alone = sending('channel: "{{ note }}"') + "require_any: [note]\n"
    pack = load(tmp_path / "a", alone.replace("call: {", "call: {note: desk, "))
    assert not any("need not be given" in text for text in pack_texts(pack)), pack_texts(pack)
    pack = load(tmp_path / "b", sending('channel: "{{ note }}"') + "require_any: [note, new_time]\n")
    assert any("note need not be given" in text for text in pack_texts(pack))


def test_what_only_the_sample_shows(tmp_path: Path) -> None:
    """Beside other names the template alone proves nothing; the sample without the parameter does."""
    given = NOTED.replace("call: {", "call: {note: hi, ")
    pack = load(tmp_path / "a", sending('note: "{{ before.status }} {{ note }}"', given))
    [found] = [f for f in pack.findings if f.level == "error"]
    assert "note need not be given, and then this fails on the sample" in found.message
    pack = load(tmp_path / "b", sending("note: \"{{ before.status ~ ' ' ~ note }}\"", given))
    assert any("the word None is written" in text for text in pack_texts(pack)), pack_texts(pack)
    assert "move_lesson" not in pack.actions


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ('  - {label: Note, before: "{{ before.note | default(\'\') }}", after: "{{ note }}"}', "warning"),
        ('  - {label: Note, after: "{{ note }}"}', ""),
        ('  - {label: Note, before: "{{ before.id if note else none }}", after: "{{ note }}"}', ""),
        ('  - {label: Note, after: "said {{ note }}"}', "warning"),
        ('  - {label: Note, after: "{{ note | day }}"}', "error"),
        ('  - {label: Note, after: "said{% if note %} {{ note }}{% endif %}"}', ""),
    ],
)
def test_what_people_read(tmp_path: Path, line: str, level: str) -> None:
    pack = load(tmp_path / "studio", NOTED.replace("sample:\n", f"{line}\nsample:\n"))
    assert [f.level for f in pack.findings] == ([level] if level else []), pack_texts(pack)


def test_a_sentence_with_a_gap_is_a_warning(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", NOTED + 'summary: "Moved, with the note {{ note }}."\n')
    assert any(text.startswith("warning: summary: note need not") for text in pack_texts(pack)), pack_texts(pack)
    assert "move_lesson" in pack.actions


def test_real_packs_are_not_accused() -> None:
    for folder in (ROLLER, ROLLER.parent / "bookeo"):
        assert [f for f in load_pack(folder).findings if "need not be given" in f.message] == []


@pytest.mark.parametrize(
    ("more", "level"),
    [
        ('rejects_when: [{when: note and before.status, message: "Not on {{ note | day }}."}]', []),
        ('rejects_when: [{when: before.status == "cancelled", message: "Not on {{ note | day }}."}]', ["warning"]),
        ('rejects_when: [{when: note | day == "x", message: No.}]', ["error"]),
        ('errors: [{code: long, message: "{{ note }} is too long."}]', []),
        ('preview_reads: {a: {operation: get-lesson, with: {lesson_id: "{{ note }}"}}}', ["warning"]),
    ],
)
def test_what_a_condition_elsewhere_sees_to(tmp_path: Path, more: str, level: list[str]) -> None:
    """A template that stops nothing costs no action."""
    pack = load(tmp_path / "studio", NOTED.replace("sample:\n  call: {", f"{more}\nsample:\n  call: {{note: hi, "))
    found = [f for f in pack.findings if "need not be given" in f.message]
    assert [f.level for f in found] == level, pack_texts(pack)
