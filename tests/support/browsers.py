"""The machine's own Chromium, quiet: it contacts no hosts by itself."""

import contextlib
from collections.abc import AsyncIterator

from playwright.async_api import Browser, async_playwright, expect

from tests.support import needs
from tests.support.waiting import LIMIT

PATIENCE = LIMIT * 1000
"""Milliseconds, for a browser."""

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@contextlib.asynccontextmanager
async def a_browser() -> AsyncIterator[Browser]:
    """Start a real Chromium; the test is skipped where there is none."""
    path = needs.chromium()
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=path, args=QUIET)
        yield found
        await found.close()
