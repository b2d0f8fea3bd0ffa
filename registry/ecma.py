r"""Patterns of API documents are ECMAScript's; Python reads some of them otherwise: `$` matches before a last line
break there, `\d` takes every script's digits. What Python cannot read at all is left to the API to check."""

import re
import warnings
from functools import lru_cache

_LITERAL = re.compile(r"/.*/[dgimsuvy]*", re.DOTALL)
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_"}
_OUTSIDE = {"d": "[0-9]", "D": "[^0-9]", "w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]", "/": "/"}
_AROUND = re.compile(r"\(\?(=|!|<=|<!)|\\[1-9]|\\k<")


@lru_cache(maxsize=4096)
def python_pattern(pattern: str) -> re.Pattern[str] | None:
    """`pattern` as Python's, to be searched for; None when it cannot be said in Python, or is no pattern by itself."""
    if _LITERAL.fullmatch(pattern) and len(pattern) > 1:
        return None  # `/…/i`: a literal of JavaScript, whose slashes are no part of the pattern
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(_translated(pattern))
    except (re.error, OverflowError, RecursionError):
        return None


def looks_around(pattern: str) -> bool:
    """True for look-around and back references, which no model maker's constrained decoding takes."""
    return _AROUND.search(pattern) is not None


def _translated(pattern: str) -> str:
    out: list[str] = []
    inside = False
    at = 0
    while at < len(pattern):
        character = pattern[at]
        pair = pattern[at : at + 2]
        if character == "\\" and len(pair) == 2:
            out.append(_escaped(pair[1], inside))
            at += 2
            continue
        if inside:
            inside = character != "]"
            # Python warns of a set inside a set, which ECMAScript does not have.
            out.append("\\[" if character == "[" else character)
        elif pattern.startswith(("[^]", "[]"), at):
            out.append(r"[\s\S]" if pattern.startswith("[^]", at) else "(?!)")
            at += 2 if pattern.startswith("[^]", at) else 1
        elif pattern.startswith("(?<", at) and pattern[at + 3 : at + 4] not in ("=", "!"):
            out.append("(?P<")
            at += 2
        else:
            inside = character == "["
            out.append(r"\Z" if character == "$" else character)
        at += 1
    return "".join(out)


def _escaped(letter: str, inside: bool) -> str:
    if letter in ("p", "P", "c", "A", "Z", "z", "h", "R", "X"):
        raise re.error(f"\\{letter} is no escape of both")
    if inside:
        return _CLASSES.get(letter, "\\" + letter)
    return _OUTSIDE.get(letter, "\\" + letter)
