"""The rules that a compiled action must meet before it is offered; each violation becomes a finding."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from contracts.action import (
    AtomicAction,
    Operation,
    RequestTemplate,
)
from contracts.base import Schema
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from registry.errors import TemplateRenderError, did_you_mean
from registry.http.request import given_in_body, split_path
from registry.http.styles import plain
from registry.lint.aliases import check_aliases
from registry.lint.inputs import check_read_inputs, check_targets
from registry.openapi.safety import is_read
from registry.openapi.schema_reading import fields_of, needed_of, types_of
from registry.openapi.shapes import AnswerShapes
from registry.overlays.findings import Findings
from registry.overlays.models import SampleOverlay
from registry.overlays.template_sources import (
    TemplateSource,
    reads_of,
    request_sources,
    requests_of,
    sources_of,
    tree_sources,
)
from registry.overlays.yaml_file import Key
from registry.secrets.exposure import check_secrets
from registry.secrets.names import is_sensitive
from registry.templating.scope import RESERVED
from registry.templating.templates import VALUE, is_directive, names_of
from registry.tools.arguments import argument_problems

_MAIN = "booking"
_NAME = re.compile(r"[\w-]+")
_PAGE = re.compile(r"page|page[_.-]?(number|no|num|index|token)|cursor|offset|skip|(next|page)\w*token", re.IGNORECASE)
"""The usual names of the input that selects a further page of a list."""


def check(action: AtomicAction, findings: Findings) -> None:
    """Add a finding for every rule that `action` breaks."""
    _check_names(action, findings)
    _check_rows(action, findings)
    _check_output(action, findings)
    _check_exposure(action, findings)
    _check_words(action, findings)
    _check_suggestions(action, findings)
    _check_required(action, findings)
    _check_reversible(action, findings)
    _check_examples(action, findings)
    _check_repeats(action, findings)
    check_aliases(action.aliases, findings)
    known = {p.name for p in action.parameters}
    for source in sources_of(action):
        _check_source(source, known, findings)
    requests = list(requests_of(action))
    for key, template, operation in requests:
        check_targets(key, template, operation, findings)
    for key, read in reads_of(action):
        check_read_inputs(key, read, findings)
    check_secrets(action, requests, reads_of(action), findings)


def _check_repeats(action: AtomicAction, findings: Findings) -> None:
    """Check which requests may be retried, and which may not."""
    if action.read_only and action.idempotent:
        findings.error(("idempotent",), "is for changes: a look-up changes nothing", "leave it out")
    if not action.read_only and action.retry is not None and not action.idempotent:
        hint = "say `idempotent: true` where the same request with the same key, sent twice, does what one does"
        findings.error(("retry",), "a change is sent again only where it is idempotent", hint)
    if not action.read_only and action.cache_seconds:
        findings.error(
            ("cache_seconds",), "is for look-ups: what a change depends on is always read again", "leave it out"
        )


def check_things(action: AtomicAction, kinds: Collection[str], findings: Findings) -> None:
    """Add a finding for a resource kind of an overlay that has no name in `venue.yaml`."""
    places: list[tuple[Key, str]] = [(("parameters", p.name, "thing"), p.thing) for p in action.parameters]
    for key, thing in [*places, (("output", "thing"), action.output.thing)]:
        if thing != _MAIN and thing not in kinds:
            hint = did_you_mean(thing, kinds) or f"add `words: {{{thing}: {{en: {thing}}}}}` to venue.yaml"
            findings.error(key, f"the venue has no word for {thing}", hint)


def check_blocked(action: AtomicAction, blocked: Mapping[str, str], findings: Findings) -> None:
    """Add a finding wherever `action`, or its compensation by name that is not linked yet, would reach a blocked
    operation.

    `blocked` maps an operation's key to the blocked action that does it. An undo may use an operation that `action`
    itself uses: several actions share an operation, and blocking one of them leaves the others. Reads are allowed, too.
    """
    undo = action.compensation.operation if action.compensation else None
    if undo is not None and undo.key in blocked and undo.key != action.operation.key:
        reason = f"{undo.key} is blocked by {blocked[undo.key]} and cannot undo anything"
        hint = "name an action that is not blocked as `action`, or say in `manual` what a person does"
        findings.error(("compensation", "operation"), reason, hint)
    for key, read in reads_of(action):
        if read.operation.key in blocked and not is_read(read.operation.method):
            reason = f"{read.operation.key} is blocked by {blocked[read.operation.key]} and cannot read anything"
            findings.error((*key, "operation"), reason, "read with an operation that only looks")


def _check_names(action: AtomicAction, findings: Findings) -> None:
    names = [p.name for p in action.parameters]
    for name in names:
        if name in RESERVED:
            findings.error(("parameters", name), "this name is taken by what templates see", "rename the parameter")
    for index, name in enumerate(action.require_any):
        if name not in names:
            findings.error(("require_any", index), f"{name} is no parameter", did_you_mean(name, names))


_WRITTEN_BY_ITSELF = frozenset({"version", "etag", "revision", "updatedat", "modifiedat", "lastmodified", "updated"})


def check_covered(action: AtomicAction, shapes: AnswerShapes, findings: Findings) -> None:
    """Add a finding for a covered field that every write changes, because after an undo it would never equal its
    earlier value."""
    snapshot = action.snapshot
    if snapshot is None or action.read_only or "*" not in snapshot.covers:
        return
    ignored = {path.rpartition(".")[2] for path in snapshot.ignore}
    names = {name for read in snapshot.reads for name in shapes.of(read.operation.key).deep_names()}
    own = sorted(n for n in names - ignored if n.replace("_", "").lower() in _WRITTEN_BY_ITSELF)
    if own:
        hint = f"name what matters, or put it under `ignore`: [{', '.join(own)}]"
        findings.warning(("snapshot", "covers"), f"covers all, {own[0]} too, which changes with every write", hint)


def _check_rows(action: AtomicAction, findings: Findings) -> None:
    """Check that the rows of "which booking?" have distinct names."""
    tree = action.output.candidates
    row = tree[VALUE] if is_directive(tree) else tree
    for name in row if isinstance(row, dict) else ():
        if name not in BookingSummary.model_fields:
            hint = did_you_mean(name, BookingSummary.model_fields)
            findings.error(("output", "candidates", VALUE, name), f"rows have no {name}", hint)
    if isinstance(row, dict) and "booking_id" not in row:
        findings.error(("output", "candidates"), "each row needs a booking_id", "name the id of what was found")


def _check_output(action: AtomicAction, findings: Findings) -> None:
    output = action.output
    if output.pages is not None and not action.read_only:
        findings.error(("output", "pages"), "is for look-ups: a change is sent once", "leave it out")
    if output.pages is None and (asks := _asks_for_pages(action)):
        hint = "add `output.pages`, so that the rest of a long list is read, or is at least mentioned"
        findings.warning(("output",), f"gives its list in pages ({asks}): only the first is read", hint)
    if action.read_only and output.shape is None and not output.fields:
        hint = "say in `fields` or `shape` what the model is to know"
        findings.warning(("output",), "says nothing: the model sees only ids, names and moments of the answer", hint)


def _asks_for_pages(action: AtomicAction) -> str | None:
    """Return the input that requests a look-up's further pages, unless the model or the overlay gives it."""
    targets = [*_targets(action.bound), *_targets(action.request), *(p.target for p in action.parameters if p.target)]
    given = {split_path(target)[-1] for target in targets}
    asked = (p.name for p in action.operation.parameters if p.location == "query" and _PAGE.fullmatch(p.name))
    return next((name for name in asked if action.read_only and name not in given), None)


