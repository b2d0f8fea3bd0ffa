"""Bodies that are one of several forms (`oneOf`, `anyOf`). Guarantees:

- a name is good when any of the forms has it, however deep, also as `in: body.NAME`; a misspelt one is found, and the
  nearest name of any form offered;
- a constant must fit one of the forms; a form that is open leaves names open.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from registry import Scope, build_request
from tests.registry.studio import DOCUMENT, OVERLAY, load, said

TEXT = {"type": "string"}


def one_of(*more: dict[str, Any]) -> dict[str, Any]:
    """The studio's document, where a lesson is moved to an instant or into a series."""
    document = deepcopy(DOCUMENT)
    media = document["paths"]["/lessons/{lesson_id}"]["patch"]["requestBody"]["content"]["application/json"]
    series = {
        "type": "object", "required": ["seriesId"],
        "properties": {"seriesId": {"type": "integer"}, "why": {"type": "object", "properties": {"reason": TEXT}}},
    }  # fmt: skip
    media["schema"] = {"oneOf": [media["schema"], series, *more]}
    return document


def found(tmp_path: Path, old: str, new: str, *more: dict[str, Any]) -> list[str]:
    assert old in OVERLAY
    pack = load(tmp_path / "studio", OVERLAY.replace(old, new, 1), document=one_of(*more))
    return [f"{f.message}; {f.hint}" for f in pack.findings if f.level == "error"]


REQUEST = "    startsAt: "


@pytest.mark.parametrize(("new", "words"), [
    ("    strtsAt: ", "did you mean startsAt?"),
    ("    seriesID: 4\n    startsAt: ", "did you mean seriesId?"),
    ("    why: {reasn: x}\n    startsAt: ", "did you mean reason?"),
    ("    seriesId: many\n    startsAt: ", "does not take this"),
])  # fmt: skip
def test_what_no_form_takes_is_found(new: str, words: str, tmp_path: Path) -> None:
    [message] = found(tmp_path, REQUEST, new)
    assert words in message


def test_what_any_form_takes_is_taken(tmp_path: Path) -> None:
    assert found(tmp_path / "a", REQUEST, "    seriesId: 4\n    why: {reason: late}\n    startsAt: ") == []
    anything = {"type": "object", "additionalProperties": True}
    assert found(tmp_path / "b", REQUEST, "    strtsAt: x\n    startsAt: ", anything) == []


def test_a_parameter_goes_into_any_form(tmp_path: Path) -> None:
    overlay = OVERLAY.replace("parameters:\n", "parameters:\n  because: {in: body.why.reason, required: false}\n", 1)
    pack = load(tmp_path / "studio", overlay, document=one_of())
    assert said(pack) == []
    action = pack.actions["move_lesson"]
    call = {"lesson": "l-1", "new_date": "2026-11-28", "new_time": "15:00", "because": "rain"}
    body = build_request(action, Scope.of(action, call, pack.profile).with_(before={})).body
    assert isinstance(body, dict) and body["why"] == {"reason": "rain"}
