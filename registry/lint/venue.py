"""Finds the entries of `venue.yaml` that no action of the pack uses or can use. They are most likely typing errors."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from contracts.action import AtomicAction, Finding, Operation
from language.messages.nouns import DEFAULTS
from registry.errors import OperationError, did_you_mean
from registry.http.credentials import PackCredentials, has_place, variables_of
from registry.lint.error_paths import check_refusal_paths
from registry.lint.inputs import near_miss
from registry.lint.variables import check_venue_unfilled
from registry.openapi.document import Document
from registry.openapi.schema_reading import entries_of, parts_of
from registry.overlays.findings import Findings
from registry.overlays.template_sources import reads_of
from registry.overlays.venue import VenueFile
from registry.overlays.yaml_file import read_yaml


def variables_used(venue: VenueFile, actions: Iterable[AtomicAction]) -> tuple[str, ...]:
    """Return the variables that the sending process needs: those of the file and those of single overlays."""
    own = (a.operation.access.bound for a in actions if a.operation.access is not None)
    return tuple(sorted({*variables_of(venue.secrets), *(name for bound in own for name in variables_of(bound))}))


def unused(
    venue: VenueFile, folder: Path, entry: PackCredentials, document: Document, actions: list[AtomicAction]
) -> list[Finding]:
    """Return findings for unused `bound` values, names that no action uses, error paths that no error has, scopes that
    calls need and the pack does not request, and variables that are not replaced."""
    findings = Findings(read_yaml(folder / "venue.yaml"), f"{folder.name}/venue.yaml", None)
    operations = list({operation.key: operation for operation in _operations(actions)}.values())
    for target in venue.bound:
        _check_bound(target, entry, document, operations, findings)
    _check_words(venue, actions, findings)
    check_refusal_paths(venue, document, actions, findings)
    _check_scopes(venue, entry, document, operations, findings)
    check_venue_unfilled(venue, findings)
    return findings.rows


def _operations(actions: Iterable[AtomicAction]) -> Iterator[Operation]:
    for action in actions:
        yield action.operation
        yield from (read.operation for _, read in reads_of(action))
        if action.compensation is not None and action.compensation.operation is not None:
            yield action.compensation.operation


def _check_bound(
    target: str, entry: PackCredentials, document: Document, operations: list[Operation], findings: Findings
) -> None:
    """Check one `bound` value. A header is sent whether it is declared or not, so only a likely typing error is
    reported. Any other value is sent only where an operation takes it."""
    key = ("bound", target)
    if target in entry.used:
        return
    if target.startswith("header."):
        hint = next((found for operation in operations if (found := near_miss(target, operation, set()))), "")
        if hint:
            findings.warning(key, "no operation in use declares it, though it is sent", hint)
        return
    declared = _declared(target, document)
    if declared is None:
        findings.warning(key, "no call of this pack takes it", "look at its name in the API document")
    else:
        reason = "no operation of the API document takes it, so it is never sent"
        findings.error(key, reason, did_you_mean(target, declared) or "look at its name in the API document")


def _declared(target: str, document: Document) -> set[str] | None:
    """Return what operations take at the location of `target`; None where one of them takes exactly that."""
    location, found = target.partition(".")[0], set[str]()
    # Read the raw document, because an input that the pack fills is no longer one in the pack's view of it.
    plain = Document(document.file)
    for name in plain.keys:
        try:
            operation = plain.operation(name)
        except OperationError:
            continue
        if has_place(operation, target):
            return None
        found |= {f"{p.location}.{p.name}" for p in operation.parameters if p.location == location}
        found |= {f"body.{n}" for n in (operation.body_schema or {}).get("properties", {}) if location == "body"}
    return found


def _check_words(venue: VenueFile, actions: list[AtomicAction], findings: Findings) -> None:
    ours = {*DEFAULTS, *(p.thing for a in actions for p in a.parameters), *(a.output.thing for a in actions)}
    for kind in venue.words:
        if kind not in ours:
            findings.warning(("words", kind), "no action speaks of it", did_you_mean(kind, ours))


def _check_scopes(
    venue: VenueFile, entry: PackCredentials, document: Document, operations: list[Operation], findings: Findings
) -> None:
    """Check scopes: an operation that needs more scopes than the token has rejects it, and that only shows when it is
    called."""
    request = {
        name: {str(scope) for scope in entries_of(parts_of(written).get("scopes"))}
        for name, written in venue.credentials.items()
        if isinstance(written, dict) and "client_id" in written
    }
    lacking: dict[str, dict[str, str]] = {}
    for operation in operations if request else ():
        rows = document.raw(operation.key)[0].get("security", document.root.get("security"))
        ways = [way for row in entries_of(rows) if (way := parts_of(row)) and all(map(entry.is_given, way))]
        missing = [
            {(name, str(s)) for name in way.keys() & request.keys() for s in entries_of(way[name])}
            - {(name, scope) for name, some in request.items() for scope in some}
            for way in ways
        ]
        for name, scope in sorted(missing[0]) if missing and all(missing) else ():
            lacking.setdefault(name, {}).setdefault(scope, operation.key)
    for name, scopes in lacking.items():
        first, needs = next(iter(scopes.values())), ", ".join(scopes)
        every = ", ".join(sorted({*request[name], *scopes}))
        reason = f"{first} wants the scopes {needs} by the API document, and the token is not asked for with them"
        findings.warning(("credentials", name, "scopes"), reason, f"write `scopes: [{every}]`")
