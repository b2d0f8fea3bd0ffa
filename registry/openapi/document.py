"""An OpenAPI 3.0 or 3.1 document, one operation at a time: a broken operation affects only itself.

The document is authoritative. openapi-pydantic validates the frame of an operation, `schemas.py` its schemas.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from contracts.action import Finding, Level, Operation, WireParameter
from contracts.base import Node, Parts
from registry.errors import OperationError, PackError, YamlSyntaxError, did_you_mean
from registry.http.credentials import PackCredentials
from registry.http.styles import gap_of
from registry.openapi.parameters import LEFT_OVER, body_left_over, body_of, formless, wire_of
from registry.openapi.references import NodeLocation, References
from registry.openapi.schema_reading import entries_of, parts_of
from registry.openapi.schemas import SchemaNormalizer
from registry.overlays.yaml_file import YamlFile, read_yaml
from registry.text import word_set

_METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
# OpenAPI: the first three have no effect as parameters. The HTTP client sets the others: with them a model could
# redirect a request or break it.
_IGNORED_HEADERS = word_set("""
    accept content-type authorization host content-length transfer-encoding connection expect upgrade te trailer
    keep-alive
""")
CLIENTS_OWN = _IGNORED_HEADERS - {"accept", "authorization"}
"""Headers that no pack may set, because they would redirect a request or break it."""
_FRAME = frozenset({"name", "in", "required", "style", "explode", "allowReserved", "deprecated"})


@dataclass(frozen=True)
class DescribedOperation:
    """An operation and the document's information about it.

    `texts` maps a target, `path.uniqueId`, to its description. `hidden` names what the model may not see of it, `lost`
    those of them that a caller must send, `credentials` the targets that the document's security schemes fill. `server`
    is the operation's own address if it differs from the document's. `skipped` names broken parts that were left out
    because they are optional.
    """

    operation: Operation
    summary: str
    description: str
    tags: tuple[str, ...]
    texts: dict[str, str]
    hidden: frozenset[str] = frozenset()
    lost: tuple[str, ...] = ()
    credentials: frozenset[str] = frozenset()
    server: str | None = None
    skipped: tuple[str, ...] = ()


_Parameter = tuple[dict[str, Node], NodeLocation]


class _Spot(NamedTuple):
    """An operation as written and its location, with its path item and the location of that."""

    item: dict[str, Node]
    item_place: NodeLocation
    path: str
    method: str
    operation: Node
    location: NodeLocation


def read_or_refuse(path: Path, label: str, *, strict: bool = True) -> YamlFile:
    """Read a required file. Raises PackError."""
    try:
        return read_yaml(path, strict=strict)
    except OSError as error:
        raise PackError(f"{label} cannot be read: {error.strerror}") from error
    except YamlSyntaxError as error:
        location = f"{label}, line {error.line}" if error.line else label
        raise PackError(f"{location}: {error.message}") from error


class Document:
    """The operations of one document by key. `findings` are the problems of the document as a whole."""

    def __init__(self, file: YamlFile) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self.references = References(file)
        self.root = parts_of(file.data)
        self._spots = self._index()
        self._by_path = {f"{s.method.upper()} {s.path}": key for key, s in self._spots.items()}
        self._credentials = self._security()
        self._entry: PackCredentials | None = None
        self._described: dict[tuple[str, bool], DescribedOperation] = {}
        self._say_version()

    @classmethod
    def read(cls, path: Path) -> "Document":
        """Read a document. Raises PackError when the file cannot be used at all."""
        file = read_or_refuse(path, path.name, strict=False)
        root = parts_of(file.data)
        if "swagger" in root:
            raise PackError(
                f"{path.name} is Swagger {root['swagger']}: convert it to OpenAPI 3 first "
                f"(https://converter.swagger.io, or `npx swagger2openapi {path.name}`)"
            )
        if not re.match(r"3(\.|$)", str(root.get("openapi", ""))):
            raise PackError(f"{path.name} is not an OpenAPI 3 document: it has no `openapi: 3.…` at its top")
        if not isinstance(root.get("paths"), dict) and not isinstance(root.get("webhooks"), dict):
            raise PackError(f"{path.name} has no `paths`")
        return cls(file)

    @property
    def keys(self) -> tuple[str, ...]:
        """Return every operation's key, in document order."""
        return tuple(self._spots)

    @property
    def server(self) -> str | None:
        """Return the first server's address, its variables at their defaults; if only paths have servers, the first of
        those."""
        named = server_address(self.root.get("servers"))
        return named or next((a for s in self._spots.values() if (a := server_address(s.item.get("servers")))), None)

    def described(self, name: str, *, needed: bool = False) -> DescribedOperation:
        """Return the operation called `name`, its operationId or `METHOD /path`; with `needed` only what a caller must
        send. Raises OperationError."""
        key = self._key(name)
        if (key, needed) not in self._described:
            try:
                self._described[key, needed] = self._build(key, self._spots[key], needed)
            except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError) as error:
                # Catches everything, because documents are broken in unforeseen ways and none of them may affect the
                # other operations.
                what = f"{key} cannot be read: {type(error).__name__}: {error}"[:200]
                hint = "check it with an OpenAPI linter"
                raise OperationError(what, pointer=self.pointer(key), hint=hint) from error
        return self._described[key, needed]

    def operation(self, name: str) -> Operation:
        """Return the operation of `described` alone. Raises OperationError."""
        return self.described(name).operation

    def raw(self, name: str) -> tuple[dict[str, Node], NodeLocation]:
        """Return the operation as written in the document. Raises OperationError."""
        spot = self._spots[self._key(name)]
        return parts_of(spot.operation), spot.location

    def pointer(self, name: str) -> str:
        """Return the JSON pointer of an operation."""
        return self.references.pointer(self._spots[self._key(name)].location)

    def line(self, name: str) -> int | None:
        """Return the line at which an operation starts, if the file gives it."""
        spot = self._spots.get(name)
        return self.file.line(*spot.location.keys) if spot and spot.location.file == self.file.path else None

    def _key(self, name: str) -> str:
        if name in self._spots:
            return name
        method, _, path = name.partition(" ")
        key = self._by_path.get(f"{method.upper()} {path}")
        if key is None:
            raise OperationError(f"the API document has no operation {name!r}", hint=did_you_mean(name, self._spots))
        return key

    def _index(self) -> dict[str, _Spot]:
        found: dict[str, _Spot] = {}
        start = NodeLocation(self.file.path, ("paths",))
        for path, item in parts_of(self.root.get("paths")).items():
            if path.startswith("x-"):
                continue
            try:
                target, location = self._item(item, start.under(path))
            except OperationError as fault:
                self.warn(fault.message, fault.pointer, fault.hint, "error")
                continue
            if not path.startswith("/"):
                # After an address it would be part of the host name: `@evil.example`, `.evil.example`.
                self.warn(
                    f"the path {path[:80]!r} does not begin with /", self.references.pointer(location), "", "error"
                )
                continue
            for method in _METHODS:
                if target.get(method) is None:
                    continue
                operation, where = self._own(target[method], location.under(method))
                name = parts_of(operation).get("operationId")
                plain = f"{method.upper()} {path}"
                if isinstance(name, str) and name in found:
                    pointer = self.references.pointer(location.under(method))
                    self.warn(f"the operationId {name} is there twice", pointer, f"the second one goes by {plain}")
                unique = isinstance(name, str) and name.strip() and name not in found
                found[str(name) if unique else plain] = _Spot(target, location, path, method, operation, where)
        return found

    def _own(self, operation: Node, location: NodeLocation) -> tuple[Node, NodeLocation]:
        """Return the operation that a reference in its place refers to, as bundlers write it; unchanged when that is
        broken."""
        try:
            return SchemaNormalizer(self.references).node(operation, location)
        except OperationError:
            return operation, location

    def _item(self, item: Node, location: NodeLocation) -> tuple[dict[str, Node], NodeLocation]:
        target, where = SchemaNormalizer(self.references).node(item, location)
        if not isinstance(item, dict) or not isinstance(target, dict):
            hint = "write `get:`, `post:` and so on under it"
            raise self.references.fault(where, "a path must hold a mapping of methods", hint)
        return ({**target, **{k: v for k, v in item.items() if k != "$ref"}} if "$ref" in item else target), where

    @cached_property
    def schemes(self) -> dict[str, dict[str, Node]]:
        """Return the document's security schemes by name."""
        written = parts_of(parts_of(self.root.get("components")).get("securitySchemes"))
        start = NodeLocation(self.file.path, ("components", "securitySchemes"))
        return {name: parts_of(self._own(scheme, start.under(name))[0]) for name, scheme in written.items()}

    def enter(self, entry: PackCredentials) -> None:
        """Apply `entry` to all operations described from now on."""
        self._entry = entry
        self._described.clear()

    def _security(self) -> frozenset[str]:
        keys = [scheme for scheme in self.schemes.values() if scheme.get("type") == "apiKey"]
        return frozenset(f"{scheme.get('in')}.{str(scheme.get('name')).lower()}" for scheme in keys)

    def _say_version(self) -> None:
        version = str(self.root.get("openapi"))
        if not version.startswith(("3.0", "3.1")):
            self.warn(f"OpenAPI {version} is not known yet and read as 3.1", "/openapi", "check what it offers")
        if not self._spots:
            where = next((f"/{key}" for key in ("paths", "webhooks") if key in self.root), "")
            self.warn("the document has no operations", where, "only what stands under `paths` can be called")
        for line, name in self.file.repeated:
            text, hint = f"the key {name} is there twice", "the last one counts: remove the other"
            found = Finding(level="warning", file=self.file.path.name, line=line, message=text, hint=hint)
            self.findings.append(found)

    def warn(self, message: str, pointer: str, hint: str = "", level: Level = "warning") -> None:
        """Record a problem of the document as a whole."""
        keys = tuple(p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:])
        name, line = self.file.path.name, self.file.line(*keys)
        self.findings.append(Finding(level=level, file=name, line=line, pointer=pointer, message=message, hint=hint))

    def finding(
        self, key: str, level: Level, message: str, hint: str, *, pointer: str = "", action: str = ""
    ) -> Finding:
        """Return a finding about one operation, or about the action that uses it."""
        return Finding(
            level=level,
            file=self.file.path.name,
            line=self.line(key),
            pointer=pointer or self.pointer(key),
            action=action or key,
            message=message,
            hint=hint,
        )

    def _build(self, key: str, spot: _Spot, needed: bool) -> DescribedOperation:
        pointer = self.references.pointer(spot.location)
        raw, _ = SchemaNormalizer(self.references).node(spot.operation, spot.location)
        if not isinstance(raw, dict):
            raise self.references.fault(spot.location, f"{key} is not an operation", "write a mapping with `responses`")
        shaper = SchemaNormalizer(self.references, needed=needed)
        try:
            parameters = self._parameters(shaper, raw, spot)
            left = [parameters.pop(one) for one in list(parameters) if one[0] in LEFT_OVER]
            body, body_place = shaper.node(raw.get("requestBody"), spot.location.under("requestBody"))
            if body is None and left:
                body, body_place = body_left_over([row for row, _ in left]), left[0][1]
            self._judge(raw, list(parameters.values()), body, body_place)
            wires = tuple(wire_of(p, location, shaper) for p, location in parameters.values())
            undeclared = list(_undeclared(spot.path, [w.name for w in wires if w.location == "path"]))
            wires += tuple(undeclared)
            sent = body_of(body, body_place, shaper, spot.method)
            operation = Operation(
                key=key,
                method=spot.method.upper(),
                path=spot.path,
                parameters=wires,
                body_schema=sent.schema,
                body_required=sent.required,
                content_type=sent.content_type,
                encodings=sent.encodings,
            )
            if self._entry is not None:
                operation = self._entry.apply_to(operation, raw)
        except OperationError as fault:
            text = fault.message if fault.message.startswith(key) else f"{key} {fault.message}"
            raise OperationError(text, pointer=fault.pointer or pointer, hint=fault.hint) from fault
        texts = {f"{p['in']}.{p['name']}": str(p.get("description") or "") for p, _ in parameters.values()}
        return DescribedOperation(
            operation=operation,
            summary=str(raw.get("summary") or ""),
            description=str(raw.get("description") or ""),
            tags=tuple(map(str, entries_of(raw.get("tags")))),
            texts={**texts, **sent.texts},
            hidden=frozenset(shaper.hidden),
            lost=tuple(shaper.lost),
            credentials=frozenset(t for t in texts if t.lower() in self._credentials),
            server=self._elsewhere(raw, spot),
            skipped=(
                *(f"{f.message} ({f.pointer})" for f in shaper.skipped),
                *(f"what {w.name} in the path is: the document does not declare it" for w in undeclared),
                *formless([row for row, _ in left]),
            ),
        )

    def _parameters(
        self, shaper: SchemaNormalizer, raw: dict[str, Node], spot: _Spot
    ) -> dict[tuple[str, str], _Parameter]:
        """Return parameters by location and name, with their document locations; an operation's own override its
        path's."""
        found: dict[tuple[str, str], _Parameter] = {}
        for owner, owner_place in ((spot.item, spot.item_place), (raw, spot.location)):
            rows, location = shaper.node(owner.get("parameters"), owner_place.under("parameters"))
            if rows is not None and not isinstance(rows, list):
                raise self.references.fault(location, "has `parameters` that are no list", "write each behind a dash")
            for index, row in enumerate(entries_of(rows)):
                parameter, where = shaper.node(row, location.under(str(index)))
                if not isinstance(parameter, dict) or not {"name", "in"} <= set(parameter):
                    hint = "add them, or remove the parameter"
                    raise self.references.fault(where, "a parameter needs `name` and `in`", hint)
                name = str(parameter["name"])
                if parameter["in"] == "header" and name.lower() in _IGNORED_HEADERS:
                    continue
                if parameter["in"] == "path" and gap_of(spot.path, name) not in spot.path:
                    continue  # this path has no placeholder for it, so it could not be sent
                found[str(parameter["in"]), name] = ({**parameter, "name": name}, where)
        return found

    def _judge(self, raw: dict[str, Node], parameters: list[_Parameter], body: Node, body_place: NodeLocation) -> None:
        """Check whether the frame of an operation, without its schemas, conforms to the standard."""
        model = _operation_model(str(self.root["openapi"]).startswith("3.0"))
        shell: Node = body
        if isinstance(body, dict):
            content = body.get("content")
            kinds: Parts = {"content": {kind: {} for kind in content}} if isinstance(content, dict) else {}
            shell = {**{k: v for k, v in body.items() if k == "required"}, **kinds}
        judged = {
            "parameters": [{**{k: v for k, v in p.items() if k in _FRAME}, "schema": {}} for p, _ in parameters],
            **({"requestBody": shell} if raw.get("requestBody") is not None else {}),
            "responses": {"200": {"description": ""}},
        }
        try:
            model.model_validate(judged)
        except ValidationError as error:
            first = error.errors()[0]
            where, *inner = first["loc"]
            location, holder = body_place, body
            if where == "parameters" and inner and isinstance(inner[0], int):
                holder, location = parameters[inner[0]]
            # The model's own names for its parts are not keys of the document.
            keys = [str(part) for part in inner if str(part) in parts_of(holder)]
            text = f"is not well formed: {'.'.join(keys) + ': ' if keys else ''}{first['msg']}"
            raise self.references.fault(location.under(*keys[:1]), text, "write it as OpenAPI says") from error

    def _elsewhere(self, raw: dict[str, Node], spot: _Spot) -> str | None:
        own = next((found for owner in (raw, spot.item) if (found := server_address(owner.get("servers")))), None)
        return own if own is not None and own.rstrip("/") != (self.server or own).rstrip("/") else None


