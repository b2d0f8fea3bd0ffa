"""Finds names that the model may not see. A name may name a secret, `card_number`, or describe one, `card_type`.

Ids, names, types, states and counts of secrets are not secret; gift cards, vouchers and membership cards are goods. The
name alone is not enough: an object called `card` is read inside, where `number` is the card's; a boolean and a listed
choice hold no secret, whatever their names are. PCI DSS 4.0 (3.3) is why an author can never allow card number,
security code and PIN, but can allow the rest (`sensitive: false`).
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache

from contracts.base import Json, Node, Schema
from language.vocabulary import secrets
from registry.openapi.schema_reading import entries_of, parts_of, types_of
from registry.text import words_of

HIDDEN = "[not shown]"
"""The replacement for a secret, towards models and in traces."""

# Names written in one word: `devicetoken`. No English word with such an ending means anything else.
_ENDING = re.compile(r"(.+?)(password|passwd|passphrase|passcode|secret|token|apikey)s?$")
_VOCABULARY = frozenset({*secrets.SAME, *secrets.CERTAIN, *secrets.LIKELY, *secrets.GLUED})
_LAST_FOUR = frozenset({"4", "four", "digits", "cifre", "quattro"})
_DEEPEST = 40


class Sensitivity(IntEnum):
    """How surely a name is a secret's: `CERTAIN` can mean nothing else, `LIKELY` can be overridden by an author."""

    NONE = 0
    LIKELY = 1
    CERTAIN = 2


def is_sensitive(
    name: str,
    schema: Node = None,
    *,
    within: Sequence[str] = (),
    beside: Collection[str] = (),
    location: str = "",
) -> bool:
    """Return whether a name is that of a secret or a payment detail; a value of format `password` always is."""
    return sensitivity(name, schema, within=within, beside=beside, location=location) > Sensitivity.NONE


def sensitivity(
    name: str,
    schema: Node = None,
    *,
    within: Sequence[str] = (),
    beside: Collection[str] = (),
    location: str = "",
) -> Sensitivity:
    """Return how surely `name` is a secret's.

    `within` names the objects around it, outermost first, `beside` its neighbours, `location` the part of the request
    that holds it. `schema` must have its references resolved.
    """
    if _holds_nothing(schema, name):
        return Sensitivity.NONE
    if parts_of(schema).get("format") == "password":
        return Sensitivity.CERTAIN
    if "".join(words_of(name)) in secrets.HEADERS:
        # `/authorizations/{authorization}`: in a path it is an id.
        return Sensitivity.NONE if location == "path" and name.lower() == "authorization" else Sensitivity.CERTAIN
    words = _words(name)
    return max(_by_itself(words, schema, location), _by_place(words, tuple(within), beside))


def path_grade(path: Sequence[str], schema: Node = None, location: str = "") -> Sensitivity:
    """Return how surely the value at a path, `["card", "number"]`, is a secret."""
    return sensitivity(path[-1], schema, within=path[:-1], location=location) if path else Sensitivity.NONE


def mentions_secret(text: str) -> bool:
    """Return whether a sentence names something sensitive, so that no model may read it. A gift card may be
    mentioned."""
    found = re.findall(r"[A-Za-z0-9_-]+", text)
    pairs = zip(["", *found], found, strict=False)
    if any(is_sensitive(word) and is_sensitive(f"{before}_{word}") for before, word in pairs):
        return True
    # A card's authorization is no header.
    return "header" in found and any(word.lower() in secrets.HEADERS for word in found)


def without_secrets(data: Json, within: Sequence[str] = ()) -> Json:
    """Return a document for a model or a trace, with the values under sensitive names hidden."""
    if isinstance(data, dict):
        shown: dict[str, Json] = {}
        for key, value in data.items():
            name = str(key)
            sure = is_sensitive(name, _schema_of(value), within=within, beside=data.keys())
            empty = value in (None, "", [], {})
            shown[key] = HIDDEN if sure and not empty else without_secrets(value, (*within, name))
        return shown
    return [without_secrets(v, within) for v in data] if isinstance(data, list) else data


def secrets_in(
    data: Json, schema: Node = None, within: Sequence[str] = (), least: Sensitivity = Sensitivity.LIKELY
) -> Iterator[str]:
    """Yield the dotted paths in a value that are at least so sensitive by name and that its schema does not declare."""
    if isinstance(data, list):
        for value in data:
            yield from secrets_in(value, parts_of(schema).get("items"), within, least)
    if not isinstance(data, dict):
        return
    declared = parts_of(parts_of(schema).get("properties"))
    for key, value in data.items():
        if key not in declared and sensitivity(key, _schema_of(value), within=within, beside=data.keys()) >= least:
            yield ".".join([*within, key])
        else:
            yield from secrets_in(value, declared.get(key), (*within, key), least)


