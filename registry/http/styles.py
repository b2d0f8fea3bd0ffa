"""Serialises values in OpenAPI's styles. A value that a style cannot express unambiguously is an error: a comma inside
a comma-separated list, a list inside a list, an empty required list."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote, urlencode

from contracts.action import BodyEncoding, Operation, WireParameter
from contracts.base import Value
from contracts.credentials import FormField, HttpRequest
from registry.errors import TemplateRenderError

Pairs = list[tuple[str, str]]
Write = Callable[[str], str]

_SEPARATORS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
_OF_SEGMENTS = ":@!$&'()*+,;="  # RFC 3986: characters that a path segment may hold unencoded
_HEADER_TEXT = re.compile(r"[\t\x20-\x7e]*")


def fixed_path(template: str) -> str:
    """Return a path template with everything but its placeholders percent-encoded; what is already encoded stays."""
    parts = re.split(r"({[^{}]*})", template)
    return "".join(part if part.startswith("{") else quote(part, safe=f"{_OF_SEGMENTS}/?#%~") for part in parts)


def gap_of(path: str, name: str) -> str:
    """Return how `path` writes the placeholder of a parameter: `{name}`, or `{+name}` where slashes in the value are
    path separators."""
    plain_gap, whole = "{" + name + "}", "{+" + name + "}"
    return whole if whole in path and plain_gap not in path else plain_gap


def path_text(wire: WireParameter, value: Value, where: str, *, whole: bool = False) -> str:
    """Return one path parameter, percent-encoded; a `whole` one may contain several segments. Raises
    TemplateRenderError."""
    if wire.content_type:
        return _quoted(_content(wire, value, where))
    if whole:
        parts = _scalar(value, where).split("/")
        for part in parts:
            _checked_segment(part, where)
        return "/".join(quote(part, safe=_OF_SEGMENTS) for part in parts)
    _filled(value, where)
    separator = "," if wire.style == "simple" else "." if wire.style == "label" and wire.explode else ","
    if wire.style == "matrix":
        if wire.explode and isinstance(value, list):
            return "".join(f";{_quoted(wire.name)}={_quoted(_scalar(v, where))}" for v in value)
        if wire.explode and isinstance(value, dict):
            return "".join(f";{_quoted(str(k))}={_quoted(_scalar(v, where))}" for k, v in value.items())
        return f";{_quoted(wire.name)}={_joined(value, ',', False, where, _quoted)}"
    text = _joined(value, separator, wire.explode, where, _quoted)
    _checked_segment(text, where)
    if wire.style == "label":
        dots = sum(part.count(".") for part in _parts(value, where))
        if dots and wire.explode and isinstance(value, list | dict):
            raise TemplateRenderError(where, "a dot cannot be written in a list that dots separate")
        return "." + text
    return text


def _checked_segment(text: str, where: str) -> None:
    # Servers and proxies resolve "." and "..", and an empty segment is another route.
    if text in ("", ".", ".."):
        raise TemplateRenderError(where, f"{text!r} cannot be part of a path")


def query_pairs(wire: WireParameter, value: Value, where: str, taken: Iterable[str] = ()) -> Pairs:
    """Return the name-value pairs of a query parameter; its keys may not use a name in `taken`. Raises
    TemplateRenderError."""
    if wire.content_type:
        return [(wire.name, _content(wire, value, where))]
    if value in ([], {}) and not wire.required:
        return []
    return _styled(wire.name, value, wire.style, wire.explode, where, taken)


def header_text(wire: WireParameter, value: Value, where: str) -> str:
    """Return the text of one header. Raises TemplateRenderError."""
    if wire.content_type:
        as_json = is_json(wire.content_type)
        text = json.dumps(value, separators=(",", ":")) if as_json else _scalar(value, where)
        return checked_header(text, where)
    _filled(value, where)
    return checked_header(_joined(value, ",", wire.explode, where), where)


def checked_header(value: Value, where: str) -> str:
    """Return the text of a header if it is valid: no line breaks, ASCII only. Raises TemplateRenderError."""
    text = plain(value)
    if not _HEADER_TEXT.fullmatch(text):
        raise TemplateRenderError(where, "a header cannot hold line breaks or such characters")
    if text != text.strip():
        raise TemplateRenderError(where, "a header cannot begin or end with a space")
    return text


def cookie_pairs(wire: WireParameter, value: Value, where: str) -> list[str]:
    """Return `name=value` of one cookie, percent-encoded. Raises TemplateRenderError."""
    if wire.content_type:
        return [f"{_quoted(wire.name)}={_quoted(_content(wire, value, where))}"]
    if value in ([], {}) and not wire.required:
        return []
    pairs = _styled(wire.name, value, "form", wire.explode, where, (), _quoted)
    return [f"{_quoted(name)}={text if isinstance(value, list | dict) else _quoted(text)}" for name, text in pairs]


def form_fields(operation: Operation, body: Value, where: str) -> tuple[FormField, ...] | None:
    """Return the fields of a form body, or None when the operation takes another kind of body. Raises
    TemplateRenderError."""
    kind = kind_of(operation.content_type or "")
    if body is None or not (kind.endswith("/x-www-form-urlencoded") or kind.startswith("multipart/")):
        return None
    if not isinstance(body, dict):
        raise TemplateRenderError(where, "a form holds named fields")
    fields: list[FormField] = []
    for name, value in body.items():
        encoding = operation.encodings.get(name, BodyEncoding())
        fields += _fields(name, value, encoding, f"{where}.{name}", body, parts=kind.startswith("multipart/"))
    if not fields and kind.startswith("multipart/"):
        raise TemplateRenderError(where, "is empty, and this kind of form holds at least one field")
    return tuple(fields)


def encoded_body(request: HttpRequest) -> tuple[bytes | None, str | None]:
    """Return the body's bytes and its Content-Type as sent; (None, None) without a body."""
    if request.body is None:
        return None, None
    kind = request.content_type or "application/json"
    if request.form is not None and kind.startswith("multipart/"):
        return _multipart(request.form, kind)
    if request.form is not None:
        return urlencode([(f.name, f.value) for f in request.form]).encode(), kind
    if not is_json(kind) and not isinstance(request.body, list | dict):
        return plain(request.body).encode(), kind
    return json.dumps(request.body, ensure_ascii=False).encode(), kind


