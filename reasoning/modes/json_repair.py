"""Parses JSON as models write it: in a fence, with `//` comments, an extra comma, trailing words."""

import json
import re
from collections.abc import Iterator

from contracts.base import Json

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")


def loose_object(text: str) -> dict[str, Json] | None:
    """Return the first JSON object in a text; None if there is none that can be parsed, or if it has a key twice with
    different values."""
    return next(loose_objects(text), None)


def loose_objects(text: str) -> Iterator[dict[str, Json]]:
    """Return the consecutive JSON objects in a text, up to the first that cannot be parsed."""
    plain = _COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))
    index = plain.find("{")
    while index >= 0:
        try:
            value, end = _DECODER.raw_decode(plain, index)
        except (ValueError, RecursionError):
            return
        if not isinstance(value, dict):
            return
        yield value
        index = plain.find("{", end)


def _of_one_mind(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise ValueError("it says two things of one key")
        found[name] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_of_one_mind)
