"""Which operations the overlays of a pack name, right or wrong."""

import json
import re
from pathlib import Path

from contracts.base import Json
from registry.faults import YamlSyntaxError
from registry.yaml_file import YamlFile, read_yaml


def overlay_files(folder: Path) -> list[YamlFile]:
    """The overlay files of a pack that can be read; `iq actions check` tells of the others."""
    files = []
    for path in sorted((folder / "actions").glob("*.yaml")):
        try:
            files.append(read_yaml(path))
        except (OSError, YamlSyntaxError):
            continue
    return files


def operations_used(file: YamlFile) -> list[str]:
    """The operations an overlay names anywhere: to act, read, undo or find alternatives."""
    return list(dict.fromkeys(_named(file.data)))


def words_used(file: YamlFile) -> frozenset[str]:
    """Every name in an overlay's keys and texts: a property that is not among them is none it uses."""
    return frozenset(re.findall(r"[A-Za-z_][\w-]*", json.dumps(file.data, ensure_ascii=False)))


def _named(node: Json, depth: int = 0) -> list[str]:
    if isinstance(node, list):
        return [name for part in node for name in _named(part, depth + 1)]
    if not isinstance(node, dict):
        return []
    own = [node["operation"]] if isinstance(node.get("operation"), str) else []
    inner = {k: v for k, v in node.items() if k not in ("sample", "examples", "parameters", "body")}
    return own + [name for part in inner.values() for name in _named(part, depth + 1)]
