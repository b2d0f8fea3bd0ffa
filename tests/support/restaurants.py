"""The restaurant service of one test, over ASGI: the test sets its clock, and its provider fails on request."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import httpx

from infra.config.settings import Settings
from restaurant.app import create_app
from restaurant.knowledge import KnowledgeBase
from restaurant.providers import Admit, Booking, NewBooking, Provider
from restaurant.service import RestaurantService, assemble

NOON = datetime(2026, 2, 18, 12)
"""A Wednesday, the day before the contract's examples."""
MARIO = "+393331234567"


class Faulty:
    """A provider that fails on request. `fails[method]` is raised instead of the call, `after[method]` after it, once
    each. `name` may be another provider's, to check how its failures are reported."""

    def __init__(self, inner: Provider) -> None:
        self.inner = inner
        self.name = inner.name
        self.server_decides = inner.server_decides
        self.fails: dict[str, Exception] = {}
        self.after: dict[str, Exception] = {}
        self.asked: list[str] = []

    async def _do(self, method: str, *arguments: Any) -> Any:
        self.asked.append(method)
        if method in self.fails:
            raise self.fails[method]
        found = await getattr(self.inner, method)(*arguments)
        if method in self.after:
            raise self.after.pop(method)
        return found

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        return await self._do("create", wanted, admit)

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        return await self._do("of_phone", phone, since)

    async def of_day(self, day: date) -> list[Booking]:
        return await self._do("of_day", day)

    async def by_id(self, booking_id: str) -> Booking:
        return await self._do("by_id", booking_id)

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        return await self._do("change", before, after, admit)

    async def cancel(self, booking_id: str) -> None:
        await self._do("cancel", booking_id)

    async def purge(self, before: date) -> int | None:
        return await self._do("purge", before)

    async def close(self) -> None:
        await self.inner.close()


class RunningRestaurant:
    """The service as a caller sees it, and the controls of a test."""

    def __init__(self, service: RestaurantService, http: httpx.AsyncClient) -> None:
        self.service, self.http = service, http

    def at(self, moment: datetime | str) -> None:
        """Set the clock."""
        self.service.desk.clock.stopped_at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment

    def provider(self, restaurant: str = "roma") -> Faulty:
        """Return a restaurant's provider."""
        found = self.service.desk.restaurants[restaurant].provider
        assert isinstance(found, Faulty)
        return found

    def looking(self, *pauses: float) -> None:
        """Change roma's pauses before it reads the outcome of a write."""
        desk = self.service.desk
        desk.restaurants["roma"] = replace(desk.restaurants["roma"], looks=pauses)

    def know(self, change: Callable[[KnowledgeBase], dict[str, Any]] | None = None, /, **fields: Any) -> None:
        """Change roma's knowledge base."""
        place = self.service.desk.restaurants["roma"]
        kb = KnowledgeBase.model_validate({**place.kb.model_dump(), **fields})
        self.service.desk.restaurants["roma"] = replace(place, kb=kb)

    async def ask(
        self, tool: str, body: Any = None, /, headers: dict[str, str] | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Call a tool over HTTP; `restaurant_id` is roma by default."""
        asked = {"restaurant_id": "roma", **fields} if body is None else body
        answer = await self.http.post(f"/api/{tool}", json=asked, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def book(self, time: str = "20:00", day: str = "2026-02-19", **fields: Any) -> dict[str, Any]:
        """Book for Mario Rossi, four people."""
        wanted = {"day": day, "time": time, "people": 4, "name": "Mario Rossi", "phone": MARIO, **fields}
        return await self.ask("create_booking", **wanted)

    async def fill(self, time: str = "20:00", day: str = "2026-02-19", count: int = 3) -> None:
        """Add other guests' bookings."""
        for number in range(count):
            made = await self.book(time, day, phone=f"+3933300000{number:02d}", name=f"Ospite {number}")
            assert made["ok"], made


@asynccontextmanager
async def running_restaurant(
    folder: Path,
    *,
    moment: datetime = NOON,
    url: str | None = None,
    environment: dict[str, str] | None = None,
    **settings: Any,
) -> AsyncIterator[RunningRestaurant]:
    """Start the service over a separate database, with every restaurant's bookings in it."""
    wanted = {"restaurant_provider": "database", **settings}
    found = Settings(_env_file=None, data=folder, restaurant_database=url, **wanted)
    service = assemble(found, {})
    for name, place in service.desk.restaurants.items():
        service.desk.restaurants[name] = replace(place, provider=Faulty(place.provider), looks=(0.0, 0.01))
    service.desk.clock.stopped_at = moment
    transport = httpx.ASGITransport(app=create_app(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://restaurant") as http:
        yield RunningRestaurant(service, http)
    await service.close()
