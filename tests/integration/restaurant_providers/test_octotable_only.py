"""The specifics of the OctoTable provider, against its stand-in over HTTP. Guarantees:

- One token serves many calls; it is renewed before it ends, and after it was rejected: a read is sent again with the
  new one, a write never; the address of tokens is a setting; a rejected secret is `FailedError`, a missing one
  `NotConfiguredError`.
- A change sends the whole reservation, so nothing else is lost, and chooses the service by the new time.
- WAITING, ACCEPTED and CONFIRMED hold a table, the rest do not; the latter two are listed; a new one is CONFIRMED, also
  where the property has others wait.
- All pages of a list are read.
- Writes to a day take turns; of two processes that take the last table at once the later reservation is removed; where
  that fails, the caller does not get a rejection.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from restaurant.providers import (
    Admit,
    AmbiguousError,
    Booking,
    FailedError,
    NotConfiguredError,
    OutcomeUnknownError,
)
from sandbox.octotable import AUTH_PATH, CLIENT_ID, CLIENT_SECRET, PATH, PROPERTY
from tests.integration.restaurant_providers.benches import AT_ONCE, DAY, PHONE, Bench, FullError, a_booking, admitting

pytestmark = pytest.mark.slow

Started = Callable[..., Bench]


def theirs(bench: Bench, method: str, path: str, **more: Any) -> Any:
    """Send another user's request; return its `data`."""
    assert bench.control is not None
    form = {"grant_type": "client_credentials", "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    token = bench.control.post(f"{AUTH_PATH}/oauth2/token", data=form).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}", "Property": PROPERTY}
    answer = bench.control.request(method, f"{PATH}{path}", headers=headers, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def reservation(**more: Any) -> dict[str, Any]:
    customer = {"first_name": "Ada", "last_name": "De Luca", "phone": "333 1234567", "email": "ada@a.example"}
    return {"start_date": DAY.isoformat(), "start_hour": "20:00:00", "pax": 2, "service_id": 12, "room_id": 21,
            "channel": "WIDGET", "customer": customer, **more}  # fmt: skip


async def test_one_token_serves_many_calls(started: Started) -> None:
    bench = started("octotable")
    provider = bench.provider()
    await asyncio.gather(*(provider.of_day(DAY) for _ in range(20)))
    await bench.create(provider, a_booking())
    assert bench.requests()["create-token"] == 1
    await bench.close()


async def test_a_token_is_renewed(started: Started) -> None:
    # For the provider half of its life is over after 0.2 s; for the server no time passes.
    bench = started("octotable", token_seconds=0.4, clock=lambda: 0.0)
    provider = bench.provider()
    for _ in range(3):
        await provider.of_day(DAY)
        await asyncio.sleep(0.25)
    counted = bench.requests()
    assert counted["create-token"] == 3 and counted["list-reservations"] == 3
    await bench.close()


async def test_a_token_that_is_refused_is_renewed_once(started: Started) -> None:
    bench = started("octotable")
    provider = bench.provider()
    await provider.of_day(DAY)
    assert bench.control is not None
    bench.control.post("/_sandbox/tokens/revoke")
    made = await bench.create(provider, a_booking())
    assert [one.booking_id for one in await provider.of_day(DAY)] == [made.booking_id]
    before = bench.requests()
    bench.fault("create", "status", status=401)
    with pytest.raises(OutcomeUnknownError) as raised:
        await bench.create(provider, a_booking("22:00"))
    assert isinstance(raised.value.because, FailedError)
    assert len(await provider.of_day(DAY)) == 1
    counted = bench.requests()
    assert counted["create-reservation"] == before["create-reservation"] + 1, "a write is sent once"
    assert counted["create-token"] == before["create-token"] + 1, "the next request comes with another token"
    await bench.close()


async def test_who_we_are(started: Started) -> None:
    bench = started("octotable")
    with pytest.raises(FailedError):
        await bench.provider(IQ_OCTOTABLE_CLIENT_SECRET="another").of_day(DAY)
    with pytest.raises(NotConfiguredError, match="IQ_OCTOTABLE_CLIENT_SECRET"):
        await bench.provider(IQ_OCTOTABLE_CLIENT_SECRET="").of_day(DAY)
    here = bench.environment["IQ_OCTOTABLE_URL"]
    assert await bench.provider(IQ_OCTOTABLE_AUTH_URL=here).of_day(DAY) == []
    bench.options = {}
    with pytest.raises(NotConfiguredError, match="property_id"):
        await bench.provider().of_day(DAY)
    assert await bench.provider(IQ_OCTOTABLE_PROPERTY=PROPERTY).of_day(DAY) == []
    with pytest.raises(FailedError, match="403"):
        await bench.provider(IQ_OCTOTABLE_PROPERTY="2").of_day(DAY)
    await bench.close()


async def test_a_change_sends_all_of_it(started: Started) -> None:
    bench = started("octotable")
    provider = bench.provider()
    made = theirs(bench, "POST", "/reservations", json=reservation(notes="ombra", special_request="torta"))
    before = await provider.by_id(str(made["id"]))
    assert (before.phone, before.name, before.notes) == (PHONE, "Ada De Luca", "ombra")
    await bench.change(provider, before, replace(before, time=time(12, 30), people=3))
    after = theirs(bench, "GET", f"/reservations/{made['id']}")
    same = ("customer", "room", "channel", "notes", "special_request", "start_date", "status")
    assert {key: after[key] for key in same} == {key: made[key] for key in same}
    assert (after["start_hour"], after["pax"], after["service"]["name"]) == ("12:30:00", 3, "Lunch")
    await bench.close()


@pytest.mark.parametrize(
    ("status", "live", "listed"),
    [("WAITING", True, False), ("ACCEPTED", True, True), ("CONFIRMED", True, True), ("CANCELLED", False, False),
     ("EXPIRED", False, False), ("REJECTED", False, False), ("OUTOFORDER", False, False), ("PREPAY", False, False)],
)  # fmt: skip
async def test_statuses(started: Started, status: str, live: bool, listed: bool) -> None:
    bench = started("octotable")
    provider = bench.provider()
    made = theirs(bench, "POST", "/reservations", json=reservation(status=status))
    found = await provider.by_id(str(made["id"]))
    assert (found.status, found.live, found.listed) == (status, live, listed)
    if live:
        await provider.cancel(found.booking_id)
        assert theirs(bench, "GET", f"/reservations/{made['id']}")["status"] == "CANCELLED"
    await bench.close()


async def test_a_new_one_does_not_wait(started: Started) -> None:
    bench = started("octotable", settled="WAITING")
    made = await bench.create(bench.provider(), a_booking())
    assert (made.status, made.listed) == ("CONFIRMED", True)
    await bench.close()


async def test_all_pages_are_read(started: Started) -> None:
    bench = started("octotable", page=4)
    made = [theirs(bench, "POST", "/reservations", json=reservation())["id"] for _ in range(11)]
    found = await bench.provider().of_phone(PHONE, DAY)
    assert sorted(int(one.booking_id) for one in found) == made
    assert len(await bench.provider().of_day(DAY)) == 11
    await bench.close()


async def test_within_a_process_nothing_is_made_that_must_be_taken_out(started: Started) -> None:
    bench = started("octotable")
    provider = bench.provider()
    asked = [a_booking("20:00", f"+39333000{n:04}") for n in range(10)]
    shown = await asyncio.gather(*(bench.create(provider, one) for one in asked), return_exceptions=True)
    assert sum(isinstance(one, Booking) for one in shown) == AT_ONCE
    assert bench.requests()["create-reservation"] == AT_ONCE and "cancel-reservation" not in bench.requests()
    await bench.close()


def seeing_room_at_first(admit: Admit) -> Admit:
    """Return a rule that sees room at first and none afterwards, as in a process that read the day before another
    wrote.
    """
    looks: list[int] = []

    def look(bookings: Sequence[Booking]) -> None:
        looks.append(len(bookings))
        if len(looks) > 1:
            admit(bookings)

    return look


async def test_the_later_of_two_takes_itself_out(started: Started) -> None:
    bench = started("octotable")
    provider = bench.provider()
    made = [await bench.create(provider, a_booking("20:00", f"+39333000{n:04}")) for n in range(AT_ONCE)]
    wanted = a_booking()
    with pytest.raises(FullError):
        await provider.create(wanted, seeing_room_at_first(admitting(wanted)))
    assert {one.booking_id for one in await provider.of_day(DAY) if one.live} == {one.booking_id for one in made}
    bench.fault("cancel", "status", status=503)
    with pytest.raises(AmbiguousError):
        await provider.create(wanted, seeing_room_at_first(admitting(wanted)))
    after = replace(made[0], time=time(20, 30))
    with pytest.raises(FullError):
        await provider.change(made[0], after, seeing_room_at_first(admitting(after, after.booking_id)))
    assert await provider.by_id(made[0].booking_id) == made[0]
    await bench.close()


@pytest.mark.parametrize("body", [{"data": None}, {"data": {"id": 7}}, {"success": True}])
async def test_a_creation_that_is_answered_with_nothing(started: Started, body: object) -> None:
    bench = started("octotable")
    bench.fault("create", "status", status=200, body=body)
    with pytest.raises(AmbiguousError):
        await bench.create(bench.provider(), a_booking())
    bench.fault("create", "status", status=200, body={"data": [theirs(bench, "POST", "/reservations",
                                                                      json=reservation())]})  # fmt: skip
    assert isinstance(await bench.create(bench.provider(), a_booking("22:00")), Booking)
    bench.fault("change", "status", status=500)
    made = (await bench.provider().of_day(DAY))[0]
    with pytest.raises(OutcomeUnknownError):
        await bench.change(bench.provider(), made, replace(made, people=3))
    await bench.close()
