"""The folder of all local state belongs to one stack at a time: two Temporal servers on one SQLite file lose shards.

The lock is the operating system's (`flock(2)`), so it ends with the process that held it, however that ended.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from contracts.base import Edge

_LOCK = "lock"
_BESIDE = "stack.json"


class Beside(Edge):
    """What the stack that has a folder tells commands beside it: where its Temporal service and that one's page are."""

    temporal: str
    temporal_ui: str


@contextmanager
def claimed(folder: Path, address: str) -> Iterator[None]:
    """Hold the folder, made for us alone where it is not there. `address` is what others are told of this stack.

    Raises `OSError` naming the folder, who holds it, and the way out.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(file, 200, 0).decode(errors="replace").strip()
            raise OSError(
                f"{folder.resolve()} is in use{f' by {holder}' if holder else ''}. Stop that stack, or choose another "
                f"folder with --data."
            ) from None
        os.ftruncate(file, 0)
        os.pwrite(file, f"the stack at {address} (process {os.getpid()})".encode(), 0)
        yield
    finally:
        # The file stays: taking it away would let a third stack lock another file of the same name.
        os.close(file)


@contextmanager
def told_in(folder: Path, told: Beside) -> Iterator[None]:
    """Tell it in the folder, which the caller has claimed."""
    file = folder / _BESIDE
    file.write_text(told.model_dump_json(), encoding="utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def beside(folder: Path, temporal: str) -> Beside | None:
    """What the stack tells that has this folder; None where none of that Temporal service has told anything. Never
    raises."""
    # One that was killed leaves its word behind: it is taken only by whoever has reached the service it tells of.
    with suppress(OSError, ValidationError):
        told = Beside.model_validate_json((folder / _BESIDE).read_bytes())
        return told if told.temporal == temporal else None
    return None
