"""`/v1/usage`: usage and cost, by mode, venue or day, with the plans' metrics."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from api.auth.staff_session import StaffDep
from api.dependencies import LedgerDep
from api.errors import documented
from clients.errors import api_error, service_unavailable
from clients.ledger import By, read_report
from contracts.enums import ServiceErrorType as E
from contracts.usage import UsageReport
from language.messages.catalogue import translate

router = APIRouter(prefix="/usage", tags=["usage"])

_USUAL = timedelta(days=29)


@router.get(
    "",
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.SERVICE_UNAVAILABLE),
    summary="Usage, cost and plan metrics",
)
async def usage(
    ledger: LedgerDep,
    _: StaffDep,
    by: Annotated[By, Query(description="How rows are grouped")] = "mode",
    since: Annotated[date | None, Query(alias="from", description="First day, UTC; 30 days back if left out")] = None,
    until: Annotated[date | None, Query(alias="to", description="Last day, UTC; today if left out")] = None,
) -> UsageReport:
    """For staff: with the service key, or signed in at `/staff/`. `docs/ledger.md` defines every figure."""
    last = until or datetime.now(UTC).date()
    first = since or last - min(_USUAL, last - date.min)
    if first > last:
        raise api_error(E.INVALID_REQUEST, translate("refuse.backwards", since=first, until=last))
    with service_unavailable():
        return await read_report(ledger, by, first, last)
