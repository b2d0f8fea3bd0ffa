"""`confirm` in an overlay: the label of the button that confirms a step.

- Every writing action of the shipped packs has one, in English and in Italian, with the new value.
- It has the same data as the preview. Without one, or where it comes out empty, it is the title.
- It is 40 characters at most, cut at the end of a word. One that is longer on the sample is a warning, one that cannot
  be rendered an error.
"""

import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from language.messages.catalogue import activate_locale
from registry import BoundAction, Pack
from registry.loading.load import load_pack
from registry.overlays.yaml_file import read_yaml
from tests.support.shipped import shipped
from tests.unit.registry.examples import ROLLER

LABELS = {
    "roller": {
        "cancel_booking": ("Cancel for good", "Annulla definitivamente"),
        "change_guest_count": ("Make it 14 guests", "Porta a 14 ospiti"),
        "edit_note": ("Save the note", "Salva la nota"),
        "reschedule_booking": ("Move to Sat 28 Nov 3pm", "Sposta a sabato 28 novembre 15:00"),
        "update_contact": ("Change the phone number", "Cambia il numero di telefono"),
    },
    "bookeo": {
        "book_lesson": ("Book it for Sat 5 Dec 10am", "Prenota per sabato 5 dicembre 10:00"),
        "cancel_booking": ("Cancel for good", "Annulla definitivamente"),
        "change_rider_count": ("Make it 1 rider", "Porta a 1 partecipante"),
        "move_booking": ("Move to Sat 28 Nov 5pm", "Sposta a sabato 28 novembre 17:00"),
    },
}


def label_on_sample(pack: Pack, folder: Path, name: str, **call: Any) -> str:
    action = pack.actions[name]
    sample: Any = read_yaml(folder / "actions" / f"{name}.yaml").data
    given = {**sample["sample"]["call"], **call}
    bound = BoundAction.of(action, given, pack.profile).with_(before=sample["sample"].get("before"))
    activate_locale(pack.profile.locale, pack.profile.words)
    return bound.with_request().confirm_label()


@pytest.mark.parametrize("language", [0, 1], ids=["en", "it"])
@pytest.mark.parametrize("name", LABELS)
def test_every_write_of_the_shipped_packs_has_one(name: str, language: int, tmp_path: Path) -> None:
    folder = copytree(ROLLER.parent / name, tmp_path / name)
    if language:
        venue = folder / "venue.yaml"
        venue.write_text(re.sub(r"locale: en-\w\w", "locale: it-IT", venue.read_text()))
    pack = load_pack(folder)
    assert not pack.findings
    found = {a: label_on_sample(pack, folder, a) for a, action in pack.actions.items() if not action.read_only}
    assert found == {action: words[language] for action, words in LABELS[name].items()}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"phone": None, "email": "a@b.example"}, "Change the e-mail address"),
        ({"phone": None, "last_name": "Green"}, "Change the name"),
        ({"email": "a@b.example"}, "Change the contact details"),
        ({"last_name": "Green"}, "Change the contact details"),
    ],
)
def test_it_says_which_detail_changes(given: dict[str, Any], text: str) -> None:
    assert label_on_sample(shipped("roller"), ROLLER, "update_contact", **given) == text


def with_confirm(folder: Path, written: str) -> Pack:
    path = folder / "actions" / "edit_note.yaml"
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("confirm:")]
    path.write_text("\n".join([*kept, written, ""]), encoding="utf-8")
    return load_pack(folder)


@pytest.mark.parametrize("written", ["", "confirm: '{{ \"\" }}'", "confirm: '{% if replace %}Replace it{% endif %}'"])
def test_without_one_it_is_the_title(folder: Path, written: str) -> None:
    pack = with_confirm(folder, written)
    assert label_on_sample(pack, folder, "edit_note") == pack.actions["edit_note"].title


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 39 + "…"),
        ("Save what was said of the nuts on this one booking", "Save what was said of the nuts on this…"),
        ("Save what was said of nuts, one by one and, so on", "Save what was said of nuts, one by one…"),
        ("Save   this\n  note", "Save this note"),
    ],
)
def test_it_is_short(folder: Path, text: str, shown: str) -> None:
    pack = with_confirm(folder, "confirm: '{{ note }}'")
    assert label_on_sample(pack, folder, "edit_note", note=text) == shown
    assert len(shown) <= 40


def test_what_is_too_long_or_cannot_be_worked_out_is_reported(folder: Path) -> None:
    pack = with_confirm(folder, "confirm: Save the note of {{ before.name }} for booking {{ before.bookingReference }}")
    [found] = pack.findings
    assert (found.level, found.pointer) == ("warning", "confirm")
    assert "is longer than 40 characters" in found.message and found.line
    pack = with_confirm(folder, "confirm: 'Save {{ before.nte }}'")
    assert "edit_note" not in pack.actions
    assert all(f.level == "error" and f.message.startswith("confirm: ") and f.line for f in pack.findings)
    pack = with_confirm(folder, "confirm: 'Save {{ response.id }}'")
    assert "edit_note" not in pack.actions
