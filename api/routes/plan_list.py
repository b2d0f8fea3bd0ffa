"""`/v1/plans`: the operator's own plans, newest first; with the service key and without an operator's token a
venue's."""

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Request

from api.auth.credentials import operator_token
from api.auth.page_session import PageDep
from api.dependencies import FromState, RegistriesDep, TokenCheck
from api.errors import documented
from api.routes.messages import pack_of
from clients.errors import ApiError, api_error
from clients.temporal.plan_list import PageCursor, PlanFilter, PlanList
from contracts.base import StrictModel
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Identifier, SeenText
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate

PlanListDep = Annotated[PlanList, Depends(FromState(lambda app: app.services.plan_list))]

router = APIRouter(prefix="/plans", tags=["plans"])

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Plans(StrictModel):
    """A page of plans. `next_cursor` asks for the next one; it is left out on the last. A page may be shorter than was
    asked for though others follow."""

    plans: list[ExecutionPlan]
    next_cursor: str | None = None


async def _operator(
    request: Request,
    page: PageDep,
    authorization: Annotated[str | None, Header(description="Left out: a venue's plans, with the service key")] = None,
) -> str | None:
    """Return the operator's token; None if the service itself calls, whose key was checked before. A page has no key.
    Raises `ApiError`: unauthorized."""
    if page is None and authorization is None and request.app.state.services.settings.service_key:
        return None
    return await operator_token(page, authorization)


@router.get(
    "",
    response_model_exclude_none=True,
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.NOT_FOUND, E.SERVICE_UNAVAILABLE),
    summary="List plans",
)
async def list_plans(
    plans: PlanListDep,
    registries: RegistriesDep,
    tokens: TokenCheck,
    token: Annotated[str | None, Depends(_operator)],
    user_id: Annotated[Identifier | None, Query(description="May be left out by the service itself")] = None,
    venue_id: Annotated[Identifier | None, Query(description="The default venue where absent")] = None,
    status: Annotated[list[str] | None, Query(description="Only these, repeated or by commas")] = None,
    cursor: Annotated[SeenText | None, Query(max_length=200, description="`next_cursor` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=50, description="Plans a page")] = 20,
) -> Plans:
    """Plans that are kept: open ones, and closed ones for as long as Temporal keeps them (seven days). A plan that was
    just made, or has just changed its status, may take a moment to be found; what is shown of it is as it stands."""
    pack = pack_of(registries, venue_id)
    if token is not None:
        if user_id is None:
            raise _invalid(translate("invalid.missing", field="user_id"))
        await tokens.verify(pack, token)
    after = _place(cursor) if cursor is not None else None
    page = await plans.page(PlanFilter(pack.profile.venue_id, user_id, _statuses(status or ())), after, limit)
    return Plans(plans=page.plans, next_cursor=_cursor(page.next) if page.next else None)


def _statuses(asked: Sequence[str]) -> tuple[PlanStatus, ...]:
    named = [name.strip() for text in asked for name in text.split(",") if name.strip()]
    try:
        return tuple(dict.fromkeys(map(PlanStatus, named)))
    except ValueError:
        raise _invalid(translate("invalid.choice", field="status", choices=[s.value for s in PlanStatus])) from None


def _invalid(problem: str) -> ApiError:
    return api_error(
        E.INVALID_REQUEST, translate("refuse.invalid", problems=[problem]), translate("refuse.invalid_next")
    )


def _cursor(place: PageCursor) -> str:
    text = json.dumps([(place.at - _EPOCH) // timedelta(microseconds=1), place.plan_id])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place(cursor: str) -> PageCursor:
    """Return the position of a cursor, which grants no access. Raises `ApiError`: invalid_request."""
    try:
        at, plan_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place = PageCursor(_EPOCH + timedelta(microseconds=int(at)), str(UUID(plan_id)))
        # Outside of these years datetime arithmetic may overflow.
        known = 2000 < place.at.year < 3000
    except (ValueError, TypeError, AttributeError, OverflowError):
        known = False
    if not known:
        raise api_error(E.INVALID_REQUEST, translate("refuse.no_cursor"), translate("refuse.no_cursor_next"))
    return place
