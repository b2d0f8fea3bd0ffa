"""Checks an overlay's templates when an operator leaves out an optional parameter. A request would then fail with "is
empty", or a sentence would have a gap, in use instead of at load time.

Two checks, neither of which guesses: a template that uses only optional parameters is rendered without them, and the
sample runs once more without each optional parameter that it gives.
"""

from collections.abc import Iterator

from jinja2 import nodes

from contracts.action import AtomicAction
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.errors import TemplateRenderError
from registry.http.coerce import coerce
from registry.lint.sample import sample_of, try_sample
from registry.lint.types import target_schemas
from registry.overlays.findings import Findings
from registry.overlays.models import SampleOverlay
from registry.overlays.template_sources import TemplateSource, sources_of
from registry.overlays.yaml_file import Key
from registry.templating.templates import VALUE, WHEN, Names, evaluate, names_of, parsed, render, render_text
from registry.tools.arguments import argument_problems

_STOPS = frozenset({"request", "snapshot", "preview", "marker", "rejects_when", "compensation"})
"""The keys where a failure stops the action or its undo; elsewhere a plainer text replaces the template."""
_SPARED = frozenset({"message", "manual", "now"})
"""The keys that have a replacement text even there, or that apply only to a special case."""
_TEXTS = frozenset({"confirm", "summary", "answer", "preview", "irreversible_note", "rejects_when"})


def check_left_out(action: AtomicAction, venue: VenueProfile, findings: Findings, *, linked: bool) -> set[str]:
    """Add a finding for each template that fails, or gives half a sentence, without an optional parameter, and return
    the parameters reported. `linked`: the undo is another action's, and is checked with that action."""
    names: Names = {**{p.name: None for p in action.parameters}, "venue": venue.model_dump(mode="json")}
    own = [s for s in sources_of(action) if not (linked and s.key[:2] == ("compensation", "request"))]
    guarded = {source.key[:-1] for source in own if source.key[-1] == WHEN}
    schemas = target_schemas(action)
    reported = set[str]()
    for source in own:
        absent = _asked(action, source)
        if not absent or any(source.key[:i] in guarded and source.key[i] == VALUE for i in range(len(source.key))):
            continue
        if absent & _decided_by(action, source.key):
            continue
        wrong = _failure(source, names, schemas) if _only(source, absent) else ""
        if wrong:
            reported |= absent
            _say(findings, source.key, absent, f"and then this fails: {wrong}")
        elif gap := _gap(action, source, absent):
            findings.warning(source.key, f"{_named(absent)} need not be given, and then {gap}", _around(absent))
    return reported


def _asked(action: AtomicAction, source: TemplateSource) -> set[str]:
    """Return the optional parameters that a template uses, where a call without all of them is allowed."""
    try:
        requested = names_of(source.text, "", expression=source.expression)
    except TemplateRenderError:
        return set()  # another check reports it
    absent = {p.name for p in action.parameters if not p.required and p.name in requested}
    return absent if not action.require_any or set(action.require_any) - absent else set()


def _decided_by(action: AtomicAction, key: Key) -> set[str]:
    """Return the parameters in the condition under which a template is rendered at all, where the condition is written
    outside it. For a line of the preview that is its `before`: the line is not shown where both are empty."""
    own = action.compensation.partial_undo if action.compensation else None
    text, expression = "", True
    match key:
        case ("rejects_when", int(index), "message"):
            text = action.rejects_when[index].when
        case ("compensation", "partial_undo", "request" | "gone", *_) if own is not None:
            text = own.when
        case ("preview", int(index), "after"):
            text, expression = action.preview[index].before or "", False
    try:
        return names_of(text, "", expression=expression) if text else set()
    except TemplateRenderError:
        return set()  # another check reports it


def _only(source: TemplateSource, absent: set[str]) -> bool:
    return names_of(source.text, "", expression=source.expression) <= absent | {"venue"}


def _failure(source: TemplateSource, names: Names, schemas: dict[Key, dict[str, Value]]) -> str:
    """Return why a template cannot be rendered, or its value not be sent; "" when it can."""
    schema = schemas.get(source.key)
    try:
        if source.expression:
            evaluate(source.text, names, "")
        elif source.key in schemas:
            value = render(source.text, names, "")
            if schema:
                coerce(value, schema, "")
        else:
            render_text(source.text, names, "")
    except TemplateRenderError as fault:
        return "the API takes no empty value here" if fault.reason.startswith("is empty") else fault.reason
    return ""


def _gap(action: AtomicAction, source: TemplateSource, absent: set[str]) -> str:
    """Return the text shown to the operator if it makes no sense without the parameter; "" where it does."""
    if source.key[0] not in _TEXTS or source.expression or "with" in source.key:
        return ""
    bare = set(_bare(source.text)) & absent
    if not bare:
        return ""
    if source.key[0] == "preview" and source.key[-1] == "after" and action.preview[int(source.key[1])].before:
        return "the line says that what was there goes away"
    text = "".join(str(node.data) for node in _parts(source.text) if isinstance(node, nodes.TemplateData))
    return "the sentence has a gap" if any(map(str.isalpha, text)) else ""


def _parts(text: str) -> Iterator[nodes.Node]:
    for node in parsed(text, "").body:
        if isinstance(node, nodes.Output):
            yield from node.nodes


def _bare(text: str) -> Iterator[str]:
    return (node.name for node in _parts(text) if isinstance(node, nodes.Name))


def try_without(
    action: AtomicAction, sample: SampleOverlay, venue: VenueProfile, names: set[str], findings: Findings
) -> None:
    """Run the valid sample once without each optional parameter that it gives, except `names`, which are reported
    already."""
    given = [p.name for p in action.parameters if not p.required and sample.call.get(p.name) is not None]
    for name in given:
        call = {other: value for other, value in sample.call.items() if other != name}
        if name in names or argument_problems(action, call):
            continue
        without = sample.model_copy(update={"call": call, "after": None})
        tried = findings.apart()
        try_sample(action, without, venue, tried)
        for row in tried.rows:
            key = tuple(row.pointer.split("."))
            _say(findings, key, {name}, f"and then this fails {row.message.partition(': ')[2]}")
        if not tried.rows and _writes_none(action, without, venue):
            _say(findings, ("request",), {name}, "and then the word None is written in its place")


def _writes_none(action: AtomicAction, sample: SampleOverlay, venue: VenueProfile) -> bool:
    """Return whether `~` has turned a missing value into text."""
    known = str([sample.before, sample.call, sample.seen])
    try:
        body = sample_of(action, sample, venue).request().body
    except TemplateRenderError:
        return False
    return any("None" in text.split() for text in _texts(body)) and "'None" not in known


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


def _say(findings: Findings, key: Key, absent: set[str], what: str) -> None:
    say = findings.error if key[0] in _STOPS and key[-1] not in _SPARED else findings.warning
    say(key, f"{_named(absent)} need not be given, {what}", _around(absent))


def _named(absent: set[str]) -> str:
    return " and ".join(sorted(absent))


def _around(absent: set[str]) -> str:
    name = min(absent)
    return f"leave it out with `{{when: {name}, value: …}}` or `{{% if {name} %}}`, or say `required: true` of {name}"
