"""The wheel holds all that the product needs to run.

- Installed into a separate environment, outside the checkout, it runs the whole tour. Its dependencies are those of the
  current environment: the test checks only our own files.
- Its import roots are unique: no package that we depend on has the same.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from infra.config.settings import ROOT
from tests.support.stacks import free_base
from tests.support.waiting import STARTING

pytestmark = pytest.mark.slow

_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".iq", "tests", "__pycache__", ".*_cache", "build", "*.egg-info")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command and return its output. Fails with all of it."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=STARTING,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that is built from a copy of the tree, so that the build leaves nothing in it."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", ignore=_LEFT_OUT)
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(folder / "tree"))
    run(sys.executable, "-m", "pip", *build, cwd=folder)
    [built] = folder.glob("*.whl")
    return built


def test_the_installed_wheel_runs_the_tour(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    [site] = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    run(
        sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel,
        cwd=tmp_path,
    )  # fmt: skip
    (site / "dependencies.pth").write_text(next(p for p in sys.path if p.endswith("site-packages")))
    where = run(python, "-c", "import infra.config.settings as s; print(s.ROOT)", cwd=tmp_path)
    assert Path(where.strip()) == site.resolve()
    shown = run(
        tmp_path / "venv" / "bin" / "iq", "demo", "--port-base", str(free_base()), cwd=tmp_path,
        IQ_TEMPORAL_BINARY=str(Path(sys.executable).parent / "temporal"),
    )  # fmt: skip
    assert "as it should" in shown


def test_its_import_roots_are_ours_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        roots = {name.split("/")[0] for name in archive.namelist() if not name.split("/")[0].startswith("iq_booking")}
    others = {root for root, owners in packages_distributions().items() if set(owners) != {"iq-booking-updates"}}
    assert {"contracts", "language", "overlays", "workflows"} <= roots
    assert roots.isdisjoint(others)
