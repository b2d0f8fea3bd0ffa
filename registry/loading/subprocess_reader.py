"""Reads a pack in a subprocess, with limits on time and memory, so that no file can block or crash the serving process.

The child's output names the next file. A file that it does not finish is reported, and the pack is read again without
it. So the worst file costs `Child.silent` seconds, and a whole pack `_LONGEST`.
"""

import json
import os
import queue
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from registry.errors import PackError
from registry.loading.cache import CachedPack
from registry.loading.load import read_here
from registry.loading.time_limit import TimeLimiter

_MEMORY = 1536 * 2**20
"""Bytes of address space: Python and its libraries take 300 MB, the largest document seen 300 more."""

_LONGEST = 120.0
_MOST_LEFT_OUT = 20


@dataclass(frozen=True)
class Child:
    """The subprocess that reads. `silent` is how many seconds it may be without output, for code that no signal
    interrupts; an overlay's own time limit ends long before (`time_limit.py`). An API document has more."""

    command: tuple[str, ...] = (sys.executable, "-P", "-m", "registry.loading.subprocess_reader")
    silent: float = 15.0
    silent_at_document: float = 60.0


def read_in_subprocess(
    folder: Path, base_url: str | None, document: Path | None, child: Child = Child()
) -> tuple[CachedPack, bool]:
    """Read a pack as `registry.loading.load.read_here`, in a subprocess. Raises PackError, also when too many files
    never finish."""
    refused: dict[str, str] = {}
    until = time.monotonic() + _LONGEST
    with tempfile.TemporaryDirectory() as location:
        out = Path(location) / "pack.json"
        request = {"folder": str(folder), "base_url": base_url, "document": str(document) if document else None}
        for _ in range(_MOST_LEFT_OUT):
            fields = _last_message(child, {**request, "out": str(out), "refused": refused}, until)
            if "failed" in fields:
                raise PackError(str(fields["failed"]))
            if "late" in fields:
                return _made(out, folder), not (fields["late"] or refused)
            at = str(fields["at"])
            if not at or at in refused:
                break
            refused[at] = str(fields["why"])
    raise PackError(f"the pack {folder.name} could not be read: {refused or 'its reader ended without a word'}")


def _made(out: Path, folder: Path) -> CachedPack:
    try:
        return CachedPack.model_validate_json(out.read_bytes())
    except (OSError, ValidationError) as error:
        raise PackError(f"the pack {folder.name} could not be read: {type(error).__name__}") from error


def _last_message(by: Child, request: dict[str, object], until: float) -> dict[str, object]:
    """Return the child's last message; if it had none, the file it was `at` and `why` it did not finish it."""
    root = Path(__file__).resolve().parents[2]
    child = subprocess.Popen(
        by.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert child.stdin is not None and child.stdout is not None
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True).start()
    at, why, silent = "", "ends the process that reads it", by.silent_at_document
    try:
        child.stdin.write(json.dumps(request).encode())
        child.stdin.close()
        while line := lines.get(timeout=max(0.0, min(silent, until - time.monotonic()))):
            word: dict[str, object] = json.loads(line)
            if "at" not in word:
                return word
            at = str(word["at"])
            silent = by.silent if "/actions/" in at else by.silent_at_document
    except queue.Empty:
        why = f"takes longer than {silent:g} s to load"
    except OSError:
        why = "could not be asked for"
    finally:
        child.kill()
        child.wait()
    return {"at": at, "why": f"{why}: make it simpler"}


def _read(stream: IO[bytes], lines: "queue.Queue[bytes]") -> None:
    """Queue every line, and an empty one at the end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _main() -> None:
    """Read the pack that the standard input names, within limits."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(_LONGEST), int(_LONGEST)))
    asked = json.load(sys.stdin)
    folder, document = Path(asked["folder"]), asked["document"]

    def say(**word: object) -> None:
        print(json.dumps(word), flush=True)

    watch = TimeLimiter(refused=asked["refused"], announce=lambda label: say(at=label), timed=True)
    try:
        pack, whole = read_here(folder, asked["base_url"], Path(document) if document else None, watch)
        Path(asked["out"]).write_text(pack.model_dump_json(), encoding="utf-8")
        say(late=not whole)
    except PackError as error:
        say(failed=str(error))


if __name__ == "__main__":
    _main()
