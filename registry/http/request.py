r"""Builds an exact HTTP request from arguments and a snapshot, without host or credentials.

Targets of parameters, written with dots: `path.id`, `body.guest.name`. A dot in a name is written `\.`.

Paging of lists: whether there are more rows, how to request the next page and how to join it on.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import parse_qsl

from contracts.action import ActionParameter, AtomicAction, Operation, ReadTemplate, RequestTemplate, WireParameter
from contracts.base import Answer, Node, Schema, Value
from contracts.credentials import HttpRequest
from language.messages.catalogue import translate
from registry.errors import TemplateRenderError, did_you_mean
from registry.http.coerce import coerce
from registry.http.styles import (
    checked_header,
    cookie_pairs,
    fixed_path,
    form_fields,
    gap_of,
    header_text,
    is_json,
    path_text,
    query_pairs,
)
from registry.openapi.schema_reading import options_of, properties_of, required_of, types_of
from registry.secrets.names import HIDDEN, is_sensitive
from registry.templating.scope import Scope
from registry.templating.templates import Names, Passthrough, evaluate, render_fields, render_text, render_tree

_DOT = re.compile(r"(?<!\\)\.")


def split_path(path: str) -> list[str]:
    """Return the names in a dotted path; [] for an empty one."""
    return [part.replace("\\.", ".") for part in _DOT.split(path)] if path else []


def body_target(name: str) -> str:
    """Return the target of one property of the body."""
    return "body." + name.replace(".", "\\.")


Inputs = dict[str, dict[str, Value]]

S = TypeVar("S", bound=Scope)


def build_request(scope: Scope) -> HttpRequest:
    """Return the request that does the action with the scope's parameters and `before`.

    The scope's `marker`, if there is one, goes where the overlay puts it. Raises TemplateRenderError when a template
    fails, a value does not fit the operation, or something required is missing.
    """
    action = scope.action
    names, where = scope.names(), f"{action.name}: request"
    given = {p.target: _settled(scope.parameters.get(p.name), p.json_schema) for p in action.parameters if p.target}
    nulls = {p.target for p in action.parameters if null_is_sent(p)}
    targets = {target: value for target, value in given.items() if value is not None or target in nulls}
    inputs, body = _gathered(targets, (action.request, action.bound), names, where)
    if action.marker is not None and scope.marker:
        body = _merged(body, render_tree(action.marker.body, names, f"{action.name}: marker.body"))
    if action.idempotency_header and scope.marker:
        inputs["header"][action.idempotency_header] = scope.marker
    return assemble(action.operation, inputs, body, where)


def with_request(scope: S) -> S:
    """Return `scope` with its request, built if it was not before. Raises TemplateRenderError."""
    return scope if scope.sent is not None else scope.with_(sent=build_request(scope))


def null_is_sent(parameter: ActionParameter) -> bool:
    """Return whether a null is a value of its own: a property of the body that is required and nullable."""
    in_body = (parameter.target or "").startswith("body.")
    return in_body and parameter.required and _may_be_null(parameter.json_schema)


def build_read(read: ReadTemplate, names: Names) -> HttpRequest:
    """Return the request of one read.

    An input named after a parameter goes where the document declares it, any other into the body. Raises
    TemplateRenderError.
    """
    where = f"read {read.name or read.operation.key}"
    given = render_fields(read.inputs, names, where)
    targets = {target_of(read.operation, name): value for name, value in given.items()}
    inputs, body = _gathered(targets, (), {}, where)
    return assemble(read.operation, inputs, body, where)


def target_of(operation: Operation, name: str) -> str:
    """Return the target of an input called `name`: `path.uniqueId`, `body.name`. A dotted name is returned
    unchanged."""
    if name.partition(".")[0] in ("path", "query", "header", "cookie", "body"):
        return name
    wire = next((p for p in operation.parameters if p.name == name), None)
    return f"{wire.location}.{name}" if wire else f"body.{name}"


def render_request(operation: Operation, template: RequestTemplate, names: Names, where: str) -> HttpRequest:
    """Return a request made of one template alone, such as a compensation. Raises TemplateRenderError."""
    inputs, body = _gathered({}, (template,), names, where)
    return assemble(operation, inputs, body, where)


def _gathered(
    targets: Mapping[str, Value], templates: Iterable[RequestTemplate | None], names: Names, where: str
) -> tuple[Inputs, Value]:
    """Return values by location. Later templates override earlier ones, and all of them override the targets."""
    inputs: Inputs = {"path": {}, "query": {}, "header": {}, "cookie": {}}
    body: Value = None
    for target, value in targets.items():
        location, _, name = target.partition(".")
        if location == "body":
            body = _merged(body, _nested(name, value))
        else:
            inputs[location][name] = value
    for template in filter(None, templates):
        for location in ("path", "query", "header"):
            inputs[location] |= render_fields(getattr(template, location), names, f"{where}.{location}")
        if template.body is not None:
            body = _merged(body, render_tree(template.body, names, f"{where}.body"))
    return inputs, body


def _settled(value: Value, schema: Node) -> Value:
    """Return `value` without nulls that can only mean "not given". A null that the operation takes is kept."""
    if isinstance(value, list) and isinstance(schema, dict):
        return [_settled(v, schema.get("items")) for v in value]
    if not isinstance(value, dict) or not isinstance(schema, dict) or not schema.get("properties"):
        return value
    rules, required = schema["properties"], schema.get("required") or ()
    nulls = {name for name in value if name in required or name not in rules or _may_be_null(rules[name])}
    return {n: _settled(v, rules.get(n)) for n, v in value.items() if v is not None or n in nulls}


def _may_be_null(schema: Node) -> bool:
    options = (schema.get("anyOf") or schema.get("oneOf") or ()) if isinstance(schema, dict) else ()
    return isinstance(schema, dict) and ("null" in types_of(schema) or any(map(_may_be_null, options)))


def _nested(path: str, value: Value) -> Value:
    for name in reversed(split_path(path)):
        value = {name: value}
    return value


def _merged(left: Value, right: Value) -> Value:
    if not isinstance(left, dict) or not isinstance(right, dict):
        return right
    result = {**left, **{k: _merged(left[k], v) if k in left else v for k, v in right.items()}}
    return Passthrough(result) if isinstance(left, Passthrough) or isinstance(right, Passthrough) else result


def assemble(operation: Operation, inputs: Inputs, body: Value, where: str) -> HttpRequest:
    """Return the request with values by location and name, coerced for the operation and serialised in its styles.
    Raises TemplateRenderError."""
    path, query, headers, cookies = fixed_path(operation.path), list[tuple[str, str]](), dict[str, str](), list[str]()
    shown = path
    values = {place: dict(given) for place, given in inputs.items()}
    names = {p.name for p in operation.parameters if p.location == "query"}
    for wire in operation.parameters:
        location = f"{where}.{wire.location}.{wire.name}"
        if wire.name not in values[wire.location]:
            if wire.required and not (wire.location == "cookie" and "Cookie" in values["header"]):
                raise TemplateRenderError(location, "the operation requires it and nothing gives it")
            continue
        value = coerce(values[wire.location].pop(wire.name), wire.json_schema, location)
        if wire.location == "path":
            gap = gap_of(operation.path, wire.name)
            text = path_text(wire, value, location, whole=gap.startswith("{+"))
            path = path.replace(gap, text)
            secret = is_sensitive(wire.name, wire.json_schema, location="path")
            shown = shown.replace(gap, HIDDEN if secret else text)
        elif wire.location == "query":
            query += query_pairs(wire, value, location, names)
        elif wire.location == "header":
            headers[wire.name] = header_text(wire, value, location)
        else:
            cookies += cookie_pairs(wire, value, location)
    headers |= {name: checked_header(value, f"{where}.header.{name}") for name, value in values["header"].items()}
    if cookies:
        headers["Cookie"] = "; ".join([*filter(None, [headers.get("Cookie")]), *cookies])
    # Some documents distinguish operations of one path by a fragment, or write a query into it; neither is part of the
    # path.
    path, _, fixed = path.partition("#")[0].partition("?")
    query = [*parse_qsl(fixed, keep_blank_values=True), *query]
    _nothing_left(operation, values, path, where)
    fitted = _body(operation, body if body is not None or not given_in_body(operation) else {}, where)
    return HttpRequest(
        method=operation.method,
        path=path,
        shown_path=shown.partition("#")[0].partition("?")[0] if HIDDEN in shown else "",
        query=tuple(query),
        headers=headers,
        body=fitted,
        content_type=operation.content_type if fitted is not None else None,
        form=form_fields(operation, fitted, f"{where}.body"),
        access=operation.access,
    )


def given_in_body(operation: Operation) -> bool:
    """Return whether the pack sends a value in the body of every request, so that there is always a body."""
    return operation.access is not None and any(t.startswith("body.") for t in operation.access.bound)


def wire_problem(operation: Operation, target: str, value: Value) -> str | None:
    """Return why `value` cannot be sent at `target`, a parameter or a property of the body; None when it can."""
    location, _, name = target.partition(".")
    try:
        if location == "body":
            if operation.body_schema is not None:
                form_fields(operation, _nested(name, value), "")
            return None
        wire = next((p for p in operation.parameters if (p.location, p.name) == (location, name)), None)
        if wire is not None:
            fitted = coerce(value, wire.json_schema, "")
            if location == "path":
                path_text(wire, fitted, "", whole=gap_of(operation.path, name).startswith("{+"))
            elif location == "query":
                query_pairs(wire, fitted, "", {p.name for p in operation.parameters if p.location == "query"})
            else:
                _WRITERS[location](wire, fitted, "")
    except TemplateRenderError as fault:
        return fault.reason
    return None


_WRITERS: dict[str, Callable[[WireParameter, Value, str], object]] = {"header": header_text, "cookie": cookie_pairs}


def _nothing_left(operation: Operation, values: Inputs, path: str, where: str) -> None:
    for location in ("path", "query", "cookie"):
        for name in values[location]:
            hint = did_you_mean(name, [p.name for p in operation.parameters if p.location == location])
            raise TemplateRenderError(f"{where}.{location}.{name}", f"{operation.key} has no such parameter; {hint}")
    given = operation.access.bound if operation.access else {}
    if any(f"path.{gap}" not in given for gap in re.findall(r"{([^}]*)}?", path)):
        raise TemplateRenderError(f"{where}.path", f"{path} still has a gap")


def _may_be_empty(operation: Operation) -> bool:
    """Return whether the operation accepts a JSON object without properties as its body."""
    return is_json(operation.content_type or "") and _takes_nothing(operation.body_schema or {})


def _takes_nothing(schema: Schema) -> bool:
    if "minProperties" in schema or required_of(schema):
        return False
    options = options_of(schema)
    return any(map(_takes_nothing, options)) if options else "object" in types_of(schema)


def _body(operation: Operation, body: Value, where: str) -> Value:
    if body is None:
        if operation.body_required and not _may_be_empty(operation):
            raise TemplateRenderError(f"{where}.body", "the operation requires a body")
        return {} if operation.body_required else None
    if operation.body_schema is None:
        raise TemplateRenderError(f"{where}.body", f"{operation.key} takes no body")
    unknown = set(body) - set(properties_of(operation.body_schema)) if isinstance(body, dict) else set()
    if unknown and operation.body_schema.get("additionalProperties") is False:
        raise TemplateRenderError(f"{where}.body", f"{operation.key} takes no {', '.join(sorted(unknown))}")
    return coerce(body, operation.body_schema, f"{where}.body")


_LOG = logging.getLogger(__name__)


def compensation_request(scope: Scope, *, own_part: bool = False) -> HttpRequest:
    """Return the request that brings `now` back to `before`, or (`partial_undo`) removes only the plan's own part from
    `now`.

    Raises TemplateRenderError when a template fails, when the action has no such compensation, or when `now` was not
    read.
    """
    where = f"{scope.action.name}: compensation"
    undo = scope.action.compensation
    if undo is None or undo.operation is None or undo.request is None:
        raise TemplateRenderError(where, "this action cannot be undone by a request")
    if scope.action.snapshot is not None and scope.now is None:
        raise TemplateRenderError(where, "`now` must be read before undoing")
    if own_part:
        if undo.partial_undo is None:
            raise TemplateRenderError(where, "this action cannot undo its own part alone")
        names = with_request(scope).names()
        return render_request(undo.operation, undo.partial_undo.request, names, f"{where}.partial_undo.request")
    names = scope.names()
    names |= render_fields(undo.values, names, f"{where}.with")
    return render_request(undo.operation, undo.request, names, f"{where}.request")


def manual_instruction(scope: Scope) -> str:
    """Return what staff must do when no request can undo the step. Never raises for a bad template: it falls back to
    the title and the parameters, because this text is the last help available."""
    action = scope.action
    source = (action.compensation.manual if action.compensation else "") or action.irreversible_note
    if source:
        try:
            sees = with_request(scope) if "request" in source else scope
            return render_text(source, sees.names(), f"{action.name}: compensation.manual")
        except TemplateRenderError as fault:
            _LOG.warning("manual step of %s could not be written in full", fault.where)
    given = [
        f"{name.replace('_', ' ')} {v if isinstance(v, str | int | float) else translate('undo.as_asked')}"
        for name, v in scope.parameters.items()
        if v is not None
    ]
    return translate("undo.by_hand", title=action.title, given=given)


def goes_on(scope: Scope) -> bool:
    """Return whether there are more rows than the scope's `response` holds. Raises TemplateRenderError."""
    pages, where = scope.action.output.pages, f"{scope.action.name}: output.pages.more"
    return pages is not None and bool(evaluate(pages.more, scope.names(), where))


