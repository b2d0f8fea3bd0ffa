"""How fast a phrase is read, and how long the import takes, side by side with dateparser where it is installed.

Run as `python -m bench.when_speed [FILE.jsonl …]`; without files a built-in handful of phrases is used. The last
line is JSON: milliseconds a phrase (median and 95th percentile) and for the import, in a fresh interpreter.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from language import resolve

PHRASES = [
    ("en", "tomorrow at half past four"),
    ("en", "Friday 27 November at 5:30pm"),
    ("en", "next Saturday, 2pm"),
    ("en", "a table for four on Friday at 8:30 pm"),
    ("en", "in an hour and a half"),
    ("en", "around 3"),
    ("it", "vorrei prenotare per sabato prossimo alle 20 e 30"),
    ("it", "tra un'ora e mezza"),
    ("it", "giovedì 26 novembre alle 20:30"),
    ("it", "siamo in quattro domani sera alle otto"),
    ("it", "più tardi"),
]
NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
ROUNDS = 5


def timings(read: Callable[[str, str], object], phrases: list[tuple[str, str]]) -> list[float]:
    """Milliseconds for each phrase, the best of a few rounds after one that warms up."""
    for locale, text in phrases:
        read(locale, text)
    best = [float("inf")] * len(phrases)
    for _ in range(ROUNDS):
        for index, (locale, text) in enumerate(phrases):
            start = perf_counter()
            read(locale, text)
            best[index] = min(best[index], (perf_counter() - start) * 1000)
    return best


def import_milliseconds() -> float:
    """Time to import the package in a fresh interpreter, the interpreter's own start left out."""
    code = "import time; t = time.perf_counter(); import language; print((time.perf_counter() - t) * 1000)"
    return min(
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    )


def main() -> None:
    """Measure and print."""
    phrases = [
        (row["lang"], row["text"])
        for name in sys.argv[1:]
        for row in map(json.loads, Path(name).read_text(encoding="utf-8").splitlines())
    ] or PHRASES
    ours = timings(lambda locale, text: resolve(text, now=NOW, tz="Europe/Rome", locale=locale), phrases)
    result = {
        "phrases": len(phrases),
        "median_ms": round(statistics.median(ours), 3),
        "p95_ms": round(sorted(ours)[int(len(ours) * 0.95)], 3),
        "import_ms": round(import_milliseconds(), 1),
    }
    if find_spec("dateparser"):
        search_dates = import_module("dateparser.search").search_dates
        theirs = timings(lambda locale, text: search_dates(text, languages=[locale]), phrases)
        result["dateparser_median_ms"] = round(statistics.median(theirs), 3)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
