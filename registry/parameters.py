"""Parameters and bodies of one operation as the wire wants them."""

from collections.abc import Mapping
from typing import NamedTuple

from contracts.action import BodyEncoding, Location, WireParameter
from contracts.base import Node, Parts, Schema
from registry.neutral import properties_of, types_of
from registry.nodes import entries_of, parts_of
from registry.references import Place
from registry.schemas import Shaper
from registry.wire import is_json, kind_of
from registry.words import word_set

_CONVERT = "offer an operation that takes JSON instead"
_NO_FILE = "offer an operation that takes an address or text instead"
_SWAGGER = word_set("type format enum items minimum maximum minLength maxLength pattern default")
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"

_STYLES: dict[Location, frozenset[str]] = {
    "path": frozenset({"simple", "label", "matrix"}),
    "query": frozenset({"form", "spaceDelimited", "pipeDelimited", "deepObject"}),
    "header": frozenset({"simple"}),
    "cookie": frozenset({"form", "cookie"}),
}


class Body(NamedTuple):
    """What an operation takes as a body; nothing when `schema` is None. `texts` maps `body.name` to descriptions."""

    schema: Schema | None = None
    required: bool = False
    content_type: str | None = None
    encodings: dict[str, BodyEncoding] = {}  # noqa: RUF012 - never changed
    texts: dict[str, str] = {}  # noqa: RUF012


def wire_of(parameter: Parts, place: Place, shaper: Shaper) -> WireParameter:
    """One parameter with its neutral schema. Raises OperationError."""
    location = next(known for known in _STYLES if known == parameter["in"])
    content = parts_of(parameter.get("content"))
    media: str | None = None
    if content and "schema" not in parameter:
        media = min(content, key=lambda kind: (not is_json(kind), not kind.startswith("text/")))
        written = parts_of(content[media]).get("schema")
        schema = shaper.argument(written, place.under("content", media, "schema"), str(parameter["name"]))
        if not is_json(media) and not _is_plain(schema):
            reason = f"takes {parameter['name']} as {media}, and documents are made as JSON or text"
            raise shaper.fault(place.under("content"), reason, _CONVERT)
    elif "schema" in parameter:
        schema = shaper.argument(parameter["schema"], place.under("schema"), str(parameter["name"]))
    else:
        # Left over from Swagger 2.0, where a parameter is its own schema; text when nothing at all is said.
        left = {k: v for k, v in parameter.items() if k in _SWAGGER}
        schema = shaper.argument(left or {"type": "string"}, place)
    default = "form" if location in ("query", "cookie") else "simple"
    style = parameter.get("style")
    style = style if isinstance(style, str) and style in _STYLES[location] else default
    explode = parameter.get("explode")
    return WireParameter(
        name=str(parameter["name"]),
        location=location,
        required=parameter.get("required") in (True, "true") or location == "path",
        json_schema=schema,
        style=style,
        explode=explode if isinstance(explode, bool) else style in ("form", "cookie", "deepObject"),
        content_type=media,
    )


def body_of(body: Node, place: Place, shaper: Shaper, method: str) -> Body:
    """The body of an operation in the content type that serves best. Raises OperationError."""
    written, content_place = shaper.node(parts_of(body).get("content"), place.under("content"))
    content = parts_of(written)
    if not content or method in ("get", "head", "trace"):
        return Body()
    required = parts_of(body).get("required") in (True, "true")
    kind = min(content, key=_preference)
    node, where = shaper.node(content[kind], content_place.under(kind))
    media, where = parts_of(node), where.under("schema")
    raw, raw_place = shaper.node(media.get("schema"), where)
    rank = _preference(kind)
    if rank >= _TEXT and not _is_said(shaper.schema(raw, raw_place), known=rank == _TEXT):
        if required:
            reason = f"takes only {', '.join(content)}, and bodies are made as JSON, forms or text"
            raise shaper.fault(place.under("content"), reason, _CONVERT)
        return Body()
    if shaper.needed and not required and not _requires(raw, raw_place, shaper):
        return Body()
    if rank not in (_FIELDS, _PARTS) and _is_file(raw):
        raise shaper.fault(raw_place, "needs a file as its body, and no file can be sent from a sentence", _NO_FILE)
    # A form of which nothing is required shows what it may hold: an empty one says nothing.
    shape = shaper.argument if required and rank in (_FIELDS, _PARTS) else shaper.top
    schema = shape(media.get("schema"), where)
    # OpenAPI 3.0: styles are for the other kind of form; 3.1 has them for both.
    unstyled = rank == _PARTS and shaper.old
    written = parts_of(media.get("encoding"))
    encodings = {n: _encoding(e, styled=not unstyled) for n, e in written.items() if isinstance(e, dict)}
    if rank == _PARTS:
        _no_files(schema, encodings, raw_place, shaper)
    if rank in (_FIELDS, _PARTS) and not properties_of(schema) and not required:
        return Body()
    named, kept = parts_of(parts_of(raw).get("properties")), properties_of(schema)
    texts = {f"body.{name}": _said(inner, shaper, raw_place) for name, inner in named.items() if name in kept}
    texts["body"] = _said(raw, shaper, raw_place)
    kind = kind if "*" not in kind else "text/plain" if rank == _TEXT else "application/json"
    return Body(schema, required, kind, encodings if rank in (_FIELDS, _PARTS) else {}, texts)


