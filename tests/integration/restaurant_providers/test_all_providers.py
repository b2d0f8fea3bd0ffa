"""What every provider guarantees, whatever its storage: an embedded SQLite or PostgreSQL table, resOS, OctoTable or
Google Sheets (each of these its stand-in, over real HTTP on loopback). Guarantees:

- A booking is read back as it was made, in any alphabet, by id, phone and day; other phones and days are left out.
- A change writes day, time and people and nothing else; one of a booking that has changed meanwhile is a conflict.
- Cancelling is not idempotent: a second cancellation, and any other call with it, gets "not found"; of several at once
  one succeeds; an invalid id is not found.
- A slot has no more stays than tables, however many ask at once, in one process or several; a rejected booking leaves
  no trace; a cancelled stay gives its table back; a change to a full time is rejected and leaves the booking as it was.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from restaurant.providers import Booking, BookingNotFoundError, ConflictError, NoTableError, Provider
from tests.integration.restaurant_providers.benches import (
    AT_ONCE,
    DAY,
    KINDS,
    PHONE,
    Bench,
    FullError,
    a_booking,
    admitting,
)

_OURS, *_OTHERS = KINDS
pytestmark = pytest.mark.parametrize(
    "bench", [_OURS, *(pytest.param(one, marks=pytest.mark.slow) for one in _OTHERS)], indirect=True
)
NO_ID = ("nothing", "0", "999999", "ZZZZZZZZZZZZZZZZZ", "a/b", "..", "a b", "è", "'; drop table", "x" * 200)


def full(bench: Bench) -> type[Exception]:
    return NoTableError if bench.kind == "resos" else FullError


def phone(number: int) -> str:
    return f"+39333000{number:04}"


def plain(booking: Booking) -> tuple[object, ...]:
    return booking.day, booking.time, booking.people, booking.name, booking.phone, booking.notes


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("Mario Rossi", None),
        ("Nicolò D'Amico De Luca", "Allergia alle noci; tavolo vicino alla finestra, grazie!"),
        ("Ελένη Παπαδοπούλου", "γενέθλια 🎂\nalle 21"),
        ("李小龙", '=1+1, "quoted", +39, \\n, <b>'),
        ("Zoë", "0012"),
    ],
)
async def test_a_booking_is_read_back_as_it_was_made(
    bench: Bench, provider: Provider, name: str, notes: str | None
) -> None:
    wanted = a_booking("20:30", people=4, name=name, notes=notes)
    made = await bench.create(provider, wanted)
    assert plain(made) == (DAY, time(20, 30), 4, name, PHONE, notes)
    assert made.live and made.listed and made.booking_id
    other = bench.provider()
    assert await other.by_id(made.booking_id) == made
    assert await other.of_phone(PHONE, DAY) == [made]
    assert await other.of_day(DAY) == [made]


async def test_what_is_listed(bench: Bench, provider: Provider) -> None:
    later = await bench.create(provider, a_booking("21:00"))
    earlier = await bench.create(provider, a_booking("19:30"))
    next_day = await bench.create(provider, a_booking("19:00", day=DAY + timedelta(days=1)))
    other = await bench.create(provider, a_booking("19:00", phone(1)))
    assert await provider.of_phone(PHONE, DAY) == [earlier, later, next_day]
    assert await provider.of_phone(PHONE, DAY + timedelta(days=1)) == [next_day]
    assert await provider.of_phone(phone(1), DAY) == [other]
    assert await provider.of_phone(PHONE[:-1], DAY) == []
    assert await provider.of_day(DAY) == [other, earlier, later]
    assert await provider.of_day(date(2027, 1, 1)) == []


@pytest.mark.parametrize(
    "new", [{"people": 5}, {"time": time(21, 30)}, {"day": DAY + timedelta(days=1)},
            {"day": DAY + timedelta(days=1), "time": time(22, 0), "people": 1}],
)  # fmt: skip
async def test_a_change_writes_nothing_else(bench: Bench, provider: Provider, new: dict[str, object]) -> None:
    beside = await bench.create(provider, a_booking("20:00", phone(1), notes="resta"))
    before = await bench.create(provider, a_booking(name="Renée Ñúñez", notes="vista mare"))
    after = replace(before, **new)
    assert await bench.change(provider, before, after) == after
    other = bench.provider()
    assert await other.by_id(before.booking_id) == after
    assert await other.of_phone(PHONE, DAY) == [after]
    assert await other.by_id(beside.booking_id) == beside


async def test_a_change_of_what_has_changed_is_a_conflict(bench: Bench, provider: Provider) -> None:
    before = await bench.create(provider, a_booking())
    now = await bench.change(provider, before, replace(before, people=3))
    with pytest.raises(ConflictError):
        await bench.change(bench.provider(), before, replace(before, people=4))
    assert await bench.provider().by_id(before.booking_id) == now


async def test_cancelling_is_not_idempotent(bench: Bench, provider: Provider) -> None:
    beside = await bench.create(provider, a_booking("20:00", phone(1)))
    made = await bench.create(provider, a_booking())
    below = await bench.create(provider, a_booking("20:00", phone(2)))
    await provider.cancel(made.booking_id)
    for one in (provider, bench.provider()):
        with pytest.raises(BookingNotFoundError):
            await one.cancel(made.booking_id)
        with pytest.raises(BookingNotFoundError):
            await bench.change(one, made, replace(made, people=3))
        assert [booking for booking in await one.of_phone(PHONE, DAY) if booking.live or booking.listed] == []
        assert {booking.booking_id for booking in await one.of_day(DAY) if booking.live} == {
            beside.booking_id,
            below.booking_id,
        }


@pytest.mark.parametrize("booking_id", NO_ID)
async def test_an_id_that_is_none(bench: Bench, provider: Provider, booking_id: str) -> None:
    made = await bench.create(provider, a_booking())
    nothing = replace(made, booking_id=booking_id)
    with pytest.raises(BookingNotFoundError):
        await provider.by_id(booking_id)
    with pytest.raises(BookingNotFoundError):
        await provider.cancel(booking_id)
    with pytest.raises(BookingNotFoundError):
        await bench.change(provider, nothing, replace(nothing, people=3))
    assert await bench.provider().of_day(DAY) == [made]


async def test_of_several_cancellations_one_succeeds(bench: Bench, provider: Provider) -> None:
    made = [await bench.create(provider, a_booking("20:00", phone(n))) for n in range(AT_ONCE)]
    shown = await asyncio.gather(*(provider.cancel(made[1].booking_id) for _ in range(5)), return_exceptions=True)
    assert Counter(type(one) for one in shown) == {type(None): 1, BookingNotFoundError: 4}
    live = {booking.booking_id for booking in await bench.provider().of_day(DAY) if booking.live}
    assert live == {made[0].booking_id, made[2].booking_id}


async def test_a_full_slot(bench: Bench, provider: Provider) -> None:
    made = [await bench.create(provider, a_booking("20:00", phone(n))) for n in range(AT_ONCE)]
    for at in ("20:00", "19:30", "20:30"):
        with pytest.raises(full(bench)):
            await bench.create(provider, a_booking(at))
    assert len(await bench.provider().of_day(DAY)) == AT_ONCE
    beside = await bench.create(provider, a_booking("21:00"))
    with pytest.raises(full(bench)):
        await bench.change(provider, beside, replace(beside, time=time(20, 30)))
    assert await bench.provider().by_id(beside.booking_id) == beside
    assert (await bench.change(provider, made[0], replace(made[0], people=7))).people == 7
    await provider.cancel(made[1].booking_id)
    assert (await bench.change(provider, beside, replace(beside, time=time(20, 30)))).time == time(20, 30)


@pytest.mark.parametrize("processes", [1, 2])
async def test_the_last_tables_go_to_as_many_as_there_are(bench: Bench, processes: int) -> None:
    providers = [bench.provider() for _ in range(processes)]
    asked = [a_booking("20:00", phone(n)) for n in range(12)]
    shown = await asyncio.gather(
        *(bench.create(providers[n % processes], wanted) for n, wanted in enumerate(asked)), return_exceptions=True
    )
    booked = [one for one in shown if isinstance(one, Booking)]
    assert Counter(type(one) for one in shown if not isinstance(one, Booking)) == {full(bench): 12 - len(booked)}
    live = [booking for booking in await bench.provider().of_day(DAY) if booking.live]
    assert {one.booking_id for one in live} == {one.booking_id for one in booked}
    assert len(booked) == AT_ONCE


async def test_a_mixed_crowd_loses_nothing(bench: Bench, provider: Provider) -> None:
    """Creates, changes and cancellations at once: the storage agrees with the answers."""
    other = bench.provider()
    kept = [await bench.create(provider, a_booking(f"{19 + n // 2}:{n % 2 * 30:02}", phone(n))) for n in range(4)]

    async def move(booking: Booking) -> Booking:
        return await bench.change(other, booking, replace(booking, people=booking.people + 1))

    shown = await asyncio.gather(
        provider.cancel(kept[0].booking_id),
        move(kept[1]),
        other.cancel(kept[2].booking_id),
        bench.create(provider, a_booking("22:00", phone(8))),
        bench.create(other, a_booking("22:00", phone(9))),
        return_exceptions=True,
    )
    wrong = [one for one in shown if isinstance(one, BaseException) and not isinstance(one, ConflictError)]
    assert wrong == []
    live = {booking.phone: booking for booking in await bench.provider().of_day(DAY) if booking.live}
    assert set(live) == {phone(n) for n in (1, 3, 8, 9)}
    assert live[phone(3)] == kept[3]
    assert live[phone(1)].people == (3 if isinstance(shown[1], Booking) else 2)


async def test_no_one_books_twice(bench: Bench, provider: Provider) -> None:
    if provider.server_decides:
        pytest.skip("the service looks for duplicates itself where the provider's server decides")
    wanted = a_booking()
    asked = [replace(wanted, key=f"{n:032x}") for n in range(3)]
    shown = await asyncio.gather(*(provider.create(one, admitting(one)) for one in asked), return_exceptions=True)
    assert sum(isinstance(one, Booking) for one in shown) == 1
    assert len(await bench.provider().of_phone(PHONE, DAY)) == 1
