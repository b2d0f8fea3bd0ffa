"""An OpenAPI 3.0 or 3.1 document, one operation at a time: a broken operation costs only itself.

The document as read is the truth; openapi-pydantic judges whether an operation's frame is well formed, `schemas.py`
what is in it.
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
from registry.credentials import Entry
from registry.faults import OperationError, PackError, YamlSyntaxError, nearest
from registry.left_over import LEFT_OVER, body_left_over, formless
from registry.nodes import entries_of, parts_of
from registry.parameters import body_of, wire_of
from registry.references import Place, References
from registry.schemas import Shaper
from registry.server import server_address
from registry.wire import gap_of
from registry.words import word_set
from registry.yaml_file import YamlFile, read_yaml

_METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
# OpenAPI: the first three have no effect as parameters. The others are the client's own: a model could send a request
# elsewhere by them, or break it.
_IGNORED_HEADERS = word_set("""
    accept content-type authorization host content-length transfer-encoding connection expect upgrade te trailer
    keep-alive
""")
CLIENTS_OWN = _IGNORED_HEADERS - {"accept", "authorization"}
"""Headers that no pack may set: by them a request would go elsewhere, or break."""
_FRAME = frozenset({"name", "in", "required", "style", "explode", "allowReserved", "deprecated"})


@dataclass(frozen=True)
class Described:
    """An operation with what the document says of it.

    `texts` maps a target, `path.uniqueId`, to its description; `hidden` names what no model may see of it, `lost`
    those of them that a caller must send, `credentials` the targets that the document's security schemes fill; `server`
    is the operation's own address where it is another one than the document's; `skipped` says what of it is broken and
    left out, since nobody has to send it.
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


_Parameter = tuple[dict[str, Node], Place]


class _Spot(NamedTuple):
    """An operation as it stands and its place, the path item and the place of that."""

    item: dict[str, Node]
    item_place: Place
    path: str
    method: str
    operation: Node
    place: Place


def read_or_refuse(path: Path, label: str, *, strict: bool = True) -> YamlFile:
    """Read a file without which nothing can be done. Raises PackError."""
    try:
        return read_yaml(path, strict=strict)
    except OSError as error:
        raise PackError(f"{label} cannot be read: {error.strerror}") from error
    except YamlSyntaxError as error:
        place = f"{label}, line {error.line}" if error.line else label
        raise PackError(f"{place}: {error.message}") from error


