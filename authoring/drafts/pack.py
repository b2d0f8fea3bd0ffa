"""Drafts a whole pack: what a document declares about its venue, and first overlays of the most likely actions."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from authoring.drafts import wording
from authoring.drafts.draft import NOWHERE, OverlayDrafter
from authoring.drafts.inputs import inputs_of, variable
from authoring.drafts.reads import ends_with_id, own_gaps
from authoring.drafts.sample import plausible
from authoring.drafts.titles import called
from authoring.yaml_writer import flow, text
from contracts.base import Node, Value
from contracts.venue import VenueProfile
from registry.errors import OperationError, PackError
from registry.http.credentials import OPERATOR, variables_of
from registry.openapi.document import DescribedOperation, Document
from registry.openapi.schema_reading import parts_of
from registry.openapi.shapes import AnswerShapes
from registry.overlays.json_schema import overlay_schema, venue_schema
from registry.overlays.venue import VenueFile
from registry.text import words_of

_KINDS = ("find", "get", "change", "move", "cancel", "make")
_LIKELY = frozenset(
    {"booking", "reservation", "appointment", "order", "visit", "lesson", "ticket", "event", "table", "stay", "trip"}
)
_PEOPLE = frozenset({"guest", "customer", "client", "member", "contact", "attendee", "passenger"})
_CHEAP = frozenset({"me", "ping", "status", "account", "venue", "profile", "self", "whoami", "info", "settings"})
_MOVES = frozenset({"move", "reschedule"})
_ADMINISTRATION = frozenset(
    {"oauth", "webhook", "webhooks", "token", "tokens", "apikey", "apikeys", "credential", "credentials", "admin"}
)
_MOST_NAMED = 3
_FEW = 5
_NO_CHECK = (
    "# ? It is sent before anybody has confirmed anything, and no GET of the document will do. One that is no GET",
    "# has to be declared, once you know that it changes nothing: {operation: …, with: {…}, read_only: true}",
)
_UNKNOWN_ADDRESS = "https://api.example.com"


@dataclass(frozen=True)
class PackDraft:
    """The files of a pack by name, the operations drafted, the variables to set, and the open questions. `others` is
    the number of further operations that could be drafted; `unusable` has the unusable operations and the reasons;
    `unloaded` names the drafts that would not load."""

    files: dict[str, str]
    actions: tuple[str, ...]
    variables: tuple[str, ...]
    questions: tuple[str, ...]
    others: int = 0
    unusable: tuple[str, ...] = ()
    unloaded: tuple[str, ...] = ()


def draft_pack(document: Document, name: str, title: str) -> PackDraft:
    """Return a pack called `name` over the document. Raises PackError if it has no usable operation."""
    usable = dict(_usable(document))
    if not usable:
        raise PackError(
            f"{document.file.path.name} has no operation that can be used; `iq actions check --spec` says why"
        )
    profile: VenueProfile = NOWHERE.model_copy(update={"pack": name})
    prefix = f"{'_'.join(words_of(name)).upper() or 'VENUE'}_"
    prefix = prefix if prefix[0].isalpha() else f"V{prefix}"
    credentials = {n: _credential(n, parts, prefix) for n, parts in document.schemes.items()}
    bound = _everywhere(usable, prefix)
    if bound and _entered(document, credentials, bound):
        usable = dict(_usable(document))
    else:
        bound = {}
    drafter = OverlayDrafter(document, profile, prefix=prefix, schema="../schemas/overlay.json")
    thing, keys = _chosen(usable, drafter.looks)
    check, sure = _check(usable, keys)
    questions = ["time_zone", "locale", "country"]
    questions += [] if document.server else ["base_url"]
    questions += [] if sure else ["check_operation"]
    venue = _venue(document, name, title, thing, check, (credentials, bound), prefix)
    files = {
        "venue.yaml": venue,
        "schemas/overlay.json": _json(overlay_schema()),
        "schemas/venue.json": _json(venue_schema()),
    }
    drafts = [drafter.overlay(key) for key in keys]
    files |= {f"actions/{draft.name}.yaml": draft.text for draft in drafts}
    actions = [draft.name for draft in drafts]
    variables = sorted({v for n, text_ in files.items() if n.endswith(".yaml") for v in variables_of(_live(text_))})
    files["README.md"] = _readme(title, document, actions, variables)
    return PackDraft(
        files, tuple(actions), tuple(variables), tuple(questions), len(usable) - len(keys),
        tuple(why_unusable(document)), tuple(draft.name for draft in drafts if draft.problems),
    )  # fmt: skip


def _usable(document: Document) -> Iterator[tuple[str, DescribedOperation]]:
    for key in document.keys:
        try:
            yield key, document.described(key)
        except OperationError:
            continue


def why_unusable(document: Document) -> Iterator[str]:
    """Yield a line for each reason why operations cannot be used: their number, the reason, and the fix."""
    found: dict[tuple[str, str], list[str]] = {}
    for key in document.keys:
        try:
            document.operation(key)
        except OperationError as fault:
            found.setdefault((fault.message.removeprefix(key).strip(), fault.hint), []).append(key)
    for (reason, hint), keys in sorted(found.items(), key=lambda row: -len(row[1])):
        named = ", ".join(keys[:_MOST_NAMED]) + (", …" if len(keys) > _MOST_NAMED else "")
        text = reason.removeprefix("is not well formed: ")
        yield f"{len(keys)} ({named}): {text}" + (f"; {hint}" if hint else "")


def _everywhere(usable: dict[str, DescribedOperation], prefix: str) -> dict[str, Value]:
    """Return the ids in paths that belong to the venue and are equal in most calls: set once, in `venue.yaml`."""
    paths = [described.operation.path for described in usable.values()]
    gaps = [gap for path in paths for gap in set(re.findall(r"{([^}]*)}", path)) - {*own_gaps(path)}]
    often = [gap for gap in dict.fromkeys(gaps) if gaps.count(gap) > max(2, len(paths) // 2)]
    return {f"path.{gap}": variable(prefix, gap) for gap in often}


def _entered(document: Document, credentials: dict[str, Value], bound: dict[str, Value]) -> bool:
    """Return whether the document loads with these credentials; its operations then lack the venue's inputs."""
    texts = {"venue_id": "draft", "name": "Draft", "time_zone": "UTC", "locale": "en-GB", "country": "GB"}
    try:
        file = VenueFile.model_validate(
            {**texts, "check_operation": document.keys[0], "credentials": credentials, "bound": bound}
        )
        document.enter(file.entry(document, document.server or _UNKNOWN_ADDRESS))
    except (PackError, ValidationError):
        return False
    return True


