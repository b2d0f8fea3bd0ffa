"""A process loads what its command needs and no more: loading is most of a start.

- A sandbox loads nothing of the service.
- `iq mcp`, which each client starts for itself, loads nothing of the service but what its tools are.
- The facade asks no model and loads no client of one; neither does a worker before it polls.
"""

import subprocess
import sys

import pytest

from infra.settings import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("modules", "unneeded"),
    [
        (
            "cli.main, cli.parts, sandbox.roller",
            {"openai", "temporalio", "redis", "registry", "reasoning", "workflows"},
        ),
        (
            "cli.main, cli.stdio",
            {"openai", "temporalio", "redis", "registry", "reasoning", "workflows", "fastapi", "sqlalchemy"},
        ),
        ("cli.parts, api.app, clients.services", {"openai", "langfuse"}),
        ("cli.parts, cli.serving, clients.services", {"openai", "langfuse", "fastapi"}),
    ],
    ids=["sandbox", "mcp", "facade", "worker"],
)
def test_nothing_is_loaded_that_is_not_needed(modules: str, unneeded: set[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert unneeded.isdisjoint(told.stdout.split())
