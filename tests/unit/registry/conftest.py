"""The ROLLER pack and copies of it to break."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import registry
from registry.loading.load import load_pack
from tests.support.shipped import shipped
from tests.unit.registry.examples import ROLLER


@pytest.fixture(scope="session")
def pack() -> registry.Pack:
    """The ROLLER pack as it is in the repository."""
    return shipped("roller")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the ROLLER pack that a test may change."""
    return Path(copytree(ROLLER, tmp_path / "roller"))


@pytest.fixture
def load(folder: Path) -> Callable[..., registry.Pack]:
    """Loads the copy, after writing the overlay texts given by file name without its ending."""

    def load_with(**overlays: str) -> registry.Pack:
        for name, text in overlays.items():
            (folder / "actions" / f"{name}.yaml").write_text(text, encoding="utf-8")
        return load_pack(folder)

    return load_with
