"""The answers while a provider fails, and the bookings afterwards.

Guarantees:
- Unavailable before anything was sent: each tool's own code, and nothing is changed.
- A write without a success answer is read back: if it was applied, the answer is success, else its reason is the one of
  the provider's answer; a failed read is followed by another; a repeated create never books twice.
- An answer that does not name the booking it made is PROVIDER_ERROR where nothing is found, and a booking where it is.
- A booking that another user changes meanwhile is read again.
"""

from dataclasses import replace
from typing import Any

import pytest

from restaurant.providers import (
    Admit,
    AmbiguousError,
    Booking,
    BookingNotFoundError,
    ConflictError,
    FailedError,
    NewBooking,
    NoTableError,
    OutcomeUnknownError,
    ProviderUnavailableError,
)
from tests.support.restaurants import MARIO, RunningRestaurant

AWAY, LOST = ProviderUnavailableError("refused"), OutcomeUnknownError("timed out")
REFUSED = OutcomeUnknownError("409", FailedError("409"))


async def kept(door: RunningRestaurant) -> list[dict[str, Any]]:
    door.provider().fails.clear()
    return (await door.http.get("/staff/roma/days/2026-02-19")).json()["bookings"]


@pytest.mark.parametrize("method", ["of_phone", "create"])
async def test_away_on_create(door: RunningRestaurant, method: str) -> None:
    door.provider().fails = {method: AWAY}
    assert (await door.book())["error_code"] == "PROVIDER_UNAVAILABLE"
    assert await kept(door) == []


@pytest.mark.parametrize(
    ("method", "error", "code"),
    [
        ("create", LOST, "PROVIDER_UNAVAILABLE"),
        ("create", AmbiguousError("no id"), "PROVIDER_ERROR"),
        ("create", REFUSED, "CREATE_ERROR"),
    ],
)
async def test_lost_and_not_landed(door: RunningRestaurant, method: str, error: Exception, code: str) -> None:
    door.provider().fails = {method: error}
    assert (await door.book())["error_code"] == code
    assert door.provider().asked.count("create") == 1, "a write is sent once"
    assert await kept(door) == []


@pytest.mark.parametrize("error", [LOST, AmbiguousError("no id"), REFUSED])
async def test_lost_and_landed(door: RunningRestaurant, error: Exception) -> None:
    door.provider().after = {"create": error}
    made = await door.book()
    assert [one["booking_id"] for one in await kept(door)] == [made["booking_id"]]
    assert (await door.book())["error_code"] == "DUPLICATE_BOOKING"
    assert len(await kept(door)) == 1


async def test_away_elsewhere(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    for tool, fields, methods, code in (
        ("check_openings", {"day": "2026-02-19", "time": "20:00"}, ("of_day",), "CAPACITY_READ_ERROR"),
        ("list_bookings", {"phone": MARIO}, ("of_phone",), "LIST_ERROR"),
        ("modify_booking", {"booking_id": made, "new_people": 2}, ("by_id", "change"), "UPDATE_ERROR"),
        ("cancel_booking", {"booking_id": made}, ("by_id", "cancel"), "DELETE_ERROR"),
    ):
        for method in methods:
            door.provider().fails = {method: AWAY}
            assert (await door.ask(tool, **fields))["error_code"] == code
    assert [(one["booking_id"], one["people"]) for one in await kept(door)] == [(made, 4)]


@pytest.mark.parametrize("error", [LOST, REFUSED])
async def test_a_change_and_a_cancel_that_landed(door: RunningRestaurant, error: Exception) -> None:
    made = (await door.book())["booking_id"]
    door.provider().after = {"change": error}
    assert (await door.ask("modify_booking", booking_id=made, new_time="21:00"))["time"] == "21:00"
    door.provider().after = {"cancel": error}
    assert (await door.ask("cancel_booking", booking_id=made))["ok"]
    assert await kept(door) == []


async def test_a_change_and_a_cancel_that_did_not(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    door.provider().fails = {"change": LOST, "cancel": LOST}
    changed = await door.ask("modify_booking", booking_id=made, new_time="21:00")
    assert changed["error_code"] == "UPDATE_ERROR"
    assert (await door.ask("cancel_booking", booking_id=made))["error_code"] == "DELETE_ERROR"
    assert len(await kept(door)) == 1


async def test_a_look_that_fails_is_followed_by_another(door: RunningRestaurant) -> None:
    door.provider().after = {"create": LOST, "of_day": AWAY}
    made = await door.book()
    assert made["ok"] and [one["booking_id"] for one in await kept(door)] == [made["booking_id"]]


async def test_a_booking_of_another_call_is_not_taken_for_ours(door: RunningRestaurant) -> None:
    provider, own = door.provider(), door.provider().inner.create

    async def by_another_call(wanted: NewBooking, admit: Admit) -> Booking:
        await own(replace(wanted, key="f" * 32), admit)
        raise LOST

    provider.inner.create = by_another_call  # type: ignore[method-assign]
    assert (await door.book())["error_code"] == "PROVIDER_UNAVAILABLE"


async def test_somebody_else_changes_it_meanwhile(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    provider = door.provider()
    provider.after = {"by_id": BookingNotFoundError("gone")}
    assert (await door.ask("modify_booking", booking_id=made, new_people=2))["error_code"] == "BOOKING_NOT_FOUND"
    provider.fails = {"change": ConflictError("changed")}
    assert (await door.ask("modify_booking", booking_id=made, new_people=2))["error_code"] == "UPDATE_ERROR"
    assert provider.asked.count("change") == 3


async def test_a_server_that_decides_has_no_table_to_move_to(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    door.provider().fails = {"change": NoTableError("422")}
    answer = await door.ask("modify_booking", booking_id=made, new_time="21:00")
    assert answer["error_code"] == "UPDATE_ERROR" and answer["nearest_slots_human"]
