"""A pack's paths into an answer are checked when it is loaded:

- a path that the API document does not know (in `covers`, `ignore`, `fields`, templates, filters, the fields of
  `merged`) is an error that names the file, the line and the nearest right name;
- what the document leaves open, and what the sample has, is no error, though a difference of the sample is reported;
- written values (constants, fixed ones in templates) must be ones that the operation takes;
- a reversible action needs a sample, or `sample: none`, which is a warning.
"""

from copy import deepcopy
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from registry.loading.load import load_pack
from tests.support.shipped import shipped
from tests.unit.registry.examples import ROLLER
from tests.unit.registry.studio import DOCUMENT, OVERLAY, load, pack_texts

MISSPELT = [
    ("covers: [startsAt, status", "covers: [startsAt, staus", "status"),
    ("seats.holder]", "seats.holdr]", "holder"),
    ("ignore: [seats.id]", "ignore: [seat.id]", "seats"),
    ('{startsAt: "{{ before.startsAt }}"}', '{startsAt: "{{ before.startAt }}"}', "startsAt"),
    ("now.startsAt | same_instant", "now.startsAd | same_instant", "startsAt"),
    ("same_instant(request.body.startsAt)", "same_instant(request.body.startAt)", "startsAt"),
    ("back to {{ before.startsAt |", "back to {{ before.starts |", "startsAt"),
    ('before: "{{ before.startsAt', 'before: "{{ before.Nonsense.Field', ""),
]


@pytest.mark.parametrize(("right", "wrong", "meant"), MISSPELT)
def test_a_misspelt_path_is_named_with_the_right_one(tmp_path: Path, right: str, wrong: str, meant: str) -> None:
    assert OVERLAY.count(right) == 1
    pack = load(tmp_path / "studio", OVERLAY.replace(right, wrong))
    assert "move_lesson" not in pack.actions
    [found] = [f for f in pack.findings if f.level == "error"]
    line = OVERLAY[: OVERLAY.index(right)].count("\n") + 1
    assert found.file == "studio/actions/move_lesson.yaml" and abs((found.line or 0) - line) <= 1
    assert found.hint == f"did you mean {meant}?" if meant else "valid names" in found.hint


def test_the_pack_as_it_should_be_has_no_findings(tmp_path: Path) -> None:
    assert pack_texts(load(tmp_path / "studio")) == []
    assert [f for f in shipped("roller").findings if f.level != "info"] == []


@pytest.mark.parametrize(
    "text",
    [
        "{% for seat in before.seats %}{{ seat.hodler }}{% endfor %}",
        "{% set rows = before.seats %}{{ rows[0].hodler }}",
        "{{ before.seats | map(attribute='hodler') | join(', ') }}",
        "{{ (before.seats | where('holder', 'Ann') | first).hodler }}",
        "{{ before.seats | where('hodler', 'Ann') | length }}",
        "{{ (before.seats | leading('holder')).hodler | default('') }}",
        "{{ before.seats | moments('startsOn') }}",
        "{{ before.contact | merged({'fistName': 'A'}) | length }}",
        "{{ (before if new_date else now).startsAd }}",
        "{{ before['startsAd'] }}",
        "{{ before.seats.holder }}",
        "{{ venue.timezone }}",
    ],
)
def test_paths_are_followed_through_loops_filters_and_names(tmp_path: Path, text: str) -> None:
    broken = OVERLAY.replace("Move the lesson back to {{ before.startsAt | day_and_time }}.", text)
    pack = load(tmp_path / "studio", broken.replace("manual: {", "manual: >-\n    {"))
    assert any(f.level == "error" and "compensation.manual" in f.message for f in pack.findings), pack_texts(pack)


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [
        ("before.status == 'cancelled'", False),
        ("before.status in ['cancelled', 'open']", False),
        ("before.id == 'Canceled'", False),
        ("before.status == 'canceled'", True),
        ("before.status in ['open', 'void']", True),
        ("(before.status | default('')) != 'Cancelled'", True),
    ],
)
def test_what_a_word_is_compared_with_must_be_listed(tmp_path: Path, condition: str, wrong: bool) -> None:
    """`status` is open or cancelled: a condition on another word would always, or never, hold."""
    refusing = OVERLAY + f"rejects_when:\n  - when: {condition}\n    message: It is cancelled.\n"
    found = [text for text in pack_texts(load(tmp_path / "studio", refusing)) if "is never" in text]
    assert bool(found) is wrong and (not wrong or "rejects_when.0.when" in found[0])


@pytest.mark.parametrize("path", ["extras.anything.at_all", "extras"])
def test_what_the_document_leaves_open_may_be_anything(tmp_path: Path, path: str) -> None:
    pack = load(tmp_path / "studio", OVERLAY.replace("ignore: [seats.id]", f"ignore: [{path}]"))
    assert "move_lesson" in pack.actions


def test_what_only_the_sample_has_is_a_warning(tmp_path: Path) -> None:
    """Documents are incomplete: an author who has seen an answer knows better."""
    more = OVERLAY.replace("status: open, ", "status: open, room: 4, ").replace(
        "covers: [startsAt", "covers: [room, startsAt"
    )
    pack = load(tmp_path / "studio", more)
    assert "move_lesson" in pack.actions
    assert {f.level for f in pack.findings} == {"warning"} and any(
        "no room in that answer" in t for t in pack_texts(pack)
    )


