"""The specifics of the Google Sheets provider, against its stand-in over HTTP. Guarantees:

- Hundreds of calls stay within sixty requests a minute, and all are carried out.
- Beyond the quota a call ends with `ProviderUnavailableError`; a short 429 is waited out.
- Of two processes that write at once the later rows are removed: as many remain as there are tables, and each answer
  agrees; where a row cannot be removed, the caller does not get a rejection.
- A row that moves under a deletion or a change costs no other row: an affected row is restored.
- Rows that staff have typed are read: days and times as people write them, no id, phones without their country.
- A missing spreadsheet, sheet or column is `SheetNotFoundError`; an empty sheet gets its columns.
- Texts are written as they are; a purge removes the rows of earlier days.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from datetime import time as clock
from typing import Any

import pytest

from restaurant.providers import (
    AmbiguousError,
    Booking,
    BookingNotFoundError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderUnavailableError,
    SheetNotFoundError,
)
from restaurant.providers.sheets.client import SheetsQuota, pace_of
from restaurant.providers.sheets.rows import HEADER
from restaurant.providers.timeouts import Deadline
from sandbox.sheets import SPREADSHEET
from tests.integration.restaurant_providers.benches import AT_ONCE, DAY, PHONE, Bench, FullError, a_booking, admitting
from tests.integration.restaurant_providers.test_octotable_only import seeing_room_at_first

pytestmark = pytest.mark.slow

Started = Callable[..., Bench]
ONE = f"/v4/spreadsheets/{SPREADSHEET}"
STAFF = {"Authorization": "Bearer staff"}


@pytest.fixture(autouse=True)
def _fresh_quota() -> None:
    pace_of.cache_clear()


def phone(number: int) -> str:
    return f"+39333000{number:04}"


def typed(bench: Bench, *rows: list[Any]) -> None:
    """Append rows as another user."""
    assert bench.control is not None
    params = {"valueInputOption": "RAW"}
    body = {"values": [list(HEADER), *rows]}
    answer = bench.control.post(f"{ONE}/values/Bookings!A1:append", params=params, json=body, headers=STAFF)
    assert answer.status_code == 200, answer.text


def values(bench: Bench) -> list[list[str]]:
    """Return the sheet's values."""
    assert bench.control is not None
    found: list[list[str]] = bench.control.get(f"{ONE}/values/Bookings", headers=STAFF).json().get("values", [])
    return found


def delete_row(bench: Bench, number: int) -> None:
    """Remove a row as another user."""
    assert bench.control is not None
    cut = {"sheetId": 0, "dimension": "ROWS", "startIndex": number, "endIndex": number + 1}
    body = {"requests": [{"deleteDimension": {"range": cut}}]}
    assert bench.control.post(f"{ONE}:batchUpdate", json=body, headers=STAFF).status_code == 200


async def test_hundreds_of_calls_within_the_quota(started: Started) -> None:
    bench = started("sheets", user_quota=60, project_quota=300)
    provider = bench.provider()
    began = time.monotonic()

    async def a_guest(number: int) -> Booking:
        await asyncio.sleep(number * 0.04)
        day = DAY + timedelta(days=number)
        assert await provider.of_phone(phone(number), day) == []
        made = await provider.create(a_booking("20:00", phone(number), day=day), admitting(a_booking(day=day)))
        moved = await bench.change(provider, made, replace(made, people=5))
        assert moved in await provider.of_phone(phone(number), day)
        if number % 2:
            await provider.cancel(made.booking_id)
        return moved

    booked = await asyncio.gather(*(a_guest(number) for number in range(75)))
    counted = bench.requests()
    minutes = (time.monotonic() - began) // 60 + 1
    assert counted["total"] <= 60 * minutes, counted
    assert [row[0] for row in values(bench)[1:]] == [one.booking_id for one in booked[::2]]
    await bench.close()


async def test_beyond_the_quota(started: Started) -> None:
    bench = started("sheets", user_quota=0, project_quota=300)
    provider = bench.provider()
    with pytest.raises(ProviderUnavailableError) as shown:
        await bench.create(provider, a_booking())
    assert not isinstance(shown.value, OutcomeUnknownError)
    assert bench.requests()["total"] <= 4
    await bench.close()


