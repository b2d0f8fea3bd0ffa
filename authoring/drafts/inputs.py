"""The inputs of an operation as a draft offers them: the meaning of each by its name and form, and which of them the
model is not asked for."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from authoring.all_operations import short_name
from authoring.drafts import wording
from authoring.drafts.body import CELL, BodyField, leaves_of
from contracts.base import Schema, Value
from registry.http.request import split_path
from registry.openapi.descriptions import summarize_description
from registry.openapi.document import DescribedOperation
from registry.openapi.schema_reading import types_of
from registry.secrets.names import is_sensitive, without_sensitive
from registry.templating.scope import RESERVED
from registry.text import singular, spoken_name, words_of

_MARKS = re.compile(r"(?m)^\s*>+\s?|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]|\*\*")
_CUT_LIST = re.compile(r"[,;.]?\s*(-\s*)?(can be )?(any |one )of( the following)?:\s*(-\s*\S+)*\s*…?$", re.IGNORECASE)
_OWN_REFERENCE = frozenset({"external", "client", "merchant", "partner"})
_KEY_HEADER = re.compile(r"idempoten|request-?id", re.IGNORECASE)
_SAYS_LITTLE = frozenset(
    {"id", "name", "value", "type", "code", "number", "amount", "key", "title", "description", "text", "start", "end"}
)
_ANY_ID = frozenset({"id", "unique", "uuid", "sid", "uid", "key", "number", "identifier"})

Texts = Callable[[str], str]


@dataclass(frozen=True)
class Input:
    """One input of an operation. `name` is the parameter's in an overlay; `role` is "" if nothing determines it;
    `instant`: a day with a time, which people say as two. `forced`: asked for though optional in the API; `inside`
    names the fields of an object that was left whole."""

    name: str
    target: str
    required: bool
    schema: Schema
    role: str
    describe: str
    instant: bool = False
    forced: bool = False
    inside: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Return path, query, header, cookie or body."""
        return self.target.partition(".")[0]

    @property
    def field(self) -> str:
        """Return its name inside that location, "" for a whole body."""
        return self.target.partition(".")[2]

    @property
    def cell(self) -> bool:
        """Return whether it is in a row of a list, where only a template can set it."""
        return CELL in self.target

    @property
    def parts(self) -> tuple[str, str]:
        """Return the names of the two parameters of an instant."""
        base = re.sub(r"_?(at|on|time|date|datetime|date_time)$", "", self.name) or "new"
        return f"{base}_day", f"{base}_time"


@dataclass
class Inputs:
    """The inputs of an operation: `shown` to a model, and `bound` by target to a value; `key_header` takes an
    idempotency key, `keyed` are the other places of one with its format, and `about` is the id of the operation's
    resource. `versions` are required and in no sentence; `left` are the optional ones that are left out, by target,
    with their kind."""

    rows: list[Input]
    bound: dict[str, Value]
    optional_secrets: list[str]
    key_header: str = ""
    about: Input | None = None
    keyed: dict[str, str] = field(default_factory=dict)
    versions: list[Input] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)

    @property
    def required(self) -> list[Input]:
        """Return the required inputs."""
        return [one for one in self.rows if one.required]


def action_name(key: str) -> str:
    """Return a valid name for an overlay: small letters, digits and _."""
    name = "_".join(words_of(key)).strip("_") or "action"
    return short_name(name if name[0].isalpha() else f"do_{name}")


def inputs_of(
    described: DescribedOperation, prefix: str, *, looks: bool = False, texts: Texts | None = None, apart: bool = True
) -> Inputs:
    """Return all inputs of the operation. `prefix` begins the names of variables: `PACK_`; `looks`: it changes nothing;
    `texts` returns the document's description of a part of the body; `apart`: objects are split into fields."""
    found = Inputs([], {}, [])
    taken: set[str] = set()
    about = _about(described)
    rows = list(_rows(described, apart))
    doubled = _doubled(rows)
    for leaf in rows:
        if _set_aside(found, described, leaf, prefix, looks):
            continue
        one = _input(described, leaf, leaf.target == about, texts, looks)
        if one.place == "body" and (one.name in doubled or one.name in _SAYS_LITTLE):
            one = replace(one, name=_with_parent(one))
        one = replace(one, name=_unlike(one.name, one.place, taken))
        taken |= {one.name, *(one.parts if one.instant else ())}
        kind = "" if looks else kept_of(_wire(leaf.target), one.schema, one.place)
        if kind == VERSION and leaf.required:
            found.versions.append(one)
        else:
            found.rows.append(one)
        found.about = one if leaf.target == about else found.about
    return found


