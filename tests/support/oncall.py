"""On-call at a terminal: types what `iq stuck` prints, into a real shell."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from cli.dev import Stack
from infra.settings import ROOT


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
        """Begin a command, in a process group of its own."""
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
        """(exit code, standard output, standard error) of a command."""
        process = await self.start(command, **environment)
        output, errors = await asyncio.wait_for(process.communicate(), 60)
        return process.returncode or 0, output.decode(), errors.decode()

    async def stuck(self, *options: str, **environment: str) -> list[dict[str, Any]]:
        """What `iq stuck` finds; its exit code must say so."""
        command = " ".join(["iq stuck --json", *options])
        code, output, errors = await self.run(command, **environment)
        assert code in (0, 1), errors
        rows: list[dict[str, Any]] = json.loads(output)
        assert code == bool(rows), (code, rows)
        return rows
