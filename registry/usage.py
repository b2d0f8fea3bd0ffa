"""Which operations the overlays of a pack name, right or wrong."""

import json
import re
from pathlib import Path

from contracts.base import Node
from registry.faults import YamlSyntaxError
from registry.nodes import parts_of
from registry.pieces import read_pieces
from registry.yaml_file import YamlFile, read_overlay


def overlay_files(folder: Path) -> list[YamlFile]:
    """The overlay files of a pack that can be read, with their pieces; `iq actions check` tells of the others."""
    files, pieces = [], read_pieces(folder)[0]
    for path in sorted((folder / "actions").glob("*.yaml")):
        try:
            files.append(pieces.applied(read_overlay(path))[0])
        except (OSError, YamlSyntaxError):
            continue
    return files


def operations_used(file: YamlFile) -> list[str]:
    """The operations an overlay names anywhere: to act, read, undo or find alternatives."""
    return list(dict.fromkeys(_named(file.data)))


def words_used(file: YamlFile) -> frozenset[str]:
    """Every name in an overlay's keys and texts: a property that is not among them is none it uses."""
    return frozenset(re.findall(r"[A-Za-z_][\w-]*", json.dumps(file.data, ensure_ascii=False)))


def _named(node: Node) -> list[str]:
    if isinstance(node, list):
        return [name for part in node for name in _named(part)]
    own = parts_of(node).get("operation")
    inner = [v for k, v in parts_of(node).items() if k not in ("sample", "examples", "parameters", "body")]
    return [*([own] if isinstance(own, str) else []), *(name for part in inner for name in _named(part))]
