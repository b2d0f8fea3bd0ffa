"""Paths into answers, checked against what the document declares and the sample shows (`overlays/README.md`, "What is
checked"): in `covers`, `ignore`, `fields`, `on`, and wherever a template reaches into `before`, `now`, `response`.

A name that neither knows is an error with the nearest right one; what only the sample has is a warning, since documents
leave things out. Where neither says anything, nothing is said.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.checks import check_covered
from registry.document import Document
from registry.faults import OperationError, UnrenderableError, nearest
from registry.findings import Findings
from registry.fits import check_fit
from registry.overlay import OverlayFile, SampleOverlay
from registry.places import schemas_by_place
from registry.shapes import ANY, AnswerShapes, Named, Shape, shape_of, shape_of_schema
from registry.sources import Source, sources_of
from registry.telling import check_condition, check_covered_path, check_looks
from registry.template_paths import Say, Spot, Walk, follow
from registry.yaml_file import Key

_PROFILE = Spot(Named(dict.fromkeys(VenueProfile.model_fields, ANY)))


@dataclass(frozen=True)
class _Scene:
    """What each name of a template is, for one action."""

    before: Spot
    now: Spot
    response: Spot
    seen: Spot
    request: Spot
    detail: Spot
    guest: Spot

    def names(self, source: Source, replies: Mapping[Key, Spot]) -> dict[str, Spot]:
        """What the names of one source are: a read of its own has a `response` of its own."""
        response = next((r for key, r in replies.items() if source.key[: len(key)] == key), self.response)
        found = {"before": self.before, "now": self.now, "left": self.now, "request": self.request}
        looked = {"detail": self.detail, "guest": self.guest}
        return {**found, **looked, "response": response, "seen": self.seen, "venue": _PROFILE}


def check_paths(action: AtomicAction, overlay: OverlayFile, document: Document, findings: Findings) -> None:
    """Add a finding for each path into an answer that cannot be right."""
    shapes = AnswerShapes(document)
    sample = overlay.sample
    check_covered(action, shapes, findings)
    scene = _scene(action, sample, shapes)
    for key, path, spot in _dotted(action, scene):
        follow(path, spot, _sayer(findings, key))
        if key[1] == "covers":
            check_covered_path(path, spot, _sayer(findings, key))
    check_looks(action, findings)
    for key, document_seen, spot in _samples(sample, scene):
        _compare(document_seen, spot.declared, "", _sayer(findings, key))
    replies = dict(_replies(action, shapes))
    schemas = schemas_by_place(action)
    linked = action.compensation is not None and overlay.compensation is not None and overlay.compensation.action
    for source in sources_of(action):
        if linked and source.key[:2] == ("compensation", "request"):
            continue  # it is checked where it is written
        try:
            spot = Walk(source, scene.names(source, replies), _sayer(findings, source.key)).run()
            if schemas.get(source.key):
                check_fit(source, spot, schemas[source.key], _sayer(findings, source.key))
            if source.key[:2] in (("verify", "all"), ("verify", "known_by"), ("verify", "gone")):
                check_condition(source, scene.names(source, replies), _sayer(findings, source.key))
        except UnrenderableError:
            continue  # said elsewhere


def _scene(action: AtomicAction, sample: SampleOverlay | None, shapes: AnswerShapes) -> _Scene:
    before = _read_together(action.snapshot.reads, shapes) if action.snapshot else ANY
    now = _with_made(before, action.verify.reads if action.verify else (), shapes)
    seen = Named({read.name: _of(read, shapes) for read in action.preview_reads})
    body = Named({"method": ANY, "path": ANY, "query": ANY, "body": shape_of_schema(action.operation.body_schema)})
    was = shape_of(sample.before) if sample and sample.before is not None else None
    is_now = shape_of([d for d in (sample.before, sample.after) if d is not None]).rows() if sample and was else None
    answered = shape_of(sample.response) if sample and sample.response is not None else None
    shown = shape_of(sample.seen) if sample and sample.seen else None
    return _Scene(
        before=Spot(before, was),
        now=Spot(now, is_now),
        response=Spot(shapes.of(action.operation.key), answered),
        seen=Spot(seen, shown),
        request=Spot(body),
        detail=Spot(_of(action.output.detail, shapes)),
        guest=Spot(_of(action.output.guest, shapes)),
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
    return Named({read.name: _of(read, shapes) for read in reads})


def _with_made(before: Shape, reads: tuple[ReadTemplate, ...], shapes: AnswerShapes) -> Shape:
    if not reads:
        return before
    known = {name: before.child(name) or ANY for name in before.names()} if before is not ANY else {}
    return Named({**known, **{read.name: _of(read, shapes) for read in reads}})


def _replies(action: AtomicAction, shapes: AnswerShapes) -> Iterator[tuple[Key, Spot]]:
    if action.room:
        yield ("room", "needs"), Spot(_of(action.room.read, shapes))
        yield ("room", "step"), Spot(_of(action.room.read, shapes))
    for index, rule in enumerate(action.errors):
        if rule.alternatives:
            yield ("errors", index, "alternatives"), Spot(_of(rule.alternatives, shapes))
        if action.room and rule.code in {code for code, _ in action.room.needs}:
            yield ("errors", index, "message"), Spot(_of(action.room.read, shapes))


def _dotted(action: AtomicAction, scene: _Scene) -> Iterator[tuple[Key, str, Spot]]:
    if action.snapshot:
        for name, paths in (("covers", action.snapshot.covers), ("ignore", action.snapshot.ignore)):
            for index, path in enumerate(paths):
                yield ("snapshot", name, index), path, scene.before
    if action.verify and action.verify.reads:
        for name, paths in (("covers", action.verify.covers), ("ignore", action.verify.ignore)):
            for index, path in enumerate(paths):
                yield ("verify", name, index), path, scene.now
    for index, path in enumerate(action.output.fields):
        yield ("output", "fields", index), path, scene.response


def _samples(sample: SampleOverlay | None, scene: _Scene) -> Iterator[tuple[Key, Value, Spot]]:
    if sample is not None:
        yield ("sample", "before"), sample.before, scene.before
        yield ("sample", "after"), sample.after, scene.now
        yield ("sample", "response"), sample.response, scene.response
        yield ("sample", "seen"), sample.seen, scene.seen


def _compare(value: Value, declared: Shape, path: str, say: Say) -> None:
    """Say what a sample has that the document does not declare."""
    if isinstance(value, list):
        for row in value:
            _compare(row, declared.rows(), path, say)
    elif isinstance(value, dict):
        for name, inner in value.items():
            child = declared.child(name)
            if child is not None:
                _compare(inner, child, f"{path}{name}.", say)
                continue
            hint = nearest(name, declared.names()) or "or the document leaves it out"
            say(f"the API document declares no {path}{name} in that answer", hint, False)


def _sayer(findings: Findings, key: Key) -> Say:
    def say(message: str, hint: str, fatal: bool) -> None:
        findings.once("error" if fatal else "warning", key, message, hint)

    return say
