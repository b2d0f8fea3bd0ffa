"""The reservations service as `iq dev` runs it beside the restaurant pack: our own service, with a few invented
bookings so that there is something to change."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, time, timedelta
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from fastapi import FastAPI
from starlette.types import ASGIApp

from infra.config.settings import Settings
from restaurant.app import create_app
from restaurant.hours import hours_of
from restaurant.providers import NewBooking
from restaurant.service import RestaurantService, assemble
from restaurant.tools.context import Restaurant

SECRET = "demo-restaurant"
"""The secret that the pack of `iq dev` sends to the service of `iq dev`."""

PLACE = "roma"


@dataclass(frozen=True)
class _Guest:
    """The guest of the n-th open evening from tomorrow on."""

    evening: int
    at: time
    people: int
    name: str
    phone: str
    notes: str | None = None


_GUESTS = (
    _Guest(0, time(20, 0), 2, "Chiara Gallo", "+393330000001"),
    _Guest(1, time(20, 30), 4, "Mario Rossi", "+393330000002", "un seggiolone"),
    _Guest(1, time(21, 0), 6, "Luca Verdi", "+393330000003"),
    _Guest(2, time(20, 0), 3, "Anna Bianchi", "+393330000004", "celiaca"),
    _Guest(2, time(20, 0), 2, "Paolo Neri", "+393330000005"),
    _Guest(2, time(20, 30), 5, "Giulia Bruno", "+393330000006"),
    _Guest(4, time(19, 30), 8, "Famiglia Esposito", "+393330000007", "compleanno"),
)


def create(data: Path, controls: bool) -> ASGIApp:
    """Return the service over a separate database in `data`, with those bookings if it has none yet."""
    settings = Settings(
        _env_file=None,
        data=data,
        restaurant_secret=SECRET,
        restaurant_controls=controls,
        restaurant_provider="database",
    )
    service = assemble(settings, os.environ)
    app = create_app(service)
    serving = app.router.lifespan_context

    @asynccontextmanager
    async def with_guests(of: FastAPI) -> AsyncIterator[None]:
        await _invite(service)
        async with serving(of):
            yield

    app.router.lifespan_context = with_guests
    return app


async def _invite(service: RestaurantService) -> None:
    restaurant = service.desk.restaurants[PLACE]
    evenings = _evenings(restaurant, 1 + max(guest.evening for guest in _GUESTS))
    for evening in evenings:
        if await restaurant.provider.of_day(evening):
            return
    for guest in _GUESTS:
        wanted = NewBooking(
            # Its first six digits are the booking's reference.
            uuid5(NAMESPACE_OID, guest.phone).hex,
            evenings[guest.evening],
            guest.at,
            guest.people,
            guest.name,
            guest.phone,
            guest.notes,
        )
        await restaurant.provider.create(wanted, lambda _: None)


def _evenings(restaurant: Restaurant, many: int) -> list[date]:
    day = restaurant.today()
    found: list[date] = []
    while len(found) < many:
        day += timedelta(days=1)
        if hours_of(restaurant.kb, day).openings.dinner is not None:
            found.append(day)
    return found
