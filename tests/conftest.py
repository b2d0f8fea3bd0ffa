"""One running stack for the whole suite: a real Temporal server, the ROLLER sandbox, worker and facade, all over
loopback.

The model is the offline planner unless a test gives its session a script.
"""

import asyncio
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from cli.dev import Ports, Stack
from cli.serving import http_server
from infra.settings import Settings
from sandbox import model as offline_model
from tests.support.operator import Operator
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def free_base(count: int = 7) -> int:
    """The first of `count` neighbouring free ports."""
    for base in range(21000, 60000, 10):
        probes = [socket.socket() for _ in range(count)]
        try:
            for offset, probe in enumerate(probes):
                probe.bind(("127.0.0.1", base + offset))
            return base
        except OSError:
            continue
        finally:
            for probe in probes:
                probe.close()
    raise RuntimeError("no free ports")


@pytest.fixture(scope="session")
async def scripted() -> ScriptedModel:
    """The model that tests may script."""
    return ScriptedModel(offline_model.create_app())


@pytest.fixture(scope="session")
async def model_url(scripted: ScriptedModel) -> AsyncIterator[str]:
    """Where that model is served."""
    port = free_base(1)
    server = http_server(scripted.app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield f"http://127.0.0.1:{port}/v1"
    server.should_exit = True
    await task


@pytest.fixture(scope="session")
async def stack(model_url: str) -> AsyncIterator[Stack]:
    """The running stack, with short patience so that failures come quickly."""
    settings = Settings(
        _env_file=None,
        data=Path(tempfile.mkdtemp(prefix="iq-test-")),
        model_base_url=model_url,
        model_timeout=3,
        call_timeout=3,
        turn_budget=6,
        rollback_within=20,
    )
    async with Stack(settings, Ports(free_base()), controls=True) as running:
        yield running


@pytest.fixture(scope="session")
async def impatient(model_url: str) -> AsyncIterator[Stack]:
    """A second stack whose timers run out in about a second and whose chats keep a short history."""
    settings = Settings(
        _env_file=None,
        data=Path(tempfile.mkdtemp(prefix="iq-test-")),
        model_base_url=model_url,
        model_timeout=3,
        call_timeout=3,
        turn_budget=6,
        confirm_within=1.5,
        answer_within=1.0,
        chat_idle=1.0,
        chat_events=60,
    )
    async with Stack(settings, Ports(free_base()), controls=True) as running:
        yield running


async def own_token(stack: Stack) -> str:
    """A token of its own for each test: the venue counts calls by token, 600 a minute."""
    token = f"token-{uuid4().hex}"
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{stack.ports.roller}") as venue:
        assert (await venue.post("/_sandbox/tokens", json={"token": token})).is_success
    return token


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
    """The venue's own system, for setting the stage and for looking at what happened. Faults are cleared afterwards."""
    async with Roller(f"http://127.0.0.1:{stack.ports.roller}") as one:
        yield one
        await one.clear_faults()


if sys.platform == "win32":
    pytest.skip("the Temporal dev server is not packaged for Windows", allow_module_level=True)
