"""The packs that the product ships, each loaded once per process, because loading one takes a second of processor
time."""

from functools import cache

from clients.registry import Registries
from infra.config.settings import ROOT
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry import Pack
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack


@cache
def shipped(name: str) -> Pack:
    """Return a shipped pack by its folder's name. Tests must not change it."""
    return load_pack(ROOT / "overlays" / name)


@cache
def served(name: str) -> Registries:
    """Return the registries of a process that serves this pack alone. Tests must not change them."""
    return Registries(FolderRegistry((ROOT / "overlays" / name,)), PublishedVersion(Store()))
