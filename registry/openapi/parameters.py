"""Parameters and bodies of one operation in the form in which they are sent.

The body of an operation whose parameters are in Swagger 2.0 notation: `in: body` and `in: formData`, which OpenAPI 3
does not have.

Partly converted documents still have them; their meaning is plain (Swagger 2.0, Parameter Object).
"""

from collections.abc import Mapping
from typing import NamedTuple

from contracts.action import BodyEncoding, Location, WireParameter
from contracts.base import Node, Parts, Schema
from registry.http.styles import is_json, kind_of
from registry.openapi.references import NodeLocation
from registry.openapi.schema_reading import entries_of, parts_of, properties_of, types_of
from registry.openapi.schemas import SchemaNormalizer
from registry.text import word_set

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
    """The body of an operation; it has none when `schema` is None. `texts` maps `body.name` to descriptions."""

    schema: Schema | None = None
    required: bool = False
    content_type: str | None = None
    encodings: dict[str, BodyEncoding] = {}  # noqa: RUF012 - never changed
    texts: dict[str, str] = {}  # noqa: RUF012


def wire_of(parameter: Parts, place: NodeLocation, shaper: SchemaNormalizer) -> WireParameter:
    """Return one parameter with its neutral schema. Raises OperationError."""
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
        # Left over from Swagger 2.0, where a parameter is its own schema; text when nothing is declared.
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


def body_of(body: Node, location: NodeLocation, shaper: SchemaNormalizer, method: str) -> Body:
    """Return the body of an operation in the preferred content type. Raises OperationError."""
    written, content_place = shaper.node(parts_of(body).get("content"), location.under("content"))
    content = parts_of(written)
    if not content or method in ("get", "head", "trace"):
        return Body()
    required = parts_of(body).get("required") in (True, "true")
    kind = min(content, key=_preference)
    node, where = shaper.node(content[kind], content_place.under(kind))
    media, where = parts_of(node), where.under("schema")
    raw, raw_place = shaper.node(media.get("schema"), where)
    rank = _preference(kind)
    if rank >= _TEXT and not _fits_a_sentence(shaper.schema(raw, raw_place), known=rank == _TEXT):
        if required:
            reason = f"takes only {', '.join(content)}, and bodies are made as JSON, forms or text"
            raise shaper.fault(location.under("content"), reason, _CONVERT)
        return Body()
    if shaper.needed and not required and not _requires(raw, raw_place, shaper):
        return Body()
    if rank not in (_FIELDS, _PARTS) and _is_file(raw):
        raise shaper.fault(raw_place, "needs a file as its body, and no file can be sent from a sentence", _NO_FILE)
    # A form without required fields lists what it may hold, because an empty one shows nothing.
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
    texts = {f"body.{name}": _description(inner, shaper, raw_place) for name, inner in named.items() if name in kept}
    texts["body"] = _description(raw, shaper, raw_place)
    kind = kind if "*" not in kind else "text/plain" if rank == _TEXT else "application/json"
    return Body(schema, required, kind, encodings if rank in (_FIELDS, _PARTS) else {}, texts)


_FIELDS, _PARTS, _TEXT, _OTHER = 3, 4, 5, 6


def _preference(content_type: str) -> int:
    """Return the rank of a content type, the best first: plain JSON before its special forms, such as patches."""
    kind = kind_of(content_type)
    if is_json(kind):
        return 0 if kind == "application/json" else 2 if kind.endswith("patch+json") else 1
    order = {FORM: _FIELDS, MULTIPART: _PARTS}
    return order.get(kind, _TEXT if kind.startswith("text/") and not kind.endswith("xml") else _OTHER)


def _is_plain(schema: Schema) -> bool:
    """Return whether a single text can express the value; an undeclared value counts as text."""
    return not {"object", "array"} & set(types_of(schema)) and not {"properties", "items"} & schema.keys()


