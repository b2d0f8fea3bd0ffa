"""How long a turn's words take to be read into claims, before any value of a plan is held against them.

Run as `python -m bench.claims_speed [FILE.jsonl …]` with grounding cases; without files those of `evals/cases`. Each
message is read as a turn of its own. The last line is JSON: milliseconds a message (median, 95th percentile, worst).
"""

from __future__ import annotations

import json
import statistics
import sys
from datetime import datetime, time
from pathlib import Path
from time import perf_counter
from zoneinfo import ZoneInfo

from contracts.venue import OpeningHours, VenueProfile
from infra.config.settings import ROOT
from language.extraction import extract
from registry.loading.load import load_pack

ROUNDS = 3
_PLACES = {"en": ("en-AU", "Australia/Melbourne", "AU"), "it": ("it-IT", "Europe/Rome", "IT")}


def milliseconds(message: list[str], now: datetime, profile: VenueProfile) -> float:
    """The best of a few rounds for one turn."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        extract(message, now, profile)
        best = min(best, (perf_counter() - start) * 1000)
    return best


def main() -> None:
    """Measure and print."""
    root = Path(ROOT)
    files = [Path(name) for name in sys.argv[1:]] or sorted((root / "evals" / "cases").glob("grounding_*.jsonl"))
    rows = [row for file in files for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())]
    venue = load_pack(root / "overlays" / "roller").profile
    taken: list[float] = []
    for row in rows:
        locale, zone, country = _PLACES[row.get("lang", "en")]
        hours = OpeningHours(opens=time(9), closes=time(21))
        local = {"locale": locale, "time_zone": zone, "country": country, "opening_hours": hours}
        now = datetime(2026, 11, 22, 15, 30, tzinfo=ZoneInfo(zone))
        profile = venue.model_copy(update=local)
        taken += [milliseconds([text], now, profile) for text in row["messages"]]
    ordered = sorted(taken)
    result = {
        "messages": len(taken),
        "median_ms": round(statistics.median(taken), 3),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)], 3),
        "worst_ms": round(ordered[-1], 3),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
