"""`/v1/plans/{id}/events`: what happens to a plan, as it happens, as server-sent events.

A stream begins with the plan's first event, or behind the one that `Last-Event-ID` names, and ends when nothing more
can come; who asks again then is answered 204, upon which an `EventSource` stops by itself (HTML, "Server-sent events").
"""

import asyncio
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from sse_starlette import EventSourceResponse, ServerSentEvent

from api.errors import documented
from api.injected import WatchingDep
from api.plans import CallerDep, PlanId
from clients.watching import Watching
from contracts.base import Identifier
from contracts.enums import ServiceErrorType as E
from contracts.events import PlanEvent
from contracts.tokens import token_of

router = APIRouter(prefix="/plans/{plan_id}", tags=["plans"])

_PING = 15
"""Seconds between comments that keep proxies from closing a quiet stream."""
_LONGEST = 600.0
"""Seconds: then a watcher comes again, and who it is is looked at anew."""


class EventFormat(StrEnum):
    """How events are written: as JSON, or as the control tokens of the multi-step messaging specification."""

    JSON = "json"
    TOKENS = "tokens"


LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=20, description="The number of the last event that was had")
]


@router.get(
    "/events",
    response_class=EventSourceResponse,
    responses={
        **documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE),
        204: {"description": "Nothing more will come"},
    },
    summary="Watch a plan",
)
async def events(
    plan_id: PlanId,
    user_id: Annotated[Identifier, Query()],
    by: CallerDep,
    watching: WatchingDep,
    format: Annotated[EventFormat, Query(description="`json` or `tokens`")] = EventFormat.JSON,
    last_event_id: LastEventId = None,
) -> Response:
    """Every event of the plan in order, each exactly once for a watcher that comes back with the last `id` it had."""
    await by.own(plan_id, user_id)
    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if after and await watching.told_all(plan_id, after):
        return Response(status_code=204)
    return EventSourceResponse(
        _written(watching, plan_id, after, format),
        ping=_PING,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _written(watching: Watching, plan_id: str, after: int, form: EventFormat) -> AsyncIterator[ServerSentEvent]:
    until = asyncio.get_running_loop().time() + _LONGEST
    told = watching.follow(plan_id, after)
    try:
        while True:
            async with asyncio.timeout_at(until):
                event = await anext(told)
            yield _one(event, form)
    except (StopAsyncIteration, TimeoutError):
        return
    finally:
        await told.aclose()


def _one(event: PlanEvent, form: EventFormat) -> ServerSentEvent:
    if form is EventFormat.TOKENS:
        return ServerSentEvent(token_of(event), id=str(event.number))
    return ServerSentEvent(event.model_dump_json(exclude_none=True), event=event.kind.value, id=str(event.number))
