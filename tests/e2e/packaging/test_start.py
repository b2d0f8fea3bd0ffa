"""A process loads what its command needs and no more, because loading is most of a start.

- A sandbox loads nothing of the service.
- `iq mcp`, which each client starts for itself, loads nothing of the service but what its tools need.
- Only a process without a Redis loads the store in memory.
- The API calls no model and loads no client of one; nor does a worker load one before it polls.
"""

import subprocess
import sys

import pytest

from infra.config.settings import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("modules", "unneeded"),
    [
        (
            "cli.main, cli.stack.processes, sandbox.roller",
            {"openai", "temporalio", "redis", "registry", "reasoning", "workflows"},
        ),
        (
            "cli.main, cli.commands.mcp",
            {"openai", "temporalio", "redis", "registry", "reasoning", "workflows", "fastapi", "sqlalchemy"},
        ),
        (
            "infra.stores.store; infra.stores.store.Store('redis://127.0.0.1:1/0')",
            {"fakeredis", "temporalio"},
        ),
        ("cli.stack.processes, api.app, clients.services", {"openai", "langfuse", "fakeredis"}),
        ("cli.stack.processes, cli.stack.worker, clients.services", {"openai", "langfuse", "fastapi", "fakeredis"}),
    ],
    ids=["sandbox", "mcp", "store", "facade", "worker"],
)
def test_nothing_is_loaded_that_is_not_needed(modules: str, unneeded: set[str]) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert unneeded.isdisjoint(shown.stdout.split())
