"""`python -m tests.mutants`: applies each bug of `bugs.py` to a copy of the tree, one at a time, and runs the tests
that should notice it. Prints a table; exits non-zero where a bug survives or has lost its place, and where a test fails
anyway.

`--only NAME` (repeatable) runs some of them, `--list` names them all.
"""

import argparse
import asyncio
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.bug import Bug, LostError, put_in
from tests.mutants.bugs import BUGS

ROOT = Path(__file__).resolve().parents[2]
_AT_ONCE = 2
_LONGEST = 300.0
"""Seconds for one bug's tests."""
_ALL_CLEAN = 1800.0
"""Seconds for the tests of all bugs, without any."""
_END_WITHIN = 30.0
"""Seconds in which tests that are broken off end what they have started."""
_ALL_PASSED, _SOME_FAILED = 0, 1
"""pytest's exit codes; any other one says nothing about the bug."""
# Skips Python's own shutdown, in which a thread of Temporal's may crash and spoil the exit code.
_PYTEST = "import os, sys, pytest; code = pytest.main(sys.argv[1:]); sys.stdout.flush(); os._exit(code)"

_stamps = itertools.count(int(time.time()) + 1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one bug ended: "caught", "SURVIVED", or why that is unknown. `output` explains it."""

    bug: Bug
    word: str
    seconds: float = 0.0
    output: str = ""

    @property
    def caught(self) -> bool:
        """Return whether a test failed because of it."""
        return self.word == "caught"

    @property
    def row(self) -> str:
        """Return it in one line of the table."""
        return f"{self.word:<12} {self.seconds:5.1f} s  {self.bug.name:<38} {self.bug.guarantee}"


def copied(folder: Path) -> Path:
    """Return a copy of everything that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@contextmanager
def bug_in(tree: Path, bug: Bug) -> Iterator[None]:
    """Put the bug into the tree within the block. Raises `LostError`."""
    path, wrong = put_in(bug, tree)
    right = path.read_text(encoding="utf-8")
    _write(path, wrong)
    try:
        yield
    finally:
        _write(path, right)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # Python accepts a compiled file as fresh by its source's size and second.
    stamp = next(_stamps)
    os.utime(path, (stamp, stamp))


async def tested(tests: Sequence[str], tree: Path, within: float) -> tuple[int, str]:
    """Return (pytest's exit code, the end of its output) within so many seconds. Leaves none of its processes
    running."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PYTEST, "-q", "-x", "-p", "no:cacheprovider", *tests, cwd=tree,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""}, start_new_session=True,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output = asyncio.create_task(process.communicate())
    try:
        await asyncio.wait([output], timeout=within)
        if not output.done():
            return -1, f"no end within {within:.0f} s"
        return process.returncode or 0, output.result()[0].decode(errors="replace")[-1500:]
    finally:
        if not output.done():
            process.send_signal(signal.SIGINT)
            await asyncio.wait([output], timeout=_END_WITHIN)
        _end_all_of(tree)
        await output


def _end_all_of(tree: Path) -> None:
    # Servers have sessions of their own and little of our environment, but all begin in the folder of the test run.
    for folder in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if folder.readlink().is_relative_to(tree):
                os.kill(int(folder.parent.name), signal.SIGKILL)
        except OSError:
            continue  # It has ended, or belongs to another user.


async def judged(bug: Bug, tree: Path) -> Verdict:
    """Apply the bug and return whether its tests notice."""
    began = time.monotonic()
    try:
        with bug_in(tree, bug):
            code, output = await tested(bug.tests, tree, _LONGEST)
    except LostError as error:
        return Verdict(bug, "LOST", output=str(error))
    word = {_ALL_PASSED: "SURVIVED", _SOME_FAILED: "caught"}.get(code, f"UNCLEAR ({code})")
    return Verdict(bug, word, time.monotonic() - began, output)


async def _worked(bugs: list[Bug], tree: Path, found: list[Verdict]) -> None:
    while bugs:
        verdict = await judged(bugs.pop(0), tree)
        found.append(verdict)
        print(f"{verdict.word}: {verdict.bug.name}", flush=True)


async def _clean(bugs: Sequence[Bug], trees: Sequence[Path]) -> bool:
    """Return whether all tests pass without any bug: one that fails anyway would catch every bug."""
    tests = sorted({test for bug in bugs for test in bug.tests})
    files = sorted({test.partition("::")[0] for test in tests})
    # A file stays in one tree, so that the setup that its tests share runs once.
    shares = [[test for test in tests if test.partition("::")[0] in files[n :: len(trees)]] for n in range(len(trees))]
    async with asyncio.TaskGroup() as both:
        runs = [both.create_task(tested(own, tree, _ALL_CLEAN)) for own, tree in zip(shares, trees, strict=True) if own]
    ended = [run.result() for run in runs]
    for code, output in ended:
        if code != _ALL_PASSED:
            print(f"The tests do not pass without any bug:\n{output}")
    return all(code == _ALL_PASSED for code, _ in ended)


async def run(bugs: Sequence[Bug]) -> int:
    """Test them all. Return the exit code."""
    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    began, found, left = time.monotonic(), list[Verdict](), list(bugs)
    with tempfile.TemporaryDirectory(prefix="iq-mutants-") as folder:
        trees = [copied(Path(folder) / str(n)) for n in range(_AT_ONCE)]
        if not await _clean(bugs, trees):
            return 1
        print(f"clean: {time.monotonic() - began:.0f} s", flush=True)
        async with asyncio.TaskGroup() as both:
            for tree in trees:
                both.create_task(_worked(left, tree, found))
    found.sort(key=lambda verdict: bugs.index(verdict.bug))
    print("\n".join(["", *(verdict.row for verdict in found), ""]))
    for verdict in found:
        if not verdict.caught:
            print(f"{verdict.bug.name}, by {' '.join(verdict.bug.tests)}:\n{verdict.output}\n")
    caught = sum(verdict.caught for verdict in found)
    print(f"{caught} of {len(found)} bugs caught in {time.monotonic() - began:.0f} s")
    return 0 if caught == len(bugs) else 1


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", choices=[bug.name for bug in BUGS])
    parser.add_argument("--list", action="store_true")
    wanted = parser.parse_args()
    bugs = [bug for bug in BUGS if not wanted.only or bug.name in wanted.only]
    if wanted.list:
        print("\n".join(f"{bug.name:<38} {bug.guarantee}" for bug in bugs))
        return 0
    return asyncio.run(run(bugs))


if __name__ == "__main__":
    sys.exit(main())
