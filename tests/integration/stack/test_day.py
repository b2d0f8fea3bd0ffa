"""`GET /v1/day` over HTTP, against the running stacks: a venue's day by its pack's own look-up. Guarantees:

- The answer has all bookings of the day and no others, by start time, from every source; a cancelled one is marked.
  Without a day it is today by the venue's clock. Both packs have it.
- It has at most a hundred bookings, and says when there may be more.
- A pack without such a read is a 404 with a message. A bad day, no sign-in and an unknown venue get the usual errors.
- A rejection by the venue keeps its kind. A read is cached for a moment, for the same token only.
"""

import dataclasses
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from api.app import create_app
from cli.stack.dev import Stack
from clients.venue import day as days
from clients.venue.day import KEPT_FOR, DayReader
from tests.support.bookeo import School
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, days_ahead
from tests.support.stacks import own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def asked(operator: Operator, **query: Any) -> httpx.Response:
    return await operator.http.get("/v1/day", params={"user_id": operator.user, **query})


async def day_of(operator: Operator, day: str | None = None) -> dict[str, Any]:
    response = await asked(operator, **({"date": day} if day else {}))
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.fixture
async def other(stack: Stack) -> AsyncIterator[Operator]:
    """Another user at the same venue."""
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as one:
        yield one


async def test_a_day_by_start_time(operator: Operator, roller: Roller) -> None:
    day, next_day = days_ahead(321), days_ahead(322)
    late = await roller.book("Zoe Adams", day=day, time="14:00", guests=7)
    early = await roller.book("Yan Becker", day=day, time="10:00", guests=8)
    await roller.book(a_name(), day=next_day)
    off = await roller.book("Abe Cole", day=day, time="10:00", guests=3)
    assert (await roller.http.post(f"/bookings/{off['uniqueId']}/cancel", json={"issueRefund": False})).is_success
    found = await day_of(operator, day)
    assert found["date"] == day and found["more"] is False
    shown = [(b["start_time"], b["guest_name"], b["guest_count"], b["cancelled"]) for b in found["bookings"]]
    left = [row for row in shown if row[1] != "Abe Cole"]
    assert left == [("10:00", "Yan Becker", 8, False), ("14:00", "Zoe Adams", 7, False)]
    assert ("10:00", "Abe Cole", 3, True) in shown or len(shown) == 2, "cancelled says so, or is gone"
    first = next(b for b in found["bookings"] if b["guest_name"] == "Yan Becker")
    assert first["booking_id"] == early["uniqueId"] and first["reference"] == early["bookingReference"]
    assert first["date"] == day and first["label"].startswith("Yan Becker")
    assert (await day_of(operator, days_ahead(323)))["bookings"] == []
    assert late["uniqueId"] in {b["booking_id"] for b in found["bookings"]}


async def test_today_is_the_venue_s(clerk: Operator, school: School) -> None:
    here = datetime.now(ZoneInfo("Europe/Rome")).date()
    assert (await day_of(clerk))["date"] == here.isoformat()
    day = date.today() + timedelta(days=9)
    await school.book("Marta Neri", day=day, at="15:00", riders=3)
    await school.book("Ugo Verdi", day=day, at="10:00")
    await school.book("Rita Sala", day=day + timedelta(days=1))
    found = await day_of(clerk, day.isoformat())
    assert [(b["start_time"], b["guest_name"], b["guest_count"]) for b in found["bookings"]] == [
        ("10:00", "Ugo Verdi", 2), ("15:00", "Marta Neri", 3),
    ]  # fmt: skip


async def test_it_is_cut_and_says_so(operator: Operator, roller: Roller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "MOST", 2)
    day = days_ahead(324)
    for time in ("14:00", "10:00", "12:00"):
        await roller.book(a_name(), day=day, time=time)
    found = await day_of(operator, day)
    assert [b["start_time"] for b in found["bookings"]] == ["10:00", "12:00"]
    assert found["more"] is True


async def test_what_is_none_is_reported(operator: Operator, stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    error = expect_error(await asked(operator, date="tomorrow"), 422, "invalid_request")
    assert "date is not valid" in error["message"]
    expect_error(await asked(operator, venue_id="nowhere"), 404, "not_found")
    expect_error(await operator.http.get("/v1/day"), 422, "invalid_request")
    assert stack.services is not None
    registry = stack.services.registries.registry
    without = tuple(dataclasses.replace(pack, day=None) for pack in registry.packs)
    with monkeypatch.context() as patch:
        patch.setattr(registry, "_packs", without)
        error = expect_error(await asked(operator), 404, "not_found")
    assert error["message"] == "Bounce & Beyond Melbourne has no list of a day here."
    operator.http.headers["Authorization"] = "Bearer never-heard-of"
    expect_error(await asked(operator), 401, "unauthorized")


@pytest.mark.parametrize(
    ("how", "status", "kind"),
    [
        (401, 401, "unauthorized"),
        (403, 403, "forbidden"),
        (429, 429, "rate_limited"),
        (500, 503, "service_unavailable"),
    ],
)
async def test_what_the_venue_refuses_is_reported(
    operator: Operator, roller: Roller, how: int, status: int, kind: str
) -> None:
    day = days_ahead(325)
    await roller.fault("search-for-bookings", "status", status=how, body={"errors": []}, times=3 if how >= 500 else 1)
    expect_error(await asked(operator, date=day), status, kind)
    assert (await day_of(operator, day))["date"] == day, "a refusal is not kept"


async def test_an_answer_that_is_nothing_is_reported(operator: Operator, roller: Roller) -> None:
    await roller.fault("search-for-bookings", "status", status=200, body={"bookings": [{"name": "no id"}]})
    expect_error(await asked(operator, date=days_ahead(326)), 503, "service_unavailable")


async def test_what_was_read_is_for_the_same_token_and_a_moment(
    stack: Stack, operator: Operator, other: Operator, roller: Roller
) -> None:
    assert stack.services is not None
    now, day = 0.0, days_ahead(327)
    app = create_app(
        dataclasses.replace(stack.services, day_reader=DayReader(stack.services.venues, clock=lambda: now))
    )
    for one in (operator, other):
        headers = {"Authorization": one.http.headers["Authorization"]}
        await one.http.aclose()
        one.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://iq.test", headers=headers)
    assert (await day_of(operator, day))["bookings"] == []
    await roller.book(a_name(), day=day)
    assert (await day_of(operator, day))["bookings"] == []
    assert len((await day_of(other, day))["bookings"]) == 1
    assert len((await day_of(operator, days_ahead(328)))["bookings"]) == 0
    now = KEPT_FOR
    assert len((await day_of(operator, day))["bookings"]) == 1
