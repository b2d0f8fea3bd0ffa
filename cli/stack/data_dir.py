"""The folder of all local state belongs to one stack at a time: two Temporal servers on one SQLite file lose shards.

The lock is the operating system's (`flock(2)`), so it ends with the process that held it, in any way.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from contracts.base import StrictModel

_LOCK = "lock"
_BESIDE = "stack.json"


class StackInfo(StrictModel):
    """What a running stack stores for other commands: the addresses of its Temporal service and of Temporal's page."""

    temporal: str
    temporal_ui: str


@contextmanager
def lock_data_dir(folder: Path, address: str) -> Iterator[None]:
    """Hold the folder, created for the current user only if it does not exist. `address` is what other processes see as
    this stack's.

    Raises `OSError` that names the folder, the process that holds it, and the way out.
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
        # The file stays, because deleting it would let a third stack lock another file of the same name.
        os.close(file)


@contextmanager
def write_info(folder: Path, info: StackInfo) -> Iterator[None]:
    """Store the info in the folder, which the caller has locked."""
    file = folder / _BESIDE
    file.write_text(info.model_dump_json(), encoding="utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def read_info(folder: Path, temporal: str) -> StackInfo | None:
    """Return the info of the stack that holds this folder; None if it names another Temporal service. Never raises."""
    # A killed process leaves its file. It is used only by a process that has reached the Temporal service that it
    # names.
    with suppress(OSError, ValidationError):
        info = StackInfo.model_validate_json((folder / _BESIDE).read_bytes())
        return info if info.temporal == temporal else None
    return None
