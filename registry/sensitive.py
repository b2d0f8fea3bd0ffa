"""Which names no model may see: a name is read for what it is of, `card_number`, and what it is about, `card_type`.

Ids, names, types, states and counts of secrets are none; gift cards, vouchers and membership cards are goods. A name
alone cannot say it all: an object called `card` is looked into, where `number` is the card's; a yes or no and a listed
choice hold no secret, whatever they are called. PCI DSS 4.0 (3.3) is why card number, security code and PIN may be
given by no choice of an author either, and the rest may (`sensitive: false`).
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache

from contracts.base import Json, Node, Schema
from language import secret_words as said
from registry.neutral import types_of
from registry.nodes import entries_of, parts_of
from registry.words import words_of

HIDDEN = "[not shown]"
"""What stands in the place of a secret, towards models and in traces."""

# Names written in one word: `devicetoken`. No word of English ends so and means something else.
_ENDING = re.compile(r"(.+?)(password|passwd|passphrase|passcode|secret|token|apikey)s?$")
_VOCABULARY = frozenset({*said.SAME, *said.CERTAIN, *said.LIKELY, *said.GLUED})
_LAST_FOUR = frozenset({"4", "four", "digits", "cifre", "quattro"})
_DEEPEST = 40


class Grade(IntEnum):
    """How surely a name is a secret's: `CERTAIN` can mean nothing else, of `LIKELY` an author may know better."""

    NONE = 0
    LIKELY = 1
    CERTAIN = 2


def is_sensitive(
    name: str,
    schema: Node = None,
    *,
    within: Sequence[str] = (),
    beside: Collection[str] = (),
    place: str = "",
) -> bool:
    """True for the name of a secret or a payment detail, and for anything of format `password`."""
    return grade(name, schema, within=within, beside=beside, place=place) > Grade.NONE


def grade(
    name: str,
    schema: Node = None,
    *,
    within: Sequence[str] = (),
    beside: Collection[str] = (),
    place: str = "",
) -> Grade:
    """How surely `name` is a secret's.

    `within` names the objects around it, outermost first, `beside` its neighbours, `place` the part of a request it
    stands in. `schema` must have its references resolved.
    """
    if _holds_nothing(schema, name):
        return Grade.NONE
    if parts_of(schema).get("format") == "password":
        return Grade.CERTAIN
    if "".join(words_of(name)) in said.HEADERS:
        # `/authorizations/{authorization}`: in a path it is which one.
        return Grade.NONE if place == "path" and name.lower() == "authorization" else Grade.CERTAIN
    words = _words(name)
    return max(_by_itself(words, schema, place), _by_place(words, tuple(within), beside))


def path_grade(path: Sequence[str], schema: Node = None, place: str = "") -> Grade:
    """How surely what stands at a path, `["card", "number"]`, is a secret."""
    return grade(path[-1], schema, within=path[:-1], place=place) if path else Grade.NONE


def says_secret(text: str) -> bool:
    """True when a sentence names something sensitive: no model is told of it. A gift card may be spoken of."""
    found = re.findall(r"[A-Za-z0-9_-]+", text)
    pairs = zip(["", *found], found, strict=False)
    if any(is_sensitive(word) and is_sensitive(f"{before}_{word}") for before, word in pairs):
        return True
    # A card's authorization is no header.
    return "header" in found and any(word.lower() in said.HEADERS for word in found)


def without_secrets(data: Json, within: Sequence[str] = ()) -> Json:
    """A document as it may be shown, to a model or in a trace: what stands under sensitive names is hidden."""
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
    data: Json, schema: Node = None, within: Sequence[str] = (), least: Grade = Grade.LIKELY
) -> Iterator[str]:
    """The dotted places in a value that are at least so sensitive by name and that its schema does not declare."""
    if isinstance(data, list):
        for value in data:
            yield from secrets_in(value, parts_of(schema).get("items"), within, least)
    if not isinstance(data, dict):
        return
    declared = parts_of(parts_of(schema).get("properties"))
    for key, value in data.items():
        if key not in declared and grade(key, _schema_of(value), within=within, beside=data.keys()) >= least:
            yield ".".join([*within, key])
        else:
            yield from secrets_in(value, declared.get(key), (*within, key), least)


