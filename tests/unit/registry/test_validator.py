"""300 generated requests over 60 operations of the documents in ../shared/specs, checked by openapi-core.

Hypothesis makes values (from one seed) from the schemas that a model sees, or of everything that an operation takes;
they go through `build_request` and the venue client; a validator that shares no code with the registry checks the
result against the raw document. It reports nothing but the complaints in `NOT_OURS`: each names whose mistake it is,
and must still occur where it is listed.
"""

import json
import random
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import registry
from authoring.all_operations import actions_of_document
from contracts.action import AtomicAction
from infra.config.settings import ROOT
from registry import BoundAction
from registry.errors import OperationError, PackError
from registry.openapi.document import Document
from registry.openapi.schema_reading import types_of
from registry.overlays.yaml_file import read_yaml
from tests.unit.registry.generated import arguments_of, as_sent, full_action
from tests.unit.registry.validator import Judge

SHARED = ROOT.parent / "shared" / "specs"
pytestmark = [
    pytest.mark.skipif(not SHARED.is_dir(), reason="the documents in ../shared/specs are not here"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.slow,
]
OPERATIONS, EACH, REQUESTS = 60, 6, 300

Made = tuple[str, str, str]
"""A document, an operation's key, and which of its parameters are given: "needed" or "full"."""

STYLE = "oas-examples/3.0-parameters-style.json"
NOT_OURS: dict[Made, tuple[str, str]] = {
    (STYLE, "paths_label_exploded", "needed"): (
        "Missing required path parameter",
        "the validator looks for `{.name*}` in the path; OpenAPI writes `{name}` and says the style apart",
    ),
    (STYLE, "paths_matrix_nonExploded", "needed"): ("Missing required path parameter", "as above: `{;name}`"),
    (STYLE, "formData_form_nonExploded", "full"): (
        "TypeError",
        "the validator applies styles to parts of a form; OpenAPI 3.0 says that they shall be ignored there",
    ),
    ("oas-examples/3.0-polymorphism.json", "POST /one-of-with-type", "full"): (
        "is valid under each of",
        "the document: two kinds of a `oneOf` that are the same, so that nothing is exactly one of them",
    ),
    ("oas-examples/3.0-discriminators.json", "PATCH /mapping-of-schema-names", "full"): (
        "could not be resolved",
        "the validator knows no names of schemas in a discriminator's mapping; OpenAPI allows them",
    ),
    ("oas-examples/3.0-schema-validation.json", "GET /anything/oas-formats", "needed"): (
        "'3000000000' is not of type 'integer'",
        "the validator puts in the document's default, a text for a number, for what was not sent",
    ),
    ("stripe.json", "GetPlans", "full"): (
        "deepObject",
        "the validator takes objects alone in deepObject; lists are beyond OpenAPI, sent as Stripe's own clients do",
    ),
    ("oas-examples/3.0-schema-types.json", "quirks_incompatibleNestedAllOf", "full"): (
        "is not of type",
        "the document: an `allOf` of a text and a number",
    ),
    ("oas-examples/3.0-file-uploads.json", "POST /anything/multipart-formdata", "full"): (
        "is not of type 'integer'",
        "the validator leaves the parts of a form text, whatever the schema makes of them",
    ),
    ("oas-examples/3.0-schema-encoding-style.json", "encoding_form", "full"): (
        "is not of type 'string'",
        "the validator leaves parts that have a style bytes",
    ),
    ("oas-examples/3.1-schema-encoding-style.json", "encoding_form", "full"): ("is not of type 'string'", "as above"),
    ("oas-examples/3.1-parameters-style.json", "paths_label_exploded", "needed"): (
        "Missing required path parameter",
        "the validator looks for `{.name*}`, as above",
    ),
    ("oas-examples/3.1-parameters-style.json", "paths_matrix_nonExploded", "full"): (
        "Missing required path parameter",
        "the validator looks for `{;name}`, as above",
    ),
    ("oas-examples/3.1-schema-validation-local.json", "GET /anything/numbers", "full"): (
        "Unknown JSON Schema dialect",
        "the document: there never was a draft-05/schema",
    ),
    ("openapi-python-client/baseline_openapi_3.1.yaml", "defaults_tests_defaults_post", "full"): (
        "Expected a string value, got <class 'list'>",
        "the validator has no types in lists for parameters, which 3.1 has",
    ),
    ("openapi-python-client/baseline_openapi_3.1.yaml", "defaults_tests_defaults_post", "needed"): (
        "Expected a string value, got <class 'list'>",
        "as above",
    ),
    ("openapi-python-client/invalid-uuid-defaults.yaml", "PUT /", "full"): (
        "3 is not of type 'string'",
        "the document: a number as the default of a text",
    ),
    ("openapi-python-client/invalid-uuid-defaults.yaml", "POST /", "full"): (
        "'notauuid' is not a 'uuid'",
        "the document: a default that is no UUID, put in by the validator for what was not sent",
    ),
    ("openapi-python-client/baseline_openapi_3.1.yaml", "json-like", "full"): ("is not of type 'object'", "as above"),
    ("openapi-python-client/baseline_openapi_3.1.yaml", "content_type_override", "full"): (
        "not valid for schema of type string",
        "the document: `openapi/python/client` is no media type, and the validator leaves its body bytes",
    ),
    ("oas-examples/3.0-parameters-style.json", "paths_simple_exploded", "full"): (
        "dictionary update sequence",
        "the validator's server decodes a path before it is taken apart: `v%3D` is a value's text, no equals sign",
    ),
    ("oas-examples/3.0-schema-additional-properties.json", "POST /post", "full"): (
        "Additional properties are not allowed",
        "the document: parts of an `allOf` that each close what the other opens",
    ),
    ("oas-examples/3.0-schema-deprecated.json", "POST /anything", "full"): (
        "is valid under each of",
        "the document: a `oneOf` of the same schema twice, so that nothing is exactly one of them",
    ),
    ("viator-partner.json", "bookingsBook", "needed"): (
        "global flags not at the start",
        "the document: a pattern with `(?i)` in its middle, which is no pattern of ECMA 262",
    ),
    ("openapi-python-client/baseline_openapi_3.0.json", "json-like", "full"): (
        "not valid for schema of type object",
        "the validator does not take `application/vnd.…+json` for JSON",
    ),
}

# Forms whose fields are objects in deepObject, which the greedy choice never reaches.
ALWAYS: tuple[Made, ...] = (("stripe.json", "PostCoupons", "full"), ("stripe.json", "PostAccounts", "full"))


@lru_cache(maxsize=2)
def raw(name: str) -> Any:
    """Return the document as OpenAPI defines it: the judge ignores a body parameter left over from Swagger 2.0."""
    data = read_yaml(SHARED / name, strict=False).data
    for operation in (one for path in data["paths"].values() for one in path.values() if isinstance(one, dict)):
        rows = [row for row in operation.get("parameters", ()) if row.get("in") == "body"]
        if rows:
            operation["parameters"] = [row for row in operation["parameters"] if row not in rows]
            operation["requestBody"] = {"content": {"application/json": {"schema": rows[0].get("schema", {})}}}
    return data


@lru_cache(maxsize=2)
def document(name: str) -> Document:
    return Document.read(SHARED / name)


def action_of(made: Made) -> AtomicAction:
    name, key, which = made
    found = actions_of_document(document(name)).actions if which == "needed" else {}
    by_key = {action.operation.key: action for action in found.values()}
    return by_key[key] if key in by_key else full_action(document(name), key)


def features(action: AtomicAction) -> set[str]:
    """Return what is special about an operation's request."""
    operation, found = action.operation, {action.operation.method}
    sent = {str(p.target).partition(".")[0]: p for p in action.parameters}
    for wire in operation.parameters:
        if wire.location in sent:
            kind = str(wire.json_schema.get("type", "any"))
            found.add(f"{wire.location} {wire.style} {wire.explode} {kind} {wire.content_type}")
    if "body" in sent:
        found.add(str(operation.content_type))
        text = json.dumps([p.json_schema for p in action.parameters])
        found |= {word for word in ("oneOf", "anyOf", "allOf", "array", "pattern", "null", "enum") if word in text}
        found |= {f"part {e.style} {e.content_type}" for e in operation.encodings.values()}
    return found


def judgeable(action: AtomicAction) -> AtomicAction | None:
    """Return the action without what OpenAPI leaves open: deepObject is for objects of plain values (3.1.1, Style
    Examples). None where the validator cannot read the operation at all: the classes of which `NOT_OURS` names one
    each."""
    wires = action.operation.parameters
    if any(w.style in ("label", "matrix") for w in wires):
        return None  # `paths_label_exploded`
    if any(w.location == "path" and {"array", "object"} & set(types_of(w.json_schema)) for w in wires):
        return None  # `paths_simple_exploded`
    if any(isinstance(w.json_schema.get("type"), list) for w in wires):
        return None  # `defaults_tests_defaults_post`
    styles = {f"body.{name}": encoding.style for name, encoding in action.operation.encodings.items()}
    styles |= {f"query.{wire.name}": wire.style for wire in wires}
    deep = {p.name for p in action.parameters if styles.get(str(p.target)) == "deepObject"}
    open_ended = {p.name for p in action.parameters if p.name in deep and not _is_flat(p.json_schema)}
    if any(p.required for p in action.parameters if p.name in open_ended):
        return None  # `GetPlans`
    kept = tuple(p for p in action.parameters if p.name not in open_ended)
    return action.model_copy(update={"parameters": kept})


def _is_flat(schema: Any) -> bool:
    kinds = {str(inner.get("type", "object")) for inner in schema.get("properties", {}).values()}
    return schema.get("type") == "object" and bool(kinds) and not kinds & {"object", "array"}


def candidates(name: str) -> Iterator[tuple[Made, AtomicAction]]:
    found = actions_of_document(document(name)).actions.values()
    yield from (((name, a.operation.key, "needed"), a) for a in found if a.parameters)
    for key in document(name).keys:
        try:
            yield (name, key, "full"), full_action(document(name), key)
        except OperationError:
            continue


def chosen() -> list[Made]:
    """Return operations of all documents in turn, each the one that adds most to the tested features."""
    names = sorted(str(p.relative_to(SHARED)) for p in SHARED.rglob("*") if p.suffix in (".json", ".yaml"))
    pools: list[list[tuple[Made, set[str]]]] = []
    for name in names:
        try:
            document(name)
        except PackError:
            continue
        fair = [(made, judgeable(action)) for made, action in candidates(name) if made not in NOT_OURS]
        fair = [row for row in fair if not any(row[0][:2] == made[:2] for made in ALWAYS)]
        rows = [(made, features(action)) for made, action in fair if action is not None and action.parameters]
        random.Random(name).shuffle(rows)
        pools.append(rows[:80])
    picked: list[Made] = list(ALWAYS)
    seen: set[str] = set()
    while len(picked) < OPERATIONS:
        for pool in pools:
            if pool and len(picked) < OPERATIONS:
                best = max(pool, key=lambda row: len(row[1] - seen))
                pool[:] = [row for row in pool if row[0][1] != best[0][1]]
                seen |= best[1]
                picked.append(best[0])
    return picked


def tried(made: Made, wanted: int) -> tuple[int, list[str]]:
    """Return how many requests were checked, and every complaint with the request."""
    action, judge = action_of(made), Judge(raw(made[0]), action_of(made).operation.path)
    action = action if made in NOT_OURS else judgeable(action) or action
    complaints: list[str] = []
    count = 0

    # Not `derandomize`, which draws other values after each change of this function's text.
    @seed(1)
    @settings(
        max_examples=wanted * 4, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate],
    )  # fmt: skip
    @given(st.data())
    def check(data: st.DataObject) -> None:
        nonlocal count
        arguments = data.draw(arguments_of(action))
        if count >= wanted or registry.argument_problems(action, arguments):
            return
        try:
            sent = as_sent(BoundAction.of(action, arguments).request())
        except registry.TemplateRenderError:
            # Where a body is required, a draw without any optional part is refused, not sent.
            assert made[2] == "full"
            return
        given = {str(p.target): arguments[p.name] for p in action.parameters if arguments.get(p.name) is not None}
        message = judge.problems(sent, given)
        complaints.extend(f"{made}: {one} for {sent.url} {sent.content[:200]!r}" for one in message)
        count += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check()
    return count, complaints


def test_generated_requests_are_what_the_documents_describe() -> None:
    picked = chosen()
    results = {made: tried(made, EACH) for made in picked}
    assert [message for _, complaints in results.values() for message in complaints] == []
    assert len({(name, key) for name, key, _ in picked}) == OPERATIONS
    assert len({name for name, _, _ in picked}) > 40
    counts = [count for count, _ in results.values()]
    assert min(counts) > 0 and sum(counts) >= REQUESTS, "some take only a few different values"


@pytest.mark.parametrize("made", NOT_OURS, ids=lambda made: made[1])
def test_whose_mistake_it_is(made: Made) -> None:
    message, why = NOT_OURS[made]
    count, complaints = tried(made, EACH * 10)
    assert count and why
    assert any(message in complaint for complaint in complaints), "no longer met: take it out"
