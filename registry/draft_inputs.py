"""What an operation takes, as a first draft offers it: what each input means by its name and its form, and which of
them no model is asked for."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from contracts.base import Schema, Value
from language import api_words as said
from registry.document import Described
from registry.draft_kept import KEY, VERSION, kept_of
from registry.draft_leaves import CELL, Leaf, leaves_of
from registry.every import short_name
from registry.neutral import types_of
from registry.produced import singular
from registry.prose import prose
from registry.scope import RESERVED
from registry.sensitive import is_sensitive, without_sensitive
from registry.targets import split_path
from registry.words import spoken_name, words_of

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
    """One thing that an operation takes. `name` is the parameter's in an overlay; `role` is "" where nothing tells it;
    `instant`: a day with a time, which people say as two. `forced`: asked for though the API can do without; `inside`
    names what an object holds that was left whole."""

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
        """path, query, header, cookie or body."""
        return self.target.partition(".")[0]

    @property
    def field(self) -> str:
        """Its name inside that place, "" for a whole body."""
        return self.target.partition(".")[2]

    @property
    def cell(self) -> bool:
        """Whether it stands in a row of a list, where only a template can put it."""
        return CELL in self.target

    @property
    def parts(self) -> tuple[str, str]:
        """The names of the two parameters that an instant is made of."""
        base = re.sub(r"_?(at|on|time|date|datetime|date_time)$", "", self.name) or "new"
        return f"{base}_day", f"{base}_time"


@dataclass
class Inputs:
    """What an operation takes: `shown` to a model, and `bound` by target to a value; `key_header` takes an idempotency
    key, `keyed` are the other places of one with its format, and `about` is the id of what the operation is about.
    `versions` must be given and are in no sentence; `left` is what may be left out and is, by target, with its kind."""

    shown: list[Input]
    bound: dict[str, Value]
    optional_secrets: list[str]
    key_header: str = ""
    about: Input | None = None
    keyed: dict[str, str] = field(default_factory=dict)
    versions: list[Input] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)

    @property
    def required(self) -> list[Input]:
        """Those that must be given."""
        return [one for one in self.shown if one.required]


def action_name(key: str) -> str:
    """A name an overlay may have: small letters, digits and _."""
    name = "_".join(words_of(key)).strip("_") or "action"
    return short_name(name if name[0].isalpha() else f"do_{name}")


def inputs_of(
    described: Described, prefix: str, *, looks: bool = False, texts: Texts | None = None, apart: bool = True
) -> Inputs:
    """Sort out everything that the operation takes. `prefix` begins the names of variables: `PACK_`; `looks`: it
    changes nothing; `texts` says what the document says of a part of the body; `apart`: objects are taken apart."""
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
            found.shown.append(one)
        found.about = one if leaf.target == about else found.about
    return found


def _set_aside(found: Inputs, described: Described, leaf: Leaf, prefix: str, looks: bool) -> bool:
    """Whether no model is asked for it: it is bound, made by the service, or left out."""
    target, required, schema = leaf.target, leaf.required, leaf.schema
    plain: Schema = schema if isinstance(schema, dict) else {}
    (place, *within), wire = split_path(target), _wire(target)
    _, lost = without_sensitive(plain, within)
    beside = leaf.beside
    if target in described.credentials or is_sensitive(wire, schema, within=within[:-1], beside=beside, place=place):
        lost = [wire]
    kind = kept_of(wire, plain, place)
    if required and described.operation.method == "POST" and place == "body" and _is_own_reference(wire, plain):
        kind = KEY
    if place == "header" and _KEY_HEADER.search(wire) and not found.key_header and not looks:
        found.key_header = wire
    elif lost:
        _keep_back(found, target, required, lost, prefix)
    elif kind == KEY and place in ("body", "query") and CELL not in target and not looks:
        found.keyed[target] = str(plain.get("format") or "")
    elif kind and not required:
        found.left[target] = kind
    elif kind == VERSION and place == "header":
        return False
    elif place == "header" and wire.lower() == "accept-language" and required:
        found.bound[target] = _only_value(plain, required) or "en"
    elif place == "header" and (value := _only_value(plain, required)) is not None:
        found.bound[target] = value
    elif place in ("header", "cookie"):
        if required:
            found.bound[target] = variable(prefix, wire)
    else:
        return False
    return True


def _is_own_reference(wire: str, schema: Schema) -> bool:
    """Whether it is the caller's own number for what is made: nobody says one, and its key serves."""
    words = words_of(wire)
    known = len(words) > 1 and (words[-1] in ("reference", "ref") or words == ["external", "id"])
    return known and words[0] in _OWN_REFERENCE and [kind for kind in types_of(schema) if kind != "null"] == ["string"]


def _wire(target: str) -> str:
    return (split_path(target)[1:] or ["body"])[-1]


def _doubled(rows: list[Leaf]) -> set[str]:
    """Names that stand in several objects: `first_name` of the guest and of whoever pays."""
    names = [action_name(_wire(leaf.target)) for leaf in rows]
    return {name for name in names if names.count(name) > 1}


def _with_parent(one: Input) -> str:
    """`guest_name` for `body.guest.name`."""
    path = split_path(one.target.replace(CELL, "."))
    return _fit(action_name(f"{singular(path[-2])}_{path[-1]}")) if len(path) > 2 else one.name


