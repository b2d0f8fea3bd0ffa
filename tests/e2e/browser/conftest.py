"""One Chromium for all of these tests, and a visitor of the running stack's page.

Wherever a visitor goes, no error is thrown or written to the console, and the Content Security Policy refuses nothing:
`visiting` checks it at the end of each test.
"""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, Protocol

import pytest
from playwright.async_api import Browser

from cli.stack.dev import Stack
from tests.support.browsers import a_browser
from tests.support.visitor import Visitor, visiting


class Visit(Protocol):
    """Opens the page in a new browser profile; `tests.support.visitor.visiting` has the arguments."""

    async def __call__(self, stack: Stack | None = None, **how: Any) -> Visitor:
        """Return such a visitor."""


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A real Chromium."""
    async with a_browser() as found:
        yield found


@pytest.fixture
async def visit(browser: Browser, stack: Stack) -> AsyncIterator[Visit]:
    """Opens visitors for a test, and closes them at its end."""
    async with contextlib.AsyncExitStack() as leaving:

        async def come(other: Stack | None = None, **how: Any) -> Visitor:
            before = other or stack
            return await leaving.enter_async_context(visiting(browser, before, **how))

        yield come
