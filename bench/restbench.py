"""How often all the actions that a request needs are among those offered, on RestBench (Spotify and TMDB).

Run as `python -m bench.restbench [FOLDER] [--misses]`; the whole request is the query, and what is asked is what
workers ask: `Search.choose` over actions whose operations say what their answers hold, as a pack's do. The gold keys'
slips are put right first and listed. The last line is JSON: recall at 5, 10 and 20 by document, the milliseconds that
the index took, and those of one request.
"""

import json
import re
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from authoring.all_operations import actions_of_document
from contracts.action import AtomicAction
from registry.openapi.document import Document
from registry.openapi.responses import ResponseIndex
from registry.search.search import Search

FOLDER = Path(__file__).parents[2] / "shared" / "cases" / "restbench"
LIMITS = (5, 10, 20)


def right_key(key: str, known: dict[str, str]) -> str:
    """A gold key as the document writes it: spaces trimmed, gaps by whatever name, a singular where it has a plural."""
    key = " ".join(key.split())
    for shape in (key, re.sub(r" /(\w+)/", r" /\1s/", key)):
        if found := known.get(re.sub(r"{[^}]*}", "{}", shape)):
            return found
    return key


def answering(document: Document) -> list[AtomicAction]:
    """Every operation of a document as an action that says what its answer holds, as those of a pack do."""
    answers = ResponseIndex(document)
    return [
        action.model_copy(
            update={"operation": action.operation.model_copy(update={"gives": answers.gives(action.operation.key)})}
        )
        for action in actions_of_document(document).actions.values()
    ]


@dataclass(frozen=True)
class Requests:
    """One document's actions and its requests, each with the names of the actions that it needs; `slips` are the gold
    keys that were put right."""

    actions: list[AtomicAction]
    rows: list[tuple[str, frozenset[str]]]
    slips: list[tuple[str, str]]


def requests(name: str, folder: Path) -> Requests:
    """The requests of `name`, "spotify" or "tmdb". Raises OSError when they are not in `folder`."""
    actions = answering(Document.read(folder / f"specs-{name}_oas.json"))
    names = {f"{action.operation.method} {action.operation.path}": action.name for action in actions}
    known = {re.sub(r"{[^}]*}", "{}", key): key for key in names}
    rows: list[tuple[str, frozenset[str]]] = []
    slips: set[tuple[str, str]] = set()
    for case in json.loads((folder / f"datasets-{name}.json").read_text(encoding="utf-8")):
        keys = {key: right_key(key, known) for key in case["solution"]}
        slips |= {(written, right) for written, right in keys.items() if written != right}
        rows.append((case["query"], frozenset(names.get(right, right) for right in keys.values())))
    return Requests(actions, rows, sorted(slips))


def missed(search: Search, asked: Requests, limit: int) -> list[tuple[str, list[str]]]:
    """The requests that are not offered all they need among `limit`, with what is missing."""
    found: list[tuple[str, list[str]]] = []
    for text, needed in asked.rows:
        offered = {action.name for action in search.choose(text, limit)}
        if not needed <= offered:
            found.append((text, sorted(needed - offered)))
    return found


def measure(name: str, folder: Path) -> dict[str, float]:
    """Recall of one document, as shares of its requests, and the milliseconds of the index and of one request."""
    asked = requests(name, folder)
    Search(asked.actions).choose("warm up", max(LIMITS))  # imports
    begun = perf_counter()
    search = Search(asked.actions)
    search.choose("warm up", max(LIMITS))
    started = perf_counter()
    lost = {limit: missed(search, asked, limit) for limit in LIMITS}
    seconds = perf_counter() - started
    for written, right in asked.slips:
        print(f"{name}: {written!r} taken as {right!r}")
    for text, names in lost[max(LIMITS)] if "--misses" in sys.argv else ():
        print(f"  missed {', '.join(names)}: {text}")
    total = len(asked.rows)
    shares = {f"recall_at_{limit}": round(1 - len(lost[limit]) / total, 3) for limit in LIMITS}
    print(
        f"{name}: {total} requests, {len(asked.actions)} actions, "
        + ", ".join(f"{k} {v:.1%}" for k, v in shares.items())
    )
    each = seconds / total / len(LIMITS)
    return {**shares, "index_ms": round((started - begun) * 1000, 1), "ms": round(each * 1000, 2)}


def main() -> int:
    """Measure both; the exit code."""
    given = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    folder = Path(given[0]) if given else FOLDER
    if not folder.is_dir():
        print(f"skipped: {folder} is not here")
        return 0
    if find_spec("bm25s") is None:
        print("skipped: bm25s is not installed")
        return 0
    print(json.dumps({name: measure(name, folder) for name in ("spotify", "tmdb")}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
