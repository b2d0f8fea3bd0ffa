"""`iq restaurant` as a process of its own.

Guarantees:
- It serves a folder's restaurants at a port, over SQLite or a URL, with the clock of the environment, and with
  `--controls` lets an outside suite set it.
- It ends with a sentence where a knowledge base is wrong, or where it would listen beyond this machine without a
  secret.
- `purge` deletes past bookings and prints how many.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from infra.config.settings import ROOT
from tests.support import http

pytestmark = pytest.mark.slow

IQ = Path(sys.executable).parent / "iq"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(**more: str) -> dict[str, str]:
    mine = {name: value for name, value in os.environ.items() if not name.startswith("IQ_RESTAURANT")}
    return {**mine, "IQ_RESTAURANT_PROVIDER": "database", **more}


@contextmanager
def served(folder: Path, *arguments: str, **more: str) -> Iterator[str]:
    port = free_port()
    command = [IQ, "restaurant", "--port", str(port), "--data", str(folder), *arguments]
    process = subprocess.Popen(command, env=environment(**more), cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert "Serving on" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [IQ, "restaurant", "--data", str(folder), *arguments]
    return subprocess.run(
        command, env=environment(**more), cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_it_serves_books_and_forgets(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "roma.yaml").write_text((ROOT / "restaurant/kb/roma.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    guest = {"restaurant_id": "roma", "time": "20:00", "people": 2, "name": "Mario Rossi", "phone": "+393331234567"}
    url = f"sqlite:///{tmp_path / 'own.db'}"
    given = ("--kb", str(folder), "--database", url)
    with served(tmp_path, *given, "--controls", IQ_RESTAURANT_CLOCK="2026-02-18T12:00") as base:
        made = http.post(f"{base}/api/create_booking", json={**guest, "day": "2026-02-19"}).json()
        assert made["ok"], made
        assert http.put(f"{base}/control/clock", json={"now": "2026-02-19T19:30"}).status_code == 200
        assert http.post(f"{base}/api/is_open_now", json={"restaurant_id": "roma"}).json()["open_now"]
        assert "Mario Rossi" in http.get(f"{base}/staff/roma").text
    assert (tmp_path / "own.db").exists()

    kept = run(tmp_path, *given, "purge", IQ_RESTAURANT_CLOCK="2026-02-20T12:00")
    assert kept.stdout.strip() == "roma: 0 forgotten", kept.stderr
    assert run(tmp_path, *given, "purge", IQ_RESTAURANT_CLOCK="2026-02-21T12:00").stdout.strip() == "roma: 1 forgotten"


def test_it_says_what_to_mend(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "roma.yaml").write_text("name: Roma\n", encoding="utf-8")
    broken = run(tmp_path, "--kb", "broken")
    assert broken.returncode == 1 and "roma.yaml" in broken.stderr and "Traceback" not in broken.stderr
    opened = run(tmp_path, "--host", "0.0.0.0")
    assert opened.returncode == 1 and "IQ_RESTAURANT_SECRET" in opened.stderr and "Traceback" not in opened.stderr


def test_a_running_service_forgets_by_itself(tmp_path: Path) -> None:
    # The clock is stopped while the booking is made; the service that starts afterwards uses the real one.
    guest = {"restaurant_id": "roma", "time": "20:00", "people": 2, "name": "Mario Rossi", "phone": "+393331234567"}
    with served(tmp_path, IQ_RESTAURANT_CLOCK="2026-02-18T12:00") as base:
        made = http.post(f"{base}/api/create_booking", json={**guest, "day": "2026-02-19"}).json()
        assert made["ok"], made
    with served(tmp_path) as base:
        booking = f"{base}/staff/roma/bookings/{made['booking_id']}"
        until = time.monotonic() + 60
        while http.get(booking).status_code != httpx.codes.NOT_FOUND and time.monotonic() < until:
            time.sleep(0.1)
        assert http.get(booking).status_code == httpx.codes.NOT_FOUND
