"""Values for any operation, made from its schemas by hypothesis; and the request as `clients/venue/client.py` sends
it."""

import asyncio
import re

import httpx
from hypothesis import strategies as st

from clients.venue.client import VenueClient
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.credentials import HttpRequest
from contracts.enums import SafetyTier
from infra.crypto.keyring import KeyRing
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry.http.request import body_target
from registry.openapi.document import Document
from registry.openapi.regex import python_pattern
from registry.openapi.schema_reading import properties_of, required_of

_FORMATS = {
    "date": st.dates().map(lambda d: d.isoformat()),
    "date-time": st.datetimes().map(lambda d: d.isoformat(timespec="seconds") + "Z"),
    "time": st.times().map(lambda t: t.isoformat(timespec="seconds") + "Z"),
    "uuid": st.uuids().map(str),
    "email": st.sampled_from(["a@example.com", "anna.rossi+x@example.it"]),
    "uri": st.sampled_from(["https://example.com/a?b=c", "https://example.com"]),
    "url": st.sampled_from(["https://example.com/a?b=c"]),
    "ipv4": st.just("127.0.0.1"),
    "ipv6": st.just("::1"),
    "hostname": st.just("example.com"),
    "byte": st.just("aGk="),
    "unix-time": st.integers(0, 2**31),
}
_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12) | st.sampled_from(
    ["a b", "a,b", "ü€", "50%", "x&y=z", "a/b", "+1", "#3", "true", "007", "a;b", "null", '"q"']
)


def values(schema: Json, depth: int = 0) -> st.SearchStrategy[Json]:
    """Return a strategy for values that a schema accepts, awkward ones among them."""
    if not isinstance(schema, dict):
        return st.just("x")
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            rest = {k: v for k, v in schema.items() if k != key}
            return st.one_of(*[values(_both(rest, option), depth) for option in schema[key]])
    kinds = schema.get("type") or ("object" if "properties" in schema else "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of(*[_of_kind(kind, schema, depth) for kind in kinds])


def _both(one: Json, other: Json) -> Json:
    both = {**one, **other}
    if "properties" in one and "properties" in other:
        both["properties"] = {**one["properties"], **other["properties"]}
    both["required"] = [*one.get("required", ()), *other.get("required", ())]
    return both


def _of_kind(kind: str, schema: Json, depth: int) -> st.SearchStrategy[Json]:
    if kind == "object":
        return _objects(schema, depth)
    if kind == "array":
        first = [values(s, depth + 1) for s in schema.get("prefixItems", ())]
        if first:
            return st.tuples(*first).map(list)
        least = schema.get("minItems", 0)
        unique = {"unique_by": repr} if schema.get("uniqueItems") else {}
        most = min(schema.get("maxItems", least + 2), least + 2)
        return st.lists(values(schema.get("items", {}), depth + 1), min_size=least, max_size=most, **unique)
    if kind in ("integer", "number"):
        return _numbers(kind, schema)
    if kind == "boolean":
        return st.booleans()
    return st.none() if kind == "null" else _texts(schema)


def _numbers(kind: str, schema: Json) -> st.SearchStrategy[Json]:
    step = schema.get("multipleOf")
    low = schema.get("minimum", schema.get("exclusiveMinimum", -1000) + ("exclusiveMinimum" in schema))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 2000) - ("exclusiveMaximum" in schema))
    if step:
        return st.integers(int(-(-low // step)), int(high // step)).map(lambda n: n * step)
    if kind == "integer" or low != low or abs(low) > 1e15:
        return st.integers(int(low), max(int(low), int(high)))
    return st.floats(low, max(low, high), allow_nan=False) | st.integers(int(low) + 1, max(int(low) + 1, int(high)))


def _texts(schema: Json) -> st.SearchStrategy[Json]:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    rule = python_pattern(str(schema.get("pattern", ""))) if schema.get("pattern") else None
    if rule is not None:
        source = rule.pattern.replace(r"\z", r"\Z") if isinstance(rule.pattern, str) else ""  # RE2's, as Python's
        letters = st.characters(min_codepoint=32, max_codepoint=126)
        made = st.from_regex(re.compile(source, re.ASCII), fullmatch=source.startswith("^"), alphabet=letters)
        return made.filter(lambda t: len(t) >= least and (most is None or len(t) <= most))
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if most is not None and most < 12:
        return st.text("abc12", min_size=least, max_size=most)
    return _TEXTS if least < 2 else st.text("abc", min_size=least, max_size=least + 3)


def _objects(schema: Json, depth: int) -> st.SearchStrategy[Json]:
    rules, required = properties_of(schema), required_of(schema)
    optional = {} if depth > 2 else {n: values(s, depth + 1) for n, s in rules.items() if n not in required}
    fixed = {n: values(rules.get(n, {}), depth + 1) for n in required}
    made = st.fixed_dictionaries(fixed, optional=dict(list(optional.items())[:6]))
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and not rules and depth < 3:
        names = st.sampled_from(["k1", "k2"])
        return st.dictionaries(names, values(others, depth + 1), min_size=schema.get("minProperties", 0), max_size=2)
    least = schema.get("minProperties", 0)
    return made.filter(lambda v: len(v) >= least) if least else made


def arguments_of(action: AtomicAction) -> st.SearchStrategy[dict[str, Json]]:
    """Return a strategy for a call's arguments: the required ones, and now and then optional ones."""
    required = {p.name: values(p.json_schema) for p in action.parameters if p.required}
    optional = {p.name: values(p.json_schema) for p in action.parameters if not p.required}
    return st.fixed_dictionaries(required, optional=optional)


def full_action(document: Document, key: str) -> AtomicAction:
    """Return an operation with everything that it takes as a parameter, the optional ones too."""
    operation = document.described(key).operation
    rows = [(f"{w.location}.{w.name}", w.json_schema, w.required) for w in operation.parameters]
    body = operation.body_schema
    if body is not None and properties_of(body) and not {"anyOf", "oneOf"} & body.keys():
        rows += [(body_target(n), s, n in required_of(body)) for n, s in properties_of(body).items()]
    elif body is not None:
        rows.append(("body", body, operation.body_required))
    shown = [(t, s if isinstance(s, dict) else {}, r) for t, s, r in rows]
    parameters = tuple(
        ActionParameter(name=f"p{i}", target=target, json_schema=schema, required=required, description="")
        for i, (target, schema, required) in enumerate(shown)
        if not schema.get("readOnly")
    )
    return AtomicAction(
        name="full", pack="", title="", category="", description="", operation=operation, read_only=False,
        safety=SafetyTier.NORMAL, reversible=False, parameters=parameters, version="",
    )  # fmt: skip


def as_sent(request: HttpRequest) -> httpx.Request:
    """Return what the venue client puts on the wire."""
    kept: list[httpx.Request] = []

    def take(sent: httpx.Request) -> httpx.Response:
        kept.append(sent)
        return httpx.Response(204, stream=httpx.ByteStream(b""))

    async def send() -> None:
        client = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer(), timeout=60)
        await client._http.aclose()
        client._http = httpx.AsyncClient(transport=httpx.MockTransport(take))
        await client.send_with_token("https://venue.example", request, "tok")
        await client.close()

    asyncio.run(send())
    return kept[0]
