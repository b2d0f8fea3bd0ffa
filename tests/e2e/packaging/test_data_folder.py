"""The data folder belongs to one stack at a time, and to one user.

- A second stack is refused before it starts anything, with a message that names the stack that holds the folder; a
  killed stack holds nothing.
- Only its user can read the folder, and an interrupted install starts from scratch.
- The Temporal server gets a path, and no key of ours.
"""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.stack import temporal_server
from cli.stack.data_dir import lock_data_dir
from cli.stack.dev import Ports, Stack
from infra.config.settings import ROOT, Settings
from tests.support.stacks import free_base

pytestmark = pytest.mark.slow

_HOLDS = """
import sys, time
from pathlib import Path
from cli.stack.data_dir import lock_data_dir
with lock_data_dir(Path(sys.argv[1]), "http://127.0.0.1:1/"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_one_stack_at_a_time_has_it_and_one_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(
                OSError, match=rf"{tmp_path} is in use by the stack at http://127.0.0.1:1/ \(process {other.pid}\)"
            ),
            lock_data_dir(tmp_path, "http://127.0.0.1:2/"),
        ):
            pass
        other.send_signal(signal.SIGKILL)
    with lock_data_dir(tmp_path, "http://127.0.0.1:2/"):
        pass


@pytest.mark.asyncio
async def test_a_second_stack_starts_nothing(tmp_path: Path) -> None:
    stack = Stack(Settings(_env_file=None, data=tmp_path), Ports(free_base()), controls=False)
    with (
        lock_data_dir(tmp_path, "http://127.0.0.1:1/"),
        pytest.raises(OSError, match="choose another folder with --data"),
    ):
        await stack.__aenter__()
    assert os.listdir(tmp_path) == ["lock"]


def test_it_is_made_for_its_user_alone(tmp_path: Path) -> None:
    with lock_data_dir(tmp_path / "deep" / "state", "here"):
        pass
    assert stat.S_IMODE((tmp_path / "deep" / "state").stat().st_mode) == 0o700


@pytest.mark.asyncio
async def test_a_stack_whose_redis_is_away_is_not_ready(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, data=tmp_path, redis_url="redis://127.0.0.1:1")
    with pytest.raises(OSError, match="Nothing answers at REDIS_URL"):
        await Stack(settings, Ports(free_base()), controls=False).__aenter__()


@pytest.mark.asyncio
async def test_the_temporal_server_is_lent_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-not-its-business")
    monkeypatch.setenv("IQ_KEYS", "k1:not-its-business")
    fake = tmp_path / "temporal"
    fake.write_text(f"#!/bin/sh\nenv > {tmp_path}/lent\n")
    fake.chmod(0o700)
    server = await temporal_server.start(temporal_server.read_config(), tmp_path, named=str(fake))
    await asyncio.wait_for(server.process.wait(), 20)
    lent = (tmp_path / "lent").read_text()
    assert "not-its-business" not in lent
    assert f"PATH={os.environ['PATH']}" in lent


@pytest.mark.parametrize("found", ["interrupted", "without pip", "whole"])
def test_an_install_that_was_interrupted_starts_afresh(tmp_path: Path, found: str) -> None:
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-test.lock"):
        shutil.copy(ROOT / name, tmp_path)
    venv = tmp_path / ".venv"
    subprocess.run(
        [sys.executable, "-m", "venv", *(["--without-pip"] if found == "without pip" else []), venv], check=True
    )
    (venv / "left over").touch()
    if found == "interrupted":
        (venv / ".unfinished").touch()
    # Nothing is installed: the test checks the environment that it would be installed into.
    made = subprocess.run(
        ["make", "install", "PIP=true", "UV=true"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "MAKEFLAGS": "", "PYTHON": sys.executable},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert (venv / "left over").exists() == (found == "whole")
    assert not (venv / ".unfinished").exists()
    assert (venv / ".installed-to-test").exists()
