"""A file with wrong keys reports its other mistakes at the same time, read as it was most likely meant; it gives no
action all the same, and mere consequences of the wrong key are not reported."""

from pathlib import Path

import pytest

from tests.unit.registry.studio import OVERLAY, load, write

WRONG = OVERLAY.replace("now.startsAt | same", "now.startAt | same")
OTHER = "there is no now.startAt"


def errors(folder: Path, overlay: str) -> list[str]:
    pack = load(folder, overlay)
    assert "move_lesson" not in pack.actions and pack.skipped == ("move_lesson",)
    return [f.message.partition(": ")[2] for f in pack.findings]


@pytest.mark.parametrize(
    ("right", "wrong", "text"),
    [
        ("  covers: [startsAt, status, seats.holder]\n", "", "field required"),
        ("  covers: [", "  coverz: [", "is no key of an overlay"),
        ("snapshot:", "snapsot:", "is no key of an overlay"),
        ("title: Move lesson\n", "", "field required"),
        ("title: Move", "titel: Move", "is no key of an overlay"),
        ("{role: date, describe", "{role: dat, describe", "'dat' is not one of its words"),
    ],
)
def test_a_wrong_key_hides_nothing_and_is_reported_once(tmp_path: Path, right: str, wrong: str, text: str) -> None:
    assert OVERLAY.count(right) == 1
    [only] = errors(tmp_path / "a", OVERLAY.replace(right, wrong))
    assert only == text
    first, second = errors(tmp_path / "b", WRONG.replace(right, wrong))
    assert first == text and second.startswith(OTHER)


@pytest.mark.parametrize("more", ["something: 3\n", "require_any: 3\n", "title: [a]\n"])
def test_what_cannot_be_reported_is_left_at_the_first(tmp_path: Path, more: str) -> None:
    assert len(errors(tmp_path / "a", WRONG.replace("title: Move lesson\n", "") + more)) == (
        1 if "title" in more else 2
    )


def test_it_takes_nothing_from_another_file(tmp_path: Path) -> None:
    """A copy that is being edited does not block the one that works."""
    folder = write(tmp_path / "studio")
    (folder / "actions" / "copy.yaml").write_text(OVERLAY.replace("title: Move", "titel: Move"), encoding="utf-8")
    pack = load(folder)
    assert "move_lesson" in pack.actions and [f.file for f in pack.findings] == ["studio/actions/copy.yaml"]
