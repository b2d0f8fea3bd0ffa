"""The stage that the workflows are rehearsed on: one server for the tests of a file, used serially (it does not take
parallel load), with fakes that start afresh for each. A workflow that a failed test leaves behind may keep the server
from skipping time; it does so in its own file only."""

from collections.abc import AsyncIterator

import pytest

from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, staged


@pytest.fixture(scope="module")
async def theatre() -> AsyncIterator[Stage]:
    """The server and its worker."""
    async with staged(Effects()) as stage:
        yield stage


@pytest.fixture
async def stage(theatre: Stage) -> Stage:
    """The stage, cleared."""
    theatre.effects.forget()
    return theatre


@pytest.fixture
def effects(stage: Stage) -> Effects:
    """What the fakes were asked, and what they are to answer."""
    return stage.effects
