"""Fragments that several overlays of a pack share: `fragments.yaml` names them, `{include: name}` inserts one.

A fragment is any tree: a snapshot, an error rule, part of a request. In a list, a fragment that is a list inserts all
its entries. Problems are reported for the overlay, at the line that uses the fragment.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeGuard

from contracts.action import Finding
from contracts.base import Node
from registry.errors import YamlSyntaxError, did_you_mean
from registry.openapi.schema_reading import parts_of
from registry.overlays.findings import Findings, unreadable
from registry.overlays.yaml_file import OVERLAY_DEPTH, Key, YamlFile, read_limited_yaml

FILE, USE = "fragments.yaml", "include"
_MOST = 20_000
"""Entries of one overlay with its fragments inserted. Fragments may use one another and double each time."""


class FragmentError(NamedTuple):
    """A problem of an overlay with a fragment that it uses."""

    key: Key
    message: str
    hint: str


@dataclass
class Fragments:
    """The fragments of one pack. `why` is the reason why none can be used, where the file is broken."""

    label: str = FILE
    file: YamlFile | None = None
    why: str = ""
    used: set[str] = field(default_factory=set)

    def applied(self, overlay: YamlFile) -> tuple[YamlFile, list[FragmentError]]:
        """Return `overlay` with its fragments inserted; each of their lines is that of its `include`."""
        if not _uses(overlay.data):
            return overlay, []
        work = _Work(self, overlay)
        data = work.tree(overlay.data, (), (), ())
        return replace(overlay, data=data, lines={**work.lines}), work.wrong

    def findings(self) -> list[Finding]:
        """Return the findings about the file itself, and its unused fragments."""
        if self.file is None:
            return []
        found = Findings(self.file, self.label, None)
        for name in parts_of(self.file.data):
            if name not in self.used:
                found.warning((name,), "no overlay uses it", "remove it, or write `{include: " + name + "}`")
        return found.rows

    @property
    def known(self) -> dict[str, Node]:
        """Return the fragments by name."""
        return parts_of(self.file.data) if self.file is not None else {}


def read_fragments(folder: Path) -> tuple[Fragments, list[Finding]]:
    """Return the fragments of the pack in `folder`, none where it has no such file; and the findings if they cannot be
    read."""
    label = f"{folder.name}/{FILE}"
    path = folder / FILE
    if not path.exists() and not path.is_symlink():
        return Fragments(label), []
    try:
        file = read_limited_yaml(path)
    except (OSError, YamlSyntaxError) as error:
        return Fragments(label, why=f"{FILE} cannot be read"), [unreadable(label, error)]
    if not isinstance(file.data, dict):
        wrong = Finding(level="error", file=label, line=1, message="must be a list of `name: piece` lines")
        return Fragments(label, why=f"{FILE} is no list of names"), [wrong]
    return Fragments(label, file), []


class _Work:
    """One overlay in progress. `old` is a key's location in the file, `new` its location in the result."""

    def __init__(self, pieces: Fragments, overlay: YamlFile) -> None:
        self._pieces, self._overlay = pieces, overlay
        self.lines: dict[Key, int] = {}
        self.wrong: list[FragmentError] = []
        self._left = _MOST

    def tree(self, node: Node, old: Key | None, new: Key, within: tuple[str, ...]) -> Node:
        """Return the node with fragments inserted; `old` is None inside a fragment, `within` names those around it."""
        self._note(old, new)
        if is_reference(node):
            return self._piece(node[USE], new, within)
        if isinstance(node, dict):
            return {
                name: self.tree(inner, None if old is None else (*old, name), (*new, name), within)
                for name, inner in node.items()
            }
        if isinstance(node, list):
            made: list[Node] = []
            for index, inner in enumerate(node):
                there = None if old is None else (*old, index)
                several = is_reference(inner) and isinstance(self._pieces.known.get(inner[USE]), list)
                value = self.tree(inner, there, (*new, len(made)), within)
                rows = value if several and isinstance(value, list) else [value]
                for position in range(len(made), len(made) + len(rows)):
                    self._note(there, (*new, position))
                made += rows
            return made
        return node

    def _note(self, old: Key | None, new: Key) -> None:
        line = self._overlay.line(*old) if old is not None else None
        if line is not None:
            self.lines.setdefault(new, line)

    def _piece(self, name: str, new: Key, within: tuple[str, ...]) -> Node:
        pieces = self._pieces
        pieces.used.add(name)
        if pieces.why:
            return self._refused(new, f"uses the piece {name}, and {pieces.why}", f"mend {FILE}")
        if name not in pieces.known:
            where = "" if pieces.file else f"put a file {FILE} beside venue.yaml"
            return self._refused(new, f"there is no piece {name}", did_you_mean(name, pieces.known) or where)
        if name in within:
            circle = " → ".join([*within[within.index(name) :], name])
            return self._refused(new, f"the piece {name} uses itself: {circle}", f"mend {FILE}")
        node = pieces.known[name]
        if self._left < 0:
            return None  # reported already
        self._left -= _size(node)
        if self._left < 0 or len(within) + 1 >= OVERLAY_DEPTH:
            self._left = -1
            return self._refused(new, f"the piece {name} makes this file too large", "use fewer pieces in pieces")
        return self.tree(node, None, new, (*within, name))

    def _refused(self, key: Key, message: str, hint: str) -> Node:
        if all(message != one.message for one in self.wrong):
            self.wrong.append(FragmentError(key, message, hint))
        return None


def is_reference(node: Node) -> TypeGuard[dict[str, str]]:
    """Return whether a node is `{include: name}` with nothing beside it."""
    return isinstance(node, dict) and node.keys() == {USE} and isinstance(node[USE], str)


def _uses(node: Node) -> bool:
    return is_reference(node) or any(map(_uses, _inside(node)))


def _size(node: Node) -> int:
    return 1 + sum(map(_size, _inside(node)))


def _inside(node: Node) -> Iterator[Node]:
    if isinstance(node, dict):
        yield from node.values()
    elif isinstance(node, list):
        yield from node