def next_page(scope: Scope, number: int) -> HttpRequest | None:
    """Return the request of the page after the scope's `response`, the `number`-th of all, counted from 1; None where
    there are no more rows, or the venue has no further pages. Raises TemplateRenderError."""
    action = scope.action
    other = action.output.pages.next if action.output.pages is not None and goes_on(scope) else None
    if other is None:
        return None
    usual = action.request or RequestTemplate()
    asked = RequestTemplate(
        path={**usual.path, **other.path},
        query={**usual.query, **other.query},
        header={**usual.header, **other.header},
        body={**usual.body, **other.body}
        if isinstance(usual.body, dict) and isinstance(other.body, dict)
        else other.body or usual.body,
    )
    action = action.model_copy(update={"request": asked})
    return build_request(scope.with_(action=action, parameters={**scope.parameters, "next_page": number}))


def joined(action: AtomicAction, first: Answer, then: Answer) -> Answer:
    """Return a page with the rows of the earlier pages in front. Raises TemplateRenderError."""
    path = action.output.pages.rows if action.output.pages is not None else ""
    return _joined(path.split(".") if path else [], first, then, f"{action.name}: output.pages.rows")


def _joined(path: Sequence[str], first: Answer, then: Answer, where: str) -> Answer:
    if path and isinstance(first, dict) and isinstance(then, dict):
        return {**then, path[0]: _joined(path[1:], first.get(path[0]), then.get(path[0]), where)}
    if path or not isinstance(first, list) or not isinstance(then, list):
        raise TemplateRenderError(where, "gives no list")
    # A row that was created between two reads shifts another row onto the next page, too.
    return [*first, *(row for row in then if row not in first)]
