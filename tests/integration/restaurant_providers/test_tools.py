"""The contract's booking tools end to end over every provider: the service over ASGI, the provider over its database or
its system's stand-in. Guarantees:

- A booking is made, listed, moved and cancelled, in the answers as in the storage; cancelling again is
  BOOKING_NOT_FOUND.
- The same phone, day and time is DUPLICATE_BOOKING, asked one after the other or five at once.
- The last table goes to one of those who ask at once; the others get SLOT_FULL with free times near by, or from resOS
  NO_TABLE_AVAILABLE; a move to a full time is UPDATE_ERROR; `check_openings` says `full`.
- A move onto the guest's own other booking is UPDATE_ERROR, one after the other or two at once.
- The clock that one request names applies to its suggestions, in whichever thread or task a provider is called.
- An outage has each tool's own code. An answer that is lost on its way back leaves one booking, and the tool reports
  the real outcome; a tool waits for no answer that is an hour late.
- Without resOS's key: RESOS_NOT_CONFIGURED; without the sheet: SHEET_NOT_FOUND where the contract has it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.config.settings import Settings
from restaurant.app import create_app
from restaurant.providers.timeouts import Timeouts
from restaurant.service import assemble
from restaurant.tools.context import ToolContext
from sandbox.octotable import PROPERTY
from sandbox.sheets import SPREADSHEET
from tests.integration.restaurant_providers.benches import KINDS, PHONE, REMOTE, UNHURRIED, Bench

pytestmark = pytest.mark.slow

NOON = datetime(2026, 2, 18, 12)
NAMES = {"sqlite": "database", "postgresql": "database", "sheets": "google_sheets"}
ALL = pytest.mark.parametrize("bench", KINDS, indirect=True)
THEIRS = pytest.mark.parametrize("bench", REMOTE, indirect=True)


class ToolCaller:
    """A caller of the tools."""

    def __init__(self, http: httpx.AsyncClient, desk: ToolContext, headers: dict[str, str] | None = None) -> None:
        self.http, self.desk, self._headers = http, desk, headers

    async def __call__(self, tool: str, **fields: Any) -> dict[str, Any]:
        """Return a tool's answer, for roma."""
        body = {"restaurant_id": "roma", **fields}
        answer = await self.http.post(f"/api/{tool}", json=body, headers=self._headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def book(self, at: str = "20:00", **fields: Any) -> dict[str, Any]:
        """Book a table on Thursday, for Mario Rossi and three others."""
        wanted = {"day": "2026-02-19", "time": at, "people": 4, "name": "Mario Rossi", "phone": PHONE, **fields}
        return await self("create_booking", **wanted)

    async def listed(self, phone: str = PHONE) -> list[dict[str, Any]]:
        """Return the bookings of a phone."""
        found = await self("list_bookings", phone=phone)
        assert found["ok"] and found["count"] == len(found["results"])
        rows: list[dict[str, Any]] = found["results"]
        return rows


@asynccontextmanager
async def tool_caller(
    bench: Bench, folder: Path, *, controls: bool = False, patience: Timeouts = UNHURRIED, **environment: str
) -> AsyncIterator[ToolCaller]:
    """The service with every restaurant over this provider. No call runs out of time unless its test wants that."""
    name = NAMES.get(bench.kind, bench.kind)
    settings = Settings(
        _env_file=None,
        data=folder,
        restaurant_database=bench.url or None,
        restaurant_provider=name,
        restaurant_controls=controls,
    )
    ids = {"IQ_OCTOTABLE_PROPERTY": PROPERTY, "IQ_SHEETS_SPREADSHEET": SPREADSHEET}
    service = assemble(settings, {**ids, **bench.environment, **environment}, patience)
    service.desk.clock.stopped_at = NOON
    transport = httpx.ASGITransport(app=create_app(service))
    service.desk.call_within = 60.0
    async with httpx.AsyncClient(transport=transport, base_url="http://restaurant") as http:
        yield ToolCaller(http, service.desk)
    await service.close()


@pytest.fixture
async def ask(bench: Bench, tmp_path: Path) -> AsyncIterator[ToolCaller]:
    """The service over the bench."""
    async with tool_caller(bench, tmp_path) as found:
        yield found


def codes(answers: list[dict[str, Any]]) -> Counter[str]:
    return Counter("ok" if one["ok"] else one["error_code"] for one in answers)


def none_left(bench: Bench) -> str:
    return "NO_TABLE_AVAILABLE" if bench.kind == "resos" else "SLOT_FULL"


def others(count: int) -> list[str]:
    return [f"+3933300000{number:02}" for number in range(count)]


@ALL
async def test_booked_listed_moved_cancelled(bench: Bench, ask: ToolCaller) -> None:
    made = await ask.book(name="Nicolò D'Amico", notes="Seggiolone, è un compleanno 🎂")
    assert made["ok"] and (made["day"], made["time"], made["people"], made["phone"]) == (
        "2026-02-19", "20:00", 4, PHONE,
    )  # fmt: skip
    row = (await ask.listed())[0]
    assert (row["name"], row["notes"], row["time_human"]) == ("Nicolò D'Amico", "Seggiolone, è un compleanno 🎂", "20")
    assert await ask.listed("+393330000099") == []
    moved = await ask("modify_booking", booking_id=made["booking_id"], new_day="2026-02-21", new_people=3)
    assert moved["ok"] and (moved["booking_id"], moved["day"], moved["time"], moved["people"], moved["name"]) == (
        made["booking_id"], "2026-02-21", "20:00", 3, "Nicolò D'Amico",
    )  # fmt: skip
    assert [(one["day"], one["people"]) for one in await ask.listed()] == [("2026-02-21", 3)]
    assert (await ask("cancel_booking", booking_id=made["booking_id"]))["ok"]
    assert await ask.listed() == []
    for tool, more in (("cancel_booking", {}), ("modify_booking", {"new_people": 2})):
        shown = await ask(tool, booking_id=made["booking_id"], **more)
        assert shown["error_code"] == "BOOKING_NOT_FOUND"
    assert (await ask.book())["ok"]


@ALL
async def test_no_one_books_twice(bench: Bench, ask: ToolCaller) -> None:
    assert (await ask.book())["ok"]
    assert (await ask.book())["error_code"] == "DUPLICATE_BOOKING"
    if bench.kind == "resos":
        # The late answers let each of the five see no other booking.
        bench.fault("list", "delay", seconds=0.3, times=5)
    answers = await asyncio.gather(*(ask.book("21:30") for _ in range(5)))
    assert codes(answers) == {"ok": 1, "DUPLICATE_BOOKING": 4}
    assert [one["time"] for one in await ask.listed()] == ["20:00", "21:30"]


@ALL
async def test_the_last_tables(bench: Bench, ask: ToolCaller) -> None:
    answers = await asyncio.gather(*(ask.book(phone=phone) for phone in others(8)))
    assert codes(answers) == {"ok": 3, none_left(bench): 5}
    if bench.kind != "resos":
        assert {tuple(one["nearest_slots_human"]) for one in answers if not one["ok"]} == {("19", "21")}
    opening = await ask("check_openings", day="2026-02-19", time="20:00")
    assert (opening["available"], opening["reason"]) == (False, "full")
    made = await ask.book("22:00")
    shown = await ask("modify_booking", booking_id=made["booking_id"], new_time="20:30")
    assert shown["error_code"] == "UPDATE_ERROR" and shown["nearest_slots_human"]
    assert [one["time"] for one in await ask.listed()] == ["22:00"]


@ALL
async def test_a_move_onto_the_guests_own_other_booking_is_refused(bench: Bench, ask: ToolCaller) -> None:
    early, late = await ask.book("20:00"), await ask.book("21:30")
    beside = await ask.book("21:30", phone=others(1)[0])
    if bench.kind == "resos":
        # The late answers let each of the two see no other booking.
        bench.fault("list", "delay", seconds=0.3, times=2)
    moved = await asyncio.gather(
        *(ask("modify_booking", booking_id=one["booking_id"], new_time="19:00") for one in (early, late))
    )
    assert codes(moved) == {"ok": 1, "UPDATE_ERROR": 1}, "two moves to one time at once"
    [there] = [one for one in await ask.listed() if one["time"] != "19:00"]
    shown = await ask("modify_booking", booking_id=there["booking_id"], new_time="19:00", new_people=2)
    assert shown["error_code"] == "UPDATE_ERROR" and "già una prenotazione con questi dati" in shown["message"]
    assert sorted(one["time"] for one in await ask.listed()) == sorted(["19:00", there["time"]])
    assert (await ask("modify_booking", booking_id=there["booking_id"], new_people=2))["ok"], "it stays where it is"
    assert (await ask("modify_booking", booking_id=beside["booking_id"], new_time="19:00"))["ok"], "another guest's"


@ALL
async def test_the_clock_of_one_request_reaches_what_is_suggested(bench: Bench, tmp_path: Path) -> None:
    async with tool_caller(bench, tmp_path, controls=True) as ask:
        for phone in others(3):
            assert (await ask.book(phone=phone))["ok"]
        late = await ask.book("22:00")
        evening = ToolCaller(ask.http, ask.desk, {"X-Restaurant-Clock": "2026-02-19T19:30"})
        shown = [await evening("modify_booking", booking_id=late["booking_id"], new_time="20:00")]
        shown += [] if bench.kind == "resos" else [await evening.book(phone=others(4)[3])]
        for one in shown:
            assert one["nearest_slots_human"] and "19" not in one["nearest_slots_human"], one
        assert (
            "19"
            in (await ask("modify_booking", booking_id=late["booking_id"], new_time="20:00"))["nearest_slots_human"]
        ), "for that request alone"


@THEIRS
async def test_an_outage_is_reported_by_each_tool(bench: Bench, ask: ToolCaller) -> None:
    made = await ask.book()
    bench.fault("*", "status", status=503, times=1000)
    # A recent read of Google Sheets is cached until it is too old.
    await asyncio.sleep(1.6 if bench.kind == "sheets" else 0)
    shown = {
        "PROVIDER_UNAVAILABLE": await ask.book("21:30"),
        "LIST_ERROR": await ask("list_bookings", phone=PHONE),
        "UPDATE_ERROR": await ask("modify_booking", booking_id=made["booking_id"], new_people=2),
        "DELETE_ERROR": await ask("cancel_booking", booking_id=made["booking_id"]),
        "CAPACITY_READ_ERROR": await ask("check_openings", day="2026-02-19", time="20:00"),
    }
    assert {code: one.get("error_code") for code, one in shown.items()} == {code: code for code in shown}
    bench.mended()
    assert [(one["time"], one["people"]) for one in await ask.listed()] == [("20:00", 4)]


@THEIRS
async def test_an_answer_that_is_lost_on_its_way_back(bench: Bench, ask: ToolCaller) -> None:
    bench.fault("create", "drop_after")
    made = await ask.book()
    assert made["ok"], made
    assert [one["booking_id"] for one in await ask.listed()] == [made["booking_id"]]
    bench.fault("change", "drop_after")
    assert (await ask("modify_booking", booking_id=made["booking_id"], new_time="21:30"))["ok"]
    assert [one["time"] for one in await ask.listed()] == ["21:30"]
    bench.fault("cancel", "drop_after")
    assert (await ask("cancel_booking", booking_id=made["booking_id"]))["ok"]
    assert await ask.listed() == []
    bench.fault("create", "drop_before")
    assert (await ask.book())["error_code"] == "PROVIDER_UNAVAILABLE"
    assert await ask.listed() == []
    assert (await ask.book())["ok"] and len(await ask.listed()) == 1


@THEIRS
@pytest.mark.parametrize("what", ["*", "write"])
async def test_no_tool_waits_for_an_answer_that_is_an_hour_late(bench: Bench, ask: ToolCaller, what: str) -> None:
    made = await ask.book()
    ask.desk.call_within = 2.5
    for tool, write, more in (
        (
            "create_booking",
            "create",
            {"day": "2026-02-19", "time": "21:30", "people": 2, "name": "Ada", "phone": PHONE},
        ),
        ("modify_booking", "change", {"booking_id": made["booking_id"], "new_people": 2}),
        ("cancel_booking", "cancel", {"booking_id": made["booking_id"]}),
    ):
        bench.fault(write if what == "write" else "*", "delay", seconds=3_600, times=50)
        await ask(tool, **more)
        bench.mended()


@pytest.mark.parametrize("bench", ["resos"], indirect=True)
async def test_without_the_key_of_resos(bench: Bench, tmp_path: Path) -> None:
    async with tool_caller(bench, tmp_path, IQ_RESOS_KEY="") as ask:
        shown = [
            await ask.book(),
            await ask("list_bookings", phone=PHONE),
            await ask("modify_booking", booking_id="x", new_people=2),
            await ask("cancel_booking", booking_id="x"),
        ]
    assert [one["error_code"] for one in shown] == ["RESOS_NOT_CONFIGURED"] * 4
    assert bench.requests() == {"total": 0}


@pytest.mark.parametrize("bench", ["sheets"], indirect=True)
async def test_without_the_sheet(bench: Bench, tmp_path: Path) -> None:
    async with tool_caller(bench, tmp_path, IQ_SHEETS_SPREADSHEET="nothing") as ask:
        for tool, more in (("modify_booking", {"new_people": 2}), ("cancel_booking", {})):
            assert (await ask(tool, booking_id="x", **more))["error_code"] == "SHEET_NOT_FOUND"
        assert (await ask.book())["error_code"] == "CREATE_ERROR"
