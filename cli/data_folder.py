"""The folder of all local state belongs to one stack at a time: two Temporal servers on one SQLite file lose shards.

The lock is the operating system's (`flock(2)`), so it ends with the process that held it, however that ended.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOCK = "lock"


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
