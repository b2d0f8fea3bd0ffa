"""`contracts/signatures.py` is all that workflows see; `cli/stack/worker.py` is what a worker runs. They must agree.

Guarantees:
- Every signature has exactly one implementation, and the worker runs nothing else.
- It takes and returns the same types, under the same name, so that a payload decodes on both sides.
- A signature called by mistake raises `NotWiredError`, naming itself.
- The module imports only `contracts/` and temporalio, and importing it loads no HTTP, crypto or model client.
"""

import ast
import inspect
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from temporalio import activity

from cli.stack.worker import activities_of
from clients.registry import Registries
from clients.services import assemble
from contracts import signatures
from infra.config.settings import ROOT, Settings
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry.loading.folder_registry import FolderRegistry
from tests.support.tables import table


def name_of(function: Callable[..., Any]) -> str | None:
    definition = activity._Definition.from_callable(function)
    return definition.name if definition else None


STUBS = {name: f for f in vars(signatures).values() if callable(f) and (name := name_of(f))}


@pytest.fixture(scope="module")
def implementations(tmp_path_factory: pytest.TempPathFactory) -> list[Callable[..., Any]]:
    """Return what a worker registers. The client is only stored, so none is needed to read them."""
    settings = Settings(_env_file=None, data=tmp_path_factory.mktemp("data"))
    return activities_of(assemble(settings, client=None))  # type: ignore[arg-type]


def types(function: Callable[..., Any]) -> tuple[list[Any], Any]:
    """Return (parameter types, return type), without `self`."""
    hints = typing.get_type_hints(function)
    names = [p for p in inspect.signature(function).parameters if p != "self"]
    return [hints[name] for name in names], hints["return"]


def test_every_signature_has_exactly_one_implementation(implementations: list[Callable[..., Any]]) -> None:
    names = [name_of(each) for each in implementations]

    assert sorted(map(str, names)) == sorted(STUBS)


@pytest.mark.parametrize("name", STUBS)
def test_both_sides_take_and_return_the_same_types(name: str, implementations: list[Callable[..., Any]]) -> None:
    real = next(each for each in implementations if name_of(each) == name)

    assert types(real) == types(STUBS[name])


@table("name", STUBS)
def test_a_signature_takes_one_typed_thing(name: str) -> None:
    parameters, _ = types(STUBS[name])

    assert len(parameters) == 1


@pytest.mark.parametrize("name", STUBS)
async def test_a_signature_that_is_called_names_itself(name: str) -> None:
    with pytest.raises(signatures.NotWiredError, match=name):
        await STUBS[name](None)


@table("name", STUBS)
def test_a_signature_says_what_it_does(name: str) -> None:
    assert inspect.getdoc(STUBS[name])


def test_signatures_import_only_contracts_and_temporalio() -> None:
    tree = ast.parse(Path(signatures.__file__).read_text())
    imported = {
        module.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }

    assert imported == {"contracts", "temporalio"}


def test_importing_signatures_drags_in_no_client() -> None:
    code = "import sys, contracts.signatures; print(*{m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=110, check=True
    )

    ours_or_heavy = {
        "httpx",
        "openai",
        "cryptography",
        "redis",
        "langfuse",
        "fastapi",
        "registry",
        "infra",
        "workflows",
        "api",
    }
    assert not ours_or_heavy & set(loaded.stdout.split())


async def test_a_registry_that_cannot_be_loaded_leaves_the_old_one(tmp_path: Path) -> None:
    from shutil import copytree

    folder = Path(copytree(ROOT / "overlays" / "roller", tmp_path / "roller"))
    board = PublishedVersion(Store())
    registries = Registries(FolderRegistry((folder,)), board)
    before = registries.registry.version

    (folder / "openapi.yaml").unlink()
    await board.publish("another-version")
    pack = await registries.pack("roller-demo")

    assert registries.registry.version == before
    assert "reschedule_booking" in pack.actions


async def test_a_published_registry_is_taken_up_at_the_next_call(tmp_path: Path) -> None:
    from shutil import copytree

    folder = Path(copytree(ROOT / "overlays" / "roller", tmp_path / "roller"))
    board = PublishedVersion(Store())
    here, there = (Registries(FolderRegistry((folder,)), board) for _ in range(2))
    assert "edit_note" in (await there.pack("roller-demo")).actions

    (folder / "actions" / "edit_note.yaml").unlink()
    assert "edit_note" in (await there.pack("roller-demo")).actions, "not before it is published"
    published = await here.refresh()

    assert "edit_note" not in (await there.pack("roller-demo")).actions
    assert there.registry.version == published == await board.published()
