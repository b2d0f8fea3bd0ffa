"""Follows the first part of `overlays/README.md` as a reader does, in a separate folder.

A block ```console holds commands behind `$ ` and their output. A block ```yaml FILE holds lines of that file: each
replaces the line that begins alike; with `(at the end)` behind the name they are added there. `python -m
tests.e2e.packaging.first_pack` writes the commands' real output into the page.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from infra.config.settings import ROOT
from tests.support.stacks import free_base
from tests.support.waiting import STARTING

PAGE = ROOT / "overlays" / "README.md"
END = "# The reference"
_PORT = "8709"
_BLOCK = re.compile(r"^```(console|yaml)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    """One command of the page, and its output according to the page."""

    line: str
    shown: str


@dataclass
class Edit:
    """Lines that the reader puts into a file."""

    path: str
    lines: list[str]
    at_end: bool


def steps(text: str) -> Iterator[Command | Edit]:
    """Yield the steps of the page, in order."""
    for kind, about, body in _BLOCK.findall(text.partition(END)[0]):
        if kind == "yaml" and about.strip():
            path, _, where = about.strip().partition(" ")
            yield Edit(path, body.splitlines(), bool(where))
        elif kind == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                yield Command(line, shown)


class Reader:
    """Does the steps in `folder`, beside a school at a separate port."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, str(port)

    def do(self, step: Command | Edit) -> str:
        """Do a step. Return a command's output as the page shows it; "" for an edit."""
        if isinstance(step, Edit):
            self._edit(step)
            return ""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            step.line, shell=True, cwd=self._folder, env={**os.environ, "PATH": path}, text=True, timeout=STARTING,
            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        for file in self._folder.glob("*.json"):
            file.write_text(file.read_text().replace(f":{_PORT}", f":{self._port}"))
        return done.stdout.replace(f":{self._port}", f":{_PORT}").replace(str(self._folder), ".")

    def _edit(self, step: Edit) -> None:
        file = self._folder / step.path
        lines = file.read_text().splitlines()
        for new in step.lines if not step.at_end else ():
            begins = new.partition(":")[0] + ":"
            places = [n for n, old in enumerate(lines) if old.startswith(begins)]
            assert len(places) == 1, f"{step.path} has {len(places)} lines that begin with {begins!r}"
            lines[places[0]] = new
        file.write_text("\n".join(lines + (step.lines if step.at_end else [])) + "\n")


@contextmanager
def reader() -> Iterator[Reader]:
    """Return a reader with an empty folder and the school running in another window."""
    port = free_base(1)
    with tempfile.TemporaryDirectory() as folder:
        school = subprocess.Popen(
            [sys.executable, "-m", "cli.main", "sandbox", "first", "--port", str(port)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + STARTING
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/openapi.json")
                    break
                except httpx.TransportError:
                    assert time.monotonic() < until, "the school did not start"
                    time.sleep(0.1)
            yield Reader(Path(folder), port)
        finally:
            school.terminate()
            school.wait(STARTING)


def rewritten(text: str) -> str:
    """Return the page with the current output of its commands."""
    done, rest = "", text
    with reader() as one:
        for step in steps(text):
            printed = one.do(step)
            if isinstance(step, Command):
                before, line, rest = rest.partition(f"$ {step.line}\n")
                done, rest = f"{done}{before}{line}{printed}", rest.removeprefix(step.shown)
    return done + rest


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text()))
