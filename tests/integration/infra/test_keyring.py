"""The keys that encrypt payloads and tokens.

Guarantees:
- Sealed data opens to the same bytes, with the same context only; two seals of one value differ; big repetitive values
  shrink.
- Data that was changed, cut off or sealed with a key that is not on the ring is rejected with a sentence
  (`KeyringError`).
- The first key encrypts, all the others still decrypt; rotating a file puts a new key first and loses none.
- A key file is created once, readable by its owner only, also when several processes create it at the same moment.
- A pseudonym needs the key, distinguishes names however they are split, and is found by a ring that was rotated since.
- A key for another purpose is unlike the one that it is derived from, and a rotation loses none.
- A process learns which key a worker writes with and it lacks, and which of its own a worker lacks, in either order of
  the key ids; processes that can read each other have no mismatch.
- No error message ever has a key, however the line is mangled.
"""

import base64
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.config.settings import ROOT
from infra.crypto.keyring import (
    Ciphertext,
    KeyRing,
    KeyringError,
    add_to_file,
    new_key_line,
    parse_ring,
    ring_file,
    rotate_file,
)
from infra.stores.worker_config import key_mismatch, setup_of
from tests.support.tables import table

A_KEY, B_KEY = (base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2))

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
RING = KeyRing({"k1": OLD})
KEY = base64.b64encode(OLD).decode()


@settings(deadline=None)
@given(plain=st.binary(max_size=300), context=st.binary(max_size=20))
def test_what_is_sealed_opens_to_the_same_bytes(plain: bytes, context: bytes) -> None:
    sealed = RING.seal(plain, context)

    assert sealed.key_id == "k1"
    assert RING.open(sealed, context) == plain


