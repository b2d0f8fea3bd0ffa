"""Checks `errors` in venue.yaml and in overlays (the paths of an error's text and code) against the error bodies that
the document declares. Many documents declare none; then nothing is reported.

Check of `unprocessed: true`, which is allowed only for errors that a first copy of the same request cannot cause.

A gateway may send a request twice and return the second response. Then "no room", an overlap, a duplicate or a conflict
is true, but our own first request caused it. A validation error is about the request itself.
"""

from collections.abc import Iterable, Iterator

from contracts.action import AtomicAction
from contracts.enums import ErrorType
from registry.errors import OperationError, did_you_mean
from registry.http.error_body import CODE_NAMES, ROW_NAMES
from registry.openapi.document import Document
from registry.openapi.shapes import AnswerShapes, Shape
from registry.overlays.findings import Findings
from registry.overlays.models import ErrorOverlay, OverlayFile
from registry.overlays.template_sources import reads_of
from registry.overlays.venue import VenueFile


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
                hint = did_you_mean(path, {known for body in bodies for known in _paths(body)})
                findings.warning(key, f"no refusal of the operations in use has {path}, by the API document", hint)


def check_codes(action: AtomicAction, overlay: OverlayFile, document: Document, findings: Findings) -> None:
    """Add a finding for each code of an overlay's `errors` that the document does not list."""
    # The code that `availability` uses is our own and need not be in the venue's document.
    own = {code for code, _ in action.availability.requires} if action.availability else set()
    body = _refusal(AnswerShapes(document), action.operation.key) if overlay.errors else None
    words = _codes(body, action) if body is not None else []
    for index, rule in enumerate(overlay.errors if words else ()):
        for code in rule.code if isinstance(rule.code, list) else [rule.code]:
            reason = f"no refusal of {action.operation.key} has the code {code}, by the API document"
            if code and code not in words and code not in own and (rule.status or 0) < 500:
                findings.warning(("errors", index, "code"), reason, did_you_mean(code, words))


def _several(written: list[str] | str) -> list[str]:
    return [written] if isinstance(written, str) else written


def _operations(actions: Iterable[AtomicAction]) -> Iterator[str]:
    for action in actions:
        yield action.operation.key
        yield from (read.operation.key for _, read in reads_of(action))


def _refusal(shapes: AnswerShapes, name: str) -> Shape | None:
    """Return the bodies of an operation's errors; None where the document leaves them open."""
    try:
        found = shapes.refusal(name)
    except OperationError:
        return None
    return found if found.rows().names() and not found.rows().is_open else None


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
    """Return the codes that the document lists, at the path that venue.yaml declares or else at the usual ones; []
    where a code may be anything."""
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


_CONFLICTS = (409, 412)
_REASON = "may be caused by a first copy of the same request, so it does not prove that nothing was done"
_HINT = "leave `unprocessed` out (looks then tell), or keep it for validation errors, by a rule with their own `code`"


def check_unprocessed(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add an error for each rule that declares missing capacity or a conflict as unprocessed."""
    of_room = {code for code, _ in action.availability.requires} if action.availability is not None else set()
    for index, rule in enumerate(overlay.errors):
        if rule.unprocessed and (why := _why(rule, of_room)):
            findings.error(("errors", index, "unprocessed"), f"{why} {_REASON}", _HINT)


def _why(rule: ErrorOverlay, of_room: set[str]) -> str:
    codes = rule.code if isinstance(rule.code, list) else [rule.code]
    if rule.type is ErrorType.CONFLICT:
        return "a conflict"
    if rule.status in _CONFLICTS:
        return f"a {rule.status}"
    room = [code for code in codes if code in of_room] if rule.type is None else []
    return f"{room[0]}, which is of `availability`," if room else ""
