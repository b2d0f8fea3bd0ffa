"""Whether what a path of an answer gives can be what a request takes there, by the API document: text where a list is
wanted never can, and would only show as a request that cannot be made."""

import re
from collections.abc import Collection

from jinja2 import nodes

from contracts.base import Schema
from registry.neutral import types_of
from registry.sources import Source
from registry.template_paths import Say, Spot, written
from registry.templates import parsed

_WORDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
_WORDS |= {"array": "a list", "object": "an object"}
_FROM_TEXT = frozenset({"integer", "number", "boolean"})
"""What a text can be made into, if it is the right one."""
_NUMBERS = frozenset({"integer", "number"})
_NO_NUMBER = frozenset({"date", "date-time", "time", "email", "uuid", "uri"})
_NUMBER = re.compile(r"-?[0-9.]+|true|false")


def check_fit(source: Source, spot: Spot, schema: Schema, say: Say) -> None:
    """Say when the template, which gives what stands at `spot`, cannot be what `schema` wants, or only by luck."""
    path, wanted, given = _path(source), _taken(schema), spot.declared.kinds()
    if not path or not wanted or not given or any(_fits(kind, wanted) for kind in given):
        return
    # What was seen to fit does, whatever the document says of it.
    if spot.seen is not None and any(_fits(kind, wanted) or _lucky(kind, wanted) for kind in spot.seen.kinds()):
        return
    lucky = any(_lucky(kind, wanted) for kind in given) and not _never_a_number(spot)
    message = f"{path} is {_or(given)} by the API document, and what it is put into takes {_or(wanted)}"
    say(message + (": only some texts are that" if lucky else ""), _way_out(path, wanted, lucky), not lucky)


def _path(source: Source) -> str:
    """The path that is all of a template; "" where it is anything more."""
    body = parsed(source.text.strip(), "").body
    if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
        return ""
    top = inner = body[0].nodes[0]
    while isinstance(inner, nodes.Getattr | nodes.Getitem):
        inner = inner.node
    return written(top) if isinstance(inner, nodes.Name) and inner is not top else ""


def _taken(schema: Schema) -> frozenset[str]:
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        found = [_taken(option) if isinstance(option, dict) else frozenset() for option in options]
        return frozenset().union(*found) if all(found) else frozenset()
    return frozenset(types_of(schema)) - {"null"}


def _fits(kind: str, wanted: Collection[str]) -> bool:
    """Whether a value of that type is taken, as `coerce` makes one of the other."""
    plain = "string" in wanted and kind not in ("array", "object")
    return kind in wanted or plain or (kind in _NUMBERS and not _NUMBERS.isdisjoint(wanted))


def _lucky(kind: str, wanted: Collection[str]) -> bool:
    return kind == "string" and not _FROM_TEXT.isdisjoint(wanted)


def _never_a_number(spot: Spot) -> bool:
    words = spot.declared.words()
    listed = bool(words) and not any(_NUMBER.fullmatch(word) for word in words)
    return listed or spot.declared.schema.get("format") in _NO_NUMBER


def _or(kinds: Collection[str]) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in sorted(kinds))


def _way_out(path: str, wanted: Collection[str], lucky: bool) -> str:
    if lucky:
        made = f"`{{{{ {path} == 'yes' }}}}`" if "boolean" in wanted else f"`{{{{ {path} | int }}}}`"
        return f"name another field, or make it one: {made}"
    return f'name another field, or write a list: `["{{{{ {path} }}}}"]`' if "array" in wanted else "name another field"
