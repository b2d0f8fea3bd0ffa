"""The preview shows every value that a change sends (`registry.lint.unpreviewed_values`).

- A parameter that no line of the preview writes out is an error, with the file's line and the ways out.
- A line shows it by its name, or by its form in the request, however deep, and no other part of the request.
- A template that only tests a value shows a yes or no, or one of a few; not a text.
- A step's booking is named beside it. A `technical` parameter needs no line, unless operators mention it.
- A draft shows all that it sends, and its versions are technical; so do all shipped packs, in every language.
"""

from pathlib import Path
from typing import Any

import pytest

from infra.config.settings import ROOT
from registry.loading.load import load_pack
from tests.support.shipped import shipped
from tests.unit.registry.studio import OVERLAY, load, pack_texts

BODY = '    startsAt: "{{ new_date | instant(new_time) }}"\n'


def noted(lines: str = "", sent: str = 'note: "{{ note }}"', more: str = "") -> str:
    """Return the overlay with a note that goes into the request; `lines` are added to the preview."""
    overlay = OVERLAY.replace("  new_time: {", f"  note: {{type: string{more}}}\n  new_time: {{")
    overlay = overlay.replace(BODY, f"{BODY}    {sent}\n").replace("call: {", "call: {note: hi, ")
    return overlay.replace("sample:\n", f"{lines}sample:\n")


def unread(pack: Any) -> list[str]:
    return [found.pointer for found in pack.findings if "confirmed unread" in found.message]


def test_a_value_that_no_line_shows_is_an_error(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", noted())
    (found,) = [f for f in pack.findings if f.level == "error"]
    assert (found.pointer, found.line, found.action) == ("parameters.note", 10, "move_lesson")
    assert found.file.endswith("move_lesson.yaml") and "move_lesson" not in pack.actions
    assert '{label: Note, after: "{{ note }}"}' in found.hint and "`technical: true`" in found.hint


@pytest.mark.parametrize("after", [
    "{{ note }}", "said {{ note | lower }}", "{{ request.body.note }}", "{% if note %}{{ note }}{% endif %}",
    "{{ note if note else 'none' }}", "{% for one in [note] %}{{ one }}{% endfor %}", "{{ request.body }}",
])  # fmt: skip
def test_a_line_that_writes_it_out_shows_it(tmp_path: Path, after: str) -> None:
    assert unread(load(tmp_path / "studio", noted(f'  - {{label: Note, after: "{after}"}}\n'))) == []


@pytest.mark.parametrize("after", [
    "{{ request.body.startsAt }}", "{% if note %}yes{% endif %}", "{{ 'yes' if note else 'no' }}",
    "{{ 'x' if note == 'y' else 'z' }}", "note", "{{ before.note }}",
])  # fmt: skip
def test_a_line_that_does_not_shows_nothing(tmp_path: Path, after: str) -> None:
    assert unread(load(tmp_path / "studio", noted(f'  - {{label: Note, after: "{after}"}}\n'))) == ["parameters.note"]


def test_a_yes_and_a_choice_are_shown_by_what_they_decide(tmp_path: Path) -> None:
    line = "  - {label: Note, after: \"{{ 'yes' if note else 'no' }}\"}\n"
    sent = "note: \"{{ 'x' if note else 'y' }}\""
    plain = noted(line, sent).replace("type: string", "type: boolean").replace("note: hi", "note: true")
    assert unread(load(tmp_path / "plain", plain)) == []
    few = noted(line, more=", choices: [hi, ho]")
    assert unread(load(tmp_path / "few", few)) == []


def test_deep_inside_a_list_of_the_request(tmp_path: Path) -> None:
    sent = 'seats: {for_each: before.seats, value: {holder: "{{ note }}"}}'
    shows = '  - {label: Seats, after: "{{ request.body.seats[0].holder }}"}\n'
    assert unread(load(tmp_path / "a", noted(shows, sent))) == []
    assert unread(load(tmp_path / "b", noted(shows.replace("holder", "id"), sent))) != []


def test_what_is_technical_needs_no_line(tmp_path: Path) -> None:
    assert pack_texts(load(tmp_path / "a", noted(more=", technical: true"))) == []
    for spoken in (", role: note", ", choices: [hi, ho], phrases: {hi: [hello]}"):
        pack = load(tmp_path / spoken[2:6], noted(more=f", technical: true{spoken}"))
        (found,) = [f for f in pack.findings if f.level == "error"]
        assert found.pointer == "parameters.note.technical" and "is for operators" in found.message


def test_the_refund_of_a_cancelled_booking_is_read() -> None:
    cancel = shipped("roller").actions["cancel_booking"]
    assert any("refund_type" in line.after for line in cancel.preview)


def test_a_translation_that_drops_a_value_is_refused(tmp_path: Path) -> None:
    pack = ROOT / "overlays" / "roller"
    for path in pack.rglob("*"):
        if path.is_file():
            copy = tmp_path / "roller" / path.relative_to(pack)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    words = tmp_path / "roller" / "languages" / "it.yaml"
    text = words.read_text()
    assert "Rimborsato con" in text
    start = text.index("    - label: Rimborsato con")
    rest = text[text.index("  errors:", start) :]
    words.write_text(f"{text[:start]}    - {{label: Rimborsato con, after: qualcosa}}\n{rest}")
    venue = tmp_path / "roller" / "venue.yaml"
    venue.write_text(venue.read_text().replace("locale: en-AU", "locale: it-IT"))
    assert unread(load_pack(tmp_path / "roller")) == ["parameters.refund_type"]