@settings(deadline=None)
@given(plain=st.binary(max_size=100), place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_single_changed_bit_is_refused(plain: bytes, place: int, bit: int) -> None:
    sealed = RING.seal(plain)
    changed = bytearray(sealed.data)
    changed[place % len(changed)] ^= 1 << bit

    with pytest.raises(KeyringError, match="changed after it was encrypted with key k1"):
        RING.open(Ciphertext("k1", bytes(changed)))


@pytest.mark.parametrize("kept", [0, 1, 7, 8, 11, 12, 20, 27])
def test_what_is_cut_off_is_refused(kept: int) -> None:
    with pytest.raises(KeyringError, match="changed"):
        RING.open(Ciphertext("k1", RING.seal(b"something").data[:kept]))


def test_a_pseudonym_stays_known_after_a_rotation_and_needs_the_key() -> None:
    first = RING.pseudonyms("venue", "ada@party.example")
    rotated = KeyRing({"k2": NEW, "k1": OLD}).pseudonyms("venue", "ada@party.example")

    assert len(first) == 1 and first[0] in rotated and rotated[0] not in first
    assert not {*KeyRing({"k1": NEW}).pseudonyms("venue", "ada@party.example")} & {*first}
    assert RING.pseudonyms("venue", "ada") != RING.pseudonyms("venu", "eada") != RING.pseudonyms("venueada")
    assert KEY not in first[0] and "ada" not in first[0] and len(first[0]) == 32


def test_a_key_for_another_purpose_is_unlike_what_encrypts_and_stays_known_after_a_rotation() -> None:
    [drawn], [other] = RING.random_bytes(b"one purpose"), RING.random_bytes(b"another")
    rotated = KeyRing({"k2": NEW, "k1": OLD}).random_bytes(b"one purpose")

    assert len(drawn) == 32 and len({drawn, other, OLD, rotated[0]}) == 4
    assert rotated[1:] == (drawn,)


def test_a_value_opens_only_where_it_belongs() -> None:
    with pytest.raises(KeyringError, match="changed"):
        RING.open(RING.seal(b"token", b"tok-1"), b"tok-2")


def test_two_seals_of_one_thing_differ() -> None:
    assert RING.seal(b"same").data != RING.seal(b"same").data


def test_nothing_readable_is_left_and_repetition_shrinks() -> None:
    plain = b"John Smith, +61 491 570 156; " * 1000

    sealed = RING.seal(plain)

    assert b"John" not in sealed.data
    assert len(sealed.data) < len(plain) / 20


def test_an_unknown_key_is_named() -> None:
    with pytest.raises(KeyringError, match="key k1, which is not on the ring"):
        KeyRing({"k2": NEW}).open(RING.seal(b"x"))


def test_the_first_key_encrypts_and_the_others_still_read() -> None:
    rotated = KeyRing({"k2": NEW, "k1": OLD})

    assert rotated.open(RING.seal(b"from before")) == b"from before"
    assert rotated.seal(b"from now on").key_id == rotated.primary == "k2"


def test_a_ring_is_lines_or_commas_with_comments() -> None:
    first, second = new_key_line(), new_key_line()

    lines, commas = parse_ring(f"# ours\n{first}\n\n{second}\n"), parse_ring(f" {first} , {second} ")

    assert lines.primary == commas.primary == first.split(":")[0]
    assert commas.open(parse_ring(second).seal(b"x")) == b"x"


def test_a_fresh_key_carries_its_day_and_is_unlike_any_other() -> None:
    line = new_key_line(datetime(2026, 11, 27, tzinfo=UTC))

    assert line.startswith("k20261127-")
    assert len(base64.b64decode(line.split(":")[1])) == 32
    assert line != new_key_line(datetime(2026, 11, 27, tzinfo=UTC))


def test_what_is_no_key_is_named_by_its_place() -> None:
    for text, place in ((f"{new_key_line()}\nnonsense", 2), (f"nonsense,{new_key_line()}", 1)):
        with pytest.raises(KeyringError, match=f"^Key {place} is not"):
            parse_ring(text)


def test_a_ring_without_keys_says_how_to_make_one() -> None:
    for empty in ("", "\n# only a comment\n", ","):
        with pytest.raises(KeyringError, match="iq keys new"):
            parse_ring(empty)


@table("line", [
    KEY, f":{KEY}", f"{KEY}:", f"{KEY}:k1", f"{KEY}:k1id", f"k1 {KEY}", f"k1={KEY}", f"k1:{KEY}x", f"k1:{KEY[:-3]}",
    f"k1:{KEY}{KEY}", f"k1:{KEY[:20]}", f"k1::{KEY}", f'"k1:{KEY}"', f"k1: {KEY}",
    KEY.rstrip("="), f"{KEY.rstrip('=')}:abcd",
])  # fmt: skip
def test_a_mangled_line_is_refused_without_telling_the_key(line: str) -> None:
    with pytest.raises(KeyringError) as problem:
        parse_ring(f"k0:{base64.b64encode(NEW).decode()}\n{line}")

    shown = f"{problem.value} {problem.value.__cause__} {problem.value.args}"
    assert not any(KEY[start : start + 8] in shown for start in range(len(KEY) - 8))


def test_a_key_of_the_wrong_length_is_named_by_its_id() -> None:
    with pytest.raises(KeyringError, match="Key k1 has 16 bytes instead of 32"):
        parse_ring("k1:" + base64.b64encode(bytes(16)).decode())


def test_a_key_file_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "keys"

    first = ring_file(path)
    again = ring_file(path)

    assert again.open(first.seal(b"x")) == b"x"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["keys"]


def test_rotating_puts_a_new_key_first_and_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    before = ring_file(path).seal(b"from before")

    new_id = rotate_file(path)
    ring = ring_file(path)

    assert ring.primary == new_id != before.key_id
    assert ring.open(before) == b"from before"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["keys"]


def test_rotating_where_there_is_no_file_makes_one(tmp_path: Path) -> None:
    new_id = rotate_file(tmp_path / "keys")

    assert ring_file(tmp_path / "keys").primary == new_id


def test_an_empty_key_file_is_a_sentence_not_a_new_key(tmp_path: Path) -> None:
    (tmp_path / "keys").touch()

    with pytest.raises(KeyringError, match="at least one key"):
        ring_file(tmp_path / "keys")


def test_keys_of_a_backup_come_behind_those_in_use_and_none_is_lost(tmp_path: Path) -> None:
    mine, backup = tmp_path / "keys", tmp_path / "backup"
    mine.write_text("# ours\nnew:" + A_KEY + "\n")
    backup.write_text("old:" + B_KEY + ",new:" + A_KEY)
    sealed = parse_ring(backup.read_text()).seal(b"hello")
    assert add_to_file(mine, backup) == ["old"]
    ring = parse_ring(mine.read_text())
    assert (ring.primary, ring.ids, ring.open(sealed)) == ("new", {"new", "old"}, b"hello")
    assert stat.S_IMODE(mine.stat().st_mode) == 0o600
    assert add_to_file(mine, backup) == []


def test_another_key_under_the_same_id_is_refused_and_nothing_is_added(tmp_path: Path) -> None:
    mine, backup = tmp_path / "keys", tmp_path / "backup"
    mine.write_text("k:" + A_KEY + "\n")
    for wrong in ("k:" + B_KEY, "k:" + A_KEY + "\nx:short", "nonsense"):
        backup.write_text(wrong)
        with pytest.raises(KeyringError) as shown:
            add_to_file(mine, backup)
        assert B_KEY not in str(shown.value)
        assert mine.read_text() == "k:" + A_KEY + "\n"


def test_processes_that_start_together_end_with_one_key(tmp_path: Path) -> None:
    # Each process waits for the same moment, then creates the same file many times over, under many names.
    moment = tmp_path / "go"
    code = (
        "import sys, time; from pathlib import Path; from infra.crypto.keyring import ring_file\n"
        f"folder = Path({str(tmp_path)!r}); print('ready', flush=True)\n"
        f"while not Path({str(moment)!r}).exists(): pass\n"
        "print(*(ring_file(folder / f'keys{n}').primary for n in range(60)))"
    )
    racers = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    moment.touch()
    seen = [racer.communicate(timeout=110)[0].split() for racer in racers]

    assert [racer.returncode for racer in racers] == [0, 0, 0]
    assert len(seen[0]) == 60
    assert seen[0] == seen[1] == seen[2]


def test_keys_are_random() -> None:
    assert len({new_key_line().split(":")[1] for _ in range(20)}) == 20


@pytest.mark.parametrize(("old", "new"), [("a", "b"), ("b", "a")])
def test_a_key_that_one_process_lacks_is_named_on_both_sides(old: str, new: str) -> None:
    lines = {"a": f"a:{A_KEY}", "b": f"b:{B_KEY}"}
    rings = {"before": lines[old], "added": f"{lines[old]},{lines[new]}", "rotated": f"{lines[new]},{lines[old]}"}
    before, added, rotated = (setup_of(parse_ring(text), {}) for text in rings.values())
    assert key_mismatch(before, [rotated]) == [f"a worker writes with key {new}, which this process does not have"]
    assert key_mismatch(rotated, [before]) == [f"a worker does not have key {new}, which this process writes with"]
    for own, worker in ((before, added), (added, before), (added, rotated), (rotated, added)):
        assert key_mismatch(own, [worker]) == []
