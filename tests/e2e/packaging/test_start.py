"""A process loads what its command needs and no more: loading is most of a start.

- A sandbox loads nothing of the service.
- `iq mcp`, which each client starts for itself, loads nothing of the service but what its tools are.
- The facade asks no model and loads no client of one; neither does a worker before it polls.
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
        ("cli.stack.processes, api.app, clients.services", {"openai", "langfuse"}),
        ("cli.stack.processes, cli.stack.worker, clients.services", {"openai", "langfuse", "fastapi"}),
    ],
    ids=["sandbox", "mcp", "facade", "worker"],
)
def test_nothing_is_loaded_that_is_not_needed(modules: str, unneeded: set[str]) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert unneeded.isdisjoint(shown.stdout.split())