def without_sensitive(
    schema: Schema, within: Sequence[str] = (), least: Grade = Grade.LIKELY
) -> tuple[Schema, list[str]]:
    """A schema without sensitive properties, readOnly ones and defaults, at any depth; and the required ones lost.

    `least` is how surely a property must be a secret's to be left out.
    """
    result: Schema = {}
    lost: list[str] = []
    declared = parts_of(schema.get("properties"))
    for key, value in schema.items():
        if key in ("default", "readOnly", "writeOnly", "nullable"):
            continue
        if key == "properties" and isinstance(value, dict):
            hidden = {n for n, s in value.items() if grade(n, s, within=within, beside=value) >= least}
            lost += [n for n in schema.get("required") or () if n in hidden]
            read_only = {n for n, s in value.items() if parts_of(s).get("readOnly")}
            shown = {n: _held(s, (*within, n), least) for n, s in value.items() if n not in hidden | read_only}
            result[key] = {n: part for n, (part, _) in shown.items()}
            lost += [name for _, inner in shown.values() for name in inner]
        elif key == "required" and isinstance(value, list):
            # A part of a choice may name what another part declares.
            result[key] = [n for n in value if n in declared or grade(n, within=within) < least]
            lost += [n for n in value if n not in result[key]]
        elif key in ("enum", "const", "required"):
            result[key] = value
        else:
            result[key], inner_lost = _held(value, within, least)
            lost += inner_lost
    if isinstance(result.get("properties"), dict) and isinstance(result.get("required"), list):
        result["required"] = [n for n in result["required"] if n in result["properties"]]
    return result, lost


def _held(value: object, within: Sequence[str], least: Grade) -> tuple[Json, list[str]]:
    """What a keyword holds, its schemas without what is sensitive."""
    if isinstance(value, list):
        parts = [_held(v, within, least) for v in value]
        return [part for part, _ in parts], [name for _, lost in parts for name in lost]
    return without_sensitive(value, within, least) if isinstance(value, dict) else (value, [])


def _schema_of(value: Json) -> Schema:
    """As much of a schema as a value tells."""
    if isinstance(value, dict):
        return {"type": "object", "properties": value}
    if isinstance(value, list):
        return {"type": "array", "items": _schema_of(value[0])} if value else {}
    kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int | float) else "string"
    return {"type": kind}


def _holds_nothing(schema: Node, name: str, depth: int = 0) -> bool:
    """Whether no secret fits: a yes or no, one of listed values, a number of tokens or pins."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return False
    kinds = set(types_of(schema)) - {"null"}
    if kinds == {"boolean"} or schema.get("enum") or "const" in schema:
        return True
    if kinds == {"array"}:
        return _holds_nothing(schema.get("items"), name, depth + 1)
    return bool(kinds) and kinds <= {"integer", "number"} and words_of(name)[-1:] in (["tokens"], ["pins"], ["cards"])


def _is_looked_into(schema: Node, depth: int = 0) -> bool:
    """Whether all that fits is declared by name: an object with properties, a list of such, a choice among such."""
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
    """The words of a name in the few forms that the rules know, glued ones taken apart."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    raw = [part for word in words_of(plain) for part in _parted(word)]
    # "Number of cards" is no card's number.
    if len(raw) > 2 and raw[0] in ("number", "numero", "count") and raw[1] in ("of", "di"):
        return ("count",)
    return tuple(said.SAME.get(word, word) for word in raw if word not in said.SILENT)


def _parted(word: str) -> list[str]:
    if word in _VOCABULARY or len(word) < 5:
        return [word]
    for cut in range(2, len(word) - 1):
        if word[:cut] in _VOCABULARY and (rest := _parted(word[cut:])) and set(rest) <= _VOCABULARY:
            return [word[:cut], *rest]
    ending = _ENDING.match(word)
    return [ending[1], ending[2]] if ending else [word]