def without_sensitive(
    schema: Schema, within: Sequence[str] = (), least: Sensitivity = Sensitivity.LIKELY
) -> tuple[Schema, list[str]]:
    """Return a schema without sensitive properties, readOnly ones and defaults, at any depth; and the required ones
    lost.

    `least` is how surely a property must be a secret's to be left out.
    """
    result: Schema = {}
    lost: list[str] = []
    declared = parts_of(schema.get("properties"))
    for key, value in schema.items():
        if key in ("default", "readOnly", "writeOnly", "nullable"):
            continue
        if key == "properties" and isinstance(value, dict):
            hidden = {n for n, s in value.items() if sensitivity(n, s, within=within, beside=value) >= least}
            lost += [n for n in schema.get("required") or () if n in hidden]
            read_only = {n for n, s in value.items() if parts_of(s).get("readOnly")}
            shown = {n: _held(s, (*within, n), least) for n, s in value.items() if n not in hidden | read_only}
            result[key] = {n: part for n, (part, _) in shown.items()}
            lost += [name for _, inner in shown.values() for name in inner]
        elif key == "required" and isinstance(value, list):
            # A part of a choice may name what another part declares.
            result[key] = [n for n in value if n in declared or sensitivity(n, within=within) < least]
            lost += [n for n in value if n not in result[key]]
        elif key in ("enum", "const", "required"):
            result[key] = value
        else:
            result[key], inner_lost = _held(value, within, least)
            lost += inner_lost
    if isinstance(result.get("properties"), dict) and isinstance(result.get("required"), list):
        result["required"] = [n for n in result["required"] if n in result["properties"]]
    return result, lost


def _held(value: object, within: Sequence[str], least: Sensitivity) -> tuple[Json, list[str]]:
    """Return a keyword's value, its schemas without sensitive parts."""
    if isinstance(value, list):
        parts = [_held(v, within, least) for v in value]
        return [part for part, _ in parts], [name for _, lost in parts for name in lost]
    return without_sensitive(value, within, least) if isinstance(value, dict) else (value, [])


def _schema_of(value: Json) -> Schema:
    """Return as much of a schema as a value shows."""
    if isinstance(value, dict):
        return {"type": "object", "properties": value}
    if isinstance(value, list):
        return {"type": "array", "items": _schema_of(value[0])} if value else {}
    kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int | float) else "string"
    return {"type": kind}


def _holds_nothing(schema: Node, name: str, depth: int = 0) -> bool:
    """Return whether no secret fits: a boolean, one of listed values, a number of tokens or pins."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return False
    kinds = set(types_of(schema)) - {"null"}
    if kinds == {"boolean"} or schema.get("enum") or "const" in schema:
        return True
    if kinds == {"array"}:
        return _holds_nothing(schema.get("items"), name, depth + 1)
    return bool(kinds) and kinds <= {"integer", "number"} and words_of(name)[-1:] in (["tokens"], ["pins"], ["cards"])


def _is_looked_into(schema: Node, depth: int = 0) -> bool:
    """Return whether all that fits is declared by name: an object with properties, a list of such, a choice among
    such."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return False
    if isinstance(schema.get("items"), dict):
        return _is_looked_into(schema["items"], depth + 1)
    options = [*entries_of(schema.get("anyOf")), *entries_of(schema.get("oneOf"))]
    options = [o for o in options if parts_of(o).get("enum") != [""] and types_of(parts_of(o)) != ["null"]]
    if options and not all(_is_looked_into(option, depth + 1) for option in options):
        return False
    kinds = set(types_of(schema)) - {"null", "object"}
    return not kinds and bool(options or "properties" in schema)


@lru_cache(maxsize=65536)
def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in the few forms that the rules know, compound ones split."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    raw = [part for word in words_of(plain) for part in _parted(word)]
    # "Number of cards" is no card's number.
    if len(raw) > 2 and raw[0] in ("number", "numero", "count") and raw[1] in ("of", "di"):
        return ("count",)
    return tuple(secrets.SAME.get(word, word) for word in raw if word not in secrets.SILENT)


def _parted(word: str) -> list[str]:
    if word in _VOCABULARY or len(word) < 5:
        return [word]
    for cut in range(2, len(word) - 1):
        if word[:cut] in _VOCABULARY and (rest := _parted(word[cut:])) and set(rest) <= _VOCABULARY:
            return [word[:cut], *rest]
    ending = _ENDING.match(word)
    return [ending[1], ending[2]] if ending else [word]


