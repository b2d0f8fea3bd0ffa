"""What every booking provider does, whatever its storage (`restaurant/providers/protocol.py`).

A provider joins the suite by an entry of `PROVIDERS`: a context manager over a folder that yields one without bookings.

Guarantees:
- A booking that was made, changed or cancelled is read back so, by id, by phone and by day, in order of time.
- `admit` gets the bookings of the day of the write; when it raises, nothing is written and the exception passes
  unchanged (where our side assigns tables).
- A booking that has changed since it was read is not overwritten; one that is gone is not found, nor is one that was
  already cancelled.
- Past days are deleted, others are not, where the data is ours.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from uuid import uuid4

import pytest

from restaurant.providers import Booking, BookingNotFoundError, ConflictError, NewBooking, Provider
from restaurant.providers.database import DatabaseProvider, sheet_database, sheet_url
from tests.integration.restaurant_providers.benches import a_bench
from tests.support.ledgers import a_url

THURSDAY, FRIDAY = date(2026, 2, 19), date(2026, 2, 20)
MARIO, ANNA = "+393331234567", "+39335123456"


def in_a_database(kind: str) -> Callable[[Path], AbstractAsyncContextManager[Provider]]:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Provider]:
        with a_url(kind, folder) as url:
            database = sheet_database(sheet_url(url, folder))
            yield DatabaseProvider(database, "roma")
            database.close()

    return opened


def in_a_sandbox(kind: str) -> Callable[[Path], AbstractAsyncContextManager[Provider]]:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Provider]:
        with a_bench(kind, folder) as bench:
            yield bench.provider()
            await bench.close()

    return opened


PROVIDERS: dict[str, Callable[[Path], AbstractAsyncContextManager[Provider]]] = {
    "sqlite": in_a_database("sqlite"),
    "postgresql": in_a_database("postgresql"),
    "resos": in_a_sandbox("resos"),
    "octotable": in_a_sandbox("octotable"),
    "google_sheets": in_a_sandbox("sheets"),
}


@pytest.fixture(params=PROVIDERS)
async def provider(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Provider]:
    async with PROVIDERS[request.param](tmp_path) as found:
        yield found


class RefusedError(Exception):
    """An error of the service's own rules."""


def anything(_: Sequence[Booking]) -> None:
    """Admit every booking."""


def nothing(_: Sequence[Booking]) -> None:
    raise RefusedError


def wanted(day: date = THURSDAY, at: time = time(20), phone: str = MARIO, **more: object) -> NewBooking:
    fields = {"key": uuid4().hex, "people": 4, "name": "Mario Rossi", "notes": "finestra", **more}
    return NewBooking(day=day, time=at, phone=phone, **fields)  # type: ignore[arg-type]


async def test_what_was_made_is_read_back(provider: Provider) -> None:
    made = await provider.create(wanted(), anything)
    assert (made.day, made.time, made.people, made.phone) == (THURSDAY, time(20), 4, MARIO)
    assert (made.name, made.notes, made.live, made.listed) == ("Mario Rossi", "finestra", True, True)
    assert await provider.by_id(made.booking_id) == made
    assert await provider.of_day(THURSDAY) == [made]
    assert await provider.of_phone(MARIO, THURSDAY) == [made]
    assert await provider.of_phone(ANNA, THURSDAY) == await provider.of_day(FRIDAY) == []


async def test_order_and_since(provider: Provider) -> None:
    late = await provider.create(wanted(FRIDAY), anything)
    early = await provider.create(wanted(FRIDAY, time(19, 30), ANNA), anything)
    before = await provider.create(wanted(THURSDAY), anything)
    assert await provider.of_day(FRIDAY) == [early, late]
    assert await provider.of_phone(MARIO, THURSDAY) == [before, late]
    assert await provider.of_phone(MARIO, FRIDAY) == [late]


async def test_admit_decides(provider: Provider) -> None:
    seen: list[list[str]] = []

    def look(bookings: Sequence[Booking]) -> None:
        seen.append([one.booking_id for one in bookings])

    first = await provider.create(wanted(), look)
    second = await provider.create(wanted(FRIDAY), look)
    await provider.change(second, replace(second, day=THURSDAY, time=time(21)), look)
    if provider.server_decides:
        assert seen == []
        return
    if provider.name == "database":
        assert seen == [[], [], [first.booking_id]]
    else:
        # No transactions there: `admit` runs once more at the write, then with what was written.
        assert seen[:4] == [[], [], [], []] and seen[4] == [first.booking_id]
    with pytest.raises(RefusedError):
        await provider.create(wanted(FRIDAY, phone=ANNA), nothing)
    with pytest.raises(RefusedError):
        await provider.change(first, replace(first, day=FRIDAY), nothing)
    assert await provider.of_day(FRIDAY) == []
    assert await provider.by_id(first.booking_id) == first


async def test_a_change(provider: Provider) -> None:
    made = await provider.create(wanted(), anything)
    after = replace(made, day=FRIDAY, time=time(21, 30), people=2)
    assert await provider.change(made, after, anything) == after
    assert await provider.by_id(made.booking_id) == after
    assert await provider.of_day(THURSDAY) == []
    with pytest.raises(ConflictError):
        await provider.change(made, replace(made, people=3), anything)
    assert await provider.by_id(made.booking_id) == after


async def test_what_is_gone(provider: Provider) -> None:
    made = await provider.create(wanted(), anything)
    await provider.cancel(made.booking_id)
    for one in (made.booking_id, "never-was"):
        with pytest.raises(BookingNotFoundError):
            await provider.cancel(one)
    with pytest.raises(BookingNotFoundError):
        await provider.change(made, replace(made, people=2), anything)
    assert [one for one in await provider.of_phone(MARIO, THURSDAY) if one.live] == []


async def test_what_is_over_is_forgotten(provider: Provider) -> None:
    await provider.create(wanted(THURSDAY), anything)
    kept = await provider.create(wanted(FRIDAY), anything)
    assert await provider.purge(FRIDAY) in (1, None)
    assert await provider.of_phone(MARIO, FRIDAY) == [kept]
