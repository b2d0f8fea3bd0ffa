"""An OpenAPI 3.0 or 3.1 document, one operation at a time: a broken operation costs only itself.

The document as read is the truth; openapi-pydantic only judges whether an operation is well formed. References
are local; a cycle is cut to an empty schema, which accepts anything.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from openapi_pydantic.v3.v3_0 import Operation as Operation30
from openapi_pydantic.v3.v3_1 import Operation as Operation31
from pydantic import ValidationError

from contracts.action import Location, Operation, WireParameter
from contracts.base import Json
from registry.faults import OperationFault, PackError, YamlFault, nearest
from registry.yaml_file import YamlFile, read_yaml

_METHODS = ("get", "put", "post", "delete", "patch", "head", "options")
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})  # OpenAPI: such parameters have no effect
_ANNOTATIONS = frozenset({"description", "example", "examples", "title", "externalDocs", "xml", "deprecated"})
_MOST_NODES = 100_000

_Pointer = tuple[str, ...]


@dataclass(frozen=True)
class Described:
    """An operation with what the document says of it; `texts` maps a target, `path.uniqueId`, to its description."""

    operation: Operation
    summary: str
    texts: dict[str, str]


class Document:
    """The operations of one document by key."""

    def __init__(self, file: YamlFile) -> None:
        self.file = file
        self._root = file.data if isinstance(file.data, dict) else {}
        self._places = self._index()
        self._described: dict[str, Described] = {}

    @classmethod
    def read(cls, path: Path) -> "Document":
        """Read a document. Raises PackError when the file cannot be used at all."""
        try:
            file = read_yaml(path)
        except OSError as error:
            raise PackError(f"{path.name} cannot be read: {error.strerror}") from error
        except YamlFault as error:
            raise PackError(f"{path.name}, line {error.line}: {error.message}") from error
        root = file.data if isinstance(file.data, dict) else {}
        if "swagger" in root:
            raise PackError(f"{path.name} is Swagger {root['swagger']}: convert it to OpenAPI 3 first")
        if not str(root.get("openapi", "")).startswith("3."):
            raise PackError(f"{path.name} is not an OpenAPI 3 document: it has no `openapi: 3.…` at its top")
        if not isinstance(root.get("paths"), dict):
            raise PackError(f"{path.name} has no `paths`")
        return cls(file)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every operation's key, in document order."""
        return tuple(self._places)

    @property
    def server(self) -> str | None:
        """The first server's address."""
        servers = self._root.get("servers")
        first = servers[0] if isinstance(servers, list) and servers else None
        return first.get("url") if isinstance(first, dict) else None

    def described(self, name: str) -> Described:
        """The operation called `name`: its operationId, or `METHOD /path`. Raises OperationFault."""
        key = self._key(name)
        if key not in self._described:
            self._described[key] = self._build(key, self._places[key])
        return self._described[key]

    def operation(self, name: str) -> Operation:
        """As `described`, the operation alone. Raises OperationFault."""
        return self.described(name).operation

    def line(self, name: str) -> int | None:
        """The line an operation starts at, when it is there."""
        place = self._places.get(name)
        return self.file.line(*place) if place else None

    def _key(self, name: str) -> str:
        if name in self._places:
            return name
        for key, (_, path, method) in self._places.items():
            if name == f"{method.upper()} {path}":
                return key
        raise OperationFault(f"the API document has no operation {name!r}", hint=nearest(name, self._places))

    def _index(self) -> dict[str, tuple[str, str, str]]:
        found: dict[str, tuple[str, str, str]] = {}
        paths = self._root.get("paths")
        for path, item in paths.items() if isinstance(paths, dict) else ():
            for method in _METHODS:
                operation = item.get(method) if isinstance(item, dict) else None
                if operation is None:
                    continue
                name = operation.get("operationId") if isinstance(operation, dict) else None
                unique = isinstance(name, str) and name and name not in found
                found[str(name) if unique else f"{method.upper()} {path}"] = ("paths", path, method)
        return found

    def _build(self, key: str, place: tuple[str, str, str]) -> Described:
        _, path, method = place
        item = self._root["paths"][path]
        resolver = _Resolver(self._root)
        raw = resolver.resolve(item[method], place)
        if not isinstance(raw, dict):
            raise OperationFault(f"{key} is not an operation", pointer=_pointer(place))
        shared = resolver.resolve(item.get("parameters") or [], ("paths", path, "parameters"))
        parameters = _by_place([*shared, *(raw.get("parameters") or [])], place)
        self._judge(key, raw, list(parameters.values()), place)
        wires = tuple(_wire(p) for p in parameters.values())
        _gaps_filled(key, path, wires, place)
        body, required, content_type = _body(raw.get("requestBody"))
        operation = Operation(
            key=key, method=method.upper(), path=path, parameters=wires,
            body_schema=slim(body) if body is not None else None, body_required=required, content_type=content_type,
        )  # fmt: skip
        texts = {f"{p['in']}.{p['name']}": str(p.get("description") or "") for p in parameters.values()}
        texts |= {f"body.{n}": str(s.get("description") or "") for n, s in _properties(body) if isinstance(s, dict)}
        return Described(operation, str(raw.get("summary") or raw.get("description") or ""), texts)

    def _judge(self, key: str, raw: Json, parameters: list[Json], place: _Pointer) -> None:
        model = Operation30 if str(self._root["openapi"]).startswith("3.0") else Operation31
        body = {"requestBody": raw["requestBody"]} if raw.get("requestBody") is not None else {}
        judged = {"parameters": parameters, **body, "responses": {"200": {"description": ""}}}
        try:
            model.model_validate(_known_to_be_fine(judged))
        except ValidationError as error:
            first = error.errors()[0]
            pointer = _pointer((*place, *map(str, first["loc"])))
            raise OperationFault(f"{key} is not well formed: {first['msg']}", pointer=pointer) from error


