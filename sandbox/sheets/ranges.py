"""A1 notation: the sheet and the cells of a range. Rows and columns count from 0."""

import re
from dataclasses import dataclass

from sandbox.kit.application import SandboxError

_CELL = r"(?P<{0}_column>[A-Z]{{1,3}})?(?P<{0}_row>[1-9]\d*)?"
_CELLS = re.compile(f"{_CELL.format('first')}(?P<more>:{_CELL.format('last')})?")


@dataclass(frozen=True, slots=True)
class Range:
    """Cells of one sheet. `end_row` and `end_column` are exclusive; None means to the end."""

    title: str
    row: int
    column: int
    end_row: int | None
    end_column: int | None


def read(text: str) -> Range:
    """Return a range from text such as `Bookings`, `Bookings!A2:H` or `'My sheet'!A1`. Raises `SandboxError`."""
    title, bang, cells = text.rpartition("!")
    if not bang:
        title, cells = text, ""
    if len(title) > 1 and title[0] == title[-1] == "'":
        title = title[1:-1].replace("''", "'")
    found = _CELLS.fullmatch(cells)
    if not title or found is None:
        raise SandboxError(400, f"Unable to parse range: {text}")
    first_row, first_column = _number(found["first_row"]), _letters(found["first_column"])
    if not found["more"]:
        end_row = None if first_row is None else first_row + 1
        end_column = None if first_column is None else first_column + 1
        return Range(title, first_row or 0, first_column or 0, end_row, end_column)
    last_row, last_column = _number(found["last_row"]), _letters(found["last_column"])
    end_row = None if last_row is None else last_row + 1
    end_column = None if last_column is None else last_column + 1
    return Range(title, first_row or 0, first_column or 0, end_row, end_column)


def written(title: str, row: int, column: int, rows: int, columns: int) -> str:
    """Return a block of cells in Google's form."""
    first, last = f"{_name(column)}{row + 1}", f"{_name(column + columns - 1)}{row + rows}"
    return f"{title}!{first}" if first == last else f"{title}!{first}:{last}"


def _number(text: str | None) -> int | None:
    return None if text is None else int(text) - 1


def _letters(text: str | None) -> int | None:
    if text is None:
        return None
    number = 0
    for letter in text:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _name(column: int) -> str:
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
