"""Checks that prove nothing are reported when an overlay is loaded.

- `covers` and `verify` on the status of an envelope, `{status: success | error, data: {…}}`, which no change affects.
- A condition of `verify` that always holds: by the document's values, by itself, or because it names nothing that was
  read.
- A check that proves something never causes a warning.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.unit.registry.studio import DOCUMENT, LESSON, OVERLAY, load, pack_texts

_WENT: dict[str, Any] = {"type": "string", "enum": ["success", "error"]}


def enveloped(went: dict[str, Any] = _WENT, **more: Any) -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    schema = {"type": "object", "required": ["status", "data"], "properties": {"status": went, "data": LESSON, **more}}
    content = {"application/json": {"schema": schema}}
    found["paths"]["/lessons/{lesson_id}"]["get"]["responses"]["200"]["content"] = content
    return found


def inside(text: str) -> str:
    return text.split("sample:")[0].replace("now.", "now.data.").replace("before.", "before.data.")


def findings(folder: Path, overlay: str, document: Any = None) -> list[str]:
    rows = pack_texts(load(folder, f"{overlay.split('sample:')[0]}sample: none\n", document=document))
    return [row for row in rows if "sample: none" not in row and "does not compare it" not in row]


@pytest.mark.parametrize(
    ("covers", "words"),
    [
        ("[data.startsAt, data.status]", None),
        ("[status, data.startsAt]", "status can only be success or error"),
        ("[data]", None),
    ],
)
def test_covers_of_an_envelope(tmp_path: Path, covers: str, words: str | None) -> None:
    overlay = (
        inside(OVERLAY).replace("[startsAt, status, seats.holder]", covers).replace("[seats.id]", "[data.seats.id]")
    )
    found = findings(tmp_path / "studio", overlay, enveloped())
    assert len(found) == (words is not None), found
    for row in found:
        assert row.startswith("warning: ") and str(words) in row and "name what matters inside `data`" in row


@pytest.mark.parametrize("went", [{"type": "string", "const": "ok"}, {"type": "string", "enum": ["OK", "FAILED"]}])
def test_other_words_of_an_envelope(tmp_path: Path, went: dict[str, Any]) -> None:
    overlay = inside(OVERLAY).replace("[startsAt, status, seats.holder]", "[status]").replace("[seats.id]", "[]")
    assert "can only be" in findings(tmp_path / "studio", overlay, enveloped(went))[0]


def test_a_state_of_the_thing_itself_tells(tmp_path: Path) -> None:
    for number, went in enumerate(({"type": "string"}, {"type": "string", "enum": ["success", "pending"]})):
        overlay = inside(OVERLAY).replace("[startsAt, status, seats.holder]", "[status]").replace("[seats.id]", "[]")
        assert findings(tmp_path / str(number), overlay, enveloped(went)) == []
    # An answer with fields beside `data` is the thing itself, and its status may be a payment's.
    assert findings(tmp_path / "own", overlay, enveloped(_WENT, amount={"type": "number"})) == []


_CHECK = "now.startsAt | same_instant(request.body.startsAt)"
_HOLDS = "always holds, by the API document"


@pytest.mark.parametrize(
    ("condition", "level", "words"),
    [
        ("now.data.status == 'open'", None, ""),
        ("now.data.status in ['open']", None, ""),
        ("now.data.status != before.data.status", None, ""),
        ("now.data.status | default('') in ['open', 'cancelled']", None, ""),
        ("'true'", "error", "names nothing that was read"),
        ("1 == 1", "error", "names nothing that was read"),
        ("now.status == 'success'", "warning", _HOLDS),
        ("now.status != 'error'", "warning", _HOLDS),
        ("now.status in ['success']", "warning", _HOLDS),
        ("now.data.status in ['open', 'cancelled']", "warning", _HOLDS),
        ("now.data.id == now.data.id", "warning", _HOLDS),
        ("now.status == 'success' or now.data.note == 'x'", "warning", _HOLDS),
        ("now.status == before.status", "warning", "now.status can only be success or error"),
        ("request.body.startsAt == 'x'", "warning", "names nothing that was read after the call"),
    ],
)  # fmt: skip
def test_a_condition_that_tells_nothing(tmp_path: Path, condition: str, level: str | None, words: str) -> None:
    overlay = OVERLAY.replace(_CHECK, f'"{condition}"' if '"' not in condition else condition)
    overlay = overlay.replace("before.startsAt", "before.data.startsAt")
    overlay = overlay.replace("[startsAt, status, seats.holder]", "[data.startsAt]").replace("[seats.id]", "[]")
    found = findings(tmp_path / "studio", overlay, enveloped())
    assert len(found) == (level is not None), found
    assert all(row.startswith(f"{level}: ") and words in row for row in found), found
