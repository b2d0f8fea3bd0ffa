"""Finding what a `$ref` stands for, in the document or in a file beside it. Nothing is fetched from a network."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from contracts.base import Json
from registry.faults import OperationFault, YamlFault, nearest
from registry.yaml_file import YamlFile, read_yaml

Pointer = tuple[str, ...]


class Place(NamedTuple):
    """Where a node stands: its file and the keys that lead to it."""

    file: Path
    keys: Pointer = ()

    def under(self, *keys: str) -> "Place":
        """A place further in."""
        return Place(self.file, (*self.keys, *keys))

    @property
    def pointer(self) -> str:
        """The JSON pointer within the file."""
        return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in self.keys)


class References:
    """The files of one document, those its relative references name read when first needed."""

    def __init__(self, file: YamlFile) -> None:
        self._main = file.path
        self._folder = file.path.resolve().parent
        self._files: dict[Path, YamlFile] = {file.path: file}

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file read so far, the document itself first."""
        return tuple(self._files)

    def find(self, reference: str, place: Place) -> tuple[Json, Place]:
        """What `reference`, written at `place`, names, and where that stands. Raises OperationFault."""
        address, _, fragment = reference.partition("#")
        path = self._path(unquote(address), reference, place) if address else place.file
        node: Json = self._files[path].data
        keys: list[str] = []
        for part in fragment.split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and name.isdecimal() and int(name) < len(node):
                node = node[int(name)]
            elif isinstance(node, dict) and name in node:
                node = node[name]
            else:
                hint = nearest(name, map(str, node)) if isinstance(node, dict) and len(node) < 2000 else ""
                raise OperationFault(f"{reference} leads nowhere", pointer=self.pointer(place), hint=hint)
            keys.append(name)
        if fragment and not fragment.startswith("/"):
            raise OperationFault(
                f"{reference} is an anchor, which is not followed", pointer=self.pointer(place),
                hint="refer by a path such as #/components/schemas/Name",
            )  # fmt: skip
        return node, Place(path, tuple(keys))

    def pointer(self, place: Place) -> str:
        """The JSON pointer of a place, with its file in front unless that is the document itself."""
        return place.pointer if place.file == self._main else f"{place.file.name}#{place.pointer}"

    def _path(self, address: str, reference: str, place: Place) -> Path:
        pointer = self.pointer(place)
        if "://" in address or address.startswith("//"):
            raise OperationFault(f"{reference} lies elsewhere on the network, where nothing is read from",
                                 pointer=pointer, hint="fetch it with `iq actions fetch`")  # fmt: skip
        path = (place.file.resolve().parent / address).resolve()
        if not path.is_relative_to(self._folder):
            raise OperationFault(f"{reference} lies outside the document's folder", pointer=pointer,
                                 hint="put the file beside the document")  # fmt: skip
        if path == self._main.resolve():
            return self._main
        if path not in self._files:
            try:
                self._files[path] = read_yaml(path, strict=False)
            except OSError as error:
                raise OperationFault(f"{reference} cannot be read: {error.strerror}", pointer=pointer) from error
            except YamlFault as fault:
                raise OperationFault(f"{reference}, line {fault.line}: {fault.message}", pointer=pointer) from fault
        return path
