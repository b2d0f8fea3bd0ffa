"""Venues beside the one of the shared stack, each with its own stack."""

from collections.abc import AsyncIterator

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from tests.support.bookeo import TOKEN, School
from tests.support.calendar import TOKEN as TEAM_TOKEN
from tests.support.calendar import Calendar
from tests.support.operator import Operator
from tests.support.restaurant import TOKEN as STAFF_TOKEN
from tests.support.restaurant import DiningStack, Trattoria, dining_stack
from tests.support.stacks import a_stack, own_token


@pytest.fixture(scope="session")
async def riding(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The whole stack with the Bookeo pack alone."""
    pack = ROOT / "overlays" / "bookeo"
    async with a_stack(tmp_path_factory.mktemp("riding"), packs=(pack,), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def clerk(riding: Stack) -> AsyncIterator[Operator]:
    """An operator of the school, with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{riding.ports.facade}", token=TOKEN) as one:
        yield one


@pytest.fixture
async def school(riding: Stack) -> AsyncIterator[School]:
    """The simulated school's own API, without a booking."""
    async with School(f"http://127.0.0.1:{riding.ports.bookeo}") as one:
        await one.empty()
        yield one
        await one.clear_faults()


@pytest.fixture(scope="session")
async def team(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The whole stack with the calendar pack alone."""
    pack = ROOT / "overlays" / "calendar"
    async with a_stack(tmp_path_factory.mktemp("team"), packs=(pack,), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def colleague(team: Stack) -> AsyncIterator[Operator]:
    """A colleague who schedules meetings, with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{team.ports.facade}", token=TEAM_TOKEN) as found:
        yield found


@pytest.fixture
async def calendar(team: Stack) -> AsyncIterator[Calendar]:
    """The team's calendar, reset to its seed data."""
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as found:
        await found.reset()
        yield found


@pytest.fixture(scope="session")
async def dining(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DiningStack]:
    """The whole stack with the restaurant pack alone."""
    async with dining_stack(tmp_path_factory.mktemp("dining"), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def waiter(dining: DiningStack) -> AsyncIterator[Operator]:
    """A waiter of the restaurant, with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{dining.ports.facade}", token=STAFF_TOKEN) as found:
        yield found


@pytest.fixture
async def trattoria(dining: DiningStack) -> AsyncIterator[Trattoria]:
    """The restaurant's own service; its planned faults are cleared after the test."""
    async with Trattoria(dining) as found:
        yield found
        found.mended()


@pytest.fixture(scope="session")
async def standard(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The whole stack for a venue in standard mode."""
    data = tmp_path_factory.mktemp("standard")
    async with a_stack(data, venue={"tariff: pro": "tariff: basic"}, model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def plain_operator(standard: Stack) -> AsyncIterator[Operator]:
    """An operator of the standard-mode venue, with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{standard.ports.facade}", token=await own_token(standard)) as found:
        yield found
