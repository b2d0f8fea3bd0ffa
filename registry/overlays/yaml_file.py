"""A YAML file with the line of every key, read by the YAML 1.2 core rules.

By those rules `15:00`, `no` and `2026-11-28` are text. Only true/false, null and plain numbers are not.

Reads an overlay with wrong keys as it was most likely meant. It gives no action, but its other mistakes are reported
together with the first.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from contracts.base import Node, Parts
from contracts.limits import exceeds_depth
from registry.errors import YamlSyntaxError, closest_match
from registry.overlays.models import OverlayFile, keys_at

Key = tuple[str | int, ...]

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Node] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MOST_NODES = 500_000  # that aliases may add: they multiply, so a small file can expand without bound
_MOST_OWN = 2_000_000
_MOST_LINES = 1_500_000
_MOST_BYTES = 40 * 2**20
"""Bytes of any one file: the largest published API documents take a third of it."""

_LARGE = 2_000_000
"""Characters above which the parser in Python does not run, because it reads half a megabyte a second."""

OVERLAY_BYTES, OVERLAY_DEPTH = 2**20, 50
"""Limits of a hand-written file: the longest overlay has 18 kB, nested 11 deep."""


@dataclass(frozen=True)
class YamlFile:
    """A parsed file. `lines` maps a key path to its line, counted from 1. Do not change `data`: it is shared.

    `repeated` holds the lines and names of duplicate keys, where those are tolerated: the last one counts.
    """

    path: Path
    data: Node
    lines: Mapping[Key, int]
    repeated: tuple[tuple[int, str], ...] = ()

    def line(self, *key: str | int) -> int | None:
        """Return the line of `key`, or of its nearest ancestor that the file holds."""
        while key and key not in self.lines:
            key = key[:-1]
        return self.lines.get(key)


_Parsed = tuple[Node, dict[Key, int], tuple[tuple[int, str], ...]]


def read_yaml(path: Path, *, strict: bool = True) -> YamlFile:
    """Read a YAML or JSON file. Raises OSError when unreadable and YamlSyntaxError when it is not YAML, not a regular
    file or too large.

    A duplicate key is such an error, unless not `strict`.
    """
    try:
        text = read_regular_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise YamlSyntaxError(f"not UTF-8 text: {error.reason} at byte {error.start}") from error
    data, lines, repeated = _parsed(text, strict)
    return YamlFile(path, data, lines, repeated)


def read_limited_yaml(path: Path) -> YamlFile:
    """Read a hand-written file as `read_yaml` does, with a smaller limit on size and nesting."""
    read_regular_file(path, OVERLAY_BYTES)
    file = read_yaml(path)
    if exceeds_depth(file.data, OVERLAY_DEPTH):
        raise YamlSyntaxError(f"nested more than {OVERLAY_DEPTH} deep")
    return file


def read_regular_file(path: Path, limit: int = _MOST_BYTES) -> bytes:
    """Return the content of a regular file. Raises OSError, and YamlSyntaxError for a pipe or a device, which may never
    end, and for more than `limit` bytes."""
    # Opening a pipe without a writer would block forever.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise YamlSyntaxError("is no regular file")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise YamlSyntaxError(f"is larger than {limit} bytes")
    return content


@lru_cache(maxsize=128)
def _parsed(text: str, strict: bool) -> _Parsed:
    if text.lstrip()[:1] in ("{", "["):
        try:
            if text.count("{") + text.count("[") + text.count(",") > _MOST_OWN:
                raise YamlSyntaxError("too large")
            # `NaN` is not JSON, so a value that holds one could not be serialised again.
            return json.loads(text, parse_constant=lambda _: None), {}, ()
        except json.JSONDecodeError as error:
            if len(text) > _LARGE:
                raise YamlSyntaxError(f"no JSON: {error.msg}", line=error.lineno) from error
            if not text.lstrip().startswith("{%"):
                return _read(text, strict, error)
        except RecursionError as error:
            raise YamlSyntaxError("too deep") from error
        except YamlSyntaxError:
            raise
        except ValueError as error:
            raise YamlSyntaxError("a number has too many digits") from error
    elif text.count("\n") > _MOST_LINES:
        raise YamlSyntaxError("too large")
    return _read(text, strict, None)


def _read(text: str, strict: bool, json_error: json.JSONDecodeError | None) -> _Parsed:
    try:
        try:
            # The parser in C where ruamel.yaml.clib is installed, fifteen times as fast.
            return _built(YAML(typ="safe"), text, strict)
        except YAMLError:
            if len(text) > _LARGE:
                raise
            # It knows YAML 1.1 only and rejects some of 1.2, so the parser in Python decides.
            return _built(YAML(typ="safe", pure=True), text, strict)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlSyntaxError(str(error.problem or error.context), line=mark.line + 1 if mark else None) from error
    except YAMLError as error:
        reason = f"neither JSON ({json_error}) nor YAML ({error})" if json_error else str(error)
        raise YamlSyntaxError(reason.split("\n")[0]) from error
    except RecursionError as error:
        raise YamlSyntaxError("too deep") from error


def _built(parser: YAML, text: str, strict: bool) -> _Parsed:
    builder = _Builder(iter(parser.parse(text)), strict)
    return builder.document(), builder.lines, tuple(builder.repeated)


class _Builder:
    """Turns parser events into plain data, because ruamel's own constructor makes dates of `2026-11-28` and is
    slower."""

    def __init__(self, events: Iterator[Event], strict: bool) -> None:
        self.lines: dict[Key, int] = {}
        self.repeated: list[tuple[int, str]] = []
        self._strict = strict
        self._events = events
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._count = self._own = 0

    def document(self) -> Node:
        """Return the only document of the stream; None when there is none."""
        data, seen = None, False
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                if seen:
                    raise YamlSyntaxError("more than one document", line=event.start_mark.line + 1)
                data, seen = self._value(next(self._events), ()), True
        return data

    def _value(self, event: Event, key: Key) -> Node:
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent):
            return self._aliased(event, line)
        self._count += 1
        self._own += 1
        if self._own > _MOST_OWN:
            raise YamlSyntaxError("too large", line=line)
        self.lines.setdefault(key, line)
        before = self._count
        if isinstance(event, ScalarEvent):
            value = _scalar(event)
        elif isinstance(event, MappingStartEvent):
            value = self._mapping(key)
        else:
            value = self._sequence(key)
        if isinstance(event, NodeEvent) and event.anchor is not None:
            self._anchors[event.anchor] = (value, self._count - before + 1)
        return value

    def _aliased(self, event: AliasEvent, line: int) -> Node:
        if event.anchor not in self._anchors:
            raise YamlSyntaxError(f"there is no &{event.anchor} before this", line=line)
        value, size = self._anchors[event.anchor]
        self._count += size
        if self._count - self._own > _MOST_NODES:
            raise YamlSyntaxError("too large", line=line)
        return value

    def _sequence(self, key: Key) -> list[Node]:
        result: list[Node] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            result.append(self._value(event, (*key, len(result))))
        return result

    def _mapping(self, key: Key) -> dict[str, Node]:
        """Return a mapping; its keys become text as in JSON."""
        result: dict[str, Node] = {}
        lent: list[dict[str, Node]] = []
        while not isinstance(event := next(self._events), MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, ScalarEvent):
                raise YamlSyntaxError("a key must be plain text", line=line)
            name = str(event.value)
            if name in result:
                self.repeated.append((line, name))
            if name in result and self._strict:
                raise YamlSyntaxError(f"the key {name} is there twice", line=line)
            self.lines[(*key, name)] = line
            value = self._value(next(self._events), (*key, name))
            if name == "<<" and event.style not in ("'", '"') and (more := _lent(value)):
                # Dropped from YAML 1.2, but still used in hand-written documents.
                lent += more
            else:
                result[name] = value
        for others in lent:
            result = {**others, **result}
        return result


def _lent(value: Node) -> list[dict[str, Node]]:
    """Return the mappings that `<<` merges, the first one winning; [] when it is a key like any other."""
    rows = value if isinstance(value, list) else [value]
    lent = [row for row in rows if isinstance(row, dict)]
    return lent if len(lent) == len(rows) else []


def _scalar(event: ScalarEvent) -> Node:
    text = str(event.value)
    if event.style in ("'", '"', "|", ">") or str(event.tag or "").endswith(":str"):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        try:
            return int(text)
        except ValueError as error:
            raise YamlSyntaxError(f"a number of {len(text)} digits", line=event.start_mark.line + 1) from error
    return float(text) if _FLOAT.fullmatch(text) else text


Location = tuple[int | str, ...]

_FILLED: dict[str, Node] = {
    "covers": ["*.*"],
    **dict.fromkeys(("title", "description", "manual", "message", "label", "after"), "-"),
}
"""Replacements for missing keys that do not change the meaning of the other keys."""


def recover_overlay(data: Parts, error: ValidationError) -> tuple[OverlayFile | None, set[Location]]:
    """Return the overlay with misspelt keys corrected, missing texts filled in and unknown keys left out, None where
    more is wrong; and where keys are missing only because they are misspelt."""
    meant: Any = deepcopy(data)
    followed = set[Location]()
    # Misspelt keys come first, because the intended key then is no longer missing.
    for problem in sorted(error.errors(), key=lambda found: found["type"] != "extra_forbidden"):
        where, kind = problem["loc"], problem["type"]
        holder, name = _at(meant, where[:-1]), where[-1]
        if not isinstance(holder, dict):
            return None, followed
        if kind == "extra_forbidden":
            right = closest_match(str(name), keys_at(OverlayFile, where[:-1]))
            if right is None or right in holder:
                return None, followed
            holder[right] = holder.pop(name)
            followed.add((*where[:-1], right))
        elif kind == "missing" and where not in followed and str(name) in _FILLED:
            holder[name] = _FILLED[str(name)]
        elif kind in ("enum", "literal_error"):
            holder.pop(name, None)
        elif where not in followed:
            return None, followed
    try:
        return OverlayFile.model_validate(meant), followed
    except ValidationError:
        return None, followed


def _at(data: Any, where: Location) -> Any:
    for part in where:
        inside = isinstance(data, dict) and part in data
        listed = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if not inside and not listed:
            return None
        data = data[part]
    return data
