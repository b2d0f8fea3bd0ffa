"""The packs that the product ships, each loaded once in a process: loading one takes a second of the processor."""

from functools import cache

from clients.registry import Registries
from infra.config.settings import ROOT
from infra.stores.registry_version import MemoryPublishedVersion
from registry import Pack, Registry, load_pack


@cache
def shipped(name: str) -> Pack:
    """A shipped pack by its folder's name. Nothing may change it."""
    return load_pack(ROOT / "overlays" / name)


@cache
def served(name: str) -> Registries:
    """What a process that serves this pack alone knows of it. Nothing may change it."""
    return Registries(Registry((ROOT / "overlays" / name,)), MemoryPublishedVersion())
