"""The last good version stays in use when its file breaks.

- An action whose file is broken, in any way, or whose operation the document lost, stays as it was; the findings name
  the file, the error, the version's date and since when it is the replacement. After a fix, the new version counts. A
  truncated file is broken, too.
- An action that was deleted, disabled or blocked on purpose is gone, also when the same edit broke the file, and when
  the document is broken at the same time. No old version bypasses a current block or a current rule.
- A pack whose document or venue file is broken stays as a whole, and the other packs are loaded.
- All this survives a restart, because it is stored; and works across processes: one that never saw the good version
  gets it from the one that did, and reaches the same version.
"""

from contextlib import nullcontext
from pathlib import Path
from shutil import copytree

import pytest

import registry
from contracts.action import Finding
from registry.loading.folder_registry import FolderRegistry
from registry.loading.subprocess_reader import read_in_subprocess
from registry.secrets.names import Sensitivity
from tests.unit.registry.examples import ROLLER

NOTE = "roller/actions/edit_note.yaml"
BROKEN = {
    "no yaml": lambda text: text + "\n  - [\n",
    "a misspelt key": lambda text: text.replace("safety: normal", "safty: normal"),
    "a wrong operation": lambda text: text.replace("operation: update-a-booking", "operation: update-a-bookng", 1),
    "a template": lambda text: text.replace("summary:", "summary: '{{ nothing }}'\nx-summary:", 1),
    "a hostile template": lambda text: text.replace("summary:", f"summary: '{{{{ {'(' * 300} }}}}'\nx-summary:", 1),
    "a whole other file": lambda _: "[1, 2]",
    "too large": lambda text: text + "#" * 2**21,
}  # fmt: skip


@pytest.fixture
def note(folder: Path) -> Path:
    """Return the overlay that the tests break."""
    return folder / "actions" / "edit_note.yaml"


def house(folder: Path, cache: Path | None = None) -> FolderRegistry:
    return FolderRegistry([folder], cache=cache)


def of_note(findings: tuple[Finding, ...]) -> list[Finding]:
    return [f for f in findings if f.file == NOTE]


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_leaves_the_action_as_it_was(folder: Path, note: Path, how: str) -> None:
    open_house = house(folder)
    version, good = open_house.version, open_house.default_venue.actions["edit_note"]
    whole = note.read_text(encoding="utf-8")
    note.write_text(BROKEN[how](whole), encoding="utf-8")
    assert open_house.refresh() != version
    pack = open_house.default_venue
    assert pack.actions["edit_note"] == good and len(pack.actions) == 8
    assert "edit_note" not in pack.skipped
    errors = [f for f in of_note(open_house.findings) if f.level == "error"]
    (stays,) = [f for f in of_note(open_house.findings) if f.level == "warning"]
    assert errors
    assert "edit_note stays as it was on 20" in stays.message and "since 20" in stays.message
    assert "iq_enabled: false" in stays.hint
    (message,) = open_house.retained
    assert message.startswith("roller: edit_note is of 20")

    note.write_text(whole.replace("title: ", "title: New "), encoding="utf-8")
    open_house.refresh()
    assert open_house.default_venue.actions["edit_note"].title.startswith("New ")
    assert (open_house.retained, open_house.findings) == ((), ())


def test_a_file_that_was_cut_off_is_not_switched_off(folder: Path, note: Path) -> None:
    open_house = house(folder)
    whole = note.read_text(encoding="utf-8")
    note.write_text(whole.splitlines()[0] + "\n", encoding="utf-8")
    open_house.refresh()
    assert "edit_note" in open_house.default_venue.actions
    assert [f.level for f in of_note(open_house.findings)] == ["info", "warning"]
    note.write_text(whole.replace("iq_enabled: true\n", ""), encoding="utf-8")
    open_house.refresh()
    assert "edit_note" not in open_house.default_venue.actions, "without that line nothing happens"


