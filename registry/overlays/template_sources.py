"""Every template of an action with its key and the names it may use; its requests and its reads."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.action import (
    AtomicAction,
    CompensationTemplate,
    Operation,
    ReadTemplate,
    RequestTemplate,
    VerifyTemplate,
)
from contracts.base import Tree
from registry.overlays.yaml_file import Key
from registry.templating.templates import FOR_EACH, ITEM, VALUE, WHEN, is_directive

_ALWAYS = frozenset({"venue", "marker"})
_DETAIL = _ALWAYS | {"item", "detail"}


class TemplateSource(NamedTuple):
    """A template text of an overlay, its key, and whether it is an expression without braces.

    `loops` are the expressions of the lists that it is rendered for, the outermost first: `item` is a row of the last.
    """

    key: Key
    text: str
    allowed: frozenset[str]
    expression: bool = False
    loops: tuple[str, ...] = ()


def sources_of(action: AtomicAction) -> Iterator[TemplateSource]:
    """Yield every template of an action with the names it may use."""
    before = _ALWAYS | {"before"} if action.snapshot else _ALWAYS
    before |= {"today"} if action.read_only else set()
    done = before | {"request"}
    yield from request_sources(("request",), action.request, before | _looked(action))
    yield from request_sources(("bound",), action.bound, before)
    for key, read in reads_of(action):
        late = {"errors": done, "availability": done, "verify": done | {"response", "left", "now"}, "output": _DETAIL}
        names = late.get(str(key[0]), before)
        yield from tree_sources((*key, "with"), read.inputs, names)
    if action.marker:
        yield from tree_sources(("marker", "body"), action.marker.body, before)
        yield TemplateSource(("marker", "present"), action.marker.present, done | {"now"}, expression=True)
        yield TemplateSource(("marker", "value"), action.marker.value or "none", _ALWAYS | {"now"}, expression=True)
    if action.verify:
        yield from _verify_sources(action.verify, done)
    if action.compensation:
        yield from _undo_sources(action.compensation, before)
        yield TemplateSource(("compensation", "manual"), action.compensation.manual, done | {"now"})
    yield TemplateSource(("irreversible_note",), action.irreversible_note, done)
    yield from _shown_sources(action, done)


def _looked(action: AtomicAction) -> frozenset[str]:
    """Return the names of the preview's reads. A look-up's own reads come before it; those of a change come after its
    request, for the preview alone."""
    return frozenset({"seen"} if action.read_only and action.preview_reads else ())


def _verify_sources(verify: VerifyTemplate, done: frozenset[str]) -> Iterator[TemplateSource]:
    after = done | {"now", "response"} if verify.reads else done | {"now"}
    for key, texts in (("all", verify.checks), ("known_by", verify.known_by), ("gone", verify.gone)):
        for index, text in enumerate(texts):
            yield TemplateSource(("verify", key, index), text, after, expression=True)


def _undo_sources(undo: CompensationTemplate, before: frozenset[str]) -> Iterator[TemplateSource]:
    late = before | {"now", "left", "response"}
    yield from tree_sources(("compensation", "with"), undo.values, late)
    yield from request_sources(("compensation", "request"), undo.request, late | {*undo.values})
    if undo.when:
        yield TemplateSource(("compensation", "when"), undo.when, late | {"request"}, expression=True)
    if undo.partial_undo is not None:
        key, late = ("compensation", "partial_undo"), late | {"request"}
        yield TemplateSource((*key, "when"), undo.partial_undo.when, late, expression=True)
        yield from request_sources((*key, "request"), undo.partial_undo.request, late)
        for index, text in enumerate(undo.partial_undo.gone):
            yield TemplateSource((*key, "gone", index), text, late, expression=True)


def _shown_sources(action: AtomicAction, done: frozenset[str]) -> Iterator[TemplateSource]:
    shown = done | {"seen"} if action.preview_reads else done
    for index, line in enumerate(action.preview):
        yield TemplateSource(("preview", index, "before"), line.before or "", shown)
        yield TemplateSource(("preview", index, "after"), line.after, shown)
        yield TemplateSource(("preview", index, "now"), line.now or "", _ALWAYS | {"now"})
    yield TemplateSource(("confirm",), action.confirm, shown)
    # Where the response was lost, or names another resource, the created one is identified by reading.
    afterwards = {"now"} if action.verify is not None and action.verify.reads else set[str]()
    yield TemplateSource(("summary",), action.summary, done | {"response", "in_place_of"} | afterwards)
    known = _ALWAYS | _looked(action) | {"response"} | ({"today"} if action.read_only else set())
    yield TemplateSource(("answer",), action.answer, known)
    yield TemplateSource(("output", "detail", "cancelled"), action.output.cancelled or "none", _DETAIL, expression=True)
    yield TemplateSource(("output", "guest", "name"), action.output.guest_name, _DETAIL | {"guest"})
    for index, refusal in enumerate(action.rejects_when):
        yield TemplateSource(("rejects_when", index, "when"), refusal.when, done, expression=True)
        yield TemplateSource(("rejects_when", index, "message"), refusal.message, done)
    for code, text in action.availability.requires if action.availability else ():
        yield TemplateSource(("availability", "requires", code), text, done | {"response"}, expression=True)
    if action.availability and action.availability.step:
        yield TemplateSource(("availability", "step", "done"), action.availability.step.done, done | {"response"})
    found = done | _looked(action) | {"response"}
    yield from tree_sources(("output", "shape"), action.output.shape, found | afterwards)
    yield from tree_sources(("output", "candidates"), action.output.candidates, found)
    if action.output.pages:
        yield TemplateSource(("output", "pages", "more"), action.output.pages.more, found, expression=True)
        yield from request_sources(("output", "pages", "next"), action.output.pages.next, found | {"next_page"})
    of_room = {code for code, _ in action.availability.requires} if action.availability else set[str]()
    for index, rule in enumerate(action.errors):
        # The response of `availability` exists when that reports the error; it is None when the venue itself rejects.
        yield TemplateSource(
            ("errors", index, "message"), rule.message or "", done | ({"response"} if rule.code in of_room else set())
        )
        for text in rule.suggestions:
            yield TemplateSource(("errors", index), text, done)
        key = ("errors", index, "alternatives")
        yield TemplateSource((*key, "rows"), rule.alternatives_rows or "none", done | {"response"}, expression=True)
        rows = (rule.alternatives_rows or "response",)
        yield TemplateSource((*key, "label"), rule.alternative_label or "", done | {"response", ITEM}, loops=rows)
        yield TemplateSource((*key, "say"), rule.alternative_say or "", done | {"response", ITEM}, loops=rows)


def request_sources(key: Key, template: RequestTemplate | None, allowed: frozenset[str]) -> Iterator[TemplateSource]:
    """Yield every text of a request."""
    for location in ("path", "query", "header", "body"):
        if template is not None:
            yield from tree_sources((*key, location), getattr(template, location), allowed)


def tree_sources(
    key: Key, tree: Tree, allowed: frozenset[str], loops: tuple[str, ...] = ()
) -> Iterator[TemplateSource]:
    """Yield every text of a tree."""
    if isinstance(tree, str):
        yield TemplateSource(key, tree, allowed, loops=loops)
    elif is_directive(tree):
        inner, inside = allowed, loops
        if FOR_EACH in tree:
            rows = str(tree[FOR_EACH])
            yield TemplateSource((*key, FOR_EACH), rows, allowed, expression=True, loops=loops)
            inner, inside = allowed | {ITEM, "index"}, (*loops, rows)
        if WHEN in tree:
            yield TemplateSource((*key, WHEN), str(tree[WHEN]), inner, expression=True, loops=inside)
        yield from tree_sources((*key, VALUE), tree[VALUE], inner, inside)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            yield from tree_sources((*key, name), value, allowed, loops)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from tree_sources((*key, index), value, allowed, loops)


def requests_of(action: AtomicAction) -> Iterator[tuple[Key, RequestTemplate, Operation]]:
    """Yield every request template and its operation."""
    yield ("bound",), action.bound, action.operation
    if action.request:
        yield ("request",), action.request, action.operation
    if action.marker:
        yield ("marker",), RequestTemplate(body=action.marker.body), action.operation
    if action.output.pages and action.output.pages.next:
        yield ("output", "pages", "next"), action.output.pages.next, action.operation
    undo = action.compensation
    if undo and undo.request and undo.operation:
        yield ("compensation", "request"), undo.request, undo.operation
        if undo.partial_undo:
            yield ("compensation", "partial_undo", "request"), undo.partial_undo.request, undo.operation


def reads_of(action: AtomicAction) -> Iterator[tuple[Key, ReadTemplate]]:
    """Yield every read that an action makes."""
    for read in action.snapshot.reads if action.snapshot else ():
        yield (("snapshot", "reads", read.name) if read.name else ("snapshot",)), read
    for read in action.verify.reads if action.verify else ():
        yield ("verify", "reads", read.name), read
    for read in action.preview_reads:
        yield ("preview_reads", read.name), read
    if action.output.detail:
        yield ("output", "detail"), action.output.detail
    if action.output.guest:
        yield ("output", "guest"), action.output.guest
    if action.availability:
        yield ("availability",), action.availability.read
    for index, rule in enumerate(action.errors):
        if rule.alternatives:
            yield ("errors", index, "alternatives"), rule.alternatives
