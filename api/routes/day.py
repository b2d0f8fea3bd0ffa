"""`/v1/day`: a venue's day, read from the venue, for display beside the chat."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.auth.credentials import Token
from api.dependencies import FromState, RegistriesDep, TokenCheck
from api.errors import documented
from api.routes.messages import pack_of
from clients.errors import ApiError
from clients.venue.day import DayReader
from contracts.booking import DaySchedule
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Identifier

DaysDep = Annotated[DayReader, Depends(FromState(lambda app: app.services.day_reader))]

router = APIRouter(prefix="/day", tags=["venue"])


@router.get(
    "",
    response_model_exclude_none=True,
    responses=documented(
        E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE
    ),
    summary="Look at a day",
)
async def get_day(
    registries: RegistriesDep,
    days: DaysDep,
    token: Token,
    tokens: TokenCheck,
    user_id: Annotated[Identifier, Query()],
    venue_id: Annotated[Identifier | None, Query(description="The default venue where absent")] = None,
    day: Annotated[date | None, Query(alias="date", description="YYYY-MM-DD; the venue's today where absent")] = None,
) -> DaySchedule:
    """Return the bookings of one day by start time, 100 at most; with `more` there are, or may be, others. They are
    read with the operator's token, at most two seconds ago. Not found where the venue's pack names no read for it."""
    pack = pack_of(registries, venue_id)
    await tokens.verify(pack, token)
    try:
        return await days.read(pack, token, day)
    except ApiError as refused:
        if refused.kind is E.UNAUTHORIZED:
            tokens.evict(pack, token)
        raise
