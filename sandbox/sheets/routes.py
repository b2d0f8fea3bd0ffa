"""The simulated operations of Google Sheets, one handler each."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json
from sandbox.sheets import grid, ranges
from sandbox.sheets.grid import Spreadsheets

Option = Literal["RAW", "USER_ENTERED"]
T = TypeVar("T")


class Values(BaseModel):
    """A block of cells."""

    model_config = ConfigDict(extra="ignore")

    range: str = ""
    majorDimension: Literal["ROWS"] = "ROWS"
    values: list[list[Any]] = Field(default_factory=list)


class WrittenRange(BaseModel):
    """Blocks to write."""

    model_config = ConfigDict(extra="ignore")

    valueInputOption: Option
    data: list[Values]


class ValueInputOption(BaseModel):
    """Values unchanged, or parsed as user input."""

    valueInputOption: Option


class ValueRenderOption(BaseModel):
    """Values as displayed, or the values themselves."""

    valueRenderOption: Literal["FORMATTED_VALUE", "UNFORMATTED_VALUE"] = "FORMATTED_VALUE"


class Batch(BaseModel):
    """Changes of a spreadsheet itself, all or none."""

    model_config = ConfigDict(extra="ignore")

    requests: list[dict[str, Any]]


class RangeWriter:
    """Writes, each whole or not at all, and `lag` seconds after its request, so that other writes can come between a
    client's read and its write."""

    def __init__(self, store: DocumentStore, spreadsheets: Spreadsheets, lag: float) -> None:
        self._store, self._spreadsheets, self._lag = store, spreadsheets, lag

    async def __call__(self, operation: str, spreadsheet_id: str, sent: Any, change: Callable[[Json], T]) -> T:
        """Return the result of `change`. Raises `SandboxError`, and then nothing was written."""
        self._spreadsheets.find(spreadsheet_id)
        if self._lag:
            await asyncio.sleep(self._lag)
        with self._store.transaction():
            spreadsheet = self._spreadsheets.find(spreadsheet_id)
            answer = change(spreadsheet)
            self._spreadsheets.save(spreadsheet)
            self._store.note(operation, spreadsheet_id, sent)
        return answer


def api_routes(spreadsheets: Spreadsheets, writer: RangeWriter) -> APIRouter:
    """Return the routes of every operation over one store."""
    router = APIRouter(prefix="/v4/spreadsheets")
    # The paths with a colon first, because `{spreadsheet}` would match them, too.
    _add_batches(router, writer)
    _add_values(router, spreadsheets, writer)

    @router.get("/{spreadsheet}")
    async def one(spreadsheet: str) -> Json:
        sheets = spreadsheets.find(spreadsheet)["sheets"]
        listed = [{"properties": grid.properties(sheet, index)} for index, sheet in enumerate(sheets)]
        about = {"title": spreadsheet, "locale": "it_IT", "timeZone": "Europe/Rome"}
        return {"spreadsheetId": spreadsheet, "properties": about, "sheets": listed}

    return router


def _add_batches(router: APIRouter, writer: RangeWriter) -> None:
    @router.post("/{spreadsheet}:batchUpdate")
    async def change(request: Request, spreadsheet: str, body: Batch) -> Json:
        if not body.requests:
            raise SandboxError(400, "Must specify at least one request.")

        def apply(document: Json) -> list[Json]:
            return [_applied(document, one) for one in body.requests]

        replies = await writer("spreadsheets.batchUpdate", spreadsheet, await request.json(), apply)
        return {"spreadsheetId": spreadsheet, "replies": replies}

    @router.post("/{spreadsheet}/values:batchUpdate")
    async def write(request: Request, spreadsheet: str, body: WrittenRange) -> Json:
        def apply(document: Json) -> int:
            return sum(
                grid.write(document, ranges.read(block.range), block.values, body.valueInputOption)
                for block in body.data
            )

        cells = await writer("values.batchUpdate", spreadsheet, await request.json(), apply)
        return {"spreadsheetId": spreadsheet, "totalUpdatedCells": cells}


def _applied(document: Json, request: Json) -> Json:
    match request:
        case {"deleteDimension": {"range": {"sheetId": int(sheet), "dimension": "ROWS", "startIndex": int(start),
                                            "endIndex": int(end)}}}:  # fmt: skip
            grid.delete_rows(document, sheet, start, end)
            return {}
        case {"addSheet": {"properties": {"title": str(title)}}}:
            return {"addSheet": {"properties": grid.add_sheet(document, title)}}
    raise SandboxError(400, f"Invalid requests: the sandbox does not know {', '.join(request) or 'an empty one'}")


def _add_values(router: APIRouter, spreadsheets: Spreadsheets, writer: RangeWriter) -> None:
    @router.post("/{spreadsheet}/values/{cells}:append")
    async def append(
        request: Request, spreadsheet: str, cells: str, body: Values, how: Annotated[ValueInputOption, Query()]
    ) -> Json:
        asked = ranges.read(cells)

        def apply(document: Json) -> int:
            return grid.append(document, asked, body.values, how.valueInputOption)

        first = await writer("values.append", spreadsheet, await request.json(), apply)
        width = max((len(row) for row in body.values), default=1)
        where = ranges.written(asked.title, first, asked.column, len(body.values), width)
        updates = {"spreadsheetId": spreadsheet, "updatedRange": where, "updatedRows": len(body.values)}
        return {"spreadsheetId": spreadsheet, "updates": updates}

    @router.get("/{spreadsheet}/values/{cells}")
    async def get(spreadsheet: str, cells: str, how: Annotated[ValueRenderOption, Query()]) -> Json:
        found = grid.read(spreadsheets.find(spreadsheet), ranges.read(cells))
        if how.valueRenderOption == "FORMATTED_VALUE":
            shown = [[_shown(cell) for cell in row] for row in found]
            return {"range": cells, "majorDimension": "ROWS", **({"values": shown} if shown else {})}
        return {"range": cells, "majorDimension": "ROWS", **({"values": found} if found else {})}


def _shown(cell: grid.Cell) -> str:
    return str(cell).upper() if isinstance(cell, bool) else str(cell)
