"""The trattoria in a test: the staff API over HTTP, bookings made behind the operator's back, and a provider that fails
on request."""

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Self

from starlette.requests import Request
from starlette.types import ASGIApp

from cli.stack.dev import Ports, Stack
from cli.stack.restaurant import SECRET
from infra.config.settings import ROOT, Settings
from restaurant.app import create_app
from restaurant.hours import hours_of
from restaurant.service import RestaurantService, assemble
from sandbox.kit.control_routes import FaultMiddleware
from sandbox.kit.faults import FaultQueue, WireFault
from tests.support import http
from tests.support.operator import Operator
from tests.support.restaurants import Faulty
from tests.support.stacks import SHORT, free_base

TOKEN = "operator-of-the-trattoria-7d31"
PLACE = "roma"
PACK = ROOT / "overlays" / "restaurant"
_PHONES = itertools.count(1)
_EVENINGS = itertools.cycle(range(2, 22))
"""Open evenings that a search without a day still sees."""


def a_phone() -> str:
    """Return a phone number that no other guest has."""
    return f"+39333{next(_PHONES):07d}"


class DiningStack(Stack):
    """A stack with access to the service's own objects, no invented bookings in it, providers that can fail, and a
    connection to it that can fail (`faults`; an operation is a tool's name)."""

    service: RestaurantService
    faults: FaultQueue[WireFault]

    def _venue(self, pack: str) -> ASGIApp:
        settings = Settings(
            _env_file=None,
            data=self.settings.data,
            restaurant_secret=SECRET,
            restaurant_controls=True,
            restaurant_provider="database",
        )
        self.service = assemble(settings, {})
        for name, place in self.service.desk.restaurants.items():
            self.service.desk.restaurants[name] = replace(place, provider=Faulty(place.provider))
        self.faults = FaultQueue()
        return FaultMiddleware(create_app(self.service), self.faults, _tool_of, lambda status: {"status": status})


def _tool_of(method: str, path: str) -> str | None:
    return path.removeprefix("/api/") if method == "POST" and path.startswith("/api/") else None


@asynccontextmanager
async def dining_stack(data: Path, *, pack: Path | None = None, **settings: Any) -> AsyncIterator[DiningStack]:
    """Start a stack that serves the restaurant, or a changed copy of its pack."""
    found = Settings(_env_file=None, data=data, **{**SHORT, "packs": (pack or PACK,), **settings})
    stack = DiningStack(found, Ports(free_base()), controls=True)
    async with stack:
        yield stack


class Trattoria:
    """The service as its staff and its telephone reach it."""

    def __init__(self, stack: DiningStack) -> None:
        self.service, self._faults = stack.service, stack.faults
        self.http = http.client(
            base_url=f"http://127.0.0.1:{stack.ports.restaurant}", headers={"Authorization": f"Bearer {SECRET}"}
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def provider(self) -> Faulty:
        """Return the provider that keeps its bookings."""
        found = self.service.desk.restaurants[PLACE].provider
        assert isinstance(found, Faulty)
        return found

    def loses(self, tool: str, *, landed: bool) -> None:
        """Cut off the next call of a tool without a byte of answer, after it was carried out or before."""
        self._faults.add(WireFault(operation=tool, effect="drop_after" if landed else "drop_before"))

    def mended(self) -> None:
        """Clear all failures."""
        self._faults.clear()
        for faults in (self.provider.fails, self.provider.after):
            faults.clear()
        self.provider.asked.clear()

    def evening(self, ahead: int | None = None) -> date:
        """Return the n-th day after today on which dinner is served; each time another one."""
        wanted = next(_EVENINGS) if ahead is None else ahead
        place = self.service.desk.restaurants[PLACE]
        day = place.today()
        while wanted:
            day += timedelta(days=1)
            wanted -= hours_of(place.kb, day).openings.dinner is not None
        return day

    async def quiet_evening(self) -> date:
        """Return an evening without bookings; each time another one."""
        found = self.evening()
        for one in await self.of(found):
            await self.ask("cancel_booking", booking_id=one["booking_id"])
        return found

    def closed_day(self) -> date:
        """Return the next Sunday."""
        today = self.service.desk.restaurants[PLACE].today()
        return today + timedelta(days=(6 - today.weekday()) % 7 or 7)

    async def ask(self, tool: str, **fields: Any) -> dict[str, Any]:
        """Return a tool's answer."""
        answer = await self.http.post(f"/api/{tool}", json={"restaurant_id": PLACE, **fields})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def book(self, name: str, *, day: date, at: str = "20:00", people: int = 4, **more: Any) -> dict[str, Any]:
        """Book by telephone. Return the booking as the staff see it."""
        fields = {"day": day.isoformat(), "time": at, "people": people, "name": name, "phone": a_phone(), **more}
        made = await self.ask("create_booking", **fields)
        assert made["ok"], made
        return await self.booking(made["booking_id"])

    async def fill(self, day: date, at: str = "20:00", but: int = 0) -> list[dict[str, Any]]:
        """Take every table of a slot, except so many."""
        return [await self.book(f"Ospite Numero {n}", day=day, at=at) for n in range(3 - but)]

    async def booking(self, booking_id: str) -> dict[str, Any]:
        """Return one booking, as the staff see it. Fails where there is none."""
        answer = await self.http.get(f"/staff/{PLACE}/bookings/{booking_id}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def gone(self, booking_id: str) -> bool:
        """Return whether the booking no longer exists."""
        return (await self.http.get(f"/staff/{PLACE}/bookings/{booking_id}")).status_code == 404

    async def of(self, day: date) -> list[dict[str, Any]]:
        """Return a day's bookings, as the staff see them."""
        answer = await self.http.get(f"/staff/{PLACE}/days/{day.isoformat()}")
        rows: list[dict[str, Any]] = answer.raise_for_status().json()["bookings"]
        return rows


def plan_texts(plan: dict[str, Any], step: int = 0) -> dict[str, tuple[str | None, str | None]]:
    """Return a step's preview by label."""
    return {line["field"]: (line.get("before"), line["after"]) for line in plan["actions"][step]["preview"]}


async def undone(waiter: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Undo the plan as far as possible. Return it afterwards."""
    answer = await waiter.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=waiter.user)
    assert answer.status_code == 202, answer.text
    return await waiter.until(
        plan, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 30
    )


@contextmanager
def heard(stack: DiningStack) -> Iterator[list[str]]:
    """Yield the requests that reach the service meanwhile, "GET /staff/…", in order."""
    paths: list[str] = []
    doors = stack.service.doors
    let_in = doors.check

    async def listening(request: Request) -> None:
        paths.append(f"{request.method} {request.url.path}")
        await let_in(request)

    doors.check = listening  # type: ignore[method-assign]
    try:
        yield paths
    finally:
        doors.check = let_in  # type: ignore[method-assign]
