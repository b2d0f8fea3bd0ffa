"""Parameters and bodies of one operation as the wire wants them."""

from collections.abc import Mapping
from typing import NamedTuple

from contracts.action import BodyEncoding, Location, WireParameter
from contracts.base import Json
from registry.coerce import properties_of
from registry.faults import OperationFault
from registry.references import Place
from registry.schemas import Shaper

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"

_STYLES: dict[str, frozenset[str]] = {
    "path": frozenset({"simple", "label", "matrix"}),
    "query": frozenset({"form", "spaceDelimited", "pipeDelimited", "deepObject"}),
    "header": frozenset({"simple"}),
    "cookie": frozenset({"form", "cookie"}),
}


class Body(NamedTuple):
    """What an operation takes as a body; nothing when `schema` is None. `texts` maps `body.name` to descriptions."""

    schema: dict[str, Json] | None = None
    required: bool = False
    content_type: str | None = None
    encodings: dict[str, BodyEncoding] = {}  # noqa: RUF012 - never changed
    texts: dict[str, str] = {}  # noqa: RUF012


def wire_of(parameter: Mapping[str, Json], place: Place, shaper: Shaper) -> WireParameter:
    """One parameter with its neutral schema. Raises OperationFault."""
    location: Location = parameter["in"]
    content = parameter.get("content")
    media: str | None = None
    if isinstance(content, dict) and content and "schema" not in parameter:
        media = next(iter(content))
        inside = content[media] if isinstance(content[media], dict) else {}
        schema = shaper.top(inside.get("schema"), place.under("content", str(media), "schema"))
    else:
        schema = shaper.top(parameter.get("schema"), place.under("schema"))
    default = "form" if location in ("query", "cookie") else "simple"
    style = parameter.get("style")
    style = style if isinstance(style, str) and style in _STYLES[location] else default
    explode = parameter.get("explode")
    return WireParameter(
        name=str(parameter["name"]), location=location, json_schema=schema, style=style,
        required=parameter.get("required") is True or location == "path", content_type=media,
        explode=explode if isinstance(explode, bool) else style in ("form", "cookie", "deepObject"),
    )  # fmt: skip


def body_of(body: Json, place: Place, shaper: Shaper, method: str) -> Body:
    """The body of an operation in the content type that serves best. Raises OperationFault."""
    content = body.get("content") if isinstance(body, dict) else None
    if not isinstance(content, dict) or not content or method in ("get", "head", "trace"):
        return Body()
    required = isinstance(body, dict) and body.get("required") is True
    kind = min(content, key=_preference)
    media = content[kind] if isinstance(content[kind], dict) else {}
    where = place.under("content", str(kind), "schema")
    if _preference(kind) == _UNKNOWN:
        if required:
            offered = ", ".join(map(str, content))
            raise OperationFault(f"takes only {offered}, and bodies are made as JSON, forms or text",
                                 pointer=shaper.pointer(place.under("content")))  # fmt: skip
        return Body()
    raw, raw_place = shaper.node(media.get("schema"), where)
    if shaper.needed and not required and not _requires(raw):
        return Body()
    schema = shaper.top(media.get("schema"), where)
    if kind.startswith(MULTIPART):
        _no_files(schema, raw_place, shaper)
    if _preference(kind) in (1, 2) and not properties_of(schema) and not required:
        return Body()
    texts = {f"body.{n}": _said(s, shaper, raw_place) for n, s in _named(raw) if n in properties_of(schema)}
    texts["body"] = _said(raw, shaper, raw_place)
    written: Json = media.get("encoding")
    rows = written.items() if isinstance(written, dict) else ()
    encodings = {str(n): _encoding(e) for n, e in rows if isinstance(e, dict)}
    kind = "application/json" if "*" in kind else kind
    return Body(schema, required, kind, encodings if _preference(kind) in (1, 2) else {}, texts)


_UNKNOWN = 4


def _preference(content_type: str) -> int:
    kind = str(content_type).split(";")[0].strip().lower()
    if kind in ("application/json", "*/*", "application/*") or kind.endswith("+json"):
        return 0
    order = {FORM: 1, MULTIPART: 2}
    return order.get(kind, 3 if kind.startswith("text/") and not kind.endswith("xml") else _UNKNOWN)


def _requires(schema: Json) -> bool:
    return isinstance(schema, dict) and bool(schema.get("required"))


def _encoding(written: Mapping[str, Json]) -> BodyEncoding:
    style, explode, kind = written.get("style"), written.get("explode"), written.get("contentType")
    style = style if isinstance(style, str) and style in _STYLES["query"] else None
    return BodyEncoding(
        style=style, explode=explode if isinstance(explode, bool) else style in (None, "form", "deepObject"),
        content_type=str(kind).split(",")[0].strip() if isinstance(kind, str) else None,
    )  # fmt: skip


def _no_files(schema: dict[str, Json], place: Place, shaper: Shaper) -> None:
    """Files cannot be given: optional ones are dropped, required ones make the operation unusable."""
    for name, inner in list(properties_of(schema).items()):
        if not _is_file(inner):
            continue
        if name in (schema.get("required") or ()):
            raise OperationFault(f"needs a file as {name}, and no file can be sent from a sentence",
                                 pointer=shaper.pointer(place.under("properties", name)),
                                 hint="offer an operation that takes an address or text instead")  # fmt: skip
        schema.get("properties", {}).pop(name, None)


def _is_file(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return False
    media = str(schema.get("contentMediaType", ""))
    binary = media.startswith(("image/", "audio/", "video/", "application/octet")) and "contentEncoding" not in schema
    return schema.get("format") == "binary" or binary or _is_file(schema.get("items"))


def _named(raw: Json) -> list[tuple[str, Json]]:
    properties = raw.get("properties") if isinstance(raw, dict) else None
    return list(properties.items()) if isinstance(properties, dict) else []


def _said(schema: Json, shaper: Shaper, place: Place) -> str:
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and "description" not in schema:
        schema, _ = shaper.node(schema, place)
    return str(schema.get("description") or "") if isinstance(schema, dict) else ""
