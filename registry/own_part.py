"""Filters that tell a plan's own part from what others did: rows that it added, lines that it wrote, fields that it
set. They are for `own_part` in overlays, and for taking over what a call would lose."""

from collections import Counter
from collections.abc import Iterable, Mapping

from contracts.base import Value
from registry.work import charge

Row = Mapping[str, Value]


def not_in(rows: Iterable[Row], others: Iterable[Row], key: str) -> list[Row]:
    """The rows whose `key` no other row has: `left.items | not_in(before.items, 'id')` are those that were added."""
    known = {str(row.get(key)) for row in others}
    return [row for row in rows if str(row.get(key)) not in known]


def also_in(rows: Iterable[Row], others: Iterable[Row], key: str) -> list[Row]:
    """The rows whose `key` another row has, too."""
    known = {str(row.get(key)) for row in others}
    return [row for row in rows if str(row.get(key)) in known]


def holds(rows: Iterable[Row], wanted: Iterable[Row], *fields: str) -> bool:
    """Whether every wanted row is among the rows, by these fields, as often as it is wanted."""
    there, asked = (Counter(tuple(str(row.get(f)) for f in fields) for row in some) for some in (rows, wanted))
    return all(there[row] >= times for row, times in asked.items())


def times(text: Value, lines: Value) -> int:
    """How often some whole lines stand in a text, one after the other."""
    said, wanted = _lines(text, lines)
    return sum(said[i : i + len(wanted)] == wanted for i in range(len(said) - len(wanted) + 1)) if wanted else 0


def _lines(text: Value, lines: Value) -> tuple[list[str], list[str]]:
    """Both in lines; only a line feed ends one, so that what is joined again is as it was."""
    said, part = str(text or "").split("\n"), str(lines or "").strip("\n")
    wanted = part.split("\n") if part else []
    charge(len(said) * len(wanted) // 4)
    return said, wanted


def without_lines(text: Value, lines: Value) -> str:
    """The text without the last place where these whole lines stand."""
    said, wanted = _lines(text, lines)
    for place in range(len(said) - len(wanted), -1, -1):
        if wanted and said[place : place + len(wanted)] == wanted:
            return "\n".join(said[:place] + said[place + len(wanted) :])
    return "\n".join(said)


def put_back(document: Row, before: Row, given: Row) -> dict[str, Value]:
    """`document` with those fields as they were `before` that are given a value; empty ones change nothing."""
    return {**document, **{name: before.get(name) for name, value in given.items() if value is not None}}


def same_at(document: Row, other: Row, given: Row) -> bool:
    """Whether both documents agree in those fields that are given a value; empty text and none are alike."""
    return all((document.get(n) or "") == (other.get(n) or "") for n, value in given.items() if value is not None)


def resized(rows: Iterable[Value], length: int) -> list[Value]:
    """So many rows: the first ones, and empty ones after the last."""
    charge(int(length))
    kept = list(rows)[: int(length)]
    return kept + [{} for _ in range(int(length) - len(kept))]


def differing(rows: Iterable[Row], one: str, other: str) -> list[Row]:
    """The rows that have both fields, and not the same in them."""
    return [row for row in rows if row.get(one) and row.get(other) and row[one] != row[other]]


OWN_PART = (resized, differing, not_in, also_in, holds, times, without_lines, put_back, same_at)