async def test_a_429_is_waited_out(started: Started) -> None:
    bench = started("sheets")
    provider = bench.provider()
    bench.fault("*", "status", status=429, times=2)
    made = await bench.create(provider, a_booking())
    assert [row[0] for row in values(bench)[1:]] == [made.booking_id]
    await bench.close()


async def test_our_own_count() -> None:
    now = 100.0
    pace = SheetsQuota(3, clock=lambda: now)
    for _ in range(3):
        await pace.take(Deadline(1))
    with pytest.raises(ProviderUnavailableError):
        await pace.take(Deadline(1))
    now = 161.0
    await pace.take(Deadline(1))


@pytest.mark.parametrize("write_lag", [0.0, 0.15])
async def test_two_processes_race_for_the_last_tables(started: Started, write_lag: float) -> None:
    bench = started("sheets", write_lag=write_lag)
    typed(bench)
    providers = [bench.provider(), bench.provider()]
    for number in range(AT_ONCE - 1):
        await bench.create(providers[0], a_booking("20:00", phone(90 + number)))
    shown = await asyncio.gather(
        *(bench.create(providers[n % 2], a_booking("20:00", phone(n))) for n in range(6)), return_exceptions=True
    )
    booked = [one for one in shown if isinstance(one, Booking)]
    assert Counter(type(one) for one in shown) == {Booking: 1, FullError: 5}
    left = [row[0] for row in values(bench)[1:]]
    assert len(left) == AT_ONCE and booked[0].booking_id in left
    await bench.close()


@pytest.mark.parametrize("status", [503, 200])
async def test_a_row_too_many_that_stays_is_not_reported_as_refused(started: Started, status: int) -> None:
    bench = started("sheets")
    provider = bench.provider()
    for number in range(AT_ONCE):
        await bench.create(provider, a_booking("20:00", phone(number)))
    wanted = a_booking()
    bench.fault("cancel", "status", status=status, body={})
    with pytest.raises(AmbiguousError):
        await provider.create(wanted, seeing_room_at_first(admitting(wanted)))
    assert wanted.key in [row[0] for row in values(bench)]
    other = a_booking(phone=phone(50))
    with pytest.raises(FullError):
        await provider.create(other, seeing_room_at_first(admitting(other)))
    assert other.key not in [row[0] for row in values(bench)]
    await bench.close()


def then_somebody_else(provider: Any, does: Callable[[], None]) -> None:
    """Run `does` once the provider has read for its next write, and before it writes."""
    sheet = provider._sheet
    read = sheet.fresh

    async def and_then(deadline: Deadline) -> Any:
        sheet.fresh = read
        found = await read(deadline)
        await asyncio.to_thread(does)
        return found

    sheet.fresh = and_then


@pytest.mark.parametrize("which", ["cancel", "change"])
async def test_a_row_that_moves_costs_no_one_else_theirs(started: Started, which: str) -> None:
    bench = started("sheets")
    rows = [[f"id-{n}", DAY.isoformat(), f"{19 + n // 2}:{n % 2 * 30:02}", 2, f"Guest {n}", phone(n)] for n in range(6)]
    typed(bench, *rows)
    provider = bench.provider()
    before = await provider.by_id("id-3")
    after = replace(before, people=7)
    then_somebody_else(provider, lambda: delete_row(bench, 1))
    write = provider.cancel("id-3") if which == "cancel" else bench.change(provider, before, after)
    [result] = await asyncio.gather(write, return_exceptions=True)
    await bench.close()
    left = {row[0]: row for row in values(bench)[1:]}
    others = {"id-1", "id-2", "id-4", "id-5"}
    assert {key: left[key][1:6] for key in others} == {
        row[0]: [str(cell) for cell in row[1:6]] for row in rows if row[0] in others
    }
    assert "id-0" not in left
    if which == "cancel":
        assert result is None and "id-3" not in left
    else:
        assert isinstance(result, Exception) and left["id-3"][3] == "2"


