"""On-call at a terminal: types the commands that `iq stuck` prints into a real shell."""

import asyncio
import contextlib
import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from temporalio.client import Client

from cli.oncall import stuck as looks
from cli.stack.dev import Stack
from infra.config.settings import ROOT, Settings
from tests.support.waiting import STARTING, soon


class Terminal:
    """A shell whose environment points at a running stack."""

    def __init__(self, stack: Stack, **environment: str) -> None:
        settings = stack.settings
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "TEMPORAL_ADDRESS": settings.temporal_address,
            "IQ_KEY_FILE": str(settings.data / "keys"),
            "IQ_DATA": str(settings.data),
            "IQ_TEMPORAL_UI_URL": f"http://127.0.0.1:{stack.ports.temporal_ui}",
            **environment,
        }

    async def start(self, command: str, **environment: str) -> asyncio.subprocess.Process:
        """Start a command, in a separate process group."""
        return await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            command,
            cwd=ROOT,
            env={**self.environment, **environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )

    async def run(self, command: str, **environment: str) -> tuple[int, str, str]:
        """Run a command. Return (exit code, standard output, standard error)."""
        process = await self.start(command, **environment)
        output, errors = await asyncio.wait_for(process.communicate(), STARTING)
        return process.returncode or 0, output.decode(), errors.decode()

    async def stuck(self, *options: str, **environment: str) -> list[dict[str, Any]]:
        """Return the findings of `iq stuck`, run in this process to save a start, and check its exit code."""
        given = {**self.environment, **environment}
        settings = Settings(
            _env_file=None,
            temporal_address=given["TEMPORAL_ADDRESS"],
            key_file=Path(given["IQ_KEY_FILE"]),
            data=Path(given["IQ_DATA"]),
        )
        text = dict(zip(options[::2], map(float, options[1::2]), strict=True))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = await looks.run(settings, text.get("--minutes", 5.0), text.get("--hours", 4.0), as_json=True)
        assert code in (0, 1), output.getvalue()
        rows: list[dict[str, Any]] = json.loads(output.getvalue())
        assert code == bool(rows), (code, rows)
        return rows


async def typed_worker(terminal: Terminal, command: str, client: Client, name: str, data: Path) -> None:
    """Start a worker as printed, and wait until it has picked the plan up."""
    process = await terminal.start(command, IQ_DATA=str(data))
    handle = client.get_workflow_handle(name)

    async def taken_up() -> bool:
        return bool((await handle.describe()).history_length > 3)

    try:
        await soon(taken_up)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        await process.wait()
        await handle.terminate("its worker is gone again")