@lru_cache(maxsize=2)
def _operation_model(old: bool) -> type[BaseModel]:
    """Return openapi-pydantic's model of an operation, imported late because a start from the cache does not need
    it."""
    module = import_module("openapi_pydantic.v3.v3_0" if old else "openapi_pydantic.v3.v3_1")
    found: type[BaseModel] = module.Operation
    return found


def _undeclared(path: str, declared: list[str]) -> Iterator[WireParameter]:
    """Yield path placeholders that the document does not declare, as text, because a path segment is always text."""
    for gap in dict.fromkeys(re.findall(r"{\+?([^}]+)}", path)):
        if gap not in declared:
            yield WireParameter(name=gap, location="path", required=True, json_schema={"type": "string"})


def server_address(servers: Node) -> str | None:
    """Return the first server's address, its variables at their defaults, else at their first choice; None without
    one."""
    first = parts_of(next(iter(entries_of(servers)), None))
    url, variables = first.get("url"), parts_of(first.get("variables"))

    def filled(gap: re.Match[str]) -> str:
        variable = parts_of(variables.get(gap[1]))
        return str(variable.get("default", next(iter(entries_of(variable.get("enum"))), gap[0])))

    return re.sub(r"{([^{}]+)}", filled, url) if isinstance(url, str) else None
