"""A whole stack in the test's own process: the shipped pack or a changed copy, with short time-outs so that failures
come quickly."""

import contextlib
import fcntl
import random
import shutil
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from cli.stack.dev import Ports, Stack
from infra.config.settings import ROOT, Settings
from tests.support import http

LOOK_EVERY = 0.1
"""Seconds between looks at a venue of the tests, which shows what it did at once or not at all."""

SHORT: Mapping[str, Any] = {
    "model_timeout": 6,
    "call_timeout": 4,
    "turn_budget": 20,
    "rollback_timeout": 20,
    "look_every": LOOK_EVERY,
}
"""Seconds. Short of the product's own, and still so long that a busy machine's pauses are no failures."""


_KEPT_FOR = 900.0
"""Seconds after which whoever asked for ports has bound them, or needs them no more. Some are for servers that start
late."""
_kept: list[tuple[float, IO[bytes]]] = []


def free_base(count: int = 8) -> int:
    """Return the first of `count` free ports in a row, below those that the system hands out, at a random place:
    several suites may be starting at once, and no other one gets these for a quarter of an hour. Raises
    `RuntimeError`."""
    while _kept and _kept[0][0] < time.monotonic() - _KEPT_FOR:
        _kept.pop(0)[1].close()
    folder = Path(tempfile.gettempdir()) / "iq-test-ports"
    folder.mkdir(exist_ok=True)
    for _ in range(200):
        base = random.SystemRandom().randrange(12_000, 32_000, 10)
        ours = (folder / str(base)).open("wb")
        with contextlib.ExitStack() as probes:
            try:
                fcntl.flock(ours, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for offset in range(count):
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", base + offset))
            except OSError:
                ours.close()
                continue
        _kept.append((time.monotonic(), ours))
        return base
    raise RuntimeError("no free ports")


def copied_pack(folder: Path, venue: Mapping[str, str], name: str = "roller") -> Path:
    """Return a copy of a shipped pack below `folder`, with each text of its `venue.yaml` replaced by another."""
    pack = Path(shutil.copytree(ROOT / "overlays" / name, folder / "overlays" / name))
    text = (pack / "venue.yaml").read_text()
    for ours, theirs in venue.items():
        assert ours in text, ours
        text = text.replace(ours, theirs)
    (pack / "venue.yaml").write_text(text)
    return pack


@asynccontextmanager
async def a_stack(data: Path, *, venue: Mapping[str, str] | None = None, **settings: Any) -> AsyncIterator[Stack]:
    """Start a stack that keeps its files in `data`; `venue` changes its copy of the pack (`copied_pack`)."""
    packs = {"packs": (copied_pack(data, venue),)} if venue else {}
    found = Settings(_env_file=None, data=data, **{**SHORT, **packs, **settings})
    async with Stack(found, Ports(free_base()), controls=True) as running:
        yield running


async def own_token(stack: Stack) -> str:
    """Return a new token for each test: ROLLER counts calls by token, 600 a minute, and must know it."""
    token = f"token-{uuid4().hex}"
    if "roller" not in stack.simulated:
        return token
    async with http.client(base_url=f"http://127.0.0.1:{stack.ports.roller}") as venue:
        assert (await venue.post("/_sandbox/tokens", json={"token": token})).is_success
    return token
