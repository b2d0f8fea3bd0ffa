"""Spreadsheets: their sheets, and the cells of each as rows of values. A refusal is an `SandboxError`."""

import re
from typing import Any

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json
from sandbox.sheets import ranges

Cell = str | int | float | bool
_ROWS = 1000
"""Rows of a new sheet, as in Google; it grows by appending."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class Spreadsheets:
    """All spreadsheets, each one document."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def make(self, spreadsheet_id: str, titles: tuple[str, ...]) -> None:
        """Create a spreadsheet with empty sheets."""
        sheets = [{"sheetId": number, "title": title, "rows": []} for number, title in enumerate(titles)]
        self.save({"id": spreadsheet_id, "sheets": sheets})

    def find(self, spreadsheet_id: str) -> Json:
        """Return one spreadsheet. Raises `SandboxError`."""
        found = self._store.get("spreadsheet", spreadsheet_id)
        if found is None:
            raise SandboxError(404, "Requested entity was not found.")
        return found

    def save(self, spreadsheet: Json) -> None:
        """Store a spreadsheet."""
        self._store.put("spreadsheet", spreadsheet["id"], spreadsheet)


def sheet_of(spreadsheet: Json, title: str) -> Json:
    """Return a sheet by its title. Raises `SandboxError`: an unknown title is a wrong range, as in Google."""
    sheets: list[Json] = spreadsheet["sheets"]
    for sheet in sheets:
        if sheet["title"] == title:
            return sheet
    raise SandboxError(400, f"Unable to parse range: {title}")


def read(spreadsheet: Json, asked: ranges.Range) -> list[list[Cell]]:
    """Return the values of a range; empty cells at the end of a row, and empty rows at the end, are left out."""
    rows: list[list[Cell]] = sheet_of(spreadsheet, asked.title)["rows"]
    cut = [_trimmed(row[asked.column : asked.end_column]) for row in rows[asked.row : asked.end_row]]
    while cut and not cut[-1]:
        cut.pop()
    return cut


def append(spreadsheet: Json, asked: ranges.Range, values: list[list[Any]], option: str) -> int:
    """Append rows after the last non-empty one and return the first of them. Unlike in Google, empty rows in between do
    not end the table, so that nothing is overwritten."""
    rows: list[list[Cell]] = sheet_of(spreadsheet, asked.title)["rows"]
    while rows and not _trimmed(rows[-1]):
        rows.pop()
    first = len(rows)
    for row in values:
        indent: list[Cell] = [""] * asked.column
        rows.append(indent + [_entered(value, option) for value in row])
    return first


def write(spreadsheet: Json, asked: ranges.Range, values: list[list[Any]], option: str) -> int:
    """Write a block at the start of a range and return the number of cells. A null keeps its cell. Raises
    `SandboxError`."""
    rows: list[list[Cell]] = sheet_of(spreadsheet, asked.title)["rows"]
    if asked.end_row is not None and len(values) > asked.end_row - asked.row:
        raise SandboxError(400, "Requested writing within range, but tried writing to more rows")
    cells = 0
    for at, row in enumerate(values, asked.row):
        rows.extend([] for _ in range(at + 1 - len(rows)))
        for column, value in enumerate(row, asked.column):
            rows[at].extend("" for _ in range(column + 1 - len(rows[at])))
            if value is not None:
                rows[at][column] = _entered(value, option)
                cells += 1
    return cells


def delete_rows(spreadsheet: Json, sheet_id: int, start: int, end: int) -> None:
    """Delete rows by their numbers, with any content; those below move up. Raises `SandboxError`."""
    for sheet in spreadsheet["sheets"]:
        if sheet["sheetId"] == sheet_id:
            if not 0 <= start < end <= max(_ROWS, len(sheet["rows"])):
                raise SandboxError(400, f"Invalid requests: no rows {start} to {end}")
            del sheet["rows"][start:end]
            return
    raise SandboxError(400, f"Invalid requests: No grid with id: {sheet_id}")


def add_sheet(spreadsheet: Json, title: str) -> Json:
    """Add an empty sheet at the end and return its properties. Raises `SandboxError`."""
    if any(sheet["title"] == title for sheet in spreadsheet["sheets"]):
        raise SandboxError(400, f'A sheet with the name "{title}" already exists')
    number = max((sheet["sheetId"] for sheet in spreadsheet["sheets"]), default=-1) + 1
    spreadsheet["sheets"].append({"sheetId": number, "title": title, "rows": []})
    return properties(spreadsheet["sheets"][-1], len(spreadsheet["sheets"]) - 1)


def properties(sheet: Json, index: int) -> Json:
    """Return the properties of a sheet in Google's form."""
    size = {"rowCount": max(_ROWS, len(sheet["rows"])), "columnCount": 26}
    return {"sheetId": sheet["sheetId"], "title": sheet["title"], "index": index, "sheetType": "GRID",
            "gridProperties": size}  # fmt: skip


def _trimmed(row: list[Cell]) -> list[Cell]:
    end = len(row)
    while end and row[end - 1] == "":
        end -= 1
    return row[:end]


def _entered(value: Any, option: str) -> Cell:
    """Return the cell for a value. As user input (`USER_ENTERED`), a phone becomes a number without its plus, and a
    text that begins with `=` a formula, which this sandbox does not evaluate."""
    if value is None:
        return ""
    if not isinstance(value, str | int | float | bool):
        raise SandboxError(400, "Invalid values: a cell holds a text, a number or a boolean")
    if option == "RAW" or not isinstance(value, str):
        return value
    if value.startswith("="):
        return "#ERROR!"
    if value.startswith("'"):
        return value[1:]
    return (float(value) if "." in value else int(value)) if _NUMBER.fullmatch(value) else value