class Document:
    """The operations of one document by key. `findings` tells what of it as a whole is wrong."""

    def __init__(self, file: YamlFile) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self.references = References(file)
        self.root = parts_of(file.data)
        self._spots = self._index()
        self._by_path = {f"{s.method.upper()} {s.path}": key for key, s in self._spots.items()}
        self._credentials = self._security()
        self._entry: Entry | None = None
        self._described: dict[tuple[str, bool], Described] = {}
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
        """Every operation's key, in document order."""
        return tuple(self._spots)

    @property
    def server(self) -> str | None:
        """The first server's address, its variables at their defaults; where only paths name one, the first of them."""
        named = server_address(self.root.get("servers"))
        return named or next((a for s in self._spots.values() if (a := server_address(s.item.get("servers")))), None)

    def described(self, name: str, *, needed: bool = False) -> Described:
        """The operation called `name`: its operationId, or `METHOD /path`; with `needed` only what a caller must
        send. Raises OperationError."""
        key = self._key(name)
        if (key, needed) not in self._described:
            try:
                self._described[key, needed] = self._build(key, self._spots[key], needed)
            except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError) as error:
                # Documents are broken in more ways than can be listed; none of them may cost the other operations.
                what = f"{key} cannot be read: {type(error).__name__}: {error}"[:200]
                hint = "check it with an OpenAPI linter"
                raise OperationError(what, pointer=self.pointer(key), hint=hint) from error
        return self._described[key, needed]

    def operation(self, name: str) -> Operation:
        """As `described`, the operation alone. Raises OperationError."""
        return self.described(name).operation

    def raw(self, name: str) -> tuple[dict[str, Node], Place]:
        """The operation as it stands in the document. Raises OperationError."""
        spot = self._spots[self._key(name)]
        return parts_of(spot.operation), spot.place

    def pointer(self, name: str) -> str:
        """The JSON pointer of an operation."""
        return self.references.pointer(self._spots[self._key(name)].place)

    def line(self, name: str) -> int | None:
        """The line an operation starts at, when the file tells."""
        spot = self._spots.get(name)
        return self.file.line(*spot.place.keys) if spot and spot.place.file == self.file.path else None

    def _key(self, name: str) -> str:
        if name in self._spots:
            return name
        method, _, path = name.partition(" ")
        key = self._by_path.get(f"{method.upper()} {path}")
        if key is None:
            raise OperationError(f"the API document has no operation {name!r}", hint=nearest(name, self._spots))
        return key

    def _index(self) -> dict[str, _Spot]:
        found: dict[str, _Spot] = {}
        start = Place(self.file.path, ("paths",))
        for path, item in parts_of(self.root.get("paths")).items():
            if path.startswith("x-"):
                continue
            try:
                target, place = self._item(item, start.under(path))
            except OperationError as fault:
                self.warn(fault.message, fault.pointer, fault.hint, "error")
                continue
            if not path.startswith("/"):
                # Behind an address it would be part of the host's name: `@evil.example`, `.evil.example`.
                self.warn(f"the path {path[:80]!r} does not begin with /", self.references.pointer(place), "", "error")
                continue
            for method in _METHODS:
                if target.get(method) is None:
                    continue
                operation, where = self._own(target[method], place.under(method))
                name = parts_of(operation).get("operationId")
                plain = f"{method.upper()} {path}"
                if isinstance(name, str) and name in found:
                    pointer = self.references.pointer(place.under(method))
                    self.warn(f"the operationId {name} is there twice", pointer, f"the second one goes by {plain}")
                unique = isinstance(name, str) and name.strip() and name not in found
                found[str(name) if unique else plain] = _Spot(target, place, path, method, operation, where)
        return found

    def _own(self, operation: Node, place: Place) -> tuple[Node, Place]:
        """The operation that a reference in its place stands for, as bundlers write it; as it is when it is broken."""
        try:
            return Shaper(self.references).node(operation, place)
        except OperationError:
            return operation, place

    def _item(self, item: Node, place: Place) -> tuple[dict[str, Node], Place]:
        target, where = Shaper(self.references).node(item, place)
        if not isinstance(item, dict) or not isinstance(target, dict):
            hint = "write `get:`, `post:` and so on under it"
            raise self.references.fault(where, "a path must hold a mapping of methods", hint)
        return ({**target, **{k: v for k, v in item.items() if k != "$ref"}} if "$ref" in item else target), where

    @cached_property
    def schemes(self) -> dict[str, dict[str, Node]]:
        """The document's security schemes by name."""
        written = parts_of(parts_of(self.root.get("components")).get("securitySchemes"))
        start = Place(self.file.path, ("components", "securitySchemes"))
        return {name: parts_of(self._own(scheme, start.under(name))[0]) for name, scheme in written.items()}

    def enter(self, entry: Entry) -> None:
        """Let all operations that are described from now on be entered so."""
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
            said, hint = f"the key {name} is there twice", "the last one counts: remove the other"
            found = Finding(level="warning", file=self.file.path.name, line=line, message=said, hint=hint)
            self.findings.append(found)

    def warn(self, message: str, pointer: str, hint: str = "", level: Level = "warning") -> None:
        """Note something wrong with the document as a whole."""
        keys = tuple(p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:])
        name, line = self.file.path.name, self.file.line(*keys)
        self.findings.append(Finding(level=level, file=name, line=line, pointer=pointer, message=message, hint=hint))

    def finding(
        self, key: str, level: Level, message: str, hint: str, *, pointer: str = "", action: str = ""
    ) -> Finding:
        """Something wrong with one operation, or with the action over it."""
        return Finding(
            level=level,
            file=self.file.path.name,
            line=self.line(key),
            pointer=pointer or self.pointer(key),
            action=action or key,
            message=message,
            hint=hint,
        )

    def _build(self, key: str, spot: _Spot, needed: bool) -> Described:
        pointer = self.references.pointer(spot.place)
        raw, _ = Shaper(self.references).node(spot.operation, spot.place)
        if not isinstance(raw, dict):
            raise self.references.fault(spot.place, f"{key} is not an operation", "write a mapping with `responses`")
        shaper = Shaper(self.references, needed=needed)
        try:
            parameters = self._parameters(shaper, raw, spot)
            left = [parameters.pop(one) for one in list(parameters) if one[0] in LEFT_OVER]
            body, body_place = shaper.node(raw.get("requestBody"), spot.place.under("requestBody"))
            if body is None and left:
                body, body_place = body_left_over([row for row, _ in left]), left[0][1]
            self._judge(raw, list(parameters.values()), body, body_place)
            wires = tuple(wire_of(p, place, shaper) for p, place in parameters.values())
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
                operation = self._entry.applied(operation, raw)
        except OperationError as fault:
            said = fault.message if fault.message.startswith(key) else f"{key} {fault.message}"
            raise OperationError(said, pointer=fault.pointer or pointer, hint=fault.hint) from fault
        texts = {f"{p['in']}.{p['name']}": str(p.get("description") or "") for p, _ in parameters.values()}
        return Described(
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

    def _parameters(self, shaper: Shaper, raw: dict[str, Node], spot: _Spot) -> dict[tuple[str, str], _Parameter]:
        """Parameters by location and name, with their places; an operation's own win over its path's."""
        found: dict[tuple[str, str], _Parameter] = {}
        for owner, owner_place in ((spot.item, spot.item_place), (raw, spot.place)):
            rows, place = shaper.node(owner.get("parameters"), owner_place.under("parameters"))
            if rows is not None and not isinstance(rows, list):
                raise self.references.fault(place, "has `parameters` that are no list", "write each behind a dash")
            for index, row in enumerate(entries_of(rows)):
                parameter, where = shaper.node(row, place.under(str(index)))
                if not isinstance(parameter, dict) or not {"name", "in"} <= set(parameter):
                    hint = "add them, or remove the parameter"
                    raise self.references.fault(where, "a parameter needs `name` and `in`", hint)
                name = str(parameter["name"])
                if parameter["in"] == "header" and name.lower() in _IGNORED_HEADERS:
                    continue
                if parameter["in"] == "path" and gap_of(spot.path, name) not in spot.path:
                    continue  # this path has no gap for it: it could go nowhere
                found[str(parameter["in"]), name] = ({**parameter, "name": name}, where)
        return found

    def _judge(self, raw: dict[str, Node], parameters: list[_Parameter], body: Node, body_place: Place) -> None:
        """Whether the frame of an operation, without its schemas, is as the standard says."""
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
            place, holder = body_place, body
            if where == "parameters" and inner and isinstance(inner[0], int):
                holder, place = parameters[inner[0]]
            # The model's own words for its parts are no keys of the document.
            keys = [str(part) for part in inner if str(part) in parts_of(holder)]
            said = f"is not well formed: {'.'.join(keys) + ': ' if keys else ''}{first['msg']}"
            raise self.references.fault(place.under(*keys[:1]), said, "write it as OpenAPI says") from error

    def _elsewhere(self, raw: dict[str, Node], spot: _Spot) -> str | None:
        own = next((found for owner in (raw, spot.item) if (found := server_address(owner.get("servers")))), None)
        return own if own is not None and own.rstrip("/") != (self.server or own).rstrip("/") else None


@lru_cache(maxsize=2)
def _operation_model(old: bool) -> type[BaseModel]:
    """openapi-pydantic's model of an operation, imported late: a start from the cache needs none."""
    module = import_module("openapi_pydantic.v3.v3_0" if old else "openapi_pydantic.v3.v3_1")
    found: type[BaseModel] = module.Operation
    return found


def _undeclared(path: str, declared: list[str]) -> Iterator[WireParameter]:
    """What a path has a gap for and its document forgets to declare: a text, for nothing else can stand there."""
    for gap in dict.fromkeys(re.findall(r"{\+?([^}]+)}", path)):
        if gap not in declared:
            yield WireParameter(name=gap, location="path", required=True, json_schema={"type": "string"})
