"""Packs that are cached between starts.

- A pack from the cache equals the pack that was read, in a fraction of the time; any changed file rebuilds it.
- A cache that is broken or cannot be written costs nothing but time.
"""

from pathlib import Path

from registry.loading.load import load_pack


def test_a_kept_pack_is_the_same(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = load_pack(folder, cache=cache)
    again = load_pack(folder, cache=cache)
    assert dict(again.actions) == dict(first.actions)
    assert (again.profile, again.check, again.version) == (first.profile, first.check, first.version)
    assert (again.findings, again.skipped) == (first.findings, first.skipped)
    assert len(list(cache.iterdir())) == 1
    assert again.seconds < 0.15


def test_a_changed_file_makes_it_again(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    before = load_pack(folder, cache=cache)
    path = folder / "actions" / "edit_note.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("iq_enabled: true", "iq_enabled: false"), encoding="utf-8")
    after = load_pack(folder, cache=cache)
    assert "edit_note" in before.actions and "edit_note" not in after.actions
    assert before.version != after.version


def test_a_broken_cache_is_passed_over(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    load_pack(folder, cache=cache)
    for path in cache.iterdir():
        path.write_text("{", encoding="utf-8")
    assert len(load_pack(folder, cache=cache).actions) == 8
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert len(load_pack(folder, cache=blocked / "cache").actions) == 8
