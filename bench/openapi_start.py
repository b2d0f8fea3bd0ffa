"""Start-up with one pack of 10 actions out of a document with over 400 operations, cold and warm.

Run as `python -m bench.openapi_start [DOCUMENT]` (Stripe's by default). Each figure is from fresh processes, the best
of five; "cold" has no cache, "warm" the artefacts of an earlier start. The last line is JSON, in milliseconds.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from authoring.drafts.draft import draft_overlay
from registry.errors import OperationError
from registry.loading.load import load_pack
from registry.openapi.document import Document

STRIPE = Path(__file__).parents[2] / "shared" / "specs" / "stripe.json"
ROUNDS = 5
VENUE = """
venue_id: bench
name: Bench
time_zone: UTC
locale: en-AU
country: AU
currency: AUD
check_operation: {check}
"""
PROGRAM = """
import sys, time, json
from pathlib import Path
start = time.perf_counter()
from registry.loading.load import load_pack
loaded = time.perf_counter()
pack = load_pack(Path(sys.argv[1]), cache=Path(sys.argv[2]))
end = time.perf_counter()
print(json.dumps([(end - loaded) * 1000, (loaded - start) * 1000, len(pack.actions)]))
"""


def make_pack(folder: Path, source: Path) -> int:
    """A pack of ten drafted actions over `source`; how many operations that has."""
    (folder / "actions").mkdir(parents=True)
    shutil.copy(source, folder / f"openapi{source.suffix}")
    document = Document.read(source)
    check = next(key for key in document.keys if key.startswith("Get") and "{" not in document.pointer(key))
    (folder / "venue.yaml").write_text(VENUE.format(check=json.dumps(check)), encoding="utf-8")
    made = 0
    for key in document.keys[:: max(1, len(document.keys) // 40)]:
        try:
            name, text = draft_overlay(document, key)
        except OperationError:
            continue
        path = folder / "actions" / f"{name}.yaml"
        path.write_text(text.replace("iq_enabled: false", "iq_enabled: true"), encoding="utf-8")
        if name in load_pack(folder).actions:
            made += 1
        else:
            path.unlink()
        if made == 10:
            break
    return len(document.keys)


def start(folder: Path, cache: Path) -> tuple[float, float, int]:
    """Milliseconds to load and to import, and the number of actions, in a fresh process."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(folder), str(cache)], capture_output=True, check=True)
    load, imports, actions = json.loads(done.stdout)
    return load, imports, actions


def main() -> int:
    """Measure; the exit code."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else STRIPE
    if not source.is_file():
        print(f"skipped: {source} is not here")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pack"
        operations = make_pack(folder, source)
        cold = [start(folder, Path(name) / f"cold{n}") for n in range(ROUNDS)]
        start(folder, Path(name) / "warm")
        warm = [start(folder, Path(name) / "warm") for _ in range(ROUNDS)]
    figures = {
        "operations": operations,
        "actions": cold[0][2],
        "cold_ms": round(min(cold)[0], 1),
        "warm_ms": round(min(warm)[0], 1),
        "import_ms": round(min(row[1] for row in warm), 1),
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
