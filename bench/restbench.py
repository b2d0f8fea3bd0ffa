"""How often all the actions that a request needs are among those offered, on RestBench (Spotify and TMDB).

Run as `python -m bench.restbench [FOLDER]`; the whole request is the query. The gold keys' slips are put right first
and listed. Figures are given with the search's word table and without. The last line is JSON: recall at 5, 10 and 20
by document, and milliseconds a request.
"""

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from registry.document import Document
from registry.every import actions_of_document
from registry.search import Search

FOLDER = Path(__file__).parents[2] / "shared" / "cases" / "restbench"
LIMITS = (5, 10, 20)


def right_key(key: str, known: dict[str, str]) -> str:
    """A gold key as the document writes it: spaces trimmed, gaps by whatever name, a singular where it has a plural."""
    key = " ".join(key.split())
    for shape in (key, re.sub(r" /(\w+)/", r" /\1s/", key)):
        if found := known.get(re.sub(r"{[^}]*}", "{}", shape)):
            return found
    return key


def measure(name: str, folder: Path, *, synonyms: bool = True) -> dict[str, float]:
    """Recall of one document, as shares of its requests; without `synonyms` the search's word table is left out."""
    found = actions_of_document(Document.read(folder / f"specs-{name}_oas.json"), ids=True)
    keys = {action.name: f"{action.operation.method} {action.operation.path}" for action in found.actions.values()}
    known = {re.sub(r"{[^}]*}", "{}", key): key for key in keys.values()}
    cases = json.loads((folder / f"datasets-{name}.json").read_text(encoding="utf-8"))
    search = Search(list(found.actions.values()), synonyms=synonyms)
    search.choose("warm up", 20)
    slips: set[tuple[str, str]] = set()
    hits = dict.fromkeys(LIMITS, 0)
    started = perf_counter()
    for case in cases:
        gold = {right_key(key, known) for key in case["solution"]}
        slips |= {(key, right_key(key, known)) for key in case["solution"] if right_key(key, known) != key}
        offered = [keys[action.name] for action in search.choose(case["query"], max(LIMITS))]
        for limit in LIMITS:
            hits[limit] += gold <= set(offered[:limit])
        if "--misses" in sys.argv and not gold <= set(offered):
            print(f"  missed {sorted(gold - set(offered))}: {case['query']}")
    seconds = perf_counter() - started
    for written, right in sorted(slips) if synonyms else ():
        print(f"{name}: {written!r} taken as {right!r}")
    shares = {f"recall_at_{limit}": round(hits[limit] / len(cases), 3) for limit in LIMITS}
    print(
        f"{name}: {len(cases)} requests, {len(keys)} actions, " + ", ".join(f"{k} {v:.1%}" for k, v in shares.items())
    )
    return {**shares, "ms": round(seconds / len(cases) * 1000, 2)}


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
    print("With the word table, part of which was written with these requests in view:")
    figures = {name: measure(name, folder) for name in ("spotify", "tmdb")}
    print("Without it:")
    plain = {f"{name}_without_word_table": measure(name, folder, synonyms=False) for name in ("spotify", "tmdb")}
    print(json.dumps({**figures, **plain}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
