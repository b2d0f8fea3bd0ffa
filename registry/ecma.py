r"""Patterns of API documents are ECMAScript's: `$` is the very end, `\d` ASCII's digits. They are strangers' text, so
they are matched by RE2, whose time is linear: `^([A-Za-z]+)*$` keeps Python's `re` busy for years over 34 letters. What
RE2 cannot take (look-around, back references, more than a thousand repetitions) is left to the API to check."""

import re
import warnings
from functools import lru_cache
from typing import Any

import re2

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
    """Whether `pattern` says something by itself that a model can be told, even where only the API checks it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(_translated(pattern, r"\Z"))
    except (re.error, OverflowError, RecursionError):
        return False
    return True


@lru_cache(maxsize=4096)
def python_pattern(pattern: str) -> Any:
    """`pattern` as it is matched here, with a `search` whose time is linear in the text; None when it cannot be, or is
    no pattern by itself."""
    options = re2.Options()
    options.log_errors, options.max_mem = False, _MOST_MEMORY
    try:
        return re2.compile(_translated(pattern, r"\z"), options)
    except (re.error, re2.error, UnicodeEncodeError):
        return None


def misses(pattern: object, value: object) -> bool:
    """Whether `value` is a text in which `pattern` is nowhere to be found; False where nobody here can tell."""
    rule = python_pattern(pattern) if isinstance(pattern, str) and isinstance(value, str) else None
    return rule is not None and rule.search(str(value).encode("utf-8", "replace")) is None


def looks_around(pattern: str) -> bool:
    """True for look-around and back references, which no model maker's constrained decoding takes."""
    return _AROUND.search(pattern) is not None


def _translated(pattern: str, end: str) -> str:
    """`pattern` as Python and RE2 both read it; `end` is how the engine writes the end of the text. Raises re.error."""
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
