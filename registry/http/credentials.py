"""Credentials by `securitySchemes`, and values of every request (`overlays/README.md`, "Authentication").

A file holds only names of variables. A literal secret is rejected. `with_secrets` inserts the values of the variables
in the process that sends the request.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.action import Operation
from contracts.base import Json, Node, Schema, Value
from contracts.credentials import AuthScheme, Credential, FormField, HttpRequest
from registry.errors import OperationError, PackError, TemplateRenderError
from registry.http.coerce import coerce
from registry.http.request import split_path
from registry.http.styles import plain
from registry.openapi.schema_reading import entries_of, fields_of, is_open, parts_of, required_of
from registry.secrets.names import Sensitivity, path_grade
from registry.templating.templates import names_of

_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")
_ONE_VARIABLE = re.compile(r"([A-Za-z]{1,10}[ =:] ?)?\$\{[A-Z][A-Z0-9_]*\}(:\$\{[A-Z][A-Z0-9_]*\})?")
_ODD_VARIABLE = re.compile(r"\$(?!\{[A-Z][A-Z0-9_]*\})[{A-Za-z_]")
OPERATOR = "operator"
"""The value that a pack writes for a scheme that takes the operator's own token."""

NO_SECRET = "what stands in a file is no secret: write `${VARIABLE}` and set that where the service runs"
"""The hint for a secret that is written in a file."""

M = TypeVar("M", bound=BaseModel)

Lookup = Callable[[str], str]
"""Returns a variable's value by its name."""


class _Basic(BaseModel):
    model_config = ConfigDict(extra="forbid")
    username: str
    password: str


class _OAuthClient(BaseModel):
    model_config = ConfigDict(extra="forbid")
    client_id: str
    client_secret: str
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    sent_as: str = Field(default="basic", pattern="^(basic|body)$")
    more: dict[str, str] = Field(default_factory=dict)


def has_variables(value: object) -> bool:
    """Return whether a value, at any depth, names a variable known only to the sending process."""
    return next(variables_of(value), None) is not None