WRONG_CONSTANTS = [
    ("query: {notify: upcoming}", "upcoming"),
    ("query: {notify: [fax]}", "fax"),
    ("body: {level: high}", "high"),
    ("body: {level: 0}", "too small"),
    ("body: {channel: Desk}", "desk"),
    ("body: {channel: \"{{ 'shop' if new_date else 'desk' }}\"}", "shop"),
    ("body: {channel: \"{{ new_date or 'shop' }}\"}", "shop"),
    ("body: {channel: null}", "empty"),
    (f"body: {{note: {'x' * 41}}}", "41"),
]


@pytest.mark.parametrize(("request_", "names"), WRONG_CONSTANTS)
def test_a_constant_that_the_operation_does_not_take_is_an_error(tmp_path: Path, request_: str, names: str) -> None:
    wrong = OVERLAY.replace('body:\n    startsAt: "{{ new_date | instant(new_time) }}"', request_)
    pack = load(tmp_path / "studio", wrong)
    errors = [text for text in pack_texts(pack) if text.startswith("error")]
    assert any(names in text for text in errors), pack_texts(pack)


@pytest.mark.parametrize("target", ["query.notify: upcoming", "body.channel: Desk", "body.level: high"])
def test_bound_values_are_checked_as_well(tmp_path: Path, target: str) -> None:
    pack = load(tmp_path / "studio", f"{OVERLAY}bound: {{{target}}}\n")
    assert any(f.level == "error" and f.message.startswith("bound.") for f in pack.findings), pack_texts(pack)


def test_a_null_that_the_api_takes_clears_a_field(tmp_path: Path) -> None:
    cleared = OVERLAY.replace("    startsAt: ", "    note: null\n    startsAt: ")
    assert pack_texts(load(tmp_path / "studio", cleared)) == []


def test_what_can_be_undone_wants_a_sample(tmp_path: Path) -> None:
    without = OVERLAY[: OVERLAY.index("sample:")]
    pack = load(tmp_path / "a", without)
    assert "move_lesson" not in pack.actions and any("sample: is missing" in text for text in pack_texts(pack))
    pack = load(tmp_path / "b", f"{without}sample: none\n")
    assert "move_lesson" in pack.actions and [f.level for f in pack.findings] == ["warning"]
    pack = load(tmp_path / "c", OVERLAY[: OVERLAY.index("  after:")])
    assert any("lacks `before` or `after`" in text for text in pack_texts(pack))


@pytest.mark.parametrize(("ignore", "shown"), [("[seats.id]", True), ("[seats.id, updatedAt]", False)])
def test_what_every_write_changes_is_not_covered(tmp_path: Path, ignore: str, shown: bool) -> None:
    """After an undo it would never be as before, and staff would be asked to check for nothing."""
    versioned = deepcopy(DOCUMENT)
    versioned["components"]["schemas"]["Lesson"]["properties"]["updatedAt"] = {"type": "string"}
    everything = OVERLAY.replace("covers: [startsAt, status, seats.holder]", 'covers: ["*"]')
    pack = load(tmp_path / "studio", everything.replace("ignore: [seats.id]", f"ignore: {ignore}"), document=versioned)
    assert any("updatedAt too, which changes with every write" in text for text in pack_texts(pack)) is shown


def test_rows_of_candidates_have_names_of_their_own(tmp_path: Path) -> None:
    look = """
action: find_lessons
operation: get-lesson
iq_enabled: true
title: Find lessons
description: Find a lesson by its number.
parameters:
  lesson: {in: path.lesson_id, role: booking, describe: The lesson}
output:
  candidates: {booking_id: "{{ response.id }}", guest: "{{ response.status }}"}
"""
    pack = load(tmp_path / "studio", look)
    assert any("rows have no guest (did you mean guest_name?)" in text for text in pack_texts(pack)), pack_texts(pack)


@pytest.mark.parametrize("overlay", ["reschedule_booking", "change_guest_count", "edit_note", "find_bookings"])
def test_every_typing_error_in_a_real_pack_is_found(tmp_path: Path, overlay: str) -> None:
    """Letters are swapped in names of the answer, wherever a template or a list of paths holds one."""
    folder = Path(copytree(ROLLER, tmp_path / "roller"))
    path = folder / "actions" / f"{overlay}.yaml"
    text = path.read_text(encoding="utf-8")
    for other in (folder / "actions").glob("*.yaml"):
        if other != path:
            other.unlink()
    names = ("bookingItemId", "sessionStartTime", "bookingDate", "customerId", "quantity", "uniqueId", "status")
    body = text[: text.index("\nexamples:")]
    spots = [at for name in names for at in _places(body, name)]
    for at, name in Random(7).sample(spots, min(25, len(spots))):
        path.write_text(text[:at] + name[:-2] + name[-1] + name[-2] + text[at + len(name) :], encoding="utf-8")
        assert overlay not in load_pack(folder).actions, f"{name} at {text[at - 40 : at + 40]!r}"


def _places(text: str, name: str) -> list[tuple[int, str]]:
    found = []
    at = text.find(f".{name}")
    while at >= 0:
        line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)]
        follows = text[at + len(name) + 1 : at + len(name) + 2]
        if not line.strip().startswith("#") and not follows.isalnum() and "in: " not in line:
            found.append((at + 1, name))
        at = text.find(f".{name}", at + 1)
    return found
