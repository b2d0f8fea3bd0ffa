"""What a test needs of the machine. Missing, it is skipped with the reason; in CI (`IQ_CI`), that is a failure."""

import os
import socket
from shutil import which

import pytest

REDIS_URL = "redis://127.0.0.1:6379/9"


def _missing(reason: str) -> None:
    if os.environ.get("IQ_CI"):
        pytest.fail(f"CI must have it: {reason}")
    pytest.skip(reason)


def _listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def redis() -> str:
    """The URL of a Redis on its standard port."""
    if not _listening(6379):
        _missing("no Redis on port 6379")
    return REDIS_URL


def redis_server() -> str:
    """The path of a `redis-server` to start one of a run's own."""
    found = which("redis-server")
    if not found:
        _missing("no redis-server installed")
    return str(found)


def chromium() -> str:
    """The path of a Chromium."""
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if not found:
        _missing("no Chromium installed")
    return str(found)