def _check_exposure(action: AtomicAction, findings: Findings) -> None:
    bound = set(_targets(action.bound))
    for p in action.parameters:
        if p.target in bound:
            findings.error(("bound", p.target), f"is bound and also the parameter {p.name}", "keep one of them")


def _check_words(action: AtomicAction, findings: Findings) -> None:
    """Check that no text for the model names a value that the service fills in itself. A plain word does not count as a
    name."""
    bound = {split_path(target)[-1] for target in _targets(action.bound)}
    names = {name for name in bound if not (name.isalpha() and name[1:].islower()) or is_sensitive(name)}
    texts: list[tuple[Key, str]] = [(("description",), action.description), (("when_to_use",), action.when_to_use)]
    texts += [(("parameters", p.name, "describe"), p.description) for p in action.parameters]
    texts += [(("examples", i, "say"), example.say) for i, example in enumerate(action.examples)]
    for key, text in texts:
        named = names.intersection(_NAME.findall(text))
        for name in sorted(named):
            findings.error(key, f"names {name}, which is bound: no model may hear of it", "say it in other words")


def _check_suggestions(action: AtomicAction, findings: Findings) -> None:
    """Check suggestions: a comma inside `[…]` splits a sentence in two, and the operator would read each half as a
    suggestion."""
    # One entry with several codes is several rules.
    entries = list(dict.fromkeys(rule.suggestions for rule in action.errors))
    for number, suggestions in enumerate(entries):
        for first, second in pairwise(suggestions):
            if first[-1] not in ".!?}…" and second[0].islower():
                reason = f"one sentence in two pieces: {first!r} and {second!r}"
                findings.warning(("errors", number, "suggestions"), reason, "put quotation marks around the sentence")


