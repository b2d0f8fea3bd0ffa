"""The specifics of the resOS provider, against its stand-in over HTTP. Guarantees:

- A new booking is sent as `approved`, with the key, the notes and the length of stay; a `request` made elsewhere is
  live, counts, may be changed and cancelled, and is not listed; one that is cancelled, declined or over is neither.
- The number is compared here, in whatever form it is stored, whether or not the server filters by phone.
- More than a page, and more than five, are read, each booking once.
- 422 "no suitable table" is `NoTableError`; any other 422, and an answer without an id, are `AmbiguousError`.
- `Retry-After` is in milliseconds; reads wait for it where it is short and give up where it is long.
- No key: `NotConfiguredError`, and nothing is sent; a restaurant's own key takes precedence; a wrong one is
  `FailedError`.
"""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from restaurant.providers import (
    AmbiguousError,
    FailedError,
    NoTableError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderUnavailableError,
)
from restaurant.providers.timeouts import Timeouts
from sandbox.resos import API_KEY
from tests.integration.restaurant_providers.benches import DAY, PHONE, STAY, Bench, a_booking

pytestmark = pytest.mark.slow

Started = Callable[..., Bench]


def theirs(bench: Bench, method: str, path: str, **more: Any) -> httpx.Response:
    """Send another user's request."""
    assert bench.control is not None
    answer = bench.control.request(method, f"/v1{path}", auth=(API_KEY, ""), **more)
    assert answer.status_code == 200, answer.text
    return answer


def make(bench: Bench, **more: Any) -> str:
    body = {"date": DAY.isoformat(), "time": "20:00", "people": 2, "guest": {"name": "Ada", "phone": PHONE}, **more}
    made: str = theirs(bench, "POST", "/bookings", json=body).json()
    return made


async def test_what_is_sent(started: Started) -> None:
    bench = started("resos")
    provider = bench.provider()
    made = await bench.create(provider, a_booking(key="ab" * 16, notes="finestra"))
    kept = theirs(bench, "GET", f"/bookings/{made.booking_id}").json()
    assert (kept["status"], kept["metadata"], kept["comment"]) == ("approved", {"key": "ab" * 16}, "finestra")
    assert (kept["duration"], kept["guest"]["phone"]) == (STAY, PHONE)
    await provider.cancel(made.booking_id)
    assert theirs(bench, "GET", f"/bookings/{made.booking_id}").json()["status"] == "canceled"
    await provider.close()


@pytest.mark.parametrize(
    ("status", "live", "listed"),
    [("request", True, False), ("approved", True, True), ("arrived", True, False), ("seated", True, False),
     ("left", False, False), ("declined", False, False), ("no_show", False, False), ("canceled", False, False),
     ("waitlist", False, False)],
)  # fmt: skip
async def test_statuses(started: Started, status: str, live: bool, listed: bool) -> None:
    bench = started("resos")
    provider = bench.provider()
    booking_id = make(bench, **({} if status == "request" else {"status": status}))
    found = await provider.by_id(booking_id)
    assert (found.status, found.live, found.listed) == (status, live, listed)
    assert await provider.of_phone(PHONE, DAY) == [found] == await provider.of_day(DAY)
    if live:
        assert (await bench.change(provider, found, replace(found, people=3))).status == status
        await provider.cancel(booking_id)
    await provider.close()


@pytest.mark.parametrize("phone_filter", ["honoured", "ignored"])
@pytest.mark.parametrize("kept", ["+39 333 123 4567", "333-1234567", "0039 3331234567", "3331234567"])
async def test_the_number_is_compared_here(started: Started, phone_filter: str, kept: str) -> None:
    bench = started("resos", phone_filter=phone_filter)
    provider = bench.provider()
    mine = make(bench, guest={"name": "Ada", "phone": kept})
    make(bench, guest={"name": "Ugo", "phone": "+39 333 123 4568"}), make(bench, guest={"name": "Nessuno"})
    assert [(one.booking_id, one.phone) for one in await provider.of_phone(PHONE, DAY)] == [(mine, PHONE)]
    await provider.close()