def _set_aside(found: Inputs, described: DescribedOperation, leaf: BodyField, prefix: str, looks: bool) -> bool:
    """Return whether the model is not asked for an input: it is bound, filled by the service, or left out."""
    target, required, schema = leaf.target, leaf.required, leaf.schema
    plain: Schema = schema if isinstance(schema, dict) else {}
    (location, *within), wire = split_path(target), _wire(target)
    _, lost = without_sensitive(plain, within)
    beside = leaf.beside
    if target in described.credentials or is_sensitive(
        wire, schema, within=within[:-1], beside=beside, location=location
    ):
        lost = [wire]
    kind = kept_of(wire, plain, location)
    if required and described.operation.method == "POST" and location == "body" and _is_own_reference(wire, plain):
        kind = KEY
    if location == "header" and _KEY_HEADER.search(wire) and not found.key_header and not looks:
        found.key_header = wire
    elif lost:
        _keep_back(found, target, required, lost, prefix)
    elif kind == KEY and location in ("body", "query") and CELL not in target and not looks:
        found.keyed[target] = str(plain.get("format") or "")
    elif kind and not required:
        found.left[target] = kind
    elif kind == VERSION and location == "header":
        return False
    elif location == "header" and wire.lower() == "accept-language" and required:
        found.bound[target] = _only_value(plain, required) or "en"
    elif location == "header" and (value := _only_value(plain, required)) is not None:
        found.bound[target] = value
    elif location in ("header", "cookie"):
        if required:
            found.bound[target] = variable(prefix, wire)
    else:
        return False
    return True


def _is_own_reference(wire: str, schema: Schema) -> bool:
    """Return whether it is the caller's own reference for a created resource: the operator gives none, and the
    idempotency key serves."""
    words = words_of(wire)
    known = len(words) > 1 and (words[-1] in ("reference", "ref") or words == ["external", "id"])
    return known and words[0] in _OWN_REFERENCE and [kind for kind in types_of(schema) if kind != "null"] == ["string"]


def _wire(target: str) -> str:
    return (split_path(target)[1:] or ["body"])[-1]


def _doubled(rows: list[BodyField]) -> set[str]:
    """Return names that occur in several objects: `first_name` of the guest and of the payer."""
    names = [action_name(_wire(leaf.target)) for leaf in rows]
    return {name for name in names if names.count(name) > 1}


def _with_parent(one: Input) -> str:
    """Return `guest_name` for `body.guest.name`."""
    path = split_path(one.target.replace(CELL, "."))
    return _fit(action_name(f"{singular(path[-2])}_{path[-1]}")) if len(path) > 2 else one.name


def variable(prefix: str, name: str) -> str:
    """Return the name of a variable, `${PACK_API_KEY}`, that the operator of the service sets."""
    return f"${{{prefix}{'_'.join(words_of(name)).upper() or 'VALUE'}}}"


def _keep_back(found: Inputs, target: str, required: bool, lost: list[str], prefix: str) -> None:
    """Take a secret input from the environment; or the whole input that contains it, if it is not one property."""
    if required:
        found.bound[target] = variable(prefix, lost[-1])
    else:
        found.optional_secrets.append(target)


def _rows(described: DescribedOperation, apart: bool) -> Iterator[BodyField]:
    """Return every input, the body in parts."""
    for wire in described.operation.parameters:
        yield BodyField(f"{wire.location}.{wire.name}", wire.required, wire.json_schema)
    yield from leaves_of(described.operation, apart)


def _about(described: DescribedOperation) -> str:
    """Return the target of the id of the operation's resource: the last one in its path that is not the whole
    venue's."""
    path = [wire for wire in described.operation.parameters if wire.location == "path"]
    order = sorted(path, key=lambda wire: described.operation.path.find("{" + wire.name))
    ids = [w for w in order if not wording.EVERYWHERE & {*words_of(w.name)} and "enum" not in w.json_schema]
    return f"path.{ids[-1].name}" if ids else ""


def _only_value(schema: Schema, required: bool) -> Value:
    """Return the only possible value, or the document's own default."""
    choices = schema.get("enum")
    if isinstance(choices, list) and len(choices) == 1:
        return _held(choices[0])
    if "const" in schema:
        return _held(schema["const"])
    return _held(schema.get("default", schema.get("example"))) if required else None


def _held(value: object) -> Value:
    return value if isinstance(value, str | int | float | bool) else None


