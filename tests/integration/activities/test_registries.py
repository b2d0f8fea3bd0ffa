"""The registry of several processes, as activities see it. Guarantees:

- A process that starts beside a broken file and never loaded the good version gets the action from the one that did, at
  its first call, and has the same version; also after another process refreshes.
- Where no process has a good version, the action is missing and a finding says so. An unavailable store costs nothing
  else.
- A pack that cannot be loaded at all is rejected, and the other packs are published nevertheless.
"""

from pathlib import Path
from shutil import copytree

import pytest

from clients.registry import Registries
from infra.config.settings import ROOT
from infra.crypto.keyring import new_key_line, parse_ring
from infra.errors import DependencyUnavailableError
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry import PackError
from registry.loading.folder_registry import FolderRegistry

VENUE = "roller-demo"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the ROLLER pack."""
    return Path(copytree(ROOT / "overlays" / "roller", tmp_path / "roller"))


def process(folder: Path, board: PublishedVersion, cache: str) -> Registries:
    """Return one process with a disk of its own."""
    return Registries(FolderRegistry((folder,), cache=folder.parent / cache), board)


async def test_who_never_saw_the_good_version_has_it_at_the_first_call(folder: Path) -> None:
    board = PublishedVersion(Store(), parse_ring(new_key_line()))
    saw = process(folder, board, "one")
    good = saw.registry.default_venue.actions["edit_note"]
    (folder / "actions" / "edit_note.yaml").write_text("[", encoding="utf-8")
    published = await saw.refresh()

    new = process(folder, board, "two")
    assert new.registry.version != published
    assert (await new.pack(VENUE)).actions["edit_note"] == good
    assert new.registry.version == published
    assert new.registry.retained == saw.registry.retained

    other = process(folder, board, "three")
    assert await other.refresh() == published, "who refreshes without having seen it takes nothing away"
    assert (await saw.pack(VENUE)).actions["edit_note"] == good

    (folder / "actions" / "edit_note.yaml").unlink()
    await other.refresh()
    assert all(["edit_note" not in (await one.pack(VENUE)).actions for one in (saw, new, other)])


async def test_where_no_one_knows_better_a_finding_says_so(folder: Path) -> None:
    board = PublishedVersion(Store(), parse_ring(new_key_line()))
    (folder / "actions" / "edit_note.yaml").write_text("[", encoding="utf-8")
    alone = process(folder, board, "one")
    await alone.refresh()
    assert "edit_note" not in (await alone.pack(VENUE)).actions
    assert [f.message for f in alone.registry.findings if "no earlier version" in f.message]
    assert alone.registry.retained == ()


async def test_a_store_that_is_away_costs_only_what_it_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = PublishedVersion(Store(), parse_ring(new_key_line()))
    saw = process(folder, board, "one")

    async def away(_: PublishedVersion) -> str:
        raise DependencyUnavailableError("store")

    monkeypatch.setattr(PublishedVersion, "retained", away)
    (folder / "actions" / "edit_note.yaml").write_text("[", encoding="utf-8")
    await saw.refresh()
    assert len((await saw.pack(VENUE)).actions) == 8


async def test_what_can_be_taken_up_is_published_beside_what_cannot(folder: Path, tmp_path: Path) -> None:
    second = Path(copytree(folder, tmp_path / "second"))
    venue = second / "venue.yaml"
    venue.write_text(venue.read_text(encoding="utf-8").replace("venue_id: roller-demo", "venue_id: other"))
    board = PublishedVersion(Store(), parse_ring(new_key_line()))
    both = Registries(FolderRegistry((folder, second)), board)
    (folder / "openapi.yaml").write_text("paths: [", encoding="utf-8")
    (second / "actions" / "edit_note.yaml").unlink()
    with pytest.raises(PackError, match=r"openapi\.yaml"):
        await both.refresh()
    assert await board.published() == both.registry.version
    assert len((await both.pack(VENUE)).actions) == 8
    assert len((await both.pack("other")).actions) == 7