async def test_all_pages_are_read(started: Started) -> None:
    bench = started("resos", seats=(8,) * 700)
    provider = bench.provider()
    made = {make(bench, status="approved") for _ in range(601)}
    assert {one.booking_id for one in await provider.of_phone(PHONE, DAY)} == made
    assert len(await provider.of_day(DAY)) == 601
    await provider.close()


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (422, {"message": "No suitable table found"}, NoTableError),
        (422, {"error": "no suitable table found for 4"}, NoTableError),
        (422, {"message": '"phone" is not allowed'}, AmbiguousError),
        (200, None, AmbiguousError),
        (200, {"ok": True}, AmbiguousError),
        (200, "unknown-id", AmbiguousError),
        (500, {}, OutcomeUnknownError),
        (429, {}, OutcomeUnknownError),
        (400, {}, OutcomeUnknownError),
    ],
)
async def test_what_a_creation_may_be_answered(
    started: Started, status: int, body: object, error: type[Exception]
) -> None:
    bench = started("resos")
    provider = bench.provider()
    bench.fault("create", "status", status=status, body=body)
    with pytest.raises(error) as shown:
        await bench.create(provider, a_booking())
    assert type(shown.value) is error
    await provider.close()


async def test_a_creation_that_is_answered_with_the_id_of_another(started: Started) -> None:
    bench = started("resos")
    provider = bench.provider()
    other = await bench.create(provider, a_booking("20:00", "+393330000001"))
    bench.fault("create", "status", status=200, body=other.booking_id)
    with pytest.raises(AmbiguousError):
        await bench.create(provider, a_booking())
    await provider.close()


async def test_a_change_that_is_not_answered_with_true(started: Started) -> None:
    bench = started("resos")
    provider = bench.provider()
    made = await bench.create(provider, a_booking())
    bench.fault("change", "status", status=200, body={"ok": 1})
    with pytest.raises(AmbiguousError):
        await bench.change(provider, made, replace(made, people=4))
    bench.fault("change", "status", status=200, body=True)
    with pytest.raises(AmbiguousError):
        await bench.change(provider, made, replace(made, people=4))
    bench.fault("cancel", "status", status=200, body=True)
    with pytest.raises(AmbiguousError):
        await provider.cancel(made.booking_id)
    await provider.close()


async def test_retry_after_is_in_milliseconds(started: Started) -> None:
    # A third of a second passes between two requests, whatever the machine does: of three in a second one waits.
    moments = itertools.count()
    bench = started("resos", per_second=2, clock=lambda: next(moments) * 0.3)
    provider = bench.provider()
    assert [await provider.of_day(DAY) for _ in range(4)] == [[]] * 4
    assert bench.requests()["total"] > 4
    await provider.close()


async def test_a_long_wait_is_given_up(started: Started) -> None:
    bench = started("resos", per_second=0)
    provider = bench.provider(Timeouts(read=1.5, write=1.5))
    with pytest.raises(ProviderUnavailableError) as shown:
        await provider.of_day(DAY)
    assert not isinstance(shown.value, OutcomeUnknownError)
    await provider.close()


async def test_keys(started: Started) -> None:
    bench = started("resos")
    for unset in ({"IQ_RESOS_KEY": ""},):
        with pytest.raises(NotConfiguredError, match="IQ_RESOS_KEY"):
            await bench.create(bench.provider(**unset), a_booking())
    assert bench.requests() == {"total": 0}
    with pytest.raises(FailedError):
        await bench.provider(IQ_RESOS_KEY="another").of_day(DAY)
    assert await bench.provider(IQ_RESOS_KEY="another", IQ_RESOS_KEY_PROVA=API_KEY).of_day(DAY) == []
    await bench.close()


async def test_past_bookings_are_not_reported_of(started: Started) -> None:
    bench = started("resos")
    provider = bench.provider()
    make(bench, date=(DAY - timedelta(days=1)).isoformat())
    assert await provider.of_phone(PHONE, DAY) == []
    assert len(await provider.of_phone(PHONE, DAY - timedelta(days=1))) == 1
    assert await provider.purge(DAY) is None
    await provider.close()