def _input(described: DescribedOperation, leaf: BodyField, about: bool, texts: Texts | None, looks: bool) -> Input:
    schema: Schema = leaf.schema if isinstance(leaf.schema, dict) else {}
    location, wire = split_path(leaf.target)[0], _wire(leaf.target)
    instant = schema.get("format") == "date-time" and [t for t in types_of(schema) if t != "null"] == ["string"]
    # An input of a search by a body has the same role as one of a search by the address.
    role = "booking" if about else role_of(wire, schema, "query" if looks and location == "body" else location)
    text = described.texts.get(leaf.target) or (texts(leaf.target) if texts else "")
    path = split_path(leaf.target.replace(CELL, "."))[1:]
    text = plain_text(text, 100) or spoken_name(" ".join([*map(singular, path[-2:-1]), *path[-1:]]) or "body")
    name = action_name(wire)
    if about and {*words_of(wire)} <= _ANY_ID and (thing := _thing_of(described.operation.path, wire)):
        name = f"{thing}_id"
    return Input(
        _fit(name), leaf.target, leaf.required, schema, "" if instant else role, text, instant, leaf.forced, leaf.parts
    )


def plain_text(text: str, limit: int) -> str:
    """Return the document's text without markup and without a list that was cut off."""
    message = summarize_description(_MARKS.sub(" ", text), limit=limit)
    message = _CUT_LIST.sub("", message).strip(" ,;:.") + ("." if message.endswith(".") else "")
    return message[:1].upper() + message[1:] if len(message) > 1 else ""


def _thing_of(path: str, gap: str) -> str:
    """Return the word before a placeholder in a path: `booking` for `/bookings/{uniqueId}`."""
    words = words_of(path.partition("/{" + gap)[0].rpartition("/")[2])
    return "_".join([*words[:-1], singular(words[-1])]) if words and words[0].isalpha() else ""


def _fit(name: str) -> str:
    return f"the_{name}" if name in RESERVED else name


def _unlike(name: str, location: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate = f"{name[:55]}_{location}" if number == 2 else f"{name[:55]}_{location}{number}"
        number += 1
    return candidate


def role_of(name: str, schema: Schema, location: str) -> str:
    """Return the role of an input, by its name and its form; "" where neither determines it."""
    words, form = words_of(name), str(schema.get("format") or "")
    known = {*words}
    kinds = [kind for kind in types_of(schema) if kind != "null"]
    if isinstance(schema.get("enum"), list):
        return "choice" if kinds == ["string"] else ""
    if kinds == ["integer"]:
        return "count" if words and words[-1] in wording.COUNTS and not known & wording.PAGING else ""
    if kinds != ["string"]:
        return ""
    if form not in ("", "string"):
        return form if form in ("date", "time", "email", "phone") else ""
    return next((role for role, fits in _BY_NAME.items() if words and fits(known, words[-1], location)), "")


_BY_NAME: dict[str, Callable[[set[str], str, str], bool]] = {
    "email": lambda words, last, place: "email" in words or {"e", "mail"} <= words,
    "date": lambda words, last, place: last in ("date", "day") and "time" not in words,
    "time": lambda words, last, place: last == "time" and "date" not in words,
    "phone": lambda words, last, place: bool(words & wording.PHONES),
    "first_name": lambda words, last, place: "name" in words and bool(words & wording.FIRST),
    "last_name": lambda words, last, place: ("name" in words and bool(words & wording.LAST)) or "surname" in words,
    "note": lambda words, last, place: last in wording.NOTES,
    "search": lambda words, last, place: place == "query" and (bool(words & wording.SEARCHES) or last == "name"),
}


KEY, VERSION, FIELDS = "key", "version", "fields"

WHY = {
    KEY: "a key against doing it twice",
    VERSION: "which version of it is changed",
    FIELDS: "which fields are answered",
}
"""The meaning of each kind, for a comment of the draft."""

_VERSIONS = frozenset({"etag", "revision", "lockversion"})
_OF_FIELDS = frozenset({"expand", "expands", "expansion", "expansions", "embed"})
_OF_FIELDS_IN_QUERY = frozenset({"fields", "include", "includes", "select"})


def kept_of(name: str, schema: Schema, location: str) -> str:
    """Return which of the service's own inputs it is, by its name; "" for one that an operator may give."""
    words = words_of(name)
    known, last = {*words}, words[-1] if words else ""
    if location == "path":
        return ""
    if "idempotency" in known or "idempotent" in known or words in (["request", "id"], ["x", "request", "id"]):
        return KEY
    counted = last == "version" and "integer" in types_of(schema) and "api" not in known
    if words == ["if", "match"] or (location != "header" and (counted or last in _VERSIONS)):
        return VERSION
    if known & _OF_FIELDS and len(words) == 1:
        return FIELDS
    return FIELDS if location == "query" and len(words) == 1 and last in _OF_FIELDS_IN_QUERY else ""
