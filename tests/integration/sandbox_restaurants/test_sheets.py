"""The Google Sheets sandbox over HTTP. Guarantees:

- Without a bearer token 401; an unknown path or spreadsheet is 404; an unknown sheet is an invalid range (400).
- Values are read without the empty cells at their ends; appended rows come after the last; a block is written at its
  range; entered RAW a phone keeps its plus and "=1+1" is text, entered as by a person neither does.
- Rows are deleted by their numbers, whatever they hold by then: those below move up; a batch is all or nothing.
- There are no transactions: with a lag, two writers both write what neither would have written after the other.
- Beyond 60 requests of one user, or 300 of the project, in the window it answers 429 in Google's form of errors.
- Faults strike as in all sandboxes, and every request is counted.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from sandbox.sheets import SPREADSHEET

Opened = Callable[..., httpx.Client]
ONE = f"/v4/spreadsheets/{SPREADSHEET}"
RAW = {"valueInputOption": "RAW"}


def append(client: httpx.Client, *rows: list[Any], option: str = "RAW") -> httpx.Response:
    params = {"valueInputOption": option, "insertDataOption": "INSERT_ROWS"}
    return client.post(f"{ONE}/values/Bookings!A1:append", params=params, json={"values": list(rows)})


def values(client: httpx.Client, cells: str = "Bookings", **params: str) -> list[list[Any]]:
    answer = client.get(f"{ONE}/values/{cells}", params=params)
    assert answer.status_code == 200, answer.text
    found: list[list[Any]] = answer.json().get("values", [])
    return found


def delete(client: httpx.Client, *rows: int, sheet: int = 0) -> httpx.Response:
    cut = [{"sheetId": sheet, "dimension": "ROWS", "startIndex": row, "endIndex": row + 1} for row in rows]
    return client.post(f"{ONE}:batchUpdate", json={"requests": [{"deleteDimension": {"range": one}} for one in cut]})


def refusal(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["code"] == answer.status_code and error["message"]
    return answer.status_code, error["status"]


def test_who_is_let_in_and_what_is_there(open_sheets: Opened) -> None:
    client = open_sheets()
    assert client.get(ONE).json()["sheets"][0]["properties"]["title"] == "Bookings"
    assert refusal(client.get("/v4/spreadsheets/nothing")) == (404, "NOT_FOUND")
    assert refusal(client.get(f"{ONE}/values/Nothing!A1")) == (400, "INVALID_ARGUMENT")
    assert refusal(client.get(ONE, headers={"Authorization": ""})) == (401, "UNAUTHENTICATED")


def test_values(open_sheets: Opened) -> None:
    client = open_sheets()
    answer = append(client, ["id", "name", "phone"], ["1", "Renée 😀", "+39333", "", ""])
    assert answer.json()["updates"]["updatedRange"] == "Bookings!A1:E2"
    assert append(client, ["2", "", "=1+1"]).json()["updates"]["updatedRange"] == "Bookings!A3:C3"
    assert values(client) == [["id", "name", "phone"], ["1", "Renée 😀", "+39333"], ["2", "", "=1+1"]]
    assert values(client, "'Bookings'!B2:B") == [["Renée 😀"]]
    data = [{"range": "Bookings!B3", "values": [["Ugo"]]}, {"range": "Bookings!B2:C2", "values": [[None, "-"]]}]
    wrote = client.post(f"{ONE}/values:batchUpdate", json={**RAW, "data": data}).json()
    assert wrote["totalUpdatedCells"] == 2
    assert values(client, "Bookings!A2:C3") == [["1", "Renée 😀", "-"], ["2", "Ugo", "=1+1"]]
    append(client, ["3", "+39333", "=1+1"], option="USER_ENTERED")
    assert values(client, "Bookings!B4:C4", valueRenderOption="UNFORMATTED_VALUE") == [[39333, "#ERROR!"]]
    assert values(client, "Bookings!B4") == [["39333"]]
    assert client.post(f"{ONE}/values/Bookings!A1:append", json={"values": [["x"]]}).status_code == 400


def test_rows_move_up_under_anyone_counts(open_sheets: Opened) -> None:
    client = open_sheets()
    append(client, *([name] for name in "abcde"))
    assert delete(client, 1).status_code == 200
    assert delete(client, 1).status_code == 200
    assert values(client) == [["a"], ["d"], ["e"]]
    assert refusal(delete(client, 0, 5000)) == (400, "INVALID_ARGUMENT")
    assert refusal(delete(client, 0, sheet=7)) == (400, "INVALID_ARGUMENT")
    assert values(client) == [["a"], ["d"], ["e"]]


def test_a_sheet_can_be_added(open_sheets: Opened) -> None:
    client = open_sheets()
    body = {"requests": [{"addSheet": {"properties": {"title": "Prenotazioni"}}}]}
    added = client.post(f"{ONE}:batchUpdate", json=body).json()["replies"][0]["addSheet"]["properties"]
    assert (added["sheetId"], values(client, "Prenotazioni")) == (1, [])
    assert client.post(f"{ONE}:batchUpdate", json=body).status_code == 400
    assert client.post(f"{ONE}:batchUpdate", json={"requests": [{"sortRange": {}}]}).status_code == 400


def test_two_writers_race(open_sheets: Opened) -> None:
    client = open_sheets(write_lag=0.2)
    have_read = Barrier(2)

    def write_if_empty(name: str) -> None:
        empty = not values(client)
        have_read.wait(60)
        if empty:
            append(client, [name])

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write_if_empty, ("one", "two")))
    assert sorted(values(client)) == [["one"], ["two"]]


def test_quotas(open_sheets: Opened) -> None:
    now = 0.0
    client = open_sheets(clock=lambda: now)
    assert [client.get(ONE).status_code for _ in range(60)] == [200] * 60
    assert refusal(client.get(ONE)) == (429, "RESOURCE_EXHAUSTED")
    for number in range(4):
        headers = {"Authorization": f"Bearer user-{number}"}
        assert {client.get(ONE, headers=headers).status_code for _ in range(60)} == {200}
    assert client.get(ONE, headers={"Authorization": "Bearer fresh"}).status_code == 429
    now = 60.0
    assert client.get(ONE).status_code == 200


def test_an_answer_can_be_lost_and_requests_are_counted(open_sheets: Opened) -> None:
    client = open_sheets()
    for effect, lands in (("drop_before", 0), ("drop_after", 1)):
        client.post("/_sandbox/faults", json={"operation": "values.append", "effect": effect})
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            append(client, ["x"])
        assert len(values(client)) == lands
    client.post("/_sandbox/faults", json={"operation": "*", "effect": "status", "status": 503})
    answer = client.get(ONE)
    assert refusal(answer) == (503, "UNAVAILABLE") and answer.headers["X-Sandbox"] == "sheets"
    assert client.get("/_sandbox/requests").json() == {
        "spreadsheets.get": 1, "values.append": 2, "values.get": 2, "total": 5,
    }  # fmt: skip
    client.post("/_sandbox/reset")
    assert values(client) == []
