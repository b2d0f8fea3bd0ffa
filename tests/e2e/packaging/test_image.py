"""The contents of our image, by Docker's rules and by Podman's and Buildah's. Guarantees:

- nothing that a machine keeps beside the code gets into the image, wherever it is: settings, keys, ledgers, logs,
  recorded histories, environments, the repository itself;
- all that is needed to build and run is there: every file of the wheel, what the build reads, what it installs from;
- each of the two filters is sufficient by itself: the named copies, and the list of what may enter the build context.
"""

import glob
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from infra.config.settings import ROOT
from tests.support.image_files import Engine, image_files
from tests.support.tables import for_test_all

FOLDERS = ("", "cli", "infra/ledger", "overlays/roller", "api/web", "restaurant/kb", "language/messages", "deploy")
SECRET = (
    ".env", ".env.production", ".env.local", "prod.env", ".iq/keys", ".iq/ledger.db", ".iq/restaurant.db-wal", "keys",
    "test-only.keys", "tls.pem", "server.key", "client.p12", "ledger.db", "ledger.db-journal", "roller.sqlite3",
    ".venv/lib/site.py", "venv/lib/site.py", ".git/config", "worker.log", "plan.json.gz", ".netrc", ".pytest_cache/v",
    "__pycache__/settings.cpython-311.pyc", "x.egg-info/PKG-INFO",
)  # fmt: skip
BESIDE = ("tests/histories/plan_completed.json.gz", "tests/conftest.py", "docs/deploy.md", "notes.txt", "secrets.yaml")
ENGINES: tuple[Engine, ...] = ("docker", "podman")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository, with files that must not be in an image planted everywhere."""
    folder = tmp_path_factory.mktemp("tree")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    kept = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in kept:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for name in (*planted(), *BESIDE):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("planted")
    return folder


def planted() -> set[str]:
    return {str(Path(folder) / name) for folder in FOLDERS for name in SECRET}


def needed() -> set[str]:
    """Return what the build reads, and every file that goes into the wheel."""
    found = {"requirements.lock", "pyproject.toml"}
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    data = tool["package-data"]
    for package in tool["packages"]:
        folder = Path(package.replace(".", "/"))
        globs = ["*.py", *data["*"], *data.get(package, ())]
        found |= {
            str(folder / one) for each in globs for one in glob.glob(each, root_dir=ROOT / folder, recursive=True)
        }
    return {
        name
        for name in found | {name for rows in tool["data-files"].values() for name in rows}
        if (ROOT / name).is_file()
    }


@pytest.mark.parametrize("engine", [ENGINES[0], *for_test_all(*ENGINES[1:])])
def test_nothing_that_a_machine_keeps_comes_in(tree: Path, engine: Engine) -> None:
    held = image_files(tree, engine)
    assert sorted(held & (planted() | {*BESIDE})) == []


@pytest.mark.parametrize("engine", [ENGINES[0], *for_test_all(*ENGINES[1:])])
def test_all_that_runs_is_there(tree: Path, engine: Engine) -> None:
    must = needed()
    assert sorted(must - image_files(tree, engine)) == []
    for known in (
        "overlays/roller/openapi.yaml", "overlays/restaurant/actions/find_bookings.yaml", "api/web/index.html",
        "language/locales/it/messages.toml", "reasoning/prompts/plan.j2",
        "restaurant/kb/roma.yaml", "temporal-dev.yaml",
        "infra/ledger/migrations/env.py", "restaurant/providers/database/migrations/env.py",
    ):  # fmt: skip
        assert known in must, known


@pytest.mark.parametrize("engine", [ENGINES[0], *for_test_all(*ENGINES[1:])])
def test_what_is_copied_is_named_and_so_is_what_may_come_in(tree: Path, tmp_path: Path, engine: Engine) -> None:
    copied = Path(shutil.copytree(tree, tmp_path / "tree"))
    held = image_files(copied, engine)
    for name in (".dockerignore", ".containerignore"):
        (copied / name).unlink(missing_ok=True)
    named = image_files(copied, engine)
    assert not {name for name in named if "/" not in name} - held, "without an ignore file nothing more of the top"
    assert not {name for name in named if name.startswith(("tests/", "docs/", "deploy/", ".git/", ".iq/", ".venv/"))}

    shutil.copy(tree / ".dockerignore", copied / ".dockerignore")
    (copied / "Containerfile").write_text("FROM scratch\nCOPY . .\n")
    assert image_files(copied, engine) == held, "with everything copied the ignore file alone keeps it out"
