r"""Translates patterns of API documents, which are ECMAScript's: `$` is the very end, `\d` ASCII's digits. They are
untrusted, so RE2 matches them in linear time: `^([A-Za-z]+)*$` keeps Python's `re` busy for years over 34 letters. What
RE2 cannot take (look-around, back references, more than a thousand repetitions) is left to the API to check."""

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from contracts.base import Schema, Value

_LITERAL = re.compile(r"/.*/[dgimsuvy]*", re.DOTALL)
_AROUND = re.compile(r"\(\?(=|!|<=|<!)|\\[1-9]|\\k<")
_CODE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_SPACES = "\\s\\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_INSIDE = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACES, "b": r"\x08", "_": "_"}
_OUTSIDE = {
    "d": "[0-9]", "D": "[^0-9]", "w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]", "s": f"[{_SPACES}]", "S": f"[^{_SPACES}]",
    "/": "/", "_": "_",
}  # fmt: skip
_SAME = frozenset("bBSfnrtvDW0")
_LONGEST = 4000  # characters of a pattern: the longest seen in published documents has about 400
_MOST_MEMORY = 2**20


@lru_cache(maxsize=4096)
def is_pattern(pattern: str) -> bool:
    """Return whether `pattern` is meaningful to a model, even where only the API checks it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(_translated(pattern, r"\Z"))
    except (re.error, OverflowError, RecursionError):
        return False
    return True


@lru_cache(maxsize=4096)
def python_pattern(pattern: str) -> Any:
    """Return `pattern` compiled, with a `search` whose time is linear in the text; None when it cannot be, or is no
    valid pattern."""
    options = re2.Options()
    options.log_errors, options.max_mem = False, _MOST_MEMORY
    try:
        return re2.compile(_translated(pattern, r"\z"), options)
    except (re.error, re2.error, UnicodeEncodeError):
        return None


def misses(pattern: object, value: object) -> bool:
    """Return whether `value` is a text in which `pattern` does not match; False where it cannot be checked here."""
    rule = python_pattern(pattern) if isinstance(pattern, str) and isinstance(value, str) else None
    return rule is not None and rule.search(str(value).encode("utf-8", "replace")) is None


def looks_around(pattern: str) -> bool:
    """Return whether a pattern has look-around or back references, which no model vendor's constrained decoding
    accepts."""
    return _AROUND.search(pattern) is not None


def _translated(pattern: str, end: str) -> str:
    """Return `pattern` as Python and RE2 both read it; `end` is the engine's end-of-text anchor. Raises re.error."""
    if len(pattern) > _LONGEST:
        raise re.error("too long")
    if _LITERAL.fullmatch(pattern) and len(pattern) > 1:
        raise re.error("a literal of JavaScript, `/…/i`, whose slashes are no part of the pattern")
    out: list[str] = []
    inside = False
    at = 0
    while at < len(pattern):
        character = pattern[at]
        pair = pattern[at : at + 2]
        if code := _CODE.match(pattern, at):
            out.append(re.escape(chr(int(code[1] or code[2], 16))))
            at = code.end()
            continue
        if character == "\\" and len(pair) == 2:
            out.append(_escaped(pair[1], inside))
            at += 2
            continue
        if inside:
            inside = character != "]"
            # Python warns of a set inside a set, which ECMAScript does not have.
            out.append("\\[" if character == "[" else character)
        elif pattern.startswith(("[^]", "[]"), at):
            out.append(r"[\s\S]" if pattern.startswith("[^]", at) else r"[^\s\S]")
            at += 2 if pattern.startswith("[^]", at) else 1
        elif pattern.startswith("(?<", at) and pattern[at + 3 : at + 4] not in ("=", "!"):
            out.append("(?P<")
            at += 2
        else:
            inside = character == "["
            out.append(end if character == "$" else character)
        at += 1
    return "".join(out)


def _escaped(letter: str, inside: bool) -> str:
    known = _INSIDE if inside else _OUTSIDE
    if letter in known:
        return known[letter]
    if letter.isalnum() and letter not in _SAME and not letter.isdecimal():
        raise re.error(f"\\{letter} is no escape of both")
    return "\\" + letter if letter.isascii() else letter


def _pattern(_validator: object, pattern: str, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    if misses(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern}")


def _pattern_properties(validator: Any, rows: Schema, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        for pattern, rule in rows.items():
            if not misses(pattern, name):
                yield from validator.descend(inner, rule, path=name, schema_path=pattern)


def _additional(validator: Any, rule: Value, value: Value, schema: Schema) -> Iterator[ValidationError]:
    known, forms = schema.get("properties") or {}, schema.get("patternProperties") or {}
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name not in known and all(misses(pattern, name) for pattern in forms):
            if rule is False:
                yield ValidationError(f"{name!r} is none of its properties")
            else:
                yield from validator.descend(inner, rule, path=name)


_OWN = {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _additional}

# Removes a keyword that interprets patterns itself; no schema from `schemas.py` has it.
_UNUSED = {"unevaluatedProperties": lambda *_: ()}

Validator: Any = validators.extend(Draft202012Validator, {**_OWN, **_UNUSED})  # type: ignore[no-untyped-call]
"""A class: `Validator(schema).iter_errors(value)`. It does not check formats."""
