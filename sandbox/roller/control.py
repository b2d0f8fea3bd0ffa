"""`/_sandbox/…`: what tests and rehearsals need and ROLLER does not have. Takes no token; off unless asked for.

POST, GET, DELETE /_sandbox/faults   arm, list, disarm faults
GET  /_sandbox/journal               every write applied, in order
GET  /_sandbox/stage                 a full session and a few with room
GET  /_sandbox/choices/{booking}     what was chosen from its packages, which the API does not show
POST /_sandbox/tokens                make a token valid
POST /_sandbox/reset                 a fresh seed, or an empty venue with {"seed": false}
"""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from sandbox.faults import FaultQueue, fault_routes
from sandbox.roller.bookings import find_booking
from sandbox.roller.capacity import stage
from sandbox.roller.changes import choices
from sandbox.roller.faults import Fault
from sandbox.roller.seed import Seeding
from sandbox.roller.store import Store, clear, journal
from sandbox.roller.tokens import SEEDED_TOKENS, RateLimiter, register
from sandbox.roller.venue import VenueClock


class TokenGrant(BaseModel):
    """A token to accept for `seconds`, for good without it."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(min_length=1)]
    seconds: float | None = None


class Reset(BaseModel):
    """`seed` false leaves a venue with its tokens but without a booking."""

    model_config = ConfigDict(extra="forbid")

    seed: bool = True


def control_routes(
    store: Store, clock: VenueClock, faults: FaultQueue[Fault], limiter: RateLimiter, seeding: Seeding
) -> APIRouter:
    """The control endpoints over the parts they control."""
    router = APIRouter(prefix="/_sandbox")
    router.include_router(fault_routes(faults, Fault))
    _add_looks(router, store, clock)
    _add_resets(router, store, clock, faults, limiter, seeding)
    return router


def _add_looks(router: APIRouter, store: Store, clock: VenueClock) -> None:
    @router.get("/journal")
    async def read_journal() -> list[dict[str, object]]:
        with store.reading() as connection:
            return journal(connection)

    @router.get("/stage")
    async def read_stage() -> dict[str, object]:
        with store.reading() as connection:
            return stage(connection, clock)

    @router.get("/choices/{booking_id}")
    async def read_choices(booking_id: str) -> list[dict[str, object]]:
        with store.reading() as connection:
            return choices(connection, find_booking(connection, booking_id)["unique_id"])


def _add_resets(
    router: APIRouter,
    store: Store,
    clock: VenueClock,
    faults: FaultQueue[Fault],
    limiter: RateLimiter,
    seeding: Seeding,
) -> None:
    @router.post("/tokens", status_code=204)
    async def add_token(grant: TokenGrant) -> Response:
        with store.transaction() as connection:
            register(connection, grant.token, grant.seconds)
        return Response(status_code=204)

    @router.post("/reset", status_code=204)
    async def reset(how: Reset | None = None) -> Response:
        with store.transaction() as connection:
            clear(connection)
            if how is None or how.seed:
                seeding(connection, clock)
            else:
                for token in SEEDED_TOKENS:
                    register(connection, token)
        faults.clear()
        limiter.clear()
        return Response(status_code=204)
