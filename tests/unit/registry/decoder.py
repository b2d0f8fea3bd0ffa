"""A server's view of a request: decodes it by OpenAPI's rules and independently of the registry."""

import json
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qsl, unquote

from contracts.action import Operation, WireParameter
from contracts.credentials import HttpRequest
from registry.http.styles import encoded_body

Value = Any


class MalformedError(AssertionError):
    """The request cannot be what the document describes."""


def kind_of(schema: dict[str, Value]) -> str:
    declared = schema.get("type", "string")
    kinds = [k for k in ([declared] if isinstance(declared, str) else declared) if k != "null"]
    return str(kinds[0])


def typed(text: str, schema: dict[str, Value]) -> Value:
    kind = kind_of(schema)
    if kind == "integer":
        return int(text)
    if kind == "number":
        return float(text)
    if kind == "boolean":
        if text not in ("true", "false"):
            raise MalformedError(text)
        return text == "true"
    return text


def pairs_to_object(parts: list[str], schema: dict[str, Value], explode: bool, read: Any = str) -> Value:
    rules = schema.get("properties", {})
    rows = [p.split("=", 1) for p in parts] if explode else list(zip(parts[::2], parts[1::2], strict=True))
    return {read(k): typed(read(v), rules.get(read(k), {})) for k, v in rows}


def delimited(text: str, schema: dict[str, Value], separator: str, explode: bool, read: Any = str) -> Value:
    kind = kind_of(schema)
    if kind == "array":
        return [typed(read(p), schema.get("items", {})) for p in text.split(separator)]
    if kind == "object":
        return pairs_to_object(text.split(separator), schema, explode, read)
    return typed(read(text), schema)


def path_values(operation: Operation, path: str) -> dict[str, Value]:
    template, actual = operation.path.split("/"), path.split("/")
    if len(template) != len(actual):
        raise MalformedError(path)
    found = {}
    for pattern, text in zip(template, actual, strict=True):
        if not pattern.startswith("{"):
            if pattern != text:
                raise MalformedError(text)
            continue
        if unquote(text) in ("", ".", ".."):
            raise MalformedError(text)
        wire = next(p for p in operation.parameters if p.location == "path" and "{" + p.name + "}" == pattern)
        found[wire.name] = path_value(wire, text)
    return found


def path_value(wire: WireParameter, text: str) -> Value:
    schema = wire.json_schema
    if wire.style == "simple":
        return delimited(text, schema, ",", wire.explode, unquote)
    if wire.style == "label":
        assert text.startswith(".")
        return delimited(text[1:], schema, "." if wire.explode else ",", wire.explode, unquote)
    assert text.startswith(";")
    if not wire.explode or kind_of(schema) not in ("array", "object"):
        name, _, rest = text[1:].partition("=")
        assert unquote(name) == wire.name
        return delimited(rest, schema, ",", False, unquote)
    parts = text[1:].split(";")
    if kind_of(schema) == "object":
        return pairs_to_object(parts, schema, True, unquote)
    return [typed(unquote(p.partition("=")[2]), schema["items"]) for p in parts]


def deep(rows: list[tuple[str, str]], name: str, schema: dict[str, Value]) -> Value:
    tree: dict[str, Value] = {}
    for key, text in rows:
        if not key.startswith(name + "["):
            continue
        *outer, last = key[len(name) + 1 : -1].split("][")
        node = tree
        for part in outer:
            node = node.setdefault(part, {})
        node[last] = text
    return shaped(tree, schema) if tree else None


def shaped(tree: Value, schema: dict[str, Value]) -> Value:
    if not isinstance(tree, dict):
        return typed(tree, schema)
    if kind_of(schema) == "array":
        return [shaped(v, schema["items"]) for _, v in sorted(tree.items(), key=lambda row: int(row[0]))]
    return {k: shaped(v, schema.get("properties", {}).get(k, {})) for k, v in tree.items()}


