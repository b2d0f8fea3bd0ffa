"""`unprocessed: true` is only for refusals that no first copy of the same request can cause: for a full session and for
conflicts the loader refuses it, with file, line and the way out."""

from pathlib import Path
from shutil import copytree

import pytest

from registry.loading.load import load_pack
from tests.support.shipped import shipped
from tests.unit.registry.examples import ROLLER

PACKS = ROLLER.parent
REASON = "may be caused by a first copy of the same request"


def errors_with(tmp_path: Path, rule: str) -> list[str]:
    """Return the loader's errors for the calendar's new meeting with this rule for `overlap`."""
    folder = Path(copytree(PACKS / "calendar", tmp_path / "calendar"))
    path = folder / "actions" / "schedule_meeting.yaml"
    was = "  - code: overlap\n    type: conflict\n"
    assert was in path.read_text()
    path.write_text(path.read_text().replace(was, rule if "overlap" in rule else rule + was))
    pack = load_pack(folder)
    found = [f for f in pack.findings if f.level == "error" and REASON in f.message]
    assert ("schedule_meeting" in pack.actions) is not bool(found)
    assert all(f.file.endswith("schedule_meeting.yaml") and f.line and "validation errors" in f.hint for f in found)
    return [f.message for f in found]


@pytest.mark.parametrize(
    "rule",
    [
        "  - code: overlap\n    unprocessed: true\n    type: conflict\n",
        "  - code: overlap\n    unprocessed: true\n",
        "  - code: other\n    status: 409\n    unprocessed: true\n    type: bad_request\n",
        "  - status: 412\n    unprocessed: true\n",
        "  - code: [bad_zone, overlap]\n    unprocessed: true\n",
    ],
    ids=["a conflict", "a code of room", "a 409", "a 412", "one of several codes"],
)
def test_a_conflict_is_never_unprocessed(tmp_path: Path, rule: str) -> None:
    assert len(errors_with(tmp_path, rule)) == 1


@pytest.mark.parametrize(
    "rule",
    [
        "  - code: overlap\n    type: conflict\n",
        "  - code: bad_zone\n    unprocessed: true\n    type: bad_request\n",
        "  - code: overlap\n    unprocessed: true\n    type: bad_request\n",
    ],
    ids=["without it", "a validation error", "a code of room that is one"],
)
def test_a_validation_error_may_be(tmp_path: Path, rule: str) -> None:
    assert errors_with(tmp_path, rule) == []


@pytest.mark.parametrize(
    ("pack", "action", "code"),
    [
        ("calendar", "schedule_meeting", "in_past"),
        ("restaurant", "create_booking", "VALIDATION_ERROR"),
        ("restaurant", "change_guest_count", "TOO_MANY"),
    ],
)
def test_the_packs_declare_their_validation_errors(pack: str, action: str, code: str) -> None:
    rules = shipped(pack).actions[action].errors
    assert [rule.unprocessed for rule in rules if rule.code == code] == [True]