def _targets(template: RequestTemplate | None) -> list[str]:
    if template is None:
        return []
    places = {"path": template.path, "query": template.query, "header": template.header, "body": template.body}
    return [f"{location}.{name}" for location, values in places.items() if isinstance(values, dict) for name in values]


def _check_required(action: AtomicAction, findings: Findings) -> None:
    operation = action.operation
    given = {*_targets(action.request), *_targets(action.bound)}
    if action.idempotency_header:
        given.add(f"header.{action.idempotency_header}")
    optional = {p.target: p.name for p in action.parameters if p.target and not p.required}
    given |= {p.target for p in action.parameters if p.target and p.required}
    body = action.request.body if action.request else None
    whole_body = isinstance(body, str) or is_directive(body)
    required = [f"{p.location}.{p.name}" for p in operation.parameters if p.required]
    if operation.body_schema is not None and not whole_body:
        sends_body = any(t.startswith("body") for t in {*given, *filter(None, optional)})
        if operation.body_required or sends_body:
            required += [f"body.{name}" for name in needed_of(operation.body_schema)]
        if operation.body_required and not sends_body and not given_in_body(operation):
            findings.error(("request",), f"{operation.key} requires a body", "expose, bind or template one")
    waiting = list(required)
    while waiting:
        target = waiting.pop(0)
        if target in given or "body" in given or (target.startswith("cookie.") and "header.Cookie" in given):
            continue
        if any(t.startswith(f"{target}.") for t in given):
            # The properties of a value given in parts are requested separately.
            waiting += [f"{target}.{name}" for name in _required_at(operation, target)]
            continue
        if target in optional:
            findings.error(("parameters", optional[target], "required"), f"{operation.key} requires {target}")
            continue
        secret = is_sensitive(target.rpartition(".")[2])
        hint = "give its value under `bound`" if secret else "expose, bind or template it"
        findings.error(("operation",), f"{operation.key} requires {target}, which nothing gives", hint)


def _required_at(operation: Operation, target: str) -> list[str]:
    """Return the required properties of an object inside the body."""
    schema: Schema | bool = operation.body_schema or {}
    for name in split_path(target)[1:]:
        schema = fields_of(schema).get(name, {}) if isinstance(schema, dict) else {}
    return needed_of(schema) if isinstance(schema, dict) else []


def _check_reversible(action: AtomicAction, findings: Findings) -> None:
    undo = action.compensation
    if action.read_only:
        return
    if action.reversible and (undo is None or undo.operation is None):
        findings.error(("reversible",), "a reversible action needs a compensation with a request")
    if undo is not None and undo.operation is not None and undo.request is not None:
        _check_given(("compensation", "request"), undo.operation, undo.request, findings)
        if undo.partial_undo is not None:
            _check_given(
                ("compensation", "partial_undo", "request"), undo.operation, undo.partial_undo.request, findings
            )
    if action.reversible and action.snapshot is None and not _takes_away_what_was_made(action):
        findings.error(("reversible",), "a reversible action needs a snapshot to go back to")
    if action.reversible and action.verify is None:
        hint = "say how a read shows it, or it is undone only where `covers` shows it"
        findings.warning(("verify",), "is missing: nothing tells later whether this change still stands", hint)
    if not action.reversible and not action.irreversible_note and undo is None:
        findings.warning((), "cannot be undone and says nothing of what to do by hand", "add `irreversible_note`")