async def test_rows_that_people_have_typed(started: Started) -> None:
    bench = started("sheets")
    typed(
        bench,
        ["", "02/12/2026", "20.30", "4", "Ada Rossi", "333 1234567", "alla finestra"],
        ["x-1", "2026-12-02", "9:30", "", "Ugo", "+39 06 1234"],
        ["", "", "", "", "Totale: 2"],
        ["x-2", "2026-12-02", "mezzogiorno", "2", "Nessuno"],
    )
    provider = bench.provider()
    found = await provider.of_day(DAY)
    assert [(one.time, one.people, one.name, one.phone) for one in found] == [
        (clock(9, 30), 1, "Ugo", "+39061234"),
        (clock(20, 30), 4, "Ada Rossi", PHONE),
    ]
    ada = found[1]
    assert ada.booking_id and ada.notes == "alla finestra"
    moved = await bench.change(provider, ada, replace(ada, time=clock(21, 30)))
    assert await bench.provider().by_id(ada.booking_id) == moved
    await provider.cancel(ada.booking_id)
    assert [row[4] for row in values(bench)[1:]] == ["Ugo", "Totale: 2", "Nessuno"]
    await bench.close()


async def test_what_is_not_there(started: Started) -> None:
    bench = started("sheets", spreadsheets={SPREADSHEET: ("Bookings", "Other")})
    for options in ({"spreadsheet_id": "nothing"}, {"spreadsheet_id": SPREADSHEET, "sheet": "Nothing"}):
        bench.options = options
        provider = bench.provider()
        with pytest.raises(SheetNotFoundError):
            await provider.of_day(DAY)
        with pytest.raises(SheetNotFoundError):
            await bench.create(provider, a_booking())
        with pytest.raises(SheetNotFoundError):
            await provider.cancel("x")
    bench.options = {"spreadsheet_id": SPREADSHEET}
    assert bench.control is not None
    body = {"values": [["Cognome", "Ora"]]}
    params = {"valueInputOption": "RAW"}
    bench.control.post(f"{ONE}/values/Bookings!A1:append", params=params, json=body, headers=STAFF)
    with pytest.raises(SheetNotFoundError, match="columns"):
        await bench.provider().of_day(DAY)
    bench.options = {"spreadsheet_id": SPREADSHEET, "sheet": "Other"}
    assert await bench.create(bench.provider(), a_booking()) in await bench.provider().of_day(DAY)
    await bench.close()


async def test_who_we_are(started: Started) -> None:
    bench = started("sheets")
    with pytest.raises(NotConfiguredError, match="IQ_SHEETS_CREDENTIALS"):
        await bench.provider(IQ_SHEETS_TOKEN="").of_day(DAY)
    with pytest.raises(NotConfiguredError, match="IQ_SHEETS_CREDENTIALS"):
        await bench.provider(IQ_SHEETS_TOKEN="", IQ_SHEETS_CREDENTIALS="/nowhere.json").of_day(DAY)
    bench.options = {}
    with pytest.raises(NotConfiguredError, match="spreadsheet_id"):
        await bench.provider().of_day(DAY)
    await bench.close()


async def test_texts_are_written_as_they_are(started: Started) -> None:
    bench = started("sheets")
    made = await bench.create(bench.provider(), a_booking(name="=Mario", notes="+39 x"))
    assert values(bench) == [
        list(HEADER), [made.booking_id, "2026-12-02", "20:00", "2", "=Mario", PHONE, "+39 x"],
    ]  # fmt: skip
    await bench.close()


async def test_a_purge(started: Started) -> None:
    bench = started("sheets")
    provider = bench.provider()
    days = [date(2026, 11, 30), date(2026, 12, 1), DAY, date(2026, 12, 3)]
    made = [await bench.create(provider, a_booking("20:00", day=day)) for day in days]
    assert await provider.purge(DAY) == 2
    assert [row[0] for row in values(bench)[1:]] == [one.booking_id for one in made[2:]]
    assert await provider.purge(DAY) == 0
    with pytest.raises(BookingNotFoundError):
        await provider.cancel(made[0].booking_id)
    await bench.close()