def variables_of(value: object) -> Iterator[str]:
    """Yield the names of all variables in a value, at any depth."""
    if isinstance(value, str):
        yield from _VARIABLE.findall(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from variables_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from variables_of(inner)


def writes_secret(path: Sequence[str], value: Json, location: str = "") -> bool:
    """Return whether a value written for a path of a request contains a literal secret."""
    if isinstance(value, Mapping):
        return any(writes_secret([*path, str(name)], inner, location) for name, inner in value.items())
    if isinstance(value, list | tuple):
        return any(writes_secret(path, inner, location) for inner in value)
    if value is None or isinstance(value, bool) or value == "" or _is_named_only(value):
        return False
    return path_grade(path, location=location) > Sensitivity.NONE


def _is_named_only(value: Json) -> bool:
    """Return whether a value is only a variable, with at most one word in front ("Token ${KEY}"), or is a template
    (which `exposure.py` checks)."""
    if not isinstance(value, str):
        return False
    if _ONE_VARIABLE.fullmatch(value):
        return True
    try:
        return "{{" in value and bool(names_of(value, ""))
    except TemplateRenderError:
        return True  # another check reports it


def _filled_in(value: Json, lookup: Lookup) -> Json:
    if isinstance(value, str):
        return expand_variables(value, lookup)
    if isinstance(value, dict):
        return {name: _filled_in(inner, lookup) for name, inner in value.items()}
    return [_filled_in(inner, lookup) for inner in value] if isinstance(value, list) else value


def expand_variables(text: str, lookup: Lookup) -> str:
    """Return a text of a pack with its variables replaced by their values."""
    return _VARIABLE.sub(lambda found: lookup(found[1]), text)


def credential(name: str, scheme: Mapping[str, Node], written: Json, servers: tuple[str, str]) -> Credential:
    """Return the credential for the scheme `name` as `venue.yaml` fills it. Raises PackError.

    `servers` are the document's address and the one used instead of it. Tokens come from the same server as requests.
    """
    kind = str(scheme.get("type"))
    where = f"venue.yaml, credentials.{name}"
    if kind == "apiKey":
        location = str(scheme.get("in"))
        return _keyed(where, written, location=location, name=str(scheme.get("name")), prefix="")
    if kind == "http" and str(scheme.get("scheme")).lower() == "basic":
        given = _read(_Basic, written, where, "{username: …, password: ${VARIABLE}}")
        _secret(where, "password", given.password)
        return Credential(kind="basic", prefix="Basic ", username=given.username, password=given.password)
    if isinstance(written, Mapping):
        if kind not in ("oauth2", "openIdConnect"):
            raise PackError(f"{where}: the document wants one value here: write `${{VARIABLE}}`, or `{OPERATOR}`")
        return _client(where, scheme, written, servers)
    return _keyed(where, written, location="header", name="Authorization", prefix="Bearer ")


def _keyed(where: str, written: Json, *, location: str, name: str, prefix: str) -> Credential:
    if not isinstance(written, str):
        raise PackError(f"{where}: write `${{VARIABLE}}`, or `{OPERATOR}` for the operator's own token")
    if location not in ("header", "query", "cookie"):
        raise PackError(f"{where}: the document puts it in {location!r}, which is no place for a key")
    kwargs = {"place": location, "name": name, "prefix": prefix}
    if written == OPERATOR:
        return Credential.model_validate({"kind": "operator", **kwargs})
    _secret(where, "", written)
    return Credential.model_validate({"kind": "api_key", "value": written, **kwargs})


def _client(where: str, scheme: Mapping[str, Node], written: Json, servers: tuple[str, str]) -> Credential:
    form = "{client_id: …, client_secret: ${VARIABLE}}"
    given = _read(_OAuthClient, written, where, form)
    _secret(where, "client_secret", given.client_secret)
    for name, value in given.more.items():
        if writes_secret([name], value):
            raise PackError(f"{where}.more.{name}: {NO_SECRET}")
    check_variables(where, [given.client_id, given.more])
    flow = parts_of(parts_of(scheme.get("flows")).get("clientCredentials"))
    address = given.token_url or str(flow.get("tokenUrl") or "")
    if not address:
        raise PackError(f"{where}: the document names no tokenUrl for client credentials: add `token_url`")
    moved = _moved(address, *servers)
    if urlsplit(moved).scheme not in ("http", "https") or not urlsplit(moved).hostname or urlsplit(moved).query:
        raise PackError(f"{where}.token_url: {moved[:80]!r} is no http address without a query")
    return Credential(
        kind="client_credentials",
        prefix="Bearer ",
        client_id=given.client_id,
        client_secret=given.client_secret,
        token_url=moved,
        scopes=given.scopes,
        sent_as="body" if given.sent_as == "body" else "basic",
        more=given.more,
    )


def _read(model: type[M], written: Json, where: str, form: str) -> M:
    try:
        return model.model_validate(written)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise PackError(f"{where}: {name} {first['msg'].lower()}; write `{form}`") from error


def _secret(where: str, key: str, value: str) -> None:
    name = f"{where}.{key}".rstrip(".")
    check_variables(name, value)
    if not _ONE_VARIABLE.fullmatch(value):
        raise PackError(f"{name}: {NO_SECRET}")


def check_variables(where: str, value: Json) -> None:
    """Raise PackError if a variable is malformed, because it would be sent literally."""
    for text in _texts(value):
        if _ODD_VARIABLE.search(text):
            raise PackError(f"{where}: write a variable as `${{NAME}}`, in capitals, digits and _")


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)


def _moved(address: str, document: str, used: str) -> str:
    """Return the token address, moved along with the API where that was moved, as to a sandbox."""
    if address.startswith("/"):
        return used.rstrip("/") + address
    old, named = urlsplit(document), urlsplit(address)
    if used != document and (old.scheme, old.netloc) == (named.scheme, named.netloc):
        return used.rstrip("/") + named.path.removeprefix(old.path.rstrip("/"))
    return address


_SAYS_NOTHING = AuthScheme()