def test_it_stays_over_refreshes_and_starts_with_the_same_since(
    folder: Path, note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    clock = iter(f"2026-11-2{day} 10:00" for day in range(9))
    monkeypatch.setattr("registry.loading.last_good._now", lambda: next(clock))
    first = house(folder, cache)
    good = first.default_venue.actions["edit_note"]
    note.write_text("[", encoding="utf-8")
    first.refresh()
    message = first.retained
    assert message == ("roller: edit_note is of 2026-11-20 10:00, since 2026-11-21 10:00 (UTC)",)
    again = house(folder, cache)
    assert again.default_venue.actions["edit_note"] == good
    assert (again.retained, again.version) == (message, first.version)
    assert (again.refresh(), again.retained) == (first.version, message)


@pytest.mark.parametrize(
    "text", ["iq_enabled: false\n", "safety: blocked\n", 'iq_enabled: "false"\n  - [', "safety: 'blocked'\n  - ["]
)
@pytest.mark.parametrize("document", ["whole", "broken"])
def test_what_is_switched_off_is_gone(folder: Path, note: Path, text: str, document: str) -> None:
    open_house = house(folder)
    whole = note.read_text(encoding="utf-8")
    lines = [line for line in whole.splitlines() if not line.startswith(("iq_enabled:", "safety:"))]
    note.write_text("\n".join([*lines, text]), encoding="utf-8")
    if document == "broken":
        (folder / "openapi.yaml").write_text("paths: [", encoding="utf-8")
        with pytest.raises(registry.PackError):
            open_house.refresh()
    else:
        open_house.refresh()
    assert "edit_note" not in open_house.default_venue.actions
    assert len(open_house.default_venue.actions) >= 6


@pytest.mark.parametrize("document", ["whole", "broken"])
def test_what_is_deleted_is_gone_for_good(folder: Path, note: Path, document: str) -> None:
    open_house = house(folder)
    note.unlink()
    if document == "broken":
        (folder / "venue.yaml").write_text("venue_id: [", encoding="utf-8")
        with pytest.raises(registry.PackError):
            open_house.refresh()
        assert len(open_house.default_venue.actions) == 7
        return
    open_house.refresh()
    assert len(open_house.default_venue.actions) == 7
    note.write_text("[", encoding="utf-8")
    open_house.refresh()
    assert "edit_note" not in open_house.default_venue.actions
    assert any("no earlier version" in f.message for f in of_note(open_house.findings))


def test_nothing_old_gets_past_what_another_file_blocks(folder: Path, note: Path) -> None:
    open_house = house(folder)
    other = folder / "actions" / "a_block.yaml"
    other.write_text("action: edit_note\noperation: update-a-booking\nsafety: blocked\n", encoding="utf-8")
    note.write_text("[", encoding="utf-8")
    open_house.refresh()
    assert "edit_note" not in open_house.default_venue.actions


@pytest.mark.parametrize("document", ["whole", "broken"])
def test_what_is_blocked_since_is_no_one_s_undo(tmp_path: Path, document: str) -> None:
    folder = Path(copytree(ROLLER.parent / "restaurant", tmp_path / "restaurant"))
    open_house = house(folder)
    undo = open_house.default_venue.actions["create_booking"].compensation
    assert undo is not None
    (folder / "actions" / "cancel_booking.yaml").unlink()
    block = f"action: no_cancelling\noperation: {undo.operation.key}\nsafety: blocked\n"
    (folder / "actions" / "a_block.yaml").write_text(block, encoding="utf-8")
    if document == "broken":
        (folder / "openapi.yaml").write_text("paths: [", encoding="utf-8")
    with pytest.raises(registry.PackError) if document == "broken" else nullcontext():
        open_house.refresh()
    assert "create_booking" not in open_house.default_venue.actions


def test_nothing_old_gets_past_todays_rules(folder: Path, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_house = house(folder)
    strict = lambda name, *_, **__: Sensitivity.CERTAIN if name in ("note", "comments") else Sensitivity.NONE  # noqa: E731
    monkeypatch.setattr("registry.secrets.exposure.sensitivity", strict)
    note.write_text("[", encoding="utf-8")
    open_house.refresh()
    assert "edit_note" not in open_house.default_venue.actions
    assert any("is rejected by now" in f.message for f in of_note(open_house.findings))


def test_a_document_that_lost_an_operation_leaves_its_actions(folder: Path) -> None:
    open_house = house(folder)
    path = folder / "openapi.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("operationId: update-a-booking", "operationId: update-booking"), encoding="utf-8")
    open_house.refresh()
    assert len(open_house.default_venue.actions) == 8
    assert any("edit_note is of" in message for message in open_house.retained)


@pytest.mark.parametrize("name", ["openapi.yaml", "venue.yaml"])
def test_a_pack_that_is_broken_as_a_whole_stays_so_also_over_a_start(folder: Path, tmp_path: Path, name: str) -> None:
    cache = tmp_path / "cache"
    second = Path(copytree(ROLLER, tmp_path / "second"))
    venue = second / "venue.yaml"
    venue.write_text(venue.read_text(encoding="utf-8").replace("venue_id: roller-demo", "venue_id: other"))
    both = FolderRegistry([folder, second], cache=cache)
    version, packs = both.version, both.packs
    (folder / name).write_text("x: [", encoding="utf-8")
    (second / "actions" / "edit_note.yaml").unlink()
    with pytest.raises(registry.PackError, match=name):
        both.refresh()
    assert both.packs[0].actions == packs[0].actions
    assert len(both.packs[1].actions) == 7, "another pack's fault is not this one's"
    assert both.version != version
    (finding,) = [f for f in both.findings if f.level == "error"]
    assert finding.file == "roller" and name in finding.message and "stays in force" in finding.hint
    assert [message for message in both.retained if message.startswith("roller: the whole pack is of 20")]

    again = FolderRegistry([folder, second], cache=cache)
    assert dict(again.packs[0].actions) == dict(packs[0].actions)
    assert again.packs[0].profile == packs[0].profile
    assert again.version == both.version
    with pytest.raises(registry.PackError):
        FolderRegistry([folder], cache=tmp_path / "empty")


def test_who_never_saw_it_has_it_from_who_did(folder: Path, note: Path, tmp_path: Path) -> None:
    saw = house(folder, tmp_path / "one")
    note.write_text("[", encoding="utf-8")
    published = saw.refresh()
    new = house(folder, tmp_path / "two")
    assert "edit_note" not in new.default_venue.actions and new.version != published
    assert new.refresh(saw.shared) == published
    assert new.default_venue.actions == saw.default_venue.actions
    assert new.retained == saw.retained
    assert house(folder, tmp_path / "two").version == published, "and keeps it"
    for nonsense in ("{", '{"roller": {"x": 1}}'):
        assert "edit_note" not in _refreshed(house(folder), nonsense).default_venue.actions


def test_nothing_is_shared_while_nothing_stands_in(folder: Path) -> None:
    assert house(folder).shared == ""


@pytest.mark.slow
def test_a_pack_read_apart_stays_as_well(folder: Path, note: Path, tmp_path: Path) -> None:
    open_house = FolderRegistry([folder], None, tmp_path / "cache", read_in_subprocess)
    note.write_text("[", encoding="utf-8")
    open_house.refresh()
    assert len(open_house.default_venue.actions) == 8


def _refreshed(one: FolderRegistry, shared: str) -> FolderRegistry:
    one.refresh(shared)
    return one
