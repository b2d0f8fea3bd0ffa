"""One running stack for the whole suite: a real Temporal server, the ROLLER sandbox, worker and facade, all over
loopback.

The model is the offline planner unless a test gives its session a script.
"""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from cli.dev import Stack
from cli.web import http_server
from infra.settings import ROOT
from language.catalogue import speak
from sandbox import model as offline_model
from tests.support.operator import Operator
from tests.support.party import Party, parties
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, free_base, own_token

# A busy machine takes longer; speed is measured in bench/.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

SHARED = ROOT.parent / "shared"

_PATH_HOOKS = list(sys.path_hooks)

_ONE_AFTER_THE_OTHER = ("tests/e2e/processes/", "tests/e2e/chaos/", "tests/integration/infra/")
"""Folders whose files share more than a process: whole stacks to start, or one Redis database."""


class Lanes(LoadScopeScheduling):
    """Four lanes (`make test`): a file stays in one process, and so do some folders."""

    def _split_scope(self, nodeid: str) -> str:
        return lane(nodeid)


def lane(nodeid: str) -> str:
    """What must run in one process with this test, one after the other."""
    file = nodeid.partition("::")[0]
    return next((folder for folder in _ONE_AFTER_THE_OTHER if file.startswith(folder)), file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Lanes:
    """How xdist hands out the tests."""
    return Lanes(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest lane begins first."""
    items.sort(key=lambda item: lane(item.nodeid) != _ONE_AFTER_THE_OTHER[0])
    # fastmcp brings beartype, whose hook stands in the way of every later import, and Temporal's sandbox imports a
    # workflow anew for each run: with 370 modules of beartype and pytest beside it, 90 ms and megabytes a run.
    sys.path_hooks[:] = _PATH_HOOKS
    sys.path_importer_cache.clear()
    # What is imported by now stays: looking through it for garbage again and again costs more than there is to find.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


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
async def stack(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The running stack."""
    async with a_stack(tmp_path_factory.mktemp("stack"), model_base_url=model_url) as running:
        yield running


@pytest.fixture(scope="session")
async def impatient(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A second stack whose timers run out in seconds, just enough for a busy machine to be earlier, and whose chats
    keep a short history."""
    hasty = {"confirm_within": 4.0, "answer_within": 2.5, "chat_idle": 1.0, "chat_events": 60}
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
    """The venue's own system, for setting the stage and for looking at what happened. Faults are cleared afterwards."""
    async with Roller(f"http://127.0.0.1:{stack.ports.roller}") as one:
        yield one
        await one.clear_faults()


@pytest.fixture
def party(roller: Roller, scripted: ScriptedModel) -> Party:
    """Books parties, and scripts the plans for them."""
    return parties(roller, scripted)


if sys.platform == "win32":
    pytest.skip("the Temporal dev server is not packaged for Windows", allow_module_level=True)


@pytest.fixture(autouse=True)
def _english() -> None:
    """Each test begins in the default language, whatever the one before it spoke."""
    speak("en")
