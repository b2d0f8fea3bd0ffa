"""`/v1/plans/{id}/events` and `/v1/sessions/{id}/events`: what happens, as it happens, as server-sent events.

A stream begins with the first event, or behind the one that `Last-Event-ID` names. A plan's ends when nothing more can
come; who asks again then is answered 204, upon which an `EventSource` stops by itself (HTML, "Server-sent events").
"""

from collections import OrderedDict
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sse_starlette import EventSourceResponse, ServerSentEvent

from api.auth import Token
from api.errors import documented
from api.injected import SessionsDep, StreamsDep, WatchingDep
from api.page_session import StillDep
from api.plans import CallerDep, PlanId
from api.sessions import AskedDep
from api.streaming import LastEventId
from clients.errors import refuse
from clients.session_watching import Cursor, SessionEvent
from contracts.enums import ServiceErrorType as E
from contracts.events import PlanEvent
from contracts.names import Identifier, SeenText
from contracts.tokens import token_of, token_of_entry
from language.catalogue import say

router = APIRouter()

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE)


class EventFormat(StrEnum):
    """How events are written: as JSON, or as the control tokens of the multi-step messaging specification."""

    JSON = "json"
    TOKENS = "tokens"


_KEPT = 5000
_WRITTEN: OrderedDict[tuple[str, int], tuple[PlanEvent, str]] = OrderedDict()

Format = Annotated[EventFormat, Query(description="`json` or `tokens`")]


@router.get(
    "/plans/{plan_id}/events",
    tags=["plans"],
    response_class=EventSourceResponse,
    responses={**_ERRORS, 204: {"description": "Nothing more will come"}},
    summary="Watch a plan",
)
async def events(
    plan_id: PlanId,
    user_id: Annotated[Identifier, Query()],
    by: CallerDep,
    watching: WatchingDep,
    streams: StreamsDep,
    still: StillDep,
    format: Format = EventFormat.JSON,
    last_event_id: LastEventId = None,
) -> Response:
    """Every event of the plan in order, each exactly once for a watcher that comes back with the last `id` it had."""
    await by.own(plan_id, user_id)
    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if after and await watching.told_all(plan_id, after):
        return Response(status_code=204)
    whose = streams.make_room(user_id, by.token)
    told = watching.follow(plan_id, after)
    return streams.answer(whose, told, lambda event: _written(plan_id, event, format), still)


@router.get(
    "/sessions/{session_id}/events",
    tags=["sessions"],
    response_class=EventSourceResponse,
    responses=_ERRORS,
    summary="Watch a chat and its plans",
)
async def session_events(
    asked: AskedDep,
    sessions: SessionsDep,
    streams: StreamsDep,
    token: Token,
    still: StillDep,
    format: Format = EventFormat.JSON,
    after: Annotated[
        SeenText | None, Query(max_length=4000, description="A cursor; `Last-Event-ID` goes before it")
    ] = None,
    last_event_id: LastEventId = None,
) -> Response:
    """What is said in the chat, and every event of its plans, in the order of time, each exactly once for a watcher
    that comes back with the last `id` it had. A chat that does not exist yet is waited for. `reset` ends a stream whose
    cursor no longer fits the chat: look at the chat anew."""
    if await sessions.owner(asked.chat) not in (None, asked.user_id):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_chat"), say("refuse.foreign_chat_next"))
    told = sessions.follow(asked.chat, asked.user_id, Cursor.read(last_event_id or after))
    return streams.answer(
        streams.make_room(asked.user_id, token), told, lambda event: _of_session(event, format), still
    )


def _written(plan_id: str, event: PlanEvent, form: EventFormat) -> ServerSentEvent:
    if form is EventFormat.TOKENS:
        return ServerSentEvent(token_of(event), id=str(event.number))
    return ServerSentEvent(_json_of(plan_id, event), event=event.kind.value, id=str(event.number))


def _json_of(plan_id: str, event: PlanEvent) -> str:
    """The event as JSON, written once for all who watch."""
    key = (plan_id, event.number)
    kept = _WRITTEN.get(key)
    if kept is None or kept[0] is not event:
        kept = _WRITTEN[key] = (event, event.model_dump_json(exclude_none=True))
        while len(_WRITTEN) > _KEPT:
            _WRITTEN.popitem(last=False)
    return kept[1]


def _of_session(told: SessionEvent, form: EventFormat) -> ServerSentEvent | None:
    if form is EventFormat.TOKENS:
        token = token_of_entry(told.entry) if told.entry else token_of(told.event) if told.event else None
        # Without data it is no event: only the place to come back to changes (HTML, "Server-sent events").
        return ServerSentEvent(token, id=told.cursor)
    if told.entry is not None:
        return ServerSentEvent(told.entry.model_dump_json(exclude_none=True), event="chat", id=told.cursor)
    if told.event is None:
        return ServerSentEvent("{}", event="reset", id=told.cursor)
    plan_id = told.plan_id or ""
    # The object's first member is put before those of the event, which are written already.
    data = f'{{"plan_id":"{plan_id}",{_json_of(plan_id, told.event)[1:]}'
    return ServerSentEvent(data, event="plan", id=told.cursor)
