"""An API's own view of a request: openapi-core reads the raw document and checks what a server would receive.

Nothing of the registry is used here. The document is cut down to the one path, which does not change the rules for a
request and makes large documents quick.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote, urlsplit
from uuid import UUID

import httpx
from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest
from openapi_core.deserializing.styles import style_deserializers
from openapi_core.deserializing.styles.util import deep_object_loads
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

HOST = "https://venue.example"


def _deep(explode: bool, name: str, schema_type: str, location: Mapping[str, Any]) -> Any:
    """Read deepObject as openapi-core does, but accept a missing parameter, whatever its schema."""
    if not any(key.startswith(f"{name}[") for key in location):
        raise KeyError(name)
    return deep_object_loads(explode, name, schema_type or "object", location)


style_deserializers["deepObject"] = _deep


class Judge:
    """One path of one document."""

    def __init__(self, document: dict[str, Any], path: str) -> None:
        kept = {k: v for k, v in document.items() if k not in ("paths", "webhooks", "servers", "security")}
        # A fragment distinguishes operations of one path for readers: it is never sent.
        item = {k: v for k, v in document["paths"][path].items() if k != "servers"}
        path = path.partition("#")[0]
        item = {k: _without(v) if isinstance(v, dict) else v for k, v in item.items()}
        cut = {**kept, "servers": [{"url": HOST}], "paths": {path: item}}
        self._api = OpenAPI.from_dict(cut, config=Config(spec_validator_cls=None))

    def problems(self, request: httpx.Request, given: Mapping[str, Any]) -> list[str]:
        """Return the document's objections to the request, and where it reads another value than was `given` by
        target."""
        received = WerkzeugOpenAPIRequest(_received(request))
        try:
            found = [_shown(error) for error in self._api.iter_request_errors(received)]
            return found or list(self._misread(received, given))
        except Exception as error:  # it is made for valid documents
            return [f"stumbles: {type(error).__name__}: {error}"[:300]]

    def _misread(self, received: WerkzeugOpenAPIRequest, given: Mapping[str, Any]) -> Iterator[str]:
        read = self._api.unmarshal_request(received).parameters
        for target, value in given.items():
            place, _, name = target.partition(".")
            # It does not read parameters without a schema, as Swagger 2.0 wrote them, nor unknown formats.
            if place != "body" and name in getattr(read, place):
                got = getattr(read, place)[name]
                if not _same(_decoded(place, got), _decoded(place, value)):
                    yield f"reads {got!r} as {target}, given {value!r}"


def _decoded(place: str, value: Any) -> Any:
    """Return a text decoded: this server keeps slashes of a path's values encoded and does not count what follows # as
    a part of the path; it decodes no cookies, which OpenAPI's style `form` encodes (3.1.1, Style Values)."""
    if not isinstance(value, str) or place not in ("path", "cookie"):
        return value
    return value.replace("%2F", "/").partition("#")[0].partition("?")[0] if place == "path" else unquote(value)


def _same(got: Any, value: Any) -> bool:
    """Return whether it is the same value, or one of the types that a format makes of a text."""
    if isinstance(value, list) and isinstance(got, list):
        return len(got) == len(value) and all(map(_same, got, value))
    if isinstance(value, dict) and isinstance(got, dict):
        return got.keys() == value.keys() and all(_same(got[k], value[k]) for k in value)
    if isinstance(got, date | UUID | bytes):
        return True  # a successful read is enough
    return bool(got == value) or str(got) == str(value) or (got is None and value in ([], {}))


def _without(operation: dict[str, Any]) -> dict[str, Any]:
    """Remove credentials, which are the client's concern, and servers, which belong to another pack."""
    return {k: v for k, v in operation.items() if k not in ("security", "servers", "callbacks")}


def _received(request: httpx.Request) -> Request:
    """Return the request as a WSGI server passes it on."""
    url = urlsplit(str(request.url))
    content = request.read()
    builder = EnvironBuilder(
        method=request.method,
        base_url=HOST,
        # A server splits a path before it decodes it: a slash inside a value stays inside.
        path="/".join(quote(unquote(part).replace("/", "%2F")) for part in url.path.split("/")),
        query_string=url.query,
        headers=[(k, v) for k, v in request.headers.multi_items() if k.lower() not in ("host", "content-length")],
        input_stream=BytesIO(content) if content else None,
        content_length=len(content) if content else None,
    )
    return Request(builder.get_environ())


def _shown(error: BaseException) -> str:
    """Return an error with its causes."""
    rows, seen = [], error
    while seen is not None and len(rows) < 4:
        rows.append(f"{type(seen).__name__}: {seen}"[:300])
        details = getattr(seen, "schema_errors", None)
        rows += [str(getattr(e, "message", e))[:200] for e in details or ()]
        seen = seen.__cause__
    return " <- ".join(rows)
