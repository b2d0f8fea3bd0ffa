"""The packs that the product ships, each loaded once per process, because loading one takes a second of processor
time."""

from functools import cache

from clients.registry import Registries
from contracts.action import AtomicAction
from infra.config.settings import ROOT
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry import Pack
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack
from registry.tools.dialects import Tool, description_of, parameter_text


@cache
def shipped(name: str) -> Pack:
    """Return a shipped pack by its folder's name. Tests must not change it."""
    return load_pack(ROOT / "overlays" / name)


@cache
def served(name: str) -> Registries:
    """Return the registries of a process that serves this pack alone. Tests must not change them."""
    return Registries(FolderRegistry((ROOT / "overlays" / name,)), PublishedVersion(Store()))


def tool_of(action: AtomicAction) -> Tool:
    """Return the OpenAI function tool of `action`: only what its overlay exposes, roles in words, formats, examples."""
    return {
        "type": "function",
        "function": {
            "name": action.name,
            "description": description_of(action),
            "parameters": {
                "type": "object",
                "properties": {p.name: {**p.json_schema, "description": parameter_text(p)} for p in action.parameters},
                "required": [p.name for p in action.parameters if p.required],
                "additionalProperties": False,
            },
        },
    }