def styled(rows: list[tuple[str, str]], name: str, schema: dict[str, Value], style: str, explode: bool) -> Value:
    kind = kind_of(schema)
    if style == "deepObject" and kind in ("object", "array"):
        return deep(rows, name, schema)
    if kind == "object" and explode:
        rules = schema["properties"]
        return {k: typed(v, rules[k]) for k, v in rows if k in rules}
    mine = [v for k, v in rows if k == name]
    if kind == "array" and explode:
        return [typed(v, schema["items"]) for v in mine] or None
    if not mine:
        return None
    if len(mine) > 1:
        raise MalformedError(name)
    separator = {"spaceDelimited": " ", "pipeDelimited": "|"}.get(style, ",")
    return delimited(mine[0], schema, separator, False)


def decoded(operation: Operation, request: HttpRequest) -> dict[str, Value]:
    """Return values by target, as a server that knows `operation` reads them."""
    found: dict[str, Value] = {f"path.{n}": v for n, v in path_values(operation, request.path).items()}
    query = parse_qsl(str(httpx_query(request)), keep_blank_values=True)
    raw = request.headers.get("Cookie", "")
    cookies = [(unquote(k), v) for k, _, v in (row.partition("=") for row in raw.split("; ") if row)]
    for wire in operation.parameters:
        value: Value = None
        if wire.location == "query":
            if wire.content_type:
                value = next((json.loads(v) for k, v in query if k == wire.name), None)
            else:
                value = styled(query, wire.name, wire.json_schema, wire.style, wire.explode)
        elif wire.location == "cookie":
            value = cookie_value(cookies, wire)
        elif wire.location == "header" and wire.name in request.headers:
            value = delimited(request.headers[wire.name], wire.json_schema, ",", wire.explode)
        if value is not None:
            found[f"{wire.location}.{wire.name}"] = value
    return found | body_values(operation, request)


def cookie_value(cookies: list[tuple[str, str]], wire: WireParameter) -> Value:
    mine = [v for k, v in cookies if k == wire.name]
    kind = kind_of(wire.json_schema)
    if kind == "array" and wire.explode:
        return [typed(unquote(v), wire.json_schema["items"]) for v in mine] or None
    if kind == "object" and wire.explode:
        rules = wire.json_schema["properties"]
        return {k: typed(unquote(v), rules[k]) for k, v in cookies if k in rules} or None
    return delimited(mine[0], wire.json_schema, ",", False, unquote) if mine else None


def httpx_query(request: HttpRequest) -> str:
    import httpx

    return str(httpx.QueryParams(list(request.query)))


def body_values(operation: Operation, request: HttpRequest) -> dict[str, Value]:
    content, kind = encoded_body(request)
    if content is None:
        return {}
    assert kind is not None
    schema = operation.body_schema or {}
    if kind.startswith("application/x-www-form-urlencoded"):
        return form_values(operation, parse_qsl(content.decode(), keep_blank_values=True))
    if kind.startswith("multipart/"):
        message = BytesParser().parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + content)
        parts = message.get_payload()
        assert isinstance(parts, list)
        rows = []
        for part in parts:
            payload = part.get_payload(decode=True)  # type: ignore[union-attr]
            assert isinstance(payload, bytes)
            name = part.get_param("name", header="content-disposition")  # type: ignore[union-attr]
            rows.append((unquote(str(name)), payload.decode()))
        return form_values(operation, rows)
    if kind.startswith("text/"):
        return {"body": typed(content.decode(), schema)}
    body = json.loads(content)
    return {f"body.{n}": v for n, v in body.items()} if isinstance(body, dict) else {"body": body}


def form_values(operation: Operation, rows: list[tuple[str, str]]) -> dict[str, Value]:
    found = {}
    for name, schema in (operation.body_schema or {}).get("properties", {}).items():
        encoding = operation.encodings.get(name)
        mine = [v for k, v in rows if k == name]
        if encoding is not None and encoding.style:
            value = styled(rows, name, schema, encoding.style, encoding.explode)
        elif kind_of(schema) == "object":
            value = json.loads(mine[0]) if mine else None
        elif kind_of(schema) == "array":
            complex_items = kind_of(schema["items"]) in ("object", "array")
            value = [json.loads(v) if complex_items else typed(v, schema["items"]) for v in mine] or None
        else:
            value = typed(mine[0], schema) if mine else None
        if value is not None:
            found[f"body.{name}"] = value
    return found