def variable(prefix: str, name: str) -> str:
    """`${PACK_API_KEY}`: what is set where the service runs."""
    return f"${{{prefix}{'_'.join(words_of(name)).upper() or 'VALUE'}}}"


def _keep_back(found: Inputs, target: str, required: bool, lost: list[str], prefix: str) -> None:
    """Of what holds a secret the secret comes from the environment; all of it, where it is not one property."""
    if required:
        found.bound[target] = variable(prefix, lost[-1])
    else:
        found.optional_secrets.append(target)


def _rows(described: Described, apart: bool) -> Iterator[Leaf]:
    """Everything that it takes, the body in parts."""
    for wire in described.operation.parameters:
        yield Leaf(f"{wire.location}.{wire.name}", wire.required, wire.json_schema)
    yield from leaves_of(described.operation, apart)


def _about(described: Described) -> str:
    """The target of the id of what the operation is about: the last one in its path that is not the whole venue's."""
    path = [wire for wire in described.operation.parameters if wire.location == "path"]
    order = sorted(path, key=lambda wire: described.operation.path.find("{" + wire.name))
    ids = [w for w in order if not said.EVERYWHERE & {*words_of(w.name)} and "enum" not in w.json_schema]
    return f"path.{ids[-1].name}" if ids else ""


def _only_value(schema: Schema, required: bool) -> Value:
    """What alone can stand there, or what the document itself would put there."""
    choices = schema.get("enum")
    if isinstance(choices, list) and len(choices) == 1:
        return _held(choices[0])
    if "const" in schema:
        return _held(schema["const"])
    return _held(schema.get("default", schema.get("example"))) if required else None


def _held(value: object) -> Value:
    return value if isinstance(value, str | int | float | bool) else None


def _input(described: Described, leaf: Leaf, about: bool, texts: Texts | None, looks: bool) -> Input:
    schema: Schema = leaf.schema if isinstance(leaf.schema, dict) else {}
    place, wire = split_path(leaf.target)[0], _wire(leaf.target)
    instant = schema.get("format") == "date-time" and [t for t in types_of(schema) if t != "null"] == ["string"]
    # A search by a body is asked as one by the address is.
    role = "booking" if about else role_of(wire, schema, "query" if looks and place == "body" else place)
    told = described.texts.get(leaf.target) or (texts(leaf.target) if texts else "")
    path = split_path(leaf.target.replace(CELL, "."))[1:]
    told = plain_text(told, 100) or spoken_name(" ".join([*map(singular, path[-2:-1]), *path[-1:]]) or "body")
    name = action_name(wire)
    if about and {*words_of(wire)} <= _ANY_ID and (thing := _thing_of(described.operation.path, wire)):
        name = f"{thing}_id"
    return Input(
        _fit(name), leaf.target, leaf.required, schema, "" if instant else role, told, instant, leaf.forced, leaf.parts
    )


def plain_text(text: str, most: int) -> str:
    """What the document says, without the marks of a page and without a list that was cut off."""
    told = prose(_MARKS.sub(" ", text), most=most)
    told = _CUT_LIST.sub("", told).strip(" ,;:.") + ("." if told.endswith(".") else "")
    return told[:1].upper() + told[1:] if len(told) > 1 else ""


def _thing_of(path: str, gap: str) -> str:
    """What stands before a gap in a path: `booking` for `/bookings/{uniqueId}`."""
    words = words_of(path.partition("/{" + gap)[0].rpartition("/")[2])
    return "_".join([*words[:-1], singular(words[-1])]) if words and words[0].isalpha() else ""


def _fit(name: str) -> str:
    return f"the_{name}" if name in RESERVED else name


def _unlike(name: str, place: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate = f"{name[:55]}_{place}" if number == 2 else f"{name[:55]}_{place}{number}"
        number += 1
    return candidate


def role_of(name: str, schema: Schema, place: str) -> str:
    """What an input means, by its name and its form; "" where neither tells."""
    words, form = words_of(name), str(schema.get("format") or "")
    known = {*words}
    kinds = [kind for kind in types_of(schema) if kind != "null"]
    if isinstance(schema.get("enum"), list):
        return "choice" if kinds == ["string"] else ""
    if kinds == ["integer"]:
        return "count" if words and words[-1] in said.COUNTS and not known & said.PAGING else ""
    if kinds != ["string"]:
        return ""
    if form not in ("", "string"):
        return form if form in ("date", "time", "email", "phone") else ""
    return next((role for role, fits in _BY_NAME.items() if words and fits(known, words[-1], place)), "")


_BY_NAME: dict[str, Callable[[set[str], str, str], bool]] = {
    "email": lambda words, last, place: "email" in words or {"e", "mail"} <= words,
    "date": lambda words, last, place: last in ("date", "day") and "time" not in words,
    "time": lambda words, last, place: last == "time" and "date" not in words,
    "phone": lambda words, last, place: bool(words & said.PHONES),
    "first_name": lambda words, last, place: "name" in words and bool(words & said.FIRST),
    "last_name": lambda words, last, place: ("name" in words and bool(words & said.LAST)) or "surname" in words,
    "note": lambda words, last, place: last in said.NOTES,
    "search": lambda words, last, place: place == "query" and (bool(words & said.SEARCHES) or last == "name"),
}