def _fits_a_sentence(schema: Schema, *, known: bool) -> bool:
    """Return whether an operator can give a non-JSON body in a sentence: text, where a content type that is not `known`
    declares it."""
    if known:
        return _is_plain(schema) and not _is_file(schema)
    binary = _is_file(schema) or schema.get("format") in ("byte", "base64") or "contentEncoding" in schema
    return types_of(schema) == ["string"] and not binary


def _requires(schema: Node, location: NodeLocation, shaper: SchemaNormalizer, depth: int = 0) -> bool:
    """Return whether a body, once present, must hold something, including its parts."""
    if parts_of(schema).get("required") or depth > 8:
        return bool(parts_of(schema).get("required"))
    parts = entries_of(parts_of(schema).get("allOf"))
    inner = [shaper.node(part, location.under("allOf", str(i))) for i, part in enumerate(parts)]
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


def _no_files(
    schema: Schema, encodings: Mapping[str, BodyEncoding], location: NodeLocation, shaper: SchemaNormalizer
) -> None:
    """Drop optional files, which cannot be given. Raises OperationError for a required one."""
    for name, inner in list(properties_of(schema).items()):
        # OpenAPI 3.1 writes a file as a part without a type, its content type in `encoding`.
        untyped = isinstance(inner, dict) and not types_of(inner)
        declared = (encodings[name].content_type or "") if name in encodings else ""
        if not _is_file(inner) and not (untyped and _is_media(declared)):
            continue
        if name in (schema.get("required") or ()):
            reason = f"needs a file as {name}, and no file can be sent from a sentence"
            raise shaper.fault(location.under("properties", name), reason, _NO_FILE)
        schema.get("properties", {}).pop(name, None)


def _is_file(schema: Node) -> bool:
    if not isinstance(schema, dict):
        return False
    binary = _is_media(str(schema.get("contentMediaType", ""))) and "contentEncoding" not in schema
    return schema.get("format") == "binary" or binary or _is_file(schema.get("items"))


def _is_media(kind: str) -> bool:
    return "/" in kind and not is_json(kind) and not kind.startswith("text/") and not kind.endswith("xml")


def _description(schema: Node, shaper: SchemaNormalizer, location: NodeLocation) -> str:
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and "description" not in schema:
        schema, _ = shaper.node(schema, location)
    return str(parts_of(schema).get("description") or "")


LEFT_OVER = ("body", "formData")
_FORM = ("application/x-www-form-urlencoded", "multipart/form-data")
_FRAME = ("name", "in", "required", "description")


def body_left_over(rows: list[Parts]) -> Parts:
    """Return a request body in OpenAPI 3 notation from the remaining parameters."""
    whole = next((row for row in rows if row["in"] == "body"), None)
    if whole is not None:
        # A partial conversion loses `required` first, and a write without its body makes no sense.
        return {
            "required": whole.get("required") is not False,
            "content": {"application/json": {"schema": whole.get("schema", {})}},
        }
    fields: Parts = {str(row["name"]): _field(row) for row in rows}
    required: list[Node] = [str(row["name"]) for row in rows if row.get("required") is True]
    sent = any(row.get("type") == "file" for row in rows)
    schema: Parts = {"type": "object", "properties": fields, "required": required}
    return {"required": bool(required), "content": {_FORM[sent]: {"schema": schema}}}


def formless(rows: list[Parts]) -> list[str]:
    """Return the messages for whole bodies whose content is not declared."""
    names = [str(row["name"]) for row in rows if row["in"] == "body" and not row.get("schema")]
    return [f"what the body ({name}) holds: its `in: body`, of Swagger 2.0, has no `schema`" for name in names]


def _field(row: Parts) -> Parts:
    texts = {key: value for key, value in row.items() if key not in _FRAME and key != "schema"}
    if texts.get("type") == "file":
        texts = {**texts, "type": "string", "format": "binary"}
    written = row.get("schema")
    described: Parts = {"description": row["description"]} if row.get("description") else {}
    return {**(written if isinstance(written, dict) else {}), **texts, **described} or {"type": "string"}