def _by_itself(words: tuple[str, ...], schema: Node, location: str) -> Sensitivity:
    grades = [_single(words), _together(words), _thing(words, schema, location)]
    return max(grades)


def _is_about(words: Sequence[str], end: int) -> bool:
    """Return whether the words after it, or in Italian before it, make the name one of data about it."""
    if "reset" in words:
        return False  # an address for a new password is as secret as one
    return (len(words) > end and words[-1] in secrets.ABOUT) or (end > 1 and words[0] in secrets.ABOUT_FIRST)


def _last_four(words: Sequence[str]) -> bool:
    return "last" in words and bool(_LAST_FOUR & set(words))


@lru_cache(maxsize=65536)
def _single(words: tuple[str, ...]) -> Sensitivity:
    found = Sensitivity.NONE
    for index, word in enumerate(words):
        if _is_about(words, index + 1):
            continue
        if word in secrets.CERTAIN:
            return Sensitivity.CERTAIN
        if word == "token" and secrets.HANDLES & set(words[:index]):
            continue
        if (word == "iban" and _last_four(words)) or (word == "pan" and len(words) > 1 and "card" not in words):
            continue
        if word in secrets.LIKELY or (word == "nonce" and {"payment", "method", "card"} & set(words[:index])):
            found = Sensitivity.LIKELY
    return found


@lru_cache(maxsize=65536)
def _together(words: tuple[str, ...]) -> Sensitivity:
    found = Sensitivity.NONE
    for size in (2, 3):
        for start in range(len(words) - size + 1):
            some = frozenset(words[start : start + size])
            if _is_about(words, start + size) or _last_four(words):
                continue
            if some in secrets.CERTAIN_TOGETHER:
                return Sensitivity.CERTAIN
            numbered = "account" in some and secrets.NUMBERED & set(words)
            if some in secrets.LIKELY_TOGETHER and not numbered:
                found = Sensitivity.LIKELY
    return found


def _thing(words: tuple[str, ...], schema: Node, location: str) -> Sensitivity:
    thing = next((t for t in secrets.THINGS if t <= set(words)), None)
    if thing is None or _is_goods(words):
        return Sensitivity.NONE
    others = [word for word in words if word not in thing and word not in secrets.PLAIN_QUALIFIERS]
    if thing == {"card"} and "expiry" in others:
        return Sensitivity.LIKELY
    if words[-1] in secrets.ABOUT or words[0] in secrets.ABOUT_FIRST or _last_four(words):
        return Sensitivity.NONE
    if thing == {"card"} and secrets.OF_A_CARD & set(others):
        return Sensitivity.CERTAIN
    itself = words[-1] in thing or set(others) <= secrets.WRAPPING
    return Sensitivity.LIKELY if itself and location != "path" and not _is_looked_into(schema) else Sensitivity.NONE


def _is_goods(words: Sequence[str]) -> bool:
    return "card" in words and bool(secrets.GOODS & set(words))


def _by_place(words: tuple[str, ...], within: tuple[str, ...], beside: Collection[str]) -> Sensitivity:
    """Return what the surrounding objects and neighbours make of a name: `number` is a card's inside `card`."""
    bare = bool(words) and set(words) <= {"number", "no", "code", "expiry", "month", "year", "date", "security"}
    if bare and "number" in words and any("cvv" in _words(name) for name in beside):
        return Sensitivity.CERTAIN
    if any(map(_is_closed, map(_words, within))):
        plain = bool(words) and (words[-1] in secrets.ABOUT or bool(secrets.WHO & set(words)))
        return Sensitivity.NONE if plain else Sensitivity.LIKELY
    around = next((found for name in reversed(within) if not set(found := _words(name)) <= secrets.WRAPPING), ())
    if not around or _is_goods(around):
        return Sensitivity.NONE
    if not bare:
        return Sensitivity.NONE
    money = any(thing <= set(around) for thing in secrets.OF_A_SOURCE)
    if "card" in around and around[-1] not in secrets.ABOUT:
        return Sensitivity.CERTAIN if "number" in words else Sensitivity.LIKELY
    return Sensitivity.LIKELY if money and "number" in words else Sensitivity.NONE


def _is_closed(words: tuple[str, ...]) -> bool:
    """Return whether everything in an object of this name is the secret, except what describes it."""
    return _single(words) > Sensitivity.NONE or ("credential" in words and _thing(words, None, "") > Sensitivity.NONE)