def check_sampled(action: AtomicAction, sample: SampleOverlay | None, findings: Findings) -> None:
    """Check that an action with an undo template has a sample, so that the template has run before it is needed."""
    if action.read_only or not action.reversible or action.compensation is None:
        return
    if sample is not None and sample.declined:
        hint = "give `call`, `before` and `after` as soon as you have seen real answers"
        findings.warning(("sample",), "none: whether this can be undone has never been tried", hint)
    elif sample is None or (action.snapshot is not None and (sample.before is None or sample.after is None)):
        lacks = "is missing" if sample is None else "lacks `before` or `after`"
        hint = "give `call`, `before` and `after` (iq actions try --save-sample writes them), or say `sample: none`"
        findings.error(("sample",), f"{lacks}: what can be undone must be tried when it is loaded", hint)


def _takes_away_what_was_made(action: AtomicAction) -> bool:
    """Return whether the undo removes what the call created: there was no earlier state to read."""
    undo = action.compensation
    if undo is None or undo.request is None or action.verify is None or not action.verify.reads:
        return False
    sources = [*request_sources((), undo.request, frozenset()), *tree_sources((), undo.values, frozenset())]
    try:
        return any({"response", "now"} & names_of(s.text, "", expression=s.expression) for s in sources)
    except TemplateRenderError:
        return False  # another check reports it


def _check_given(key: Key, operation: Operation, request: RequestTemplate, findings: Findings) -> None:
    """Check that everything the undo operation requires has a source, because the undo would otherwise fail when
    needed."""
    for wire in operation.parameters:
        if wire.required and wire.name not in getattr(request, wire.location, {}):
            hint = f'write `{wire.location}: {{{wire.name}: "{{{{ … }}}}"}}`'
            findings.error((*key, wire.location), f"{operation.key} requires {wire.name}, which nothing gives", hint)
    if operation.body_schema is None or request.body is None:
        if operation.body_required and request.body is None and not given_in_body(operation):
            findings.error((*key, "body"), f"{operation.key} requires a body")
        return
    if isinstance(request.body, dict) and not is_directive(request.body):
        for name in needed_of(operation.body_schema):
            if name not in request.body:
                findings.error((*key, "body"), f"{operation.key} requires {name}, which nothing gives")


def _check_examples(action: AtomicAction, findings: Findings) -> None:
    for index, example in enumerate(action.examples):
        # A follow-up sentence about a booking does not name it: the id comes from a look-up.
        assumed = {p.name: f"{{{{step_1.{p.name}}}}}" for p in action.with_role(ParameterRole.BOOKING) if p.required}
        for problem in argument_problems(action, {**assumed, **example.call}):
            findings.error(("examples", index, "call"), problem)


def _check_source(source: TemplateSource, known: set[str], findings: Findings) -> None:
    try:
        names = names_of(source.text, ".".join(map(str, source.key)), expression=source.expression)
    except TemplateRenderError as fault:
        findings.error(source.key, fault.reason)
        return
    valid = known | source.allowed
    for name in sorted(names - valid):
        reason = "cannot be seen here" if name in RESERVED else "is not defined"
        findings.once("error", source.key, f"{name} {reason}", did_you_mean(name, valid))


_YES_OR_NO = ("true", "false")


def check_phrases(key: Key, messages: Mapping[str, Sequence[str]], schema: Schema, findings: Findings) -> None:
    """Report wording for a value that the parameter cannot have, and values without wording."""
    if not messages:
        return
    choices = [plain(choice) for choice in schema.get("enum") or () if choice is not None]
    values = list(_YES_OR_NO) if "boolean" in types_of(schema) and not choices else choices
    if not values:
        reason = "only a yes-or-no value and a choice can have words that say it"
        findings.error((*key, "phrases"), reason, "leave `phrases` out, or give `type: boolean` or `choices`")
        return
    for value, words in messages.items():
        if value not in values:
            findings.error(
                (*key, "phrases", value), f"{value} is no value of this parameter", did_you_mean(value, values)
            )
        elif not words:
            findings.error(
                (*key, "phrases", value), "has no words", "list the words that say it, or leave the value out"
            )
