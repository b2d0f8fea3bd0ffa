"""A pack read in a process of its own, with limits on time and memory: no file can hang or take down who serves.

The child tells by its output which file is next. One that it never gets past is named, and the pack is read again
without it; so the worst file costs `Child.silent` seconds, and a whole pack `_LONGEST`.
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

from registry.cache import Kept
from registry.faults import PackError
from registry.load import read_here
from registry.watch import Watch

_MEMORY = 1536 * 2**20
"""Bytes of address space: Python and its libraries take 300 MB, the largest document seen 300 more."""

_LONGEST = 120.0
_MOST_LEFT_OUT = 20


@dataclass(frozen=True)
class Child:
    """The process that reads. `silent` are the seconds that it may go without a word, for what no signal interrupts: an
    overlay's own time ends long before (`watch.py`). An API document has more."""

    command: tuple[str, ...] = (sys.executable, "-P", "-m", "registry.apart")
    silent: float = 15.0
    silent_at_document: float = 60.0


def read_apart(folder: Path, base_url: str | None, document: Path | None, child: Child = Child()) -> tuple[Kept, bool]:
    """As `registry.load.read_here`, in a process of its own. Raises PackError, also when too many files never end."""
    refused: dict[str, str] = {}
    until = time.monotonic() + _LONGEST
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "pack.json"
        asked = {"folder": str(folder), "base_url": base_url, "document": str(document) if document else None}
        for _ in range(_MOST_LEFT_OUT):
            told = _told(child, {**asked, "out": str(out), "refused": refused}, until)
            if "failed" in told:
                raise PackError(str(told["failed"]))
            if "late" in told:
                return _made(out, folder), not (told["late"] or refused)
            at = str(told["at"])
            if not at or at in refused:
                break
            refused[at] = str(told["why"])
    raise PackError(f"the pack {folder.name} could not be read: {refused or 'its reader ended without a word'}")


def _made(out: Path, folder: Path) -> Kept:
    try:
        return Kept.model_validate_json(out.read_bytes())
    except (OSError, ValidationError) as error:
        raise PackError(f"the pack {folder.name} could not be read: {type(error).__name__}") from error


def _told(by: Child, asked: dict[str, object], until: float) -> dict[str, object]:
    """The child's last word; where it had none, the file it was `at` and `why` it did not get past it."""
    root = Path(__file__).resolve().parents[1]
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
        child.stdin.write(json.dumps(asked).encode())
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
    """Every line, and an empty one at the end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _main() -> None:
    """Read the pack that is asked for on the standard input, within limits."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(_LONGEST), int(_LONGEST)))
    asked = json.load(sys.stdin)
    folder, document = Path(asked["folder"]), asked["document"]

    def say(**word: object) -> None:
        print(json.dumps(word), flush=True)

    watch = Watch(refused=asked["refused"], announce=lambda label: say(at=label), timed=True)
    try:
        made, whole = read_here(folder, asked["base_url"], Path(document) if document else None, watch)
        Path(asked["out"]).write_text(made.model_dump_json(), encoding="utf-8")
        say(late=not whole)
    except PackError as error:
        say(failed=str(error))


if __name__ == "__main__":
    _main()
