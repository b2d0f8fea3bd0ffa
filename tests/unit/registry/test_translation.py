"""A pack's own texts in its venue's language, `languages/<language>.yaml`.

Guarantees:
- an Italian venue of the shipped pack loads without a finding, and no text for people is left in English;
- a translation changes texts for people and nothing else; an entry that does not fit is a finding with file and line,
  and the pack's own text stays;
- the texts of venue.yaml are in the same file: default titles, and the buttons to tap;
- a venue whose language has no file keeps the pack's own texts, without a finding.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.action import AtomicAction
from contracts.base import Json
from infra.config.settings import ROOT
from registry import Pack
from registry.loading.load import load_pack
from tests.support.shipped import shipped

SHIPPED = ROOT / "overlays" / "roller"
ENGLISH = re.compile(r"(?i)\b(the|is|are|booking|guests?|back|cancelled|places?|none|session|was)\b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped pack, for an Italian venue."""
    folder = Path(shutil.copytree(SHIPPED, tmp_path / "roller"))
    venue = folder / "venue.yaml"
    venue.write_text(venue.read_text().replace("locale: en-AU", "locale: it-IT"))
    return folder


def loaded_with(folder: Path, words: str) -> Pack:
    """Return the pack with these Italian texts instead of the shipped ones."""
    (folder / "languages" / "it.yaml").write_text(words)
    return load_pack(folder)


def texts(action: AtomicAction) -> Iterator[str]:
    """Yield every text of an action that people read, without the computed parts of templates."""
    wording: list[Json] = [action.title, action.category, action.irreversible_note, action.summary]
    wording += [action.compensation.manual] if action.compensation else []
    wording += [line.label for line in action.preview] + [line.after for line in action.preview]
    for rule in action.errors:
        wording += [rule.message, *rule.suggestions]
    for text in wording:
        if text:
            yield re.sub(r"\{\{(?:(?!').)*?\}\}|\{%.*?%\}", "", str(text))


def test_an_italian_venue_reads_italian(folder: Path) -> None:
    pack = load_pack(folder)
    assert pack.findings == ()
    assert len(pack.actions) == len(load_pack(SHIPPED).actions) >= 8
    read = [(name, text) for name, action in pack.actions.items() for text in texts(action)]
    assert len(read) > 40, "else this shows nothing"
    assert [(n, t) for n, t in read if ENGLISH.search(re.sub(r"before\.[\w.]+|'bookingDate'", "", t))] == []


def test_every_name_in_a_form_or_question_is_italian(folder: Path) -> None:
    changing = [action for action in load_pack(folder).actions.values() if not action.read_only]
    assert [(a.name, p.name) for a in changing for p in a.parameters if not p.label] == []


@pytest.mark.parametrize("name", ["bookeo", "calendar", "roller"])
def test_what_there_is_to_tap_is_italian(tmp_path: Path, name: str) -> None:
    folder = Path(shutil.copytree(ROOT / "overlays" / name, tmp_path / name))
    venue = folder / "venue.yaml"
    venue.write_text(re.sub("(?m)^locale: .*$", "locale: it-IT", venue.read_text()))
    pack = load_pack(folder)
    assert pack.findings == ()
    ours, theirs = pack.profile.quick_actions, shipped(name).profile.quick_actions
    assert len(ours) == len(theirs) >= 3 and not set(ours) & set(theirs)


def test_what_was_left_unsaid_is_stated_in_italian(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "overlays" / "calendar", tmp_path / "calendar"))
    venue = folder / "venue.yaml"
    venue.write_text(venue.read_text().replace("locale: en-US", "locale: it-IT"))
    assert load_pack(folder).profile.defaults == {"duration_minutes": 30, "title": "Riunione"}
    words = folder / "languages" / "it.yaml"
    words.write_text(words.read_text().replace("{title: Riunione}", "{title: Riunione, duration_minutes: '60'}"))
    pack = load_pack(folder)
    assert [f.message for f in pack.findings] == [
        "venue.yaml.defaults.duration_minutes: is not built as in the overlay"
    ]
    assert pack.profile.defaults["duration_minutes"] == 30, "no translation changes what is done"


