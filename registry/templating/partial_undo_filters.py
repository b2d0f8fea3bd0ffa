"""Filters that separate a plan's own part from other writers' changes: rows that it added, lines that it wrote, fields
that it set. They are for `partial_undo` in overlays, and for keeping what a call would lose."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from contracts.base import Value
from registry.templating.sandbox import consume
from registry.templating.values_at import plain, values_at

Row = Mapping[str, Value]


def not_in(rows: Iterable[Row], others: Iterable[Row], key: str) -> list[Row]:
    """Return the rows whose `key` no other row has: `left.items | not_in(before.items, 'id')` are those that were
    added."""
    known = {str(row.get(key)) for row in others}
    return [row for row in rows if str(row.get(key)) not in known]


def also_in(rows: Iterable[Row], others: Iterable[Row], key: str) -> list[Row]:
    """Return the rows whose `key` another row has, too."""
    known = {str(row.get(key)) for row in others}
    return [row for row in rows if str(row.get(key)) in known]


def holds(rows: Iterable[Row], wanted: Iterable[Row], *paths: str) -> bool:
    """Return whether every wanted row is among the rows as often as it is wanted: by the values at these paths, or,
    without any, by the whole row."""
    there, asked = (Counter(_text(row, paths) for row in some) for some in (rows, wanted))
    return all(there[row] >= times for row, times in asked.items())


def _text(row: Row, paths: tuple[str, ...]) -> str:
    whole = {**row}
    parts = [[plain(value) for value in values_at(whole, path)] for path in paths] if paths else whole
    return json.dumps(parts, sort_keys=True, default=str)


def times(text: Value, lines: Value) -> int:
    """Return how often a sequence of whole lines occurs in a text."""
    messages, wanted = _lines(text, lines)
    return sum(messages[i : i + len(wanted)] == wanted for i in range(len(messages) - len(wanted) + 1)) if wanted else 0


def _lines(text: Value, lines: Value) -> tuple[list[str], list[str]]:
    """Return both as lines; only a line feed ends one, so that joining restores the text."""
    messages, part = str(text or "").split("\n"), str(lines or "").strip("\n")
    wanted = part.split("\n") if part else []
    consume(len(messages) * len(wanted) // 4)
    return messages, wanted


def without_lines(text: Value, lines: Value) -> str:
    """Return the text without the last occurrence of these whole lines."""
    messages, wanted = _lines(text, lines)
    for index in range(len(messages) - len(wanted), -1, -1):
        if wanted and messages[index : index + len(wanted)] == wanted:
            return "\n".join(messages[:index] + messages[index + len(wanted) :])
    return "\n".join(messages)


def put_back(document: Row, before: Row, given: Row) -> dict[str, Value]:
    """Return `document` with the fields that are given a value restored from `before`; empty ones change nothing.

    Raises `ValueError` if a field of `before` is missing, because an API that replaces the whole would delete it.
    """
    if missing := [name for name in before if name not in document]:
        raise ValueError(f"the document lacks {', '.join(missing)}, which was there before")
    return {**document, **{name: before.get(name) for name, value in given.items() if value is not None}}


def same_at(document: Row, other: Row, given: Row) -> bool:
    """Return whether both documents agree in the fields that are given a value; empty text and none are equal."""
    return all((document.get(n) or "") == (other.get(n) or "") for n, value in given.items() if value is not None)


def resized(rows: Iterable[Value], length: int) -> list[Value]:
    """Return `length` rows: the first ones, and empty ones after the last."""
    consume(int(length))
    kept = list(rows)[: int(length)]
    return kept + [{} for _ in range(int(length) - len(kept))]


def differing(rows: Iterable[Row], one: str, other: str) -> list[Row]:
    """Return the rows that have both fields with different values."""
    return [row for row in rows if row.get(one) and row.get(other) and row[one] != row[other]]


OWN_PART = (resized, differing, not_in, also_in, holds, times, without_lines, put_back, same_at)
