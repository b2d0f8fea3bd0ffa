"""`/v1/day`: a venue's day, as the venue has it, for showing it beside the chat."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query

from api.auth import Token
from api.errors import documented
from api.injected import DaysDep, RegistriesDep, TokenCheck
from api.requests import pack_of
from clients.errors import RequestError
from contracts.booking import VenueDay
from contracts.enums import ServiceErrorType as E
from contracts.names import Identifier

router = APIRouter(prefix="/day", tags=["venue"])


@router.get(
    "",
    response_model_exclude_none=True,
    responses=documented(
        E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE
    ),
    summary="Look at a day",
)
async def look(
    registries: RegistriesDep,
    days: DaysDep,
    token: Token,
    tokens: TokenCheck,
    user_id: Annotated[Identifier, Query()],
    venue_id: Annotated[Identifier | None, Query(description="The default venue where absent")] = None,
    day: Annotated[date | None, Query(alias="date", description="YYYY-MM-DD; the venue's today where absent")] = None,
) -> VenueDay:
    """The bookings of one day by start time, 100 at most; with `more` there are, or may be, others. It is read with the
    operator's token, at most two seconds ago. Not found where the venue's pack names no read for it."""
    pack = pack_of(registries, venue_id)
    await tokens.admit(pack, token)
    try:
        return await days.day(pack, token, day)
    except RequestError as refused:
        if refused.kind is E.UNAUTHORIZED:
            tokens.forget(pack, token)
        raise