def _chosen(
    usable: dict[str, DescribedOperation], looks: Callable[[DescribedOperation], bool]
) -> tuple[str, list[str]]:
    """Return the venue's main resource, and the operations on it: to find, look at, change, move, cancel and create
    one; then to find and change its customers. Access to the API is no main resource."""
    by_thing: dict[str, dict[str, str]] = {}
    dealings = {key: d for key, d in usable.items() if not _is_administration(d)}
    for key, described in (dealings or usable).items():
        name = called(described)
        thing = words_of(name.thing)[-1] if words_of(name.thing) else ""
        kind = _kind(described, name.verb, looks(described))
        if thing in _PEOPLE and len(own_gaps(described.operation.path)) > 1:
            continue  # the members of a queue are not customers
        kinds = by_thing.setdefault(thing, {})
        # Cancelling keeps the resource; deleting does not.
        if kind not in kinds or (kind == "cancel" and name.verb in wording.CALLS_OFF):
            kinds[kind] = key

    def worth(thing: str) -> tuple[int, int]:
        kinds = by_thing[thing].keys() - {"other"}
        return (len(kinds) + 4 * (bool(kinds) and thing in _LIKELY), -list(by_thing).index(thing))

    main = max(by_thing, key=worth)
    finds = [kinds["find"] for thing, kinds in by_thing.items() if "find" in kinds and thing != main]
    people = max((t for t in by_thing if t in _PEOPLE and t != main), key=worth, default="")
    keys = [by_thing[main][kind] for kind in _KINDS if kind in by_thing[main]]
    keys += [by_thing[people][kind] for kind in ("find", "get", "change") if people and kind in by_thing[people]]
    if "find" not in by_thing[main]:
        # A resource without a search is asked for by its number, which is useless before anything can be looked up.
        keys += [key for key in finds if key not in keys][: max(0, _FEW - len(keys))]
    return main, keys or list(usable)[:3]


def _is_administration(described: DescribedOperation) -> bool:
    """Return whether an operation manages access to the API instead of the venue's service for its guests."""
    for part in described.operation.path.split("/"):
        words = [] if "{" in part else words_of(part)
        if _ADMINISTRATION & {*words} or (words[:1] == ["api"] and {"key", "keys"} & {*words}):
            return True
    return False


def _kind(described: DescribedOperation, verb: str, looks: bool) -> str:
    operation = described.operation
    ends = ends_with_id(operation.path)
    if verb in wording.CALLS_OFF or operation.method == "DELETE":
        return "cancel" if verb in wording.CALLS_OFF or ends else "other"
    beneath = bool(own_gaps(operation.path))
    if verb in _MOVES and beneath and not looks:
        return "move"
    if looks:
        return "get" if ends else "other" if beneath else "find"
    if operation.method in ("PUT", "PATCH") or (ends and operation.method == "POST"):
        return "change" if ends else "other"
    return "make" if not beneath else "other"


def _check(usable: dict[str, DescribedOperation], keys: list[str]) -> tuple[Value, bool]:
    """Return the cheapest read that requires a sign-in and no inputs, and True; else one with invented inputs, or ""
    for none, and False. It is sent before any confirmation, so a draft chooses only a GET."""
    reads = [(k, d) for k, d in usable.items() if d.operation.method == "GET"]
    bare = [
        (not _CHEAP & {*words_of(d.operation.path)}, k not in keys, len(d.operation.path), k)
        for k, d in reads
        if not any(p.required for p in d.operation.parameters)
    ]
    if bare:
        return min(bare)[3], True
    for key, described in sorted(reads, key=lambda row: (row[0] not in keys, len(row[1].operation.path))):
        inputs = inputs_of(described, "")
        given = {one.field: plausible(one) for one in inputs.required}
        if not inputs.bound and all(value is not None for value in given.values()):
            return {"operation": key, "with": given}, False
    return "", False