class PackCredentials:
    """How one pack authenticates at each operation of its document.

    `schemes` are the `securitySchemes`, `root` the document's own `security`. `known` are the pack's credentials by
    scheme, `bound` the values of every request, `refusals` how error responses are recognised and read.
    """

    def __init__(
        self,
        schemes: Mapping[str, Mapping[str, Node]],
        root: Node,
        known: Mapping[str, Credential],
        bound: Mapping[str, Json],
        refusals: AuthScheme = _SAYS_NOTHING,
    ) -> None:
        self._schemes, self._root, self._known, self._bound, self._refusals = schemes, root, known, bound, refusals
        self.used: set[str] = set()

    def apply_to(self, operation: Operation, raw: Mapping[str, Node]) -> Operation:
        """Return the operation with the inputs that the pack or a credential fills moved to `access`. Raises
        OperationError when the pack meets no security requirement, or binds a value the operation does not take."""
        rows = raw.get("security", self._root)
        ways = [list(map(str, parts_of(row))) for row in entries_of(rows)] if rows is not None else None
        credentials = self._credentials(ways)
        bound = {t: v for t, v in self._bound.items() if t.startswith("header.") or has_place(operation, t)}
        self.used |= {t for t in bound if has_place(operation, t)}
        access = self._refusals.model_copy(update={"credentials": credentials})
        for target in (f"{c.place}.{c.name}" for c in credentials or ()):
            operation = _without(operation, target)
        return bind_inputs(operation, bound, access)

    def _credentials(self, ways: list[list[str]] | None) -> tuple[Credential, ...] | None:
        """Return the credentials of the first security requirement that the pack meets; None: the operator's token.

        That token is for venues that know the operator. By default it is not sent where the pack has its own key, nor
        to an operation that needs no authentication."""
        own = bool(self._known) or self._is_bound("header.authorization") or any(map(self.is_given, self._schemes))
        if ways is None:
            return tuple(self._known.values()) if own else None
        for way in ways:
            if way and all(map(self.is_given, way)):
                return tuple(self._known[name] for name in way if name in self._known)
        if not ways or [] in ways:
            return ()
        if not own and any(all(map(self._takes_the_operator, way)) for way in ways):
            return None
        name = next(name for name in ways[0] if not self.is_given(name))
        scheme = self._schemes.get(name, {})
        where = f"{scheme.get('in', 'header')}.{scheme.get('name', 'Authorization')}"
        hint = f"add `credentials: {{{name}: ${{VARIABLE}}}}` to venue.yaml, or `{OPERATOR}` in its place"
        raise OperationError(f"cannot be called without {name} ({where}), and venue.yaml does not give it", hint=hint)

    def is_given(self, name: str) -> bool:
        """Return whether the pack fills the scheme of that name."""
        scheme = self._schemes.get(name, {})
        return name in self._known or self._is_bound(f"{scheme.get('in')}.{scheme.get('name')}")

    def _is_bound(self, target: str) -> bool:
        return any(target.lower() == given.lower() for given in self._bound)

    def _takes_the_operator(self, name: str) -> bool:
        """Return whether the operator's own token fills this scheme."""
        scheme = self._schemes.get(name, {})
        bearer = scheme.get("type") == "http" and str(scheme.get("scheme")).lower() == "bearer"
        return bearer or scheme.get("type") in ("oauth2", "openIdConnect")


def has_place(operation: Operation, target: str) -> bool:
    """Return whether an operation takes a value at this target."""
    location, _, name = target.partition(".")
    if location != "body":
        return any((p.location, p.name) == (location, name) for p in operation.parameters)
    schema: Schema | bool | None = operation.body_schema
    for part in split_path(name):
        schema = fields_of(schema).get(part, {} if is_open(schema) else None) if isinstance(schema, dict) else None
    return isinstance(schema, dict)


def bind_inputs(operation: Operation, bound: Mapping[str, Json], access: AuthScheme | None = None) -> Operation:
    """Return the operation with values, by target, that all its requests carry, and without the inputs they replace.

    Raises OperationError for a literal value that the operation does not take."""
    access = access or operation.access or AuthScheme()
    for target, value in bound.items():
        _check_constant(operation, target, value)
        operation = _without(operation, target)
    access = access.model_copy(update={"bound": {**access.bound, **bound}})
    return operation.model_copy(update={"access": access if access != AuthScheme() else None})


