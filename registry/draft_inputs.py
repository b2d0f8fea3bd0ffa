"""What an operation takes, as a first draft offers it: what each input means by its name and its form, and which of
them no model is asked for."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from contracts.base import Schema, Value
from language import api_words as said
from registry.document import Described
from registry.every import short_name
from registry.neutral import is_read_only, properties_of, required_of, types_of
from registry.produced import singular
from registry.prose import prose
from registry.scope import RESERVED
from registry.sensitive import is_sensitive, without_sensitive
from registry.targets import body_target, split_path
from registry.tiers import is_read
from registry.words import spoken_name, words_of

_KEY_HEADER = re.compile(r"idempoten|request-?id", re.IGNORECASE)
_MOST_INSIDE = 8
_ANY_ID = frozenset({"id", "unique", "uuid", "sid", "uid", "key", "number", "identifier"})


@dataclass(frozen=True)
class Input:
    """One thing that an operation takes. `name` is the parameter's in an overlay; `role` is "" where nothing tells it;
    `instant`: a day with a time, which people say as two."""

    name: str
    target: str
    required: bool
    schema: Schema
    role: str
    describe: str
    instant: bool = False

    @property
    def place(self) -> str:
        """path, query, header, cookie or body."""
        return self.target.partition(".")[0]

    @property
    def field(self) -> str:
        """Its name inside that place, "" for a whole body."""
        return self.target.partition(".")[2]

    @property
    def parts(self) -> tuple[str, str]:
        """The names of the two parameters that an instant is made of."""
        base = re.sub(r"_?(at|on|time|date|datetime|date_time)$", "", self.name) or "new"
        return f"{base}_day", f"{base}_time"


@dataclass
class Inputs:
    """What an operation takes: `shown` to a model, and `bound` by target to a value; `key_header` takes an idempotency
    key, and `about` is the id of what the operation is about."""

    shown: list[Input]
    bound: dict[str, Value]
    optional_secrets: list[str]
    key_header: str = ""
    about: Input | None = None

    @property
    def required(self) -> list[Input]:
        """Those that must be given."""
        return [one for one in self.shown if one.required]


def action_name(key: str) -> str:
    """A name an overlay may have: small letters, digits and _."""
    name = "_".join(words_of(key)).strip("_") or "action"
    return short_name(name if name[0].isalpha() else f"do_{name}")


def inputs_of(described: Described, prefix: str) -> Inputs:
    """Sort out everything that the operation takes. `prefix` begins the names of variables: `PACK_`."""
    operation = described.operation
    found = Inputs([], {}, [])
    taken: set[str] = set()
    about = _about(described)
    for target, required, schema in _rows(described):
        place, *within = split_path(target)
        plain: Schema = schema if isinstance(schema, dict) else {}
        wire = within[-1] if within else "body"
        _, lost = without_sensitive(plain, within)
        beside = properties_of(operation.body_schema or {}) if place == "body" else ()
        if target in described.credentials or is_sensitive(wire, schema, beside=beside, place=place):
            lost = [wire]
        if place == "header" and _KEY_HEADER.search(wire) and not found.key_header and not is_read(operation.method):
            found.key_header = wire
        elif lost:
            _keep_back(found, target, required, lost, prefix)
        elif place == "header" and (value := _only_value(plain, required)) is not None:
            found.bound[target] = value
        elif place == "header" and required:
            found.bound[target] = variable(prefix, wire)
        elif place != "header" and place != "cookie":
            one = _input(described, target, required, plain, target == about)
            one = replace(one, name=_unlike(one.name, place, taken))
            taken |= {one.name, *(one.parts if one.instant else ())}
            found.shown.append(one)
            found.about = one if target == about else found.about
        elif required:
            found.bound[target] = variable(prefix, wire)
    return found


def variable(prefix: str, name: str) -> str:
    """`${PACK_API_KEY}`: what is set where the service runs."""
    return f"${{{prefix}{'_'.join(words_of(name)).upper() or 'VALUE'}}}"


def _keep_back(found: Inputs, target: str, required: bool, lost: list[str], prefix: str) -> None:
    """Of what holds a secret the secret comes from the environment; all of it, where it is not one property."""
    if required:
        found.bound[target] = variable(prefix, lost[-1])
    else:
        found.optional_secrets.append(target)


def _rows(described: Described) -> Iterator[tuple[str, bool, Schema | bool]]:
    """(target, required, schema) of everything; objects that must be there are taken apart where they are simple."""
    operation = described.operation
    for wire in operation.parameters:
        yield f"{wire.location}.{wire.name}", wire.required, wire.json_schema
    body = operation.body_schema
    if body is None:
        return
    if not properties_of(body):
        yield "body", operation.body_required, body
    for name, schema in properties_of(body).items():
        if is_read_only(schema):
            continue
        target, required = body_target(name), name in required_of(body)
        inner = properties_of(schema) if isinstance(schema, dict) else {}
        must = required_of(schema) if isinstance(schema, dict) else []
        if required and must and len(inner) <= _MOST_INSIDE and not any(map(_is_deep, inner.values())):
            for part, within in inner.items():
                yield f"{target}.{part.replace('.', chr(92) + '.')}", part in must, within
        else:
            yield target, required, schema


def _is_deep(schema: Schema | bool) -> bool:
    return not isinstance(schema, dict) or bool({"object", "array"} & {*types_of(schema)}) or not types_of(schema)


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


def _input(described: Described, target: str, required: bool, schema: Schema, about: bool) -> Input:
    place, *within = split_path(target)
    wire = within[-1] if within else "body"
    instant = schema.get("format") == "date-time" and [t for t in types_of(schema) if t != "null"] == ["string"]
    role = "booking" if about else role_of(wire, schema, place)
    told = prose(described.texts.get(target, ""), most=100) or spoken_name(wire)
    name = action_name(wire)
    if about and {*words_of(wire)} <= _ANY_ID and (thing := _thing_of(described.operation.path, wire)):
        name = f"{thing}_id"
    return Input(_fit(name), target, required, schema, "" if instant else role, told, instant)


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
