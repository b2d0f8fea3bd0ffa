"""The stage for workflow tests: one server for the tests of a file, used serially (it does not handle parallel load),
with fakes that are reset for each. A workflow that a failed test leaves behind may keep the server from skipping time;
it does so in its own file only."""

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
    """The stage, reset."""
    theatre.effects.forget()
    return theatre


@pytest.fixture
def effects(stage: Stage) -> Effects:
    """The calls to the fakes, and their scripted answers."""
    return stage.effects