def _credential(name: str, scheme: dict[str, Node], prefix: str) -> Value:
    kind, flows = str(scheme.get("type")), parts_of(scheme.get("flows"))
    if kind == "apiKey":
        return variable(prefix, str(scheme.get("name") or name))
    if kind == "http" and str(scheme.get("scheme")).lower() == "basic":
        return {"username": variable(prefix, "username"), "password": variable(prefix, "password")}
    if kind == "oauth2" and [*flows] == ["clientCredentials"]:
        return {"client_id": variable(prefix, "client_id"), "client_secret": variable(prefix, "client_secret")}
    return OPERATOR


def _venue(
    document: Document, name: str, title: str, thing: str, check: Value,
    entry: tuple[dict[str, Value], dict[str, Value]], prefix: str,
) -> str:  # fmt: skip
    credentials, bound = entry
    lines = [
        "# yaml-language-server: $schema=schemas/venue.json",
        "# The venue. Lines with a question mark want an answer that only you know.",
        f"venue_id: {text(name)}",
        f"name: {text(title)}",
        "# ? Where its API is. The address of a sandbox is best to begin with.",
        f"base_url: {text(document.server or _UNKNOWN_ADDRESS)}",
        "time_zone: UTC                    # ? the venue's own, such as Europe/Rome",
        "locale: en-GB                     # ? the language of its operators: en-AU, it-IT",
        "country: GB                       # ? two letters: how phone numbers and public holidays are read",
        "#currency: EUR                    # ? for amounts of money",
        "# The cheapest read that wants a sign-in: it tells whether a token is good.",
        *([] if check else _NO_CHECK),
        f"check_operation: {flow(check)}",
    ]
    if credentials:
        lines += [
            "# How the service authenticates. ${…} is set where it runs; `operator` is the operator's own token.",
            "credentials:",
        ]
        lines += [f"  {text(n)}: {flow(value)}" for n, value in credentials.items()]
    else:
        lines.append("# The document names no way in: requests carry the operator's token as a bearer.")
    if bound:
        lines += ["# Given with every request that has the place:", f"bound: {flow(bound)}"]
    else:
        lines += [
            "# Given with every request, if the API wants something everywhere:",
            f'#bound: {{header.X-Client: iq, header.X-Api-Key: "${{{prefix}API_KEY}}"}}',
        ]
    lines += _errors(document)
    if thing and thing != "booking":
        many = wording.plural(thing)
        lines += [
            "# What is singled out here is no booking. Italian: it: [prenotazione, prenotazioni, f]",
            f"words: {{booking: {{en: [{text(thing)}, {text(many)}]}}}}",
        ]
    return "\n".join(lines) + "\n"


def _errors(document: Document) -> list[str]:
    """Return the places of error messages in refusals, as the document declares them."""
    shapes = AnswerShapes(document)
    for key in document.keys:
        names = shapes.refusal(key).names()
        code = next((n for n in names if n.lower() in ("code", "errorcode", "error_code", "error", "type")), "")
        message = next((n for n in names if n.lower() in ("message", "errormessage", "detail", "description")), "")
        if code and message:
            return ["# Where a refusal says what is wrong:", f"errors: {{code: {code}, message: {message}}}"]
    return [
        "# Where does a refusal say what is wrong? Paths into its body:",
        "#errors: {code: error.code, message: error.message}",
    ]


def _readme(title: str, document: Document, actions: list[str], variables: list[str]) -> str:
    kept = f"openapi{document.file.path.suffix}"
    lines = [
        f"# {title}", "",
        f"`{kept}` is the API. Only the operations that `actions/` and `venue.yaml` name are used, and what they",
        "refer to: the others may be cut out to keep it small. `iq actions check` says when something is missing.", "",
        "`venue.yaml` is the venue; `actions/` has a file for each thing that can be done. Nothing is done until a",
        "file says `iq_enabled: true`.", "",
        *(f"- `{name}`" for name in actions), "",
    ]  # fmt: skip
    if variables:
        lines += [
            "Set these where the service runs (the environment, or `.env`):",
            "",
            *(f"- `{v}`" for v in variables),
            "",
        ]
    return "\n".join(lines)


def _live(content: str) -> str:
    """Return the text without the lines that are only comments."""
    return "\n".join(line for line in content.splitlines() if not line.lstrip().startswith("#"))


def _json(schema: Value) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def pack_name(path: Path, title: str) -> str:
    """Return a folder's name, from the API's title: "Dive School API v2" gives `dive-school`."""
    words = [w for w in words_of(title) if w not in ("api", "rest", "v", "the", "openapi", "spec") and not w.isdigit()]
    return "-".join((words or words_of(path.stem))[:3]) or "venue"
