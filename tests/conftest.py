"""How the suite is collected and distributed, and what every test begins with."""

import gc
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from redis.asyncio import ConnectionPool
from xdist.scheduler import LoadScopeScheduling

from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale

# A busy machine takes longer; speed is measured in bench/.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

# Only tests drop stores. When a dropped pool is garbage-collected, redis-py imports modules for its metrics in the
# current thread; in a workflow's sandbox that import is rejected.
del ConnectionPool.__del__

SHARED = ROOT.parent / "shared"

_PATH_HOOKS = list(sys.path_hooks)

_SLOW = re.compile(r"^pytestmark = .*\bmark\.slow\b", re.MULTILINE)
_ONE_AFTER_THE_OTHER = (
    "tests/e2e/processes/",
    "tests/e2e/chaos/",
    "tests/integration/infra/",
    "tests/integration/stack/test_calendar",
    "tests/integration/stack/test_restaurant",
    "tests/integration/stack/test_second_pack",
)
"""Files whose paths begin so share more than a process: whole processes to start, one Redis database, or the stack of
one pack."""


class Lanes(LoadScopeScheduling):
    """Four lanes (`make test`): a file stays in one process, and so do some that belong together."""

    def _split_scope(self, nodeid: str) -> str:
        return lane(nodeid)


def lane(nodeid: str) -> str:
    """Return the group of tests that run one after the other in one process with this test."""
    file = nodeid.partition("::")[0]
    return next((shared for shared in _ONE_AFTER_THE_OTHER if file.startswith(shared)), file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Lanes:
    """Return xdist's scheduler of the tests."""
    return Lanes(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Skip the stack for unit tests, because its imports take five seconds."""
    if not all("tests/unit" in place for place in config.args):
        config.pluginmanager.import_plugin("tests.support.running_stack")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the import of a file that is slow as a whole in `make test`, because each lane would import what it
    needs."""
    if config.option.markexpr != "not slow" or not collection_path.name.startswith("test_"):
        return None
    return True if _SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest lane first."""
    items.sort(key=lambda item: lane(item.nodeid) != _ONE_AFTER_THE_OTHER[0])
    # fastmcp brings beartype, whose hook slows every later import, and Temporal's sandbox imports a workflow again for
    # each run: with 370 modules of beartype and pytest beside it, 90 ms and megabytes a run.
    sys.path_hooks[:] = _PATH_HOOKS
    sys.path_importer_cache.clear()
    # Existing objects stay: searching them for garbage again and again costs more than it frees.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


if sys.platform == "win32":
    pytest.skip("the Temporal dev server is not packaged for Windows", allow_module_level=True)


@pytest.fixture(autouse=True)
def _english() -> None:
    """Start each test in the default language, whatever the one before it used."""
    activate_locale("en")