_FIELDS, _PARTS, _TEXT, _OTHER = 3, 4, 5, 6


def _preference(content_type: str) -> int:
    """Kinds of bodies, the best first: plain JSON before its special forms, such as patches."""
    kind = kind_of(content_type)
    if is_json(kind):
        return 0 if kind == "application/json" else 2 if kind.endswith("patch+json") else 1
    order = {FORM: _FIELDS, MULTIPART: _PARTS}
    return order.get(kind, _TEXT if kind.startswith("text/") and not kind.endswith("xml") else _OTHER)


def _is_plain(schema: Schema) -> bool:
    """True for what a single text can say; nothing declared is taken as text too."""
    return not {"object", "array"} & set(types_of(schema)) and not {"properties", "items"} & schema.keys()


def _is_said(schema: Schema, *, known: bool) -> bool:
    """Whether a body that is no JSON can be written in a sentence: text, where a kind that is not `known` says so."""
    if known:
        return _is_plain(schema) and not _is_file(schema)
    binary = _is_file(schema) or schema.get("format") in ("byte", "base64") or "contentEncoding" in schema
    return types_of(schema) == ["string"] and not binary


def _requires(schema: Node, place: Place, shaper: Shaper, depth: int = 0) -> bool:
    """Whether a body, once there, must hold something; its parts included."""
    if parts_of(schema).get("required") or depth > 8:
        return bool(parts_of(schema).get("required"))
    parts = entries_of(parts_of(schema).get("allOf"))
    inner = [shaper.node(part, place.under("allOf", str(i))) for i, part in enumerate(parts)]
    return any(_requires(part, where, shaper, depth + 1) for part, where in inner)


def _encoding(written: Parts, *, styled: bool) -> BodyEncoding:
    style, explode, kind = written.get("style"), written.get("explode"), written.get("contentType")
    if not styled:
        style, explode = None, None
    style = style if isinstance(style, str) and style in _STYLES["query"] else None
    return BodyEncoding(
        style=style,
        explode=explode if isinstance(explode, bool) else style in (None, "form", "deepObject"),
        content_type=kind.split(",")[0].strip() if isinstance(kind, str) else None,
    )


def _no_files(schema: Schema, encodings: Mapping[str, BodyEncoding], place: Place, shaper: Shaper) -> None:
    """Files cannot be given: optional ones are dropped, required ones make the operation unusable."""
    for name, inner in list(properties_of(schema).items()):
        # OpenAPI 3.1 writes a file as a part without a type, its kind in `encoding`.
        untyped = isinstance(inner, dict) and not types_of(inner)
        declared = (encodings[name].content_type or "") if name in encodings else ""
        if not _is_file(inner) and not (untyped and _is_media(declared)):
            continue
        if name in (schema.get("required") or ()):
            reason = f"needs a file as {name}, and no file can be sent from a sentence"
            raise shaper.fault(place.under("properties", name), reason, _NO_FILE)
        schema.get("properties", {}).pop(name, None)


def _is_file(schema: Node) -> bool:
    if not isinstance(schema, dict):
        return False
    binary = _is_media(str(schema.get("contentMediaType", ""))) and "contentEncoding" not in schema
    return schema.get("format") == "binary" or binary or _is_file(schema.get("items"))


def _is_media(kind: str) -> bool:
    return "/" in kind and not is_json(kind) and not kind.startswith("text/") and not kind.endswith("xml")


def _said(schema: Node, shaper: Shaper, place: Place) -> str:
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and "description" not in schema:
        schema, _ = shaper.node(schema, place)
    return str(parts_of(schema).get("description") or "")
