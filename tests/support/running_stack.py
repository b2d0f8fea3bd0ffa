"""One running stack for all tests of a lane: a real Temporal server, the ROLLER sandbox, worker and API, all over
loopback. Each test has its own guests, chats and, where it needs one, venue.

The model is the offline planner unless a test gives its session a script.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

import offline_planner
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from tests.support.operator import Operator
from tests.support.party import Party, parties
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, free_base, own_token


@pytest.fixture(scope="session")
async def scripted() -> ScriptedModel:
    """The model that tests may script."""
    return ScriptedModel(offline_planner.create_app())


@pytest.fixture(scope="session")
async def model_url(scripted: ScriptedModel) -> AsyncIterator[str]:
    """The address of that model."""
    port = free_base(1)
    server = http_server(scripted.app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield f"http://127.0.0.1:{port}/v1"
    server.should_exit = True
    await task


@pytest.fixture(scope="session")
async def stack(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The running stack."""
    async with a_stack(tmp_path_factory.mktemp("stack"), model_base_url=model_url) as running:
        yield running


@pytest.fixture(scope="session")
async def impatient(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A second stack whose timers run out in seconds, just long enough for a busy machine to be faster, and whose chats
    keep a short history."""
    hasty = {"confirm_timeout": 4.0, "answer_timeout": 2.5, "chat_idle": 1.0, "chat_max_events": 60}
    async with a_stack(tmp_path_factory.mktemp("impatient"), model_base_url=model_url, **hasty) as running:
        yield running


@pytest.fixture
async def hasty(impatient: Stack) -> AsyncIterator[Operator]:
    """An operator of the impatient stack."""
    async with Operator(f"http://127.0.0.1:{impatient.ports.facade}", token=await own_token(impatient)) as one:
        yield one


@pytest.fixture
async def hasty_roller(impatient: Stack) -> AsyncIterator[Roller]:
    """The venue behind the impatient stack."""
    async with Roller(f"http://127.0.0.1:{impatient.ports.roller}") as one:
        yield one
        await one.clear_faults()


@pytest.fixture
async def operator(stack: Stack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as one:
        yield one


@pytest.fixture
async def roller(stack: Stack) -> AsyncIterator[Roller]:
    """The venue's own system, for preparing bookings and for checking what happened. Faults are cleared afterwards."""
    async with Roller(f"http://127.0.0.1:{stack.ports.roller}") as one:
        yield one
        await one.clear_faults()


@pytest.fixture
def party(roller: Roller, scripted: ScriptedModel) -> Party:
    """Books parties, and scripts the plans for them."""
    return parties(roller, scripted)