def _by_itself(words: tuple[str, ...], schema: Node, place: str) -> Grade:
    grades = [_single(words), _together(words), _thing(words, schema, place)]
    return max(grades)


def _is_about(words: Sequence[str], end: int) -> bool:
    """Whether what follows, or in Italian comes first, makes the name one of something about it."""
    if "reset" in words:
        return False  # an address for a new password is as good as one
    return (len(words) > end and words[-1] in said.ABOUT) or (end > 1 and words[0] in said.ABOUT_FIRST)


def _last_four(words: Sequence[str]) -> bool:
    return "last" in words and bool(_LAST_FOUR & set(words))


@lru_cache(maxsize=65536)
def _single(words: tuple[str, ...]) -> Grade:
    found = Grade.NONE
    for index, word in enumerate(words):
        if _is_about(words, index + 1):
            continue
        if word in said.CERTAIN:
            return Grade.CERTAIN
        if word == "token" and said.HANDLES & set(words[:index]):
            continue
        if (word == "iban" and _last_four(words)) or (word == "pan" and len(words) > 1 and "card" not in words):
            continue
        if word in said.LIKELY or (word == "nonce" and {"payment", "method", "card"} & set(words[:index])):
            found = Grade.LIKELY
    return found


@lru_cache(maxsize=65536)
def _together(words: tuple[str, ...]) -> Grade:
    found = Grade.NONE
    for size in (2, 3):
        for start in range(len(words) - size + 1):
            some = frozenset(words[start : start + size])
            if _is_about(words, start + size) or _last_four(words):
                continue
            if some in said.CERTAIN_TOGETHER:
                return Grade.CERTAIN
            numbered = "account" in some and said.NUMBERED & set(words)
            if some in said.LIKELY_TOGETHER and not numbered:
                found = Grade.LIKELY
    return found


def _thing(words: tuple[str, ...], schema: Node, place: str) -> Grade:
    thing = next((t for t in said.THINGS if t <= set(words)), None)
    if thing is None or _is_goods(words):
        return Grade.NONE
    others = [word for word in words if word not in thing and word not in said.PLAIN_QUALIFIERS]
    if thing == {"card"} and "expiry" in others:
        return Grade.LIKELY
    if words[-1] in said.ABOUT or words[0] in said.ABOUT_FIRST or _last_four(words):
        return Grade.NONE
    if thing == {"card"} and said.OF_A_CARD & set(others):
        return Grade.CERTAIN
    itself = words[-1] in thing or set(others) <= said.WRAPPING
    return Grade.LIKELY if itself and place != "path" and not _is_looked_into(schema) else Grade.NONE


def _is_goods(words: Sequence[str]) -> bool:
    return "card" in words and bool(said.GOODS & set(words))


def _by_place(words: tuple[str, ...], within: tuple[str, ...], beside: Collection[str]) -> Grade:
    """What the objects around a name and its neighbours make of it: `number` is a card's inside `card`."""
    bare = bool(words) and set(words) <= {"number", "no", "code", "expiry", "month", "year", "date", "security"}
    if bare and "number" in words and any("cvv" in _words(name) for name in beside):
        return Grade.CERTAIN
    if any(map(_is_closed, map(_words, within))):
        plain = bool(words) and (words[-1] in said.ABOUT or bool(said.WHO & set(words)))
        return Grade.NONE if plain else Grade.LIKELY
    around = next((found for name in reversed(within) if not set(found := _words(name)) <= said.WRAPPING), ())
    if not around or _is_goods(around):
        return Grade.NONE
    if not bare:
        return Grade.NONE
    money = any(thing <= set(around) for thing in said.OF_A_SOURCE)
    if "card" in around and around[-1] not in said.ABOUT:
        return Grade.CERTAIN if "number" in words else Grade.LIKELY
    return Grade.LIKELY if money and "number" in words else Grade.NONE


def _is_closed(words: tuple[str, ...]) -> bool:
    """Whether everything in an object of this name is the secret, but what tells something about it."""
    return _single(words) > Grade.NONE or ("credential" in words and _thing(words, None, "") > Grade.NONE)
