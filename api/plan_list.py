"""`/v1/plans`: one's own plans, newest first; with the service key and without an operator's token a venue's."""

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Request

from api.auth import operator_token
from api.errors import documented
from api.injected import PlanListDep, RegistriesDep, TokenCheck
from api.page_session import PageDep
from api.requests import pack_of
from clients.errors import RequestError, refuse
from clients.plan_list import Place, Wanted
from contracts.base import Edge
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.names import Identifier, SeenText
from contracts.plan import ExecutionPlan
from language.catalogue import say

router = APIRouter(prefix="/plans", tags=["plans"])

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Plans(Edge):
    """A page of plans. `next_cursor` asks for the next one; it is left out on the last. A page may be shorter than was
    asked for though others follow."""

    plans: list[ExecutionPlan]
    next_cursor: str | None = None


async def _operator(
    request: Request,
    page: PageDep,
    authorization: Annotated[str | None, Header(description="Left out: a venue's plans, with the service key")] = None,
) -> str | None:
    """The operator's token; None when it is the service itself that asks, whose key was looked at before this: a page
    has none. Raises `RequestError`: unauthorized."""
    if page is None and authorization is None and request.app.state.services.settings.service_key:
        return None
    return await operator_token(page, authorization)


@router.get(
    "",
    response_model_exclude_none=True,
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.NOT_FOUND, E.SERVICE_UNAVAILABLE),
    summary="List plans",
)
async def look(
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
            raise _invalid(say("invalid.missing", field="user_id"))
        await tokens.admit(pack, token)
    behind = _place(cursor) if cursor is not None else None
    page = await plans.page(Wanted(pack.profile.venue_id, user_id, _statuses(status or ())), behind, limit)
    return Plans(plans=page.plans, next_cursor=_cursor(page.next) if page.next else None)


def _statuses(asked: Sequence[str]) -> tuple[PlanStatus, ...]:
    named = [name.strip() for text in asked for name in text.split(",") if name.strip()]
    try:
        return tuple(dict.fromkeys(map(PlanStatus, named)))
    except ValueError:
        raise _invalid(say("invalid.choice", field="status", choices=[s.value for s in PlanStatus])) from None


def _invalid(problem: str) -> RequestError:
    return refuse(E.INVALID_REQUEST, say("refuse.invalid", problems=[problem]), say("refuse.invalid_next"))


def _cursor(place: Place) -> str:
    text = json.dumps([(place.at - _EPOCH) // timedelta(microseconds=1), place.plan_id])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place(cursor: str) -> Place:
    """Where a cursor points; it grants nothing. Raises `RequestError`: invalid_request."""
    try:
        at, plan_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place = Place(_EPOCH + timedelta(microseconds=int(at)), str(UUID(plan_id)))
        # Beyond these a datetime soon cannot be reckoned with.
        known = 2000 < place.at.year < 3000
    except (ValueError, TypeError, AttributeError, OverflowError):
        known = False
    if not known:
        raise refuse(E.INVALID_REQUEST, say("refuse.no_cursor"), say("refuse.no_cursor_next"))
    return place
