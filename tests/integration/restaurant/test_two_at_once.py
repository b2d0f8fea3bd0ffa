"""Concurrent requests neither lose a booking nor make too many. Over SQLite and, where there is one, PostgreSQL.

Guarantees:
- Of 200 guests who ask for 10 free places at once, 10 get one, and the others SLOT_FULL or a true alternative.
- Of two guests who ask for the last table one succeeds, the other gets SLOT_FULL; the same guest twice books once.
- The last table is not given both to a new booking and to one that moves there, from whatever day.
- No sequence of creates, modifications and cancels leaves more stays at any minute than allowed, nor loses a booking,
  nor keeps one that was cancelled (hypothesis).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.ledgers import KINDS, a_url
from tests.support.restaurants import RunningRestaurant, running_restaurant


@pytest.fixture(params=KINDS)
async def both(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RunningRestaurant]:
    """The service over a SQLite file, and over PostgreSQL."""
    with a_url(request.param, tmp_path) as url:
        async with running_restaurant(tmp_path, url=url) as found:
            yield found


def codes(answers: list[dict[str, Any]]) -> Counter[str]:
    return Counter("ok" if one["ok"] else one["error_code"] for one in answers)


async def day(door: RunningRestaurant, at: str = "2026-02-19") -> dict[str, Any]:
    return (await door.http.get(f"/staff/roma/days/{at}")).json()


@pytest.mark.slow
async def test_two_hundred_for_ten_places(both: RunningRestaurant) -> None:
    both.know(max_concurrent_bookings=10)
    asked = [both.book(phone=f"+39333{number:07d}", name=f"Ospite {number}") for number in range(200)]
    answers = await asyncio.gather(*asked)
    assert codes(answers) == {"ok": 10, "SLOT_FULL": 190}
    kept = {one["booking_id"] for one in (await day(both))["bookings"]}
    assert kept == {one["booking_id"] for one in answers if one["ok"]}


async def test_the_last_table(both: RunningRestaurant) -> None:
    await both.fill(count=2)
    answers = await asyncio.gather(both.book(phone="+393330000091"), both.book(phone="+393330000092"))
    assert codes(answers) == {"ok": 1, "SLOT_FULL": 1}


async def test_the_same_guest_twice_at_once(both: RunningRestaurant) -> None:
    answers = await asyncio.gather(*(both.book() for _ in range(5)))
    assert codes(answers) == {"ok": 1, "DUPLICATE_BOOKING": 4}


async def test_who_books_and_who_moves_there(both: RunningRestaurant) -> None:
    await both.fill(count=2)
    others = [
        await both.book("20:00", at, phone=f"+39333111{n:04d}") for n, at in enumerate(("2026-02-20", "2026-02-23"))
    ]
    moves = [both.ask("modify_booking", booking_id=one["booking_id"], new_day="2026-02-19") for one in others]
    answers = await asyncio.gather(both.book(), *moves)
    assert codes(answers)["ok"] == 1
    assert len((await day(both))["bookings"]) == 3


async def test_two_changes_of_one_booking(both: RunningRestaurant) -> None:
    made = await both.book()
    asked = [{"new_time": "21:00"}, {"new_people": 2}, {"new_day": "2026-02-20"}]
    answers = await asyncio.gather(
        *(both.ask("modify_booking", booking_id=made["booking_id"], **fields) for fields in asked)
    )
    [kept] = [*(await day(both))["bookings"], *(await day(both, "2026-02-20"))["bookings"]]
    for fields, answer in zip(asked, answers, strict=True):
        for field, value in fields.items():
            assert answer["ok"] and kept[field.removeprefix("new_")] == value, "no change was written over by another"


FORESEEN = (None, "SLOT_FULL", "DUPLICATE_BOOKING", "UPDATE_ERROR", "BOOKING_NOT_FOUND")
TIMES = st.sampled_from(["19:00", "19:30", "20:00", "20:30", "21:00", "22:00"])
DAYS = st.sampled_from(["2026-02-19", "2026-02-20"])
GUESTS = st.integers(0, 5)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), GUESTS, DAYS, TIMES),
        st.tuples(st.just("modify"), st.integers(0, 30), DAYS, TIMES),
        st.tuples(st.just("cancel"), st.integers(0, 30), DAYS, TIMES),
    ),
    min_size=5,
    max_size=25,
)


@pytest.fixture
async def restaurant(tmp_path: Path) -> AsyncIterator[RunningRestaurant]:
    """One service for all examples; each begins by emptying it."""
    async with running_restaurant(tmp_path) as found:
        yield found


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, stay=st.sampled_from([45, 60, 90]))
async def test_no_sequence_exceeds_or_loses(
    restaurant: RunningRestaurant, steps: list[tuple[str, int, str, str]], stay: int
) -> None:
    restaurant.know(max_concurrent_bookings=2, avg_stay_minutes=stay)
    for at in ("2026-02-19", "2026-02-20"):
        for booking in (await day(restaurant, at))["bookings"]:
            await restaurant.ask("cancel_booking", booking_id=booking["booking_id"])
    kept: dict[str, tuple[str, str]] = {}
    made: list[str] = []
    for step, number, at, time in steps:
        if step == "create":
            answer = await restaurant.book(time, at, phone=f"+39333000{number:04d}")
            if answer["ok"]:
                kept[answer["booking_id"]] = (at, time)
                made.append(answer["booking_id"])
        elif made:
            booking_id = made[number % len(made)]
            if step == "modify":
                answer = await restaurant.ask("modify_booking", booking_id=booking_id, new_day=at, new_time=time)
                if answer["ok"]:
                    kept[booking_id] = (at, time)
            else:
                answer = await restaurant.ask("cancel_booking", booking_id=booking_id)
                assert answer["ok"] == (kept.pop(booking_id, None) is not None)
        if step == "create" or made:
            assert answer.get("error_code") in FORESEEN
    there = {
        booking["booking_id"]: (booking["day"], booking["time"])
        for at in ("2026-02-19", "2026-02-20")
        for booking in (await day(restaurant, at))["bookings"]
    }
    assert there == kept
    for at in ("2026-02-19", "2026-02-20"):
        starts = [minutes(time) for day_, time in kept.values() if day_ == at]
        assert all(sum(start <= now < start + stay for start in starts) <= 2 for now in range(24 * 60))


def minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])
