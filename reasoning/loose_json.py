"""JSON as models write it: in a fence, with `//` comments, a comma too many, words behind it."""

import json
import re

from contracts.base import Json

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")


def loose_object(text: str) -> dict[str, Json] | None:
    """The first JSON object in a text; None where there is none that can be read."""
    start = text.find("{")
    if start < 0:
        return None
    plain = _COMMA.sub(r"\1", _COMMENT.sub(r"\1", text[start:]))
    try:
        value = json.JSONDecoder().raw_decode(plain)[0]
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
