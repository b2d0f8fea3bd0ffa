"""What of `venue.yaml` the actions of a pack use, and what nobody does or can: most likely a typing error."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from contracts.action import AtomicAction, Finding, Operation
from language.nouns import DEFAULTS
from registry.bound_names import near_miss
from registry.credentials import Entry, has_place, variables_of
from registry.document import Document
from registry.faults import OperationError, nearest
from registry.findings import Findings
from registry.nodes import entries_of, parts_of
from registry.refusal_paths import check_refusal_paths
from registry.sources import reads_of
from registry.unfilled import check_venue_unfilled
from registry.venue_file import VenueFile
from registry.yaml_file import read_yaml


def variables_used(venue: VenueFile, actions: Iterable[AtomicAction]) -> tuple[str, ...]:
    """The variables that must be set where requests are sent from: the file's, and those of single overlays."""
    own = (a.operation.access.bound for a in actions if a.operation.access is not None)
    return tuple(sorted({*variables_of(venue.secrets), *(name for bound in own for name in variables_of(bound))}))


def unused(
    venue: VenueFile, folder: Path, entry: Entry, document: Document, actions: list[AtomicAction]
) -> list[Finding]:
    """Findings for what `bound` gives and no call takes, for words that no action speaks of, for paths of refusals that
    no refusal has, for scopes that calls want and nobody asks for, and for variables that nothing fills in."""
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
    target: str, entry: Entry, document: Document, operations: list[Operation], findings: Findings
) -> None:
    """A header goes along whether it is declared or not: only what looks like a typing error is told. Nothing else is
    sent where no operation takes it."""
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
        findings.error(key, reason, nearest(target, declared) or "look at its name in the API document")


def _declared(target: str, document: Document) -> set[str] | None:
    """What operations take in the place of `target`; None where one of them takes just that."""
    place, found = target.partition(".")[0], set[str]()
    # As the document says it: what the pack gives is no input any more to those who look at it through the pack.
    plain = Document(document.file)
    for name in plain.keys:
        try:
            operation = plain.operation(name)
        except OperationError:
            continue
        if has_place(operation, target):
            return None
        found |= {f"{p.location}.{p.name}" for p in operation.parameters if p.location == place}
        found |= {f"body.{n}" for n in (operation.body_schema or {}).get("properties", {}) if place == "body"}
    return found


def _check_words(venue: VenueFile, actions: list[AtomicAction], findings: Findings) -> None:
    ours = {*DEFAULTS, *(p.thing for a in actions for p in a.parameters), *(a.output.thing for a in actions)}
    for kind in venue.words:
        if kind not in ours:
            findings.warning(("words", kind), "no action speaks of it", nearest(kind, ours))


def _check_scopes(
    venue: VenueFile, entry: Entry, document: Document, operations: list[Operation], findings: Findings
) -> None:
    """A token that was asked for with fewer scopes is let in nowhere that wants more, and says so only there."""
    asked = {
        name: {str(scope) for scope in entries_of(parts_of(written).get("scopes"))}
        for name, written in venue.credentials.items()
        if isinstance(written, dict) and "client_id" in written
    }
    lacking: dict[str, dict[str, str]] = {}
    for operation in operations if asked else ():
        rows = document.raw(operation.key)[0].get("security", document.root.get("security"))
        ways = [way for row in entries_of(rows) if (way := parts_of(row)) and all(map(entry.is_given, way))]
        missing = [
            {(name, str(s)) for name in way.keys() & asked.keys() for s in entries_of(way[name])}
            - {(name, scope) for name, some in asked.items() for scope in some}
            for way in ways
        ]
        for name, scope in sorted(missing[0]) if missing and all(missing) else ():
            lacking.setdefault(name, {}).setdefault(scope, operation.key)
    for name, scopes in lacking.items():
        first, needs = next(iter(scopes.values())), ", ".join(scopes)
        every = ", ".join(sorted({*asked[name], *scopes}))
        reason = f"{first} wants the scopes {needs} by the API document, and the token is not asked for with them"
        findings.warning(("credentials", name, "scopes"), reason, f"write `scopes: [{every}]`")
