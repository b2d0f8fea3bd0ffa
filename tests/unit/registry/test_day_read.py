"""`day` in venue.yaml: which look-up finds the bookings of a day.

- The pack calls it with the day in the one parameter of the role date, or as `with` sets it.
- A look-up that cannot find a day's bookings, or a wrong call, is an error at its line with the way out. It costs no
  action, and the pack has no day then.
- The packs of ROLLER and Bookeo have one. It stays while its action replaces a broken file.
"""

from pathlib import Path

import pytest

from registry import Pack
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack
from registry.overlays.day import day_arguments
from tests.support.shipped import shipped

DAY = "day: {action: find_bookings}\n"


def with_day(folder: Path, written: str) -> Pack:
    venue = folder / "venue.yaml"
    text = venue.read_text(encoding="utf-8")
    assert DAY in text
    venue.write_text(text.replace(DAY, written), encoding="utf-8")
    return load_pack(folder)


@pytest.mark.parametrize("name", ["roller", "bookeo"])
def test_the_shipped_packs_have_one(name: str) -> None:
    pack = shipped(name)
    assert pack.day is not None and pack.day.action == "find_bookings"
    assert day_arguments(pack.day, "2026-11-28", pack.profile) == {"date": "2026-11-28"}


def test_it_is_called_as_with_says(folder: Path) -> None:
    pack = with_day(folder, "day: {action: find_bookings, with: {date: '{{ date }}', start_time: '15:00'}}\n")
    assert pack.day is not None
    assert day_arguments(pack.day, "2026-12-01", pack.profile) == {"date": "2026-12-01", "start_time": "15:00"}


def test_without_it_there_is_no_day(folder: Path) -> None:
    pack = with_day(folder, "")
    assert pack.day is None and not pack.findings


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("{action: find_bookngs}", "day.action: no action in use is called find_bookngs", "mean find_bookings?"),
        ("{action: edit_note}", "day.action: edit_note finds no bookings", "write one of find_bookings"),
        ("{action: check_availability}", "day.action: check_availability finds no bookings", "one of find_bookings"),
        ("{action: find_bookings, with: {day: '{{ date }}'}}", "day.with: day: this action has no such argument", ""),
        ("{action: find_bookings, with: {date: '2026-11-28'}}", "day.with: nothing takes the day", "{{ date }}"),
        ("{action: find_bookings, with: {date: '{{ day }}'}}", "day.with: ", ""),
        ("{action: find_bookings, with: {date: 'on {{ date }}'}}", "day.with: date: ", ""),
    ],
)  # fmt: skip
def test_what_finds_no_day_is_reported(folder: Path, written: str, message: str, hint: str) -> None:
    pack = with_day(folder, f"day: {written}\n")
    assert pack.day is None and len(pack.actions) == 8
    [found] = pack.findings
    assert found.level == "error" and found.file == "roller/venue.yaml" and found.line
    assert found.message.startswith(message) and hint in found.hint, found


def test_where_no_parameter_is_the_day_it_wants_names(folder: Path) -> None:
    overlay = folder / "actions" / "find_bookings.yaml"
    text = overlay.read_text(encoding="utf-8")
    overlay.write_text(text.replace("    role: date\n", "    role: search\n"), encoding="utf-8")
    pack = load_pack(folder)
    assert pack.day is None
    [found] = [f for f in pack.findings if f.file == "roller/venue.yaml"]
    assert found.message == "day: find_bookings has no parameters with the role date"
    assert "with: {from:" in found.hint


def test_it_stays_with_an_action_that_stands_in(folder: Path) -> None:
    house = FolderRegistry([folder])
    overlay = folder / "actions" / "find_bookings.yaml"
    text = overlay.read_text(encoding="utf-8")
    overlay.write_text(text.replace("read_only", "x") + "safty: normal\n", encoding="utf-8")
    house.refresh()
    assert house.default_venue.day is not None
    [found] = [f for f in house.findings if f.file == "roller/venue.yaml"]
    assert found.hint == "look at its own file"
    overlay.unlink()
    house.refresh()
    assert house.default_venue.day is None
