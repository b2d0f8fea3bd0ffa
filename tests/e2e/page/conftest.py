"""The page in a real Chromium, against the scripted stand-in."""

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from playwright.async_api import Browser, BrowserContext, Page

from infra.config.settings import ROOT
from tests.support.browsers import PATIENCE, a_browser
from tests.support.stacks import free_base
from tests.support.waiting import LIMIT, STARTING

PHONE = {"width": 360, "height": 740}


class StandIn:
    """The stand-in's address, and what only a test asks of it."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/"

    def post(self, path: str, **body: Any) -> None:
        request = Request(f"{self.url}stand-in/{path}", json.dumps(body).encode(), {"content-type": "application/json"})
        with urlopen(request, timeout=LIMIT) as answer:
            answer.read()

    def sent(self, path: str) -> list[dict[str, Any]]:
        """Return the requests to an address, in order."""
        with urlopen(f"{self.url}stand-in/journal", timeout=LIMIT) as answer:
            return [one for one in json.load(answer) if one["path"].endswith(path)]


@pytest.fixture(scope="session")
def served() -> Iterator[StandIn]:
    port = free_base(1)
    process = subprocess.Popen([sys.executable, "-m", "tests.e2e.page.stand_in", "--port", str(port)], cwd=ROOT)
    found = StandIn(port)
    until = time.monotonic() + STARTING
    while True:
        try:
            urlopen(found.url, timeout=LIMIT).close()
            break
        except (URLError, OSError):
            assert process.poll() is None, "the stand-in ended at its start"
            assert time.monotonic() < until, "the stand-in did not start"
            time.sleep(0.1)
    yield found
    process.kill()
    process.wait()


@pytest.fixture
def service(served: StandIn) -> StandIn:
    """The stand-in, reset."""
    served.post("settings", fresh=True)
    return served


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with a_browser() as found:
        yield found


@pytest.fixture
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """A phone with an empty profile."""
    found = await browser.new_context(viewport=PHONE, locale="en-AU")  # type: ignore[arg-type]
    found.set_default_timeout(PATIENCE)
    yield found
    await found.close()


@pytest.fixture
async def page(context: BrowserContext, service: StandIn) -> AsyncIterator[Page]:
    """The page at a first visit. An uncaught error, or a violation of the policy, fails the test."""
    errors: list[str] = []
    found = await context.new_page()
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", lambda text: errors.append(text.text) if "Content Security Policy" in text.text else None)
    await found.goto(service.url)
    await found.locator(".try").first.wait_for()
    yield found
    assert errors == []