def _check_constant(operation: Operation, target: str, value: Json) -> None:
    location, _, name = target.partition(".")
    wire = next((p for p in operation.parameters if (p.location, p.name) == (location, name)), None)
    if location != "body" and isinstance(value, list | dict):
        raise OperationError(f"is given {target}: only a plain value can be given with every request there")
    if wire is None or has_variables(value):
        return
    try:
        coerce(value, wire.json_schema, "")
    except TemplateRenderError as fault:
        raise OperationError(f"is given {target}: {fault.reason}", hint="put it right in venue.yaml") from fault


def _without(operation: Operation, target: str) -> Operation:
    location, _, name = target.partition(".")
    if location == "body" and operation.body_schema is not None:
        body = _less(operation.body_schema, split_path(name))
        return operation.model_copy(update={"body_schema": body})
    kept = tuple(p for p in operation.parameters if (p.location, p.name.lower()) != (location, name.lower()))
    return operation.model_copy(update={"parameters": kept})


def _less(schema: Schema, path: list[str]) -> Schema:
    """Return a schema that neither has nor requires the property at a path."""
    result = dict(schema)
    for key in ("allOf", "anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            result[key] = [_less(part, path) for part in schema[key]]
    properties = schema.get("properties")
    if not isinstance(properties, dict) or path[0] not in properties:
        return result
    inner = _less(properties[path[0]], path[1:]) if len(path) > 1 else {}
    kept = {path[0]: inner} if inner.get("properties") else {}
    result["properties"] = {**{name: other for name, other in properties.items() if name != path[0]}, **kept}
    # The pack fills this property, so only its other requirements remain to be asked for.
    if not required_of(inner):
        result["required"] = [name for name in schema.get("required") or () if name != path[0]]
    return result


def secret_variables(access: AuthScheme) -> set[str]:
    """Return the variables whose values are secrets: those of credentials, and those bound at a secret's target."""
    found = {name for c in access.credentials or () for name in variables_of([c.value, c.password, c.client_secret])}
    for target, value in access.bound.items():
        location, _, name = target.partition(".")
        found |= set(_secret_ones(split_path(name), value, location))
    return found


def _secret_ones(path: list[str], value: Json, location: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _secret_ones([*path, str(name)], inner, location)
    elif path_grade(path, location=location) > Sensitivity.NONE:
        yield from variables_of(value)


def with_secrets(request: HttpRequest, lookup: Lookup) -> HttpRequest:
    """Return `request` with the pack's values and its variables' values, to be sent and never stored."""
    filled = request
    for target, value in (request.access.bound if request.access else {}).items():
        filled = _put(filled, target, _filled_in(value, lookup))
    return filled


def _put(request: HttpRequest, target: str, value: Json) -> HttpRequest:
    location, _, name = target.partition(".")
    text = plain(value)
    match location:
        case "header" | "cookie":
            name, text = (name, text) if location == "header" else ("Cookie", _cookies(request, f"{name}={text}"))
            return request.model_copy(update={"headers": {**request.headers, name: text}})
        case "query":
            return request.model_copy(update={"query": (*request.query, (name, text))})
        case "path":
            path = request.path.replace("{" + name + "}", quote(text, safe=""))
            return request.model_copy(update={"path": path})
        case _ if request.form is not None:
            return request.model_copy(update={"form": (*request.form, FormField(name=name, value=text))})
    return request.model_copy(update={"body": _nested(request.body, split_path(name), value)})


def _cookies(request: HttpRequest, pair: str) -> str:
    return "; ".join([*filter(None, [request.headers.get("Cookie")]), pair])


def _nested(body: Json, path: list[str], value: Value) -> Json:
    if not path:
        return value
    inner = dict(body) if isinstance(body, Mapping) else {}
    return {**inner, path[0]: _nested(inner.get(path[0]), path[1:], value)}
