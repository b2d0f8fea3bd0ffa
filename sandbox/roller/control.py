"""`/_sandbox/…`: controls for tests and rehearsals that ROLLER does not have. Needs no token; off by default.

POST, GET, DELETE /_sandbox/faults   arm, list, disarm faults
GET  /_sandbox/journal               every write applied, in order
GET  /_sandbox/stage                 a full session and a few with room
GET  /_sandbox/choices/{booking}     the choices from its packages, which the API does not return
POST /_sandbox/tokens                make a token valid
POST /_sandbox/reset                 a new seed, or an empty venue with {"seed": false}
"""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from sandbox.kit.faults import FaultQueue, fault_routes
from sandbox.roller.booking_writes import choices
from sandbox.roller.bookings import find_booking
from sandbox.roller.capacity import stage
from sandbox.roller.operations import OPERATIONS, RollerFault
from sandbox.roller.seed.seed import Seeding
from sandbox.roller.seed.venue import VenueClock
from sandbox.roller.store import RollerStore, clear, journal
from sandbox.roller.tokens import SEEDED_TOKENS, RateLimiter, register


class TokenGrant(BaseModel):
    """A token to accept for `seconds`, or without end if None."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(min_length=1)]
    seconds: float | None = None


class RollerResetBody(BaseModel):
    """`seed` false leaves a venue with its tokens but without bookings."""

    model_config = ConfigDict(extra="forbid")

    seed: bool = True


def control_routes(
    store: RollerStore, clock: VenueClock, faults: FaultQueue[RollerFault], limiter: RateLimiter, seeding: Seeding
) -> APIRouter:
    """Return the control endpoints over the parts they control."""
    router = APIRouter(prefix="/_sandbox")
    router.include_router(fault_routes(faults, RollerFault, OPERATIONS.ids))
    _add_looks(router, store, clock)
    _add_resets(router, store, clock, faults, limiter, seeding)
    return router


def _add_looks(router: APIRouter, store: RollerStore, clock: VenueClock) -> None:
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
    store: RollerStore,
    clock: VenueClock,
    faults: FaultQueue[RollerFault],
    limiter: RateLimiter,
    seeding: Seeding,
) -> None:
    @router.post("/tokens", status_code=204)
    async def add_token(grant: TokenGrant) -> Response:
        with store.transaction() as connection:
            register(connection, grant.token, grant.seconds)
        return Response(status_code=204)

    @router.post("/reset", status_code=204)
    async def reset(how: RollerResetBody | None = None) -> Response:
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