def test_a_venue_whose_words_are_left_out_keeps_its_own_and_the_author_is_reported(folder: Path) -> None:
    pack = loaded_with(folder, "edit_note:\n  title: Nota\n")
    assert pack.profile.quick_actions == load_pack(SHIPPED).profile.quick_actions
    assert any(f.level == "warning" and "venue.yaml" in f.message for f in pack.findings), pack.findings


def test_what_an_action_does_is_the_same(folder: Path) -> None:
    shipped = load_pack(SHIPPED)
    for name, action in load_pack(folder).actions.items():
        ours = shipped.actions[name]
        unlabelled = tuple(p.model_copy(update={"label": ""}) for p in action.parameters)
        assert (action.operation, unlabelled, action.snapshot, action.request, action.verify) == (
            ours.operation, ours.parameters, ours.snapshot, ours.request, ours.verify,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "line", "message", "hint"),
    [
        ("edit_note:\n  operation: delete-a-booking\n", 2, "is not a text for people", ""),
        ("edit_note:\n  compensation:\n    operation: x\n", 3, "is not a text for people", ""),
        ("edit_note:\n  labels: {nota: nota}\n", 2, "is no parameter of this action", "note"),
        ("edit_note:\n  titel: Nota\n", 2, "is nothing that the overlay says", "title"),
        ("edit_note:\n  preview: [{label: Nota}, {label: Altro}]\n", 2, "has 2 entries", ""),
        ("edit_note:\n  title: [Nota]\n", 2, "is not built as in the overlay", ""),
        ("venue.yaml:\n  time_zone: Europe/Rome\n", 2, "is not a text for people", ""),
        ("venue.yaml:\n  opening_hours: {opens: '08:00'}\n", 2, "is not a text for people", ""),
        ("venue.yaml:\n  quick_action: [Sposta]\n", 2, "is nothing that venue.yaml says", "quick_actions"),
        ("venue.yaml:\n  labels: {note: nota}\n", 2, "is nothing that venue.yaml says", ""),
        ("venue.yaml:\n  quick_actions: [a, b, c, d, e]\n", 2, "has 5 entries", ""),
        ("edit_not:\n  title: Nota\n", 1, "is no action of this pack", "edit_note"),
        ("edit_note: {title: 'Nota\n", 1, "cannot be read", ""),
        ("- edit_note\n", None, "must be a list", ""),
    ],
)
def test_what_does_not_fit_is_found_and_left_alone(
    folder: Path, words: str, line: int | None, message: str, hint: str
) -> None:
    pack = loaded_with(folder, words)
    found = [f for f in pack.findings if message in f.message]
    assert len(found) == 1, pack.findings
    assert found[0].file == "roller/languages/it.yaml"
    assert line is None or (found[0].line or line) >= line
    assert hint in found[0].hint
    shipped = load_pack(SHIPPED)
    assert pack.actions["edit_note"] == shipped.actions["edit_note"]
    assert pack.profile == shipped.profile.model_copy(update={"locale": "it-IT"})


def test_a_template_that_cannot_be_rendered_is_found_like_any_other(folder: Path) -> None:
    pack = loaded_with(folder, "edit_note:\n  summary: 'La nota di {{ before.name | nosuch }}'\n")
    assert any(f.action == "edit_note" and f.level == "error" for f in pack.findings), pack.findings


def test_an_action_without_words_keeps_its_own_and_the_author_is_reported(folder: Path) -> None:
    pack = loaded_with(folder, "edit_note:\n  title: Nota\n")
    assert pack.actions["edit_note"].title == "Nota"
    assert pack.actions["cancel_booking"].title == "Cancel booking"
    assert any(f.level == "warning" and f.action == "cancel_booking" for f in pack.findings)


def test_a_language_without_a_file_is_no_fault(folder: Path) -> None:
    (folder / "languages" / "it.yaml").unlink()
    pack = load_pack(folder)
    assert pack.findings == ()
    assert pack.actions["edit_note"].title == "Edit booking note"


def test_what_a_broken_piece_took_from_an_overlay_is_no_fault_of_the_translation(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "overlays" / "restaurant", tmp_path / "restaurant"))
    pieces = folder / "fragments.yaml"
    pieces.write_text("\t" + pieces.read_text())
    files = {finding.file for finding in load_pack(folder).findings if finding.level == "error"}
    assert files and not any("languages" in file for file in files), files