def kind_of(content_type: str) -> str:
    """Return a content type without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def is_json(content_type: str) -> bool:
    """Return whether a content type is JSON or a format based on it."""
    kind = kind_of(content_type)
    return kind in ("application/json", "text/json", "*/*", "application/*") or kind.endswith(("+json", "/x-json"))


def plain(value: Value) -> str:
    """Return a value as text: `true`, `1`, nothing for null."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _fields(
    name: str, value: Value, encoding: BodyEncoding, where: str, body: Mapping[str, Value], *, parts: bool
) -> Iterable[FormField]:
    """Yield the fields of one property of a form. In `parts`, each declares its content type unless it is plain
    text."""
    declared = encoding.content_type or ""
    json_type = (declared if is_json(declared) else "application/json") if parts else None
    text_type = (declared or None) if parts and not is_json(declared) else None
    if encoding.style is not None:
        taken = set(body) - {name}
        pairs = _styled(name, value, encoding.style, encoding.explode, where, taken)
        return [FormField(name=n, value=v) for n, v in pairs]
    if isinstance(value, dict) or is_json(declared):
        return [FormField(name=name, value=_document(value), content_type=json_type)]
    if not isinstance(value, list):
        return [FormField(name=name, value=_scalar(value, where), content_type=text_type)]
    _filled(value, where)
    if not encoding.explode:
        return [FormField(name=name, value=_joined(value, ",", False, where))]
    texts = [(_document(v), json_type) if isinstance(v, list | dict) else (_scalar(v, where), text_type) for v in value]
    return [FormField(name=name, value=text, content_type=kind) for text, kind in texts]


