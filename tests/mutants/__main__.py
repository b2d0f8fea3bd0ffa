"""`python -m tests.mutants`: puts each bug of the files beside it into a copy of the tree, one at a time, and
runs the tests that should see it. Prints a table; exits non-zero when one survives, or when its place is gone.

`--only NAME` (again and again) runs some of them, `--list` names them all.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.bugs import DONE, Bug
from tests.mutants.bugs_ag_ui import AG_UI
from tests.mutants.bugs_chaos import CHAOS
from tests.mutants.bugs_commands import COMMANDS
from tests.mutants.bugs_escalation import ESCALATION
from tests.mutants.bugs_grounds import GROUNDS
from tests.mutants.bugs_guided import GUIDED
from tests.mutants.bugs_hostile import HOSTILE
from tests.mutants.bugs_ledger import LEDGER
from tests.mutants.bugs_live import LIVE
from tests.mutants.bugs_machines import MACHINES
from tests.mutants.bugs_mcp import MCP
from tests.mutants.bugs_new_things import NEW_THINGS
from tests.mutants.bugs_observed import OBSERVED
from tests.mutants.bugs_oncall import ONCALL
from tests.mutants.bugs_outcomes import OUTCOMES
from tests.mutants.bugs_packs import PACKS
from tests.mutants.bugs_page import PAGE
from tests.mutants.bugs_providers import PROVIDERS
from tests.mutants.bugs_restaurant import RESTAURANT
from tests.mutants.bugs_restaurant_pack import RESTAURANT_PACK
from tests.mutants.bugs_said import SAID
from tests.mutants.bugs_steps import STEPS
from tests.mutants.bugs_traces import TRACES
from tests.mutants.bugs_whom import WHOM

ROOT = Path(__file__).resolve().parents[2]
BUGS = (
    *DONE,
    *SAID,
    *PROVIDERS,
    *OUTCOMES,
    *PACKS,
    *LIVE,
    *PAGE,
    *AG_UI,
    *MCP,
    *STEPS,
    *NEW_THINGS,
    *WHOM,
    *GROUNDS,
    *GUIDED,
    *LEDGER,
    *ONCALL,
    *ESCALATION,
    *CHAOS,
    *HOSTILE,
    *OBSERVED,
    *RESTAURANT,
    *RESTAURANT_PACK,
    *MACHINES,
    *COMMANDS,
    *TRACES,
)
_AT_ONCE = 2
_LONGEST = 300.0
"""Seconds for one bug's tests."""
_ALL_CLEAN = 1800.0
"""Seconds for the tests of all bugs, without any."""
_ALL_PASSED, _SOME_FAILED = 0, 1
"""pytest's exit codes; any other one says nothing about the bug."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one bug: "caught", "SURVIVED", or why nobody can tell."""

    bug: Bug
    word: str
    seconds: float
    told: str = ""

    @property
    def caught(self) -> bool:
        """Whether a test failed because of it."""
        return self.word == "caught"


def copied(folder: Path) -> Path:
    """A copy of everything that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@contextmanager
def put_in(bug: Bug, tree: Path) -> Iterator[None]:
    """The tree with the bug in it. Raises `LookupError` when its place is not there exactly once."""
    path = tree / bug.file
    right = path.read_text(encoding="utf-8")
    if right.count(bug.right) != 1:
        raise LookupError(f"{bug.file} has its place {right.count(bug.right)} times")
    path.write_text(right.replace(bug.right, bug.wrong), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(right, encoding="utf-8")


async def tested(tests: Sequence[str], tree: Path, within: float) -> tuple[int, str]:
    """(pytest's exit code, the end of what it said) within so many seconds."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests, cwd=tree,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, start_new_session=True,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        said, _ = await asyncio.wait_for(process.communicate(), within)
    except TimeoutError:
        os.killpg(process.pid, 9)
        await process.wait()
        return -1, f"no end within {within:.0f} s"
    return process.returncode or 0, said.decode(errors="replace")[-1500:]


async def judged(bug: Bug, tree: Path) -> Verdict:
    """Put the bug in and see whether its tests notice."""
    began = time.monotonic()
    try:
        with put_in(bug, tree):
            code, told = await tested(bug.tests, tree, _LONGEST)
    except LookupError as error:
        return Verdict(bug, "STALE", 0, str(error))
    word = {_ALL_PASSED: "SURVIVED", _SOME_FAILED: "caught"}.get(code, f"UNCLEAR ({code})")
    return Verdict(bug, word, time.monotonic() - began, "" if code == _SOME_FAILED else told)


async def worked(bugs: list[Bug], tree: Path, found: list[Verdict]) -> None:
    """Take one bug after the other until none is left."""
    while bugs:
        verdict = await judged(bugs.pop(0), tree)
        found.append(verdict)
        print(row(verdict), flush=True)
        if not verdict.caught:
            print(verdict.told, flush=True)


def row(verdict: Verdict) -> str:
    """One bug in one line."""
    bug = verdict.bug
    return f"{verdict.word:<12} {bug.name:<44} {bug.about:<5} {verdict.seconds:5.1f} s  {bug.file}"


async def run(bugs: list[Bug]) -> int:
    """Judge them all; the exit code."""
    began, found = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="iq-mutants-") as folder:
        trees = [copied(Path(folder) / str(n)) for n in range(_AT_ONCE)]
        # Tests that fail anyway would catch every bug.
        clean = sorted({test for bug in bugs for test in bug.tests})
        shares = [(clean[n :: len(trees)], tree) for n, tree in enumerate(trees) if clean[n :: len(trees)]]
        for code, told in await asyncio.gather(*(tested(own, tree, _ALL_CLEAN) for own, tree in shares)):
            if code != _ALL_PASSED:
                print(f"The tests do not pass without any bug:\n{told}")
                return 1
        left = list(bugs)
        await asyncio.gather(*(worked(left, tree, found) for tree in trees))
    print("\n".join(["", *(row(v) for v in sorted(found, key=lambda v: v.bug.name))]))
    caught, said = sum(v.caught for v in found), sum(v.bug.about == "said" for v in found)
    print(f"{len(found)} bugs, {said} about what is said; {caught} caught; {time.monotonic() - began:.0f} s")
    return 0 if caught == len(bugs) else 1


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", choices=[b.name for b in BUGS])
    parser.add_argument("--list", action="store_true")
    wanted = parser.parse_args()
    bugs = [b for b in BUGS if not wanted.only or b.name in wanted.only]
    if wanted.list:
        print("\n".join(f"{b.name:<44} {b.about:<5} {b.file}" for b in bugs))
        return 0
    return asyncio.run(run(bugs))


if __name__ == "__main__":
    sys.exit(main())
