"""Checks that a compensation removes only what its own step created. An id in a response alone is no proof.

A response may name another resource than the one that was created: a gateway mixes responses up, or an API answers with
the last id that it issued. So what a compensation names must have been read (`verify.reads`). The condition that
identifies it as this step's own (`marker.present`, else `verify.known_by`, else `verify`) must compare what was read
with what was sent, including the day and the time, because a guest has other bookings.
"""

from collections.abc import Iterable, Iterator

from jinja2 import nodes

from contracts.action import AtomicAction
from contracts.enums import ParameterRole
from registry.errors import TemplateRenderError
from registry.overlays.findings import Findings
from registry.overlays.template_sources import TemplateSource, sources_of
from registry.templating.templates import names_of, parsed

_HINT = (
    "read the new thing in `verify.reads`, and say in `marker.present` or in `verify.known_by` how `now.{read}` shows "
    "that it is this step's own (a key that was sent, or what was asked)"
)


_WHEN = (ParameterRole.DATE, ParameterRole.TIME)


def check_whose(action: AtomicAction, findings: Findings) -> None:
    """Add an error where a compensation would take its id from a response without such a proof."""
    undo, verify = action.compensation, action.verify
    if undo is None or undo.request is None:
        return
    try:
        sources = list(sources_of(action))
        answered = _by_answer(action, sources)
        proofs = list(_proofs(action, sources))
        names = set[str]()
        for source in _under(sources, "compensation"):
            names |= _mentioned(source)
        named = names & {"response", *(f"now.{name}" for name in answered)}
        if not named:
            return
        requested = {"marker", "request", *(p.name for p in action.parameters)}
        proof = set[str]()
        for source in proofs:
            if requested & names_of(source.text, "", expression=source.expression):
                proof |= _mentioned(source)
    except TemplateRenderError:
        return  # another check reports it
    wanted = {name for name in named if name != "response"} or {f"now.{name}" for name in answered}
    if verify is None or not wanted or not wanted & proof:
        read = next(iter(sorted(answered)), "made")
        where = ("compensation", "request") if undo.request else ("compensation",)
        findings.error(
            where,
            "takes its id from an answer without a proof that the thing is this step's own",
            _HINT.format(read=read),
        )
    elif action.marker is None:
        _check_when(action, proofs, findings)


def check_exchanged(action: AtomicAction, findings: Findings) -> None:
    """Add an error where a compensation removes the rows that are there now, adds those from before, and does not say
    which must be there: a read that lacks rows would add the old ones beside them."""
    undo = action.compensation
    if undo is None or undo.when:
        return
    lists = {text for s in sources_of(action) if s.key[:2] == ("compensation", "request") for text in s.loops}
    try:
        taken = {name for text in lists for name in names_of(text, "", expression=True)}
    except TemplateRenderError:
        return  # another check reports it
    if {"now", "before"} <= taken:
        reason = "removes rows of `now` and adds rows of `before`: a read that lacks rows would double them"
        hint = "say in `compensation.when` that all are there: `now.… | length == request.body.… | length`"
        findings.error(("compensation", "request"), reason, hint)


def _check_when(action: AtomicAction, proofs: list[TemplateSource], findings: Findings) -> None:
    compared = set[str]().union(*(names_of(s.text, "", expression=s.expression) for s in proofs))
    unsaid = [p.name for p in action.parameters if p.role in _WHEN and p.name not in compared]
    if unsaid and "request" not in compared:
        findings.error(
            ("verify", "known_by"),
            f"does not compare {', '.join(unsaid)}: another thing of the same guest would be taken for this step's own",
            "compare when it is, as it was read, with when it was asked for",
        )


def _by_answer(action: AtomicAction, sources: list[TemplateSource]) -> set[str]:
    """Return the reads of the created resource that find it by the response, directly or through another read."""
    found = set[str]()
    for read in action.verify.reads if action.verify else ():
        inputs = [s for s in sources if s.key[:3] == ("verify", "reads", read.name)]
        names = {name for source in inputs for name in _mentioned(source)}
        if names & {"response", *(f"now.{name}" for name in found)}:
            found.add(read.name)
    return found


def _proofs(action: AtomicAction, sources: list[TemplateSource]) -> Iterator[TemplateSource]:
    if action.marker is not None:
        yield from (s for s in sources if s.key == ("marker", "present"))
        return
    known_by = action.verify is not None and bool(action.verify.known_by)
    yield from (s for s in sources if s.key[:2] == ("verify", "known_by" if known_by else "all"))


def _under(sources: Iterable[TemplateSource], key: str) -> Iterator[TemplateSource]:
    yield from (s for s in sources if s.key[0] == key and s.key[1:2] != ("manual",))


def _mentioned(source: TemplateSource) -> set[str]:
    """Return `response`, and `now.x` for each part of `now` that a template reads. Raises TemplateRenderError."""
    if not names_of(source.text, "", expression=source.expression) & {"response", "now"}:
        return set()
    tree = parsed(source.text, "", expression=source.expression)
    parts = {
        f"now.{n.attr}" for n in tree.find_all(nodes.Getattr) if isinstance(n.node, nodes.Name) and n.node.name == "now"
    }
    used = {n.name for n in tree.find_all(nodes.Name)}
    return parts | ({"response"} & used)
