"""Where refusals say what is wrong, and by which code: what `errors` in venue.yaml and in overlays says of it, against
the bodies of errors that the document declares. Documents are often silent about errors: then nothing is said."""

from collections.abc import Iterable, Iterator

from contracts.action import AtomicAction
from registry.document import Document
from registry.faults import OperationError, nearest
from registry.findings import Findings
from registry.overlay import OverlayFile
from registry.refusals import CODE_NAMES, ROW_NAMES
from registry.shapes import AnswerShapes, Shape
from registry.sources import reads_of
from registry.venue_file import VenueFile


def check_refusal_paths(
    venue: VenueFile, document: Document, actions: Iterable[AtomicAction], findings: Findings
) -> None:
    """Add a finding for each path of `errors` in venue.yaml that no error of an operation in use has."""
    written = {"code": _several(venue.errors.code), "message": _several(venue.errors.message)}
    if not any(written.values()):
        return
    shapes = AnswerShapes(document)
    bodies = [body for key in dict.fromkeys(_operations(actions)) if (body := _refusal(shapes, key)) is not None]
    for name, paths in written.items():
        for index, path in enumerate(paths):
            if bodies and not any(_at(body, path) for body in bodies):
                key = ("errors", name) if len(paths) == 1 else ("errors", name, index)
                hint = nearest(path, {known for body in bodies for known in _paths(body)})
                findings.warning(key, f"no refusal of the operations in use has {path}, by the API document", hint)


def check_codes(action: AtomicAction, overlay: OverlayFile, document: Document, findings: Findings) -> None:
    """Add a finding for each code of an overlay's `errors` that the document lists no error with."""
    # What `room` needs is told by a code that the venue need not know.
    own = {code for code, _ in action.room.needs} if action.room else set()
    body = _refusal(AnswerShapes(document), action.operation.key) if overlay.errors else None
    words = _codes(body, action) if body is not None else []
    for index, rule in enumerate(overlay.errors if words else ()):
        for code in rule.code if isinstance(rule.code, list) else [rule.code]:
            reason = f"no refusal of {action.operation.key} has the code {code}, by the API document"
            if code and code not in words and code not in own and (rule.status or 0) < 500:
                findings.warning(("errors", index, "code"), reason, nearest(code, words))


def _several(written: list[str] | str) -> list[str]:
    return [written] if isinstance(written, str) else written


def _operations(actions: Iterable[AtomicAction]) -> Iterator[str]:
    for action in actions:
        yield action.operation.key
        yield from (read.operation.key for _, read in reads_of(action))


def _refusal(shapes: AnswerShapes, name: str) -> Shape | None:
    """The bodies of an operation's errors; None where the document leaves them open."""
    try:
        found = shapes.refusal(name)
    except OperationError:
        return None
    return found if found.rows().names() and not found.rows().free else None


def _at(body: Shape, path: str) -> Shape | None:
    found: Shape | None = body
    for name in path.split("."):
        found = found.rows().child(name) if found is not None else None
    return found


def _paths(body: Shape) -> Iterator[str]:
    for name in body.rows().names():
        yield name
        inner = body.rows().child(name)
        yield from (f"{name}.{deeper}" for deeper in (inner.rows().names() if inner is not None else ()))


def _codes(body: Shape, action: AtomicAction) -> list[str]:
    """The codes that the document lists, where venue.yaml says that they stand, else where most have them; none where a
    code may be anything."""
    access = action.operation.access
    paths = list(access.error_code) if access is not None else []
    if not paths:
        inside = [f"{row}.{name}" for row in ROW_NAMES for name in CODE_NAMES]
        known = [path for path in _paths(body) if path.lower() in {*CODE_NAMES, *inside}]
        found = [path for path in known if (spot := _at(body, path)) is not None and spot.kinds() <= {"string"}]
        paths = found if len(found) == 1 else []
    spots = [spot for path in paths if (spot := _at(body, path)) is not None]
    listed = [spot.words() for spot in spots]
    return [word for words in listed for word in words] if listed and all(listed) else []
