"""Checks paths into responses against what the document declares and the sample shows (`overlays/README.md`, "What is
checked"): in `covers`, `ignore`, `fields`, `on`, and wherever a template reads `before`, `now` or `response`.

A name that neither knows is an error with the nearest valid one. A name that only the sample has is a warning, because
documents are incomplete. Where both leave a path open, nothing is reported.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.errors import OperationError, TemplateRenderError, did_you_mean
from registry.lint.rules import check_covered
from registry.lint.template_paths import PathLocation, Report, TemplateWalker, resolve_path
from registry.lint.types import check_fit, target_schemas
from registry.lint.vacuous_checks import check_covered_path, check_looks, check_not_vacuous
from registry.openapi.document import Document
from registry.openapi.shapes import ANY, AnswerShapes, NamedShapes, Shape, shape_of, shape_of_schema
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile, SampleOverlay
from registry.overlays.template_sources import TemplateSource, sources_of
from registry.overlays.yaml_file import Key

_PROFILE = PathLocation(NamedShapes(dict.fromkeys(VenueProfile.model_fields, ANY)))


@dataclass(frozen=True)
class _Scene:
    """The location that each name of a template refers to, for one action."""

    before: PathLocation
    now: PathLocation
    response: PathLocation
    seen: PathLocation
    request: PathLocation
    detail: PathLocation
    guest: PathLocation

    def names(self, source: TemplateSource, replies: Mapping[Key, PathLocation]) -> dict[str, PathLocation]:
        """Return the locations of the names of one source: a read of its own has a `response` of its own."""
        response = next((r for key, r in replies.items() if source.key[: len(key)] == key), self.response)
        found = {"before": self.before, "now": self.now, "left": self.now, "request": self.request}
        looked = {"detail": self.detail, "guest": self.guest}
        return {**found, **looked, "response": response, "seen": self.seen, "venue": _PROFILE}


def check_paths(action: AtomicAction, overlay: OverlayFile, document: Document, findings: Findings) -> None:
    """Add a finding for each path into a response that cannot be right."""
    shapes = AnswerShapes(document)
    sample = overlay.sample
    check_covered(action, shapes, findings)
    scene = _scene(action, sample, shapes)
    for key, path, spot in _dotted(action, scene):
        resolve_path(path, spot, _sayer(findings, key))
        if key[1] == "covers":
            check_covered_path(path, spot, _sayer(findings, key))
    check_looks(action, findings)
    for key, document_seen, spot in _samples(sample, scene):
        _compare(document_seen, spot.declared, "", _sayer(findings, key))
    replies = dict(_replies(action, shapes))
    schemas = target_schemas(action)
    linked = action.compensation is not None and overlay.compensation is not None and overlay.compensation.action
    for source in sources_of(action):
        if linked and source.key[:2] == ("compensation", "request"):
            continue  # checked where it is written
        try:
            spot = TemplateWalker(source, scene.names(source, replies), _sayer(findings, source.key)).run()
            if schemas.get(source.key):
                check_fit(source, spot, schemas[source.key], _sayer(findings, source.key))
            if source.key[:2] in (("verify", "all"), ("verify", "known_by"), ("verify", "gone")):
                check_not_vacuous(source, scene.names(source, replies), _sayer(findings, source.key))
        except TemplateRenderError:
            continue  # another check reports it


def _scene(action: AtomicAction, sample: SampleOverlay | None, shapes: AnswerShapes) -> _Scene:
    before = _read_together(action.snapshot.reads, shapes) if action.snapshot else ANY
    now = _with_made(before, action.verify.reads if action.verify else (), shapes)
    seen = NamedShapes({read.name: _of(read, shapes) for read in action.preview_reads})
    body = NamedShapes(
        {"method": ANY, "path": ANY, "query": ANY, "body": shape_of_schema(action.operation.body_schema)}
    )
    was = shape_of(sample.before) if sample and sample.before is not None else None
    is_now = shape_of([d for d in (sample.before, sample.after) if d is not None]).rows() if sample and was else None
    answered = shape_of(sample.response) if sample and sample.response is not None else None
    shown = shape_of(sample.seen) if sample and sample.seen else None
    return _Scene(
        before=PathLocation(before, was),
        now=PathLocation(now, is_now),
        response=PathLocation(shapes.of(action.operation.key), answered),
        seen=PathLocation(seen, shown),
        request=PathLocation(body),
        detail=PathLocation(_of(action.output.detail, shapes)),
        guest=PathLocation(_of(action.output.guest, shapes)),
    )


def _of(read: ReadTemplate | None, shapes: AnswerShapes) -> Shape:
    if read is None:
        return ANY
    try:
        return shapes.of(read.operation.key)
    except OperationError:
        return ANY


def _read_together(reads: tuple[ReadTemplate, ...], shapes: AnswerShapes) -> Shape:
    if len(reads) == 1 and not reads[0].name:
        return _of(reads[0], shapes)
    return NamedShapes({read.name: _of(read, shapes) for read in reads})


def _with_made(before: Shape, reads: tuple[ReadTemplate, ...], shapes: AnswerShapes) -> Shape:
    if not reads:
        return before
    known = {name: before.child(name) or ANY for name in before.names()} if before is not ANY else {}
    return NamedShapes({**known, **{read.name: _of(read, shapes) for read in reads}})


def _replies(action: AtomicAction, shapes: AnswerShapes) -> Iterator[tuple[Key, PathLocation]]:
    if action.availability:
        yield ("availability", "requires"), PathLocation(_of(action.availability.read, shapes))
        yield ("availability", "step"), PathLocation(_of(action.availability.read, shapes))
    for index, rule in enumerate(action.errors):
        if rule.alternatives:
            yield ("errors", index, "alternatives"), PathLocation(_of(rule.alternatives, shapes))
        if action.availability and rule.code in {code for code, _ in action.availability.requires}:
            yield ("errors", index, "message"), PathLocation(_of(action.availability.read, shapes))


def _dotted(action: AtomicAction, scene: _Scene) -> Iterator[tuple[Key, str, PathLocation]]:
    if action.snapshot:
        for name in ("covers", "ignore", "not_restored"):
            paths = getattr(action.snapshot, name)
            for index, path in enumerate(paths):
                yield ("snapshot", name, index), path, scene.before
    if action.verify and action.verify.reads:
        for name, paths in (("covers", action.verify.covers), ("ignore", action.verify.ignore)):
            for index, path in enumerate(paths):
                yield ("verify", name, index), path, scene.now
    for index, path in enumerate(action.output.fields):
        yield ("output", "fields", index), path, scene.response


def _samples(sample: SampleOverlay | None, scene: _Scene) -> Iterator[tuple[Key, Value, PathLocation]]:
    if sample is not None:
        yield ("sample", "before"), sample.before, scene.before
        yield ("sample", "after"), sample.after, scene.now
        yield ("sample", "response"), sample.response, scene.response
        yield ("sample", "seen"), sample.seen, scene.seen


def _compare(value: Value, declared: Shape, path: str, say: Report) -> None:
    """Report what a sample has that the document does not declare."""
    if isinstance(value, list):
        for row in value:
            _compare(row, declared.rows(), path, say)
    elif isinstance(value, dict):
        for name, inner in value.items():
            child = declared.child(name)
            if child is not None:
                _compare(inner, child, f"{path}{name}.", say)
                continue
            hint = did_you_mean(name, declared.names()) or "or the document leaves it out"
            say(f"the API document declares no {path}{name} in that answer", hint, False)


def _sayer(findings: Findings, key: Key) -> Report:
    def say(message: str, hint: str, fatal: bool) -> None:
        findings.once("error" if fatal else "warning", key, message, hint)

    return say
