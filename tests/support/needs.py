"""What a test needs of the machine. If it is missing, the test is skipped with the reason; in CI (`IQ_CI`) it fails."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.support.waiting import LIMIT, STARTING

REDIS_URL = "redis://127.0.0.1:6379/9"
POSTGRES_URL = "postgresql://postgres@127.0.0.1:5432"


def _missing(reason: str) -> None:
    if os.environ.get("IQ_CI"):
        pytest.fail(f"CI must have it: {reason}")
    pytest.skip(reason)


def _listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(LIMIT)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def redis() -> str:
    """Return the URL of a Redis on its standard port."""
    if not _listening(6379):
        _missing("no Redis on port 6379")
    return REDIS_URL


def redis_server() -> str:
    """Return the path of a `redis-server`, to start one for the run."""
    found = which("redis-server")
    if not found:
        _missing("no redis-server installed")
    return str(found)


def chromium() -> str:
    """Return the path of a Chromium."""
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if not found:
        _missing("no Chromium installed")
    return str(found)


def promtool() -> str:
    """Return the path of Prometheus' `promtool`."""
    found = which("promtool")
    if not found:
        _missing("no promtool installed (Debian's package prometheus)")
    return str(found)


def ag_ui_client() -> Path:
    """Return a folder from which Node finds AG-UI's own client, as `tests/integration/ag_ui/package.json` pins it:
    installed once, beside the environment."""
    npm, folder = which("npm"), Path(sys.prefix) / "npm-ag-ui"
    if not npm or not which("node"):
        _missing("no Node and npm installed")
    wanted = (Path(__file__).parent.parent / "integration" / "ag_ui" / "package.json").read_text()
    pinned = folder / "package.json"
    if not (folder / "node_modules/@ag-ui/client").exists() or pinned.read_text() != wanted:
        folder.mkdir(exist_ok=True)
        pinned.write_text(wanted)
        call = [
            str(npm),
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--prefix",
            str(folder),
        ]
        done = subprocess.run(call, capture_output=True, text=True, timeout=STARTING)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            _missing("AG-UI's client could not be installed: no connection to an npm registry")
    return folder


def postgres() -> str:
    """Return the URL, without a database's name, of a PostgreSQL on its standard port that accepts `postgres`."""
    if not _listening(5432):
        _missing("no PostgreSQL on port 5432")
    return POSTGRES_URL
