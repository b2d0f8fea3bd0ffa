"""Resolves a `$ref` in the document or in a file beside it. Nothing is fetched from a network."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from contracts.base import Node
from registry.errors import OperationError, YamlSyntaxError, did_you_mean
from registry.openapi.schema_reading import parts_of
from registry.overlays.yaml_file import YamlFile, read_yaml

Pointer = tuple[str, ...]


class NodeLocation(NamedTuple):
    """The location of a node: its file and the keys that lead to it."""

    file: Path
    keys: Pointer = ()

    def under(self, *keys: str) -> "NodeLocation":
        """Return a location further down."""
        return NodeLocation(self.file, (*self.keys, *keys))

    @property
    def pointer(self) -> str:
        """Return the JSON pointer within the file."""
        return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in self.keys)


class References:
    """The files of one document. Files that relative references name are read when first needed."""

    def __init__(self, file: YamlFile) -> None:
        self._main = file.path
        self._folder = file.path.resolve().parent
        self._files: dict[Path, YamlFile] = {file.path: file}
        self._names: dict[Path, dict[str, NodeLocation]] = {}
        self.old = str(parts_of(file.data).get("openapi", "")).startswith("3.0")
        """Whether OpenAPI 3.0 applies: later versions have no `nullable`, and parts of forms have styles."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Return every file read so far, the document itself first."""
        return tuple(self._files)

    def find(self, reference: str, location: NodeLocation) -> tuple[Node, NodeLocation]:
        """Return the node that `reference`, written at `location`, names, and its location. Raises OperationError."""
        address, _, fragment = reference.partition("#")
        base = self._named(location.file).get(address) if address else None
        if base is None:
            base = NodeLocation(self._path(unquote(address), reference, location) if address else location.file)
        if fragment and not fragment.startswith("/"):
            anchor = self._named(base.file).get("#" + unquote(fragment))
            if anchor is None:
                hint = "refer by a path such as #/components/schemas/Name"
                raise self.fault(location, f"{reference} names no anchor", hint)
            return self._walked(anchor.keys, anchor.file, reference, location)
        keys = [unquote(part).replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:]]
        if not address and keys and keys[0] in ("$defs", "definitions"):
            base = self._holder(keys[0], location) or base
        return self._walked((*base.keys, *keys), base.file, reference, location)

    def _walked(self, keys: Pointer, file: Path, reference: str, location: NodeLocation) -> tuple[Node, NodeLocation]:
        node: Node = self._files[file].data
        for name in keys:
            if isinstance(node, list) and name.isdecimal() and int(name) < len(node):
                node = node[int(name)]
            elif isinstance(node, dict) and name in node:
                node = node[name]
            else:
                known = parts_of(node)
                hint = did_you_mean(name, known) if len(known) < 2000 else ""
                raise self.fault(
                    location, f"{reference} leads nowhere", hint or "write what it should name, or remove it"
                )
        return node, NodeLocation(file, keys)

    def _holder(self, name: str, location: NodeLocation) -> NodeLocation | None:
        """Return the nearest schema around `location` with definitions of its own, because generators refer to those as
        if the schema were a document. None when the document's root holds them, or nothing does."""
        around: list[Node] = [self._files[location.file].data]
        for key in location.keys:
            inner = around[-1]
            around.append(inner[int(key)] if isinstance(inner, list) else parts_of(inner).get(key))
        if name in parts_of(around[0]):
            return None
        depth = next((i for i in range(len(around) - 1, 0, -1) if name in parts_of(around[i])), 0)
        return NodeLocation(location.file, location.keys[:depth]) if depth else None

    def _named(self, file: Path) -> dict[str, NodeLocation]:
        """Return the schemas of a file by their own names: `#anchor`, or the `$id` of one."""
        if file not in self._names:
            found: dict[str, NodeLocation] = {}
            waiting: list[tuple[Node, Pointer]] = [(self._files[file].data, ())]
            while waiting:
                node, keys = waiting.pop()
                if isinstance(node, dict):
                    for key, mark in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")):
                        if isinstance(node.get(key), str):
                            found.setdefault(mark + node[key].removesuffix("#"), NodeLocation(file, keys))
                    waiting += [(inner, (*keys, key)) for key, inner in node.items() if isinstance(inner, dict | list)]
                elif isinstance(node, list):
                    waiting += [(inner, (*keys, str(i))) for i, inner in enumerate(node)]
            self._names[file] = found
        return self._names[file]

    def pointer(self, location: NodeLocation) -> str:
        """Return the JSON pointer of a location, prefixed with its file unless that is the document itself."""
        if location.file == self._main:
            return location.pointer
        inside = location.file.is_relative_to(self._folder)
        return f"{location.file.relative_to(self._folder) if inside else location.file.name}#{location.pointer}"

    def fault(self, location: NodeLocation, message: str, hint: str) -> OperationError:
        """Return the error for a location, to be raised."""
        return OperationError(message, pointer=self.pointer(location), hint=hint)

    def _path(self, address: str, reference: str, location: NodeLocation) -> Path:
        if "://" in address or address.startswith("//"):
            reason = f"{reference} lies elsewhere on the network, where nothing is read from"
            raise self.fault(location, reason, "fetch it with `iq actions fetch`")
        try:
            path = (location.file.resolve().parent / address).resolve()
        except (OSError, ValueError) as error:
            raise self.fault(location, f"{reference!r} is no address of a file", "write a relative path") from error
        if not path.is_relative_to(self._folder):
            reason = f"{reference} lies outside the document's folder"
            raise self.fault(location, reason, "put the file beside the document")
        if path == self._main.resolve():
            return self._main
        if path not in self._files:
            try:
                self._files[path] = read_yaml(path, strict=False)
            except OSError as error:
                reason = f"{reference} cannot be read: {error.strerror}"
                raise self.fault(location, reason, "put the file beside the document") from error
            except YamlSyntaxError as fault:
                reason = f"{reference}, line {fault.line}: {fault.message}"
                raise self.fault(location, reason, "mend that file") from fault
        return path
