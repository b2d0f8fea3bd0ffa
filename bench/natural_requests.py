"""How often all the actions that a request needs are among those offered, for requests in venue people's own words.

Run as `python -m bench.natural_requests FILE.jsonl … [--misses]` with files of `evals/cases/search` (its README tells
their form); the documents are read from `../shared/specs`, bare, without an overlay. What is asked is what workers
ask, `Search.choose`. The last line is JSON: by file and document the requests whose needs are all among 20, and the
single needs; the milliseconds that the index took, and those of one request.
"""

import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from bench.restbench import answering
from contracts.action import AtomicAction
from registry.openapi.document import Document
from registry.search.search import Search

SPECS = Path(__file__).parents[2] / "shared" / "specs"
CASES = Path(__file__).parents[1] / "evals" / "cases" / "search"
LIMIT = 20


@dataclass(frozen=True)
class Case:
    """One request: what was said of which document, and what it needs. Each need is a set of actions of which one is
    enough."""

    document: str
    say: str
    needs: tuple[frozenset[str], ...]


def cases_of(path: Path) -> list[Case]:
    """The requests of one file. Raises OSError or ValueError where it cannot be read."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Case(row["document"], row["say"], tuple(frozenset(need.split("|")) for need in row["needs"])) for row in rows
    ]


@lru_cache
def actions_of(document: str) -> list[AtomicAction]:
    """The actions of one bare document of `../shared/specs`. Raises OSError when it is not there."""
    return answering(Document.read(SPECS / document))


def lacking(search: Search, case: Case, limit: int = LIMIT) -> list[str]:
    """The needs of a request that nothing among `limit` serves."""
    offered = {action.name for action in search.choose(case.say, limit)}
    return ["|".join(sorted(need)) for need in case.needs if not need & offered]


def measure(path: Path, misses: bool = False) -> dict[str, dict[str, float]]:
    """The figures of one file, by document."""
    result: dict[str, dict[str, float]] = {}
    for document in dict.fromkeys(case.document for case in cases_of(path)):
        cases = [case for case in cases_of(path) if case.document == document]
        actions = actions_of(document)
        Search(actions[:40]).choose("warm up", LIMIT)  # imports
        begun = perf_counter()
        search = Search(actions)
        search.choose("warm up", LIMIT)
        started = perf_counter()
        lost = [lacking(search, case) for case in cases]
        seconds = perf_counter() - started
        for case, needs in zip(cases, lost, strict=True):
            if needs and misses:
                print(f"  {document}: {case.say}\n    lacks {', '.join(needs)}")
        result[document] = {
            "requests": len(cases),
            "whole": sum(not needs for needs in lost),
            "needs": sum(len(case.needs) for case in cases),
            "found": sum(len(case.needs) - len(needs) for case, needs in zip(cases, lost, strict=True)),
            "actions": len(actions),
            "index_ms": round((started - begun) * 1000, 1),
            "ms": round(seconds / len(cases) * 1000, 2),
        }
    return result


def main() -> int:
    """Measure the files given, all of ours when none is; the exit code."""
    given = [Path(arg) for arg in sys.argv[1:] if not arg.startswith("--")]
    if not SPECS.is_dir() or find_spec("bm25s") is None:
        print(f"skipped: {SPECS} or bm25s is not here")
        return 0
    files = given or sorted(CASES.glob("*.jsonl"))
    result = {file.stem: measure(file, "--misses" in sys.argv) for file in files}
    for name, rows in result.items():
        whole, asked = (sum(int(row[key]) for row in rows.values()) for key in ("whole", "requests"))
        print(f"{name}: all that is needed among {LIMIT} for {whole} of {asked} requests")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
