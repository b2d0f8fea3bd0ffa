"""The `iq` command as a user starts it: real processes, real signals."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx

from infra.config.settings import ROOT
from tests.support import http
from tests.support.waiting import STARTING

IQ = [sys.executable, "-m", "cli.main"]


@contextlib.asynccontextmanager
async def iq(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start an `iq` command in a separate process group; whatever is left of it is killed at the end."""
    process = await asyncio.create_subprocess_exec(
        *IQ,
        *arguments,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def answers(url: str) -> None:
    """Wait until the URL answers 200. Raises `TimeoutError`."""
    async with asyncio.timeout(STARTING), http.client(timeout=20) as asking:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if (await asking.get(url)).status_code == 200:
                    return
            await asyncio.sleep(0.05)


def running_with(text: str) -> list[int]:
    """Return processes whose command line holds `text`, other than this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if text in (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                    found.append(int(entry.name))
    return found
