"""The machine's own Chromium, quiet: it looks for nobody's hosts."""

import contextlib
from collections.abc import AsyncIterator

from playwright.async_api import Browser, async_playwright

from tests.support import needs

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@contextlib.asynccontextmanager
async def a_browser() -> AsyncIterator[Browser]:
    """A real Chromium; the test is skipped where there is none."""
    path = needs.chromium()
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=path, args=QUIET)
        yield found
        await found.close()