def _styled(
    name: str, value: Value, style: str, explode: bool, where: str, taken: Iterable[str] = (), write: Write = str
) -> Pairs:
    _filled(value, where)
    if style == "deepObject" and isinstance(value, list | dict):
        return list(_deep(name, value, where))
    if isinstance(value, dict) and explode:
        if clash := set(map(str, value)) & set(taken):
            raise TemplateRenderError(where, f"{', '.join(sorted(clash))} would be taken for something else")
        return [(str(k), write(_scalar(v, where))) for k, v in value.items()]
    if isinstance(value, list) and explode:
        return [(name, write(_scalar(v, where))) for v in value]
    if isinstance(value, list | dict):
        return [(name, _joined(value, _SEPARATORS.get(style, ","), False, where, write))]
    return [(name, _scalar(value, where))]


def _deep(name: str, value: Value, where: str) -> Iterable[tuple[str, str]]:
    if not isinstance(value, list | dict):
        yield name, _scalar(value, where)
        return
    _filled(value, where)
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if not str(key) or "[" in str(key) or "]" in str(key):
            raise TemplateRenderError(where, f"{key!r} cannot be a name in brackets")
        yield from _deep(f"{name}[{key}]", inner, where)


def _joined(value: Value, separator: str, explode: bool, where: str, write: Write = str) -> str:
    """Return lists with separators, objects as a,1,b,2 or a=1,b=2 when exploded; `write` serialises every part."""
    if not isinstance(value, list | dict):
        return write(_scalar(value, where))
    for part in _parts(value, where):
        if separator in write(part) or (explode and isinstance(value, dict) and "=" in write(part)):
            raise TemplateRenderError(where, f"{part!r} holds {separator!r}, which separates the entries of this list")
    if isinstance(value, list):
        return separator.join(write(_scalar(v, where)) for v in value)
    between = "=" if explode else separator
    return separator.join(f"{write(str(k))}{between}{write(_scalar(v, where))}" for k, v in value.items())


def _parts(value: Value, where: str) -> list[str]:
    if isinstance(value, dict):
        return [text for k, v in value.items() for text in (str(k), _scalar(v, where))]
    return [_scalar(v, where) for v in value] if isinstance(value, list) else [_scalar(value, where)]


def _scalar(value: Value, where: str) -> str:
    if value is None or isinstance(value, list | dict):
        raise TemplateRenderError(where, f"{json.dumps(value)[:60]} cannot be written in a single value")
    return plain(value)


def _filled(value: Value, where: str) -> None:
    if isinstance(value, list | dict) and not value:
        raise TemplateRenderError(where, "is empty, which cannot be written here")


def _content(wire: WireParameter, value: Value, where: str) -> str:
    """Return a parameter that is a document of its own: JSON, or plain text."""
    return _document(value) if is_json(wire.content_type or "") else _scalar(value, where)


def _document(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _multipart(fields: Iterable[FormField], kind: str) -> tuple[bytes, str]:
    parts = [(_disposition(field), field.value.encode()) for field in fields]
    boundary = "iq-" + hashlib.sha256(b"\0".join(value for _, value in parts)).hexdigest()[:32]
    lines = [b"--%s\r\n%s\r\n\r\n%s\r\n" % (boundary.encode(), head, value) for head, value in parts]
    content = b"".join(lines) + b"--%s--\r\n" % boundary.encode()
    return content, f"{kind.split(';', maxsplit=1)[0].strip()}; boundary={boundary}"


def _disposition(field: FormField) -> bytes:
    name = field.name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    kind = f"\r\nContent-Type: {field.content_type}" if field.content_type else ""
    return f'Content-Disposition: form-data; name="{name}"{kind}'.encode()