class _Resolver:
    """Replaces local references; counts what it makes, since references that fan out grow without bound."""

    def __init__(self, root: dict[str, Json]) -> None:
        self._root, self._count = root, 0

    def resolve(self, node: Json, place: _Pointer, stack: tuple[str, ...] = ()) -> Json:
        """`node` with every reference replaced; `stack` holds those being followed. Raises OperationFault."""
        self._count += 1
        if self._count > _MOST_NODES or len(place) > 200:
            raise OperationFault("the operation refers to too much", pointer=_pointer(place[:6]))
        if isinstance(node, list):
            return [self.resolve(v, (*place, str(i)), stack) for i, v in enumerate(node)]
        if not isinstance(node, dict):
            return node
        reference = node.get("$ref")
        if isinstance(reference, str):
            if reference in stack:
                return {}
            target = self.resolve(self._find(reference, place), place, (*stack, reference))
            siblings = {k: self.resolve(v, (*place, k), stack) for k, v in node.items() if k != "$ref"}
            return {**target, **siblings} if isinstance(target, dict) else target
        skipped = {"responses", "callbacks", "security"} if len(place) == 3 else set[str]()
        return {k: self.resolve(v, (*place, k), stack) for k, v in node.items() if k not in skipped}

    def _find(self, reference: str, place: _Pointer) -> Json:
        if not reference.startswith("#/"):
            raise OperationFault(f"{reference} is not in this document", pointer=_pointer(place))
        node: Json = self._root
        for part in reference[2:].split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and name.isdigit() and int(name) < len(node):
                node = node[int(name)]
            elif isinstance(node, dict) and name in node:
                node = node[name]
            else:
                hint = nearest(name, map(str, node)) if isinstance(node, dict) else ""
                raise OperationFault(f"{reference} leads nowhere", pointer=_pointer(place), hint=hint)
        return node


def slim(schema: Json) -> Json:
    """A schema without what only people read; properties that happen to be called `title` stay."""
    if isinstance(schema, list):
        return [slim(v) for v in schema]
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        if key in _ANNOTATIONS or key.startswith("x-"):
            continue
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            result[key] = {name: slim(inner) for name, inner in value.items()}
        else:
            result[key] = value if key in ("enum", "const", "default") else slim(value)
    return result


def _by_place(parameters: list[Json], place: _Pointer) -> dict[tuple[str, str], Json]:
    """Parameters by location and name; an operation's own win over its path's."""
    found: dict[tuple[str, str], Json] = {}
    for index, parameter in enumerate(parameters):
        if not isinstance(parameter, dict) or not {"name", "in"} <= set(parameter):
            raise OperationFault(
                "a parameter needs `name` and `in`", pointer=_pointer((*place, "parameters", str(index)))
            )
        if parameter["in"] == "header" and str(parameter["name"]).lower() in _IGNORED_HEADERS:
            continue
        found[str(parameter["in"]), str(parameter["name"])] = parameter
    return found


def _wire(parameter: Json) -> WireParameter:
    location: Location = parameter["in"]
    content = parameter.get("content")
    schema = parameter.get("schema") or (next(iter(content.values())).get("schema") if content else None) or {}
    style = parameter.get("style") or ("form" if location in ("query", "cookie") else "simple")
    return WireParameter(
        name=parameter["name"], location=location, required=bool(parameter.get("required")) or location == "path",
        json_schema=slim(schema), style=style, explode=parameter.get("explode", style == "form"),
    )  # fmt: skip


def _gaps_filled(key: str, path: str, wires: tuple[WireParameter, ...], place: _Pointer) -> None:
    declared = {w.name for w in wires if w.location == "path"}
    for gap in re.findall(r"{([^}]+)}", path):
        if gap not in declared:
            raise OperationFault(
                f"{key}: {path} has {{{gap}}} but no path parameter of that name",
                pointer=_pointer(place), hint=nearest(gap, declared),
            )  # fmt: skip


def _body(body: Json) -> tuple[Json, bool, str | None]:
    content = body.get("content") if isinstance(body, dict) else None
    if not content:
        return None, False, None
    chosen = min(content, key=_preference)
    return (content[chosen] or {}).get("schema") or {}, bool(body.get("required")), chosen


def _preference(content_type: str) -> int:
    kind = content_type.split(";")[0].strip().lower()
    order = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
    return 0 if kind.endswith("+json") else order.index(kind) if kind in order else len(order)


def _properties(body: Json) -> list[tuple[str, Json]]:
    properties = body.get("properties") if isinstance(body, dict) else None
    return list(properties.items()) if isinstance(properties, dict) else []


def _known_to_be_fine(node: Json) -> Json:
    """`node` without the valid 3.1 schemas that openapi-pydantic 0.6 refuses (boolean ones, unevaluated…)."""
    if isinstance(node, list):
        return [_known_to_be_fine(v) for v in node]
    if not isinstance(node, dict):
        return node
    result = {}
    for key, value in node.items():
        if key in ("unevaluatedProperties", "unevaluatedItems", "example", "examples"):
            continue
        if key == "properties" and isinstance(value, dict):
            value = {name: {} if isinstance(inner, bool) else inner for name, inner in value.items()}
        result[key] = _known_to_be_fine(value)
    return result


def _pointer(place: _Pointer) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in place)
