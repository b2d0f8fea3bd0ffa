"""`/v1/plans/{id}/events` and `/v1/sessions/{id}/events`: live events, as server-sent events.

A stream begins with the first event, or after the one in `Last-Event-ID`. A plan's stream ends when no more events can
come. A client that reconnects then gets 204, which makes an `EventSource` stop (HTML, "Server-sent events").
"""

from collections import OrderedDict
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from sse_starlette import EventSourceResponse, ServerSentEvent

from api.auth.credentials import Token
from api.auth.page_session import StillDep
from api.dependencies import FromState
from api.errors import documented
from api.event_tokens import encode_event, token_of_entry
from api.routes.plans import CallerDep, PlanId
from api.routes.sessions import AskedDep
from api.sse import EventStreams, LastEventId
from clients.errors import api_error
from clients.streams.plan import PlanStreams
from clients.streams.session import Cursor, SessionEvent, SessionStreams
from contracts.enums import ServiceErrorType as E
from contracts.events import PlanEvent
from contracts.identifiers import Identifier, SeenText
from language.messages.catalogue import translate

StreamsDep = Annotated[EventStreams, Depends(FromState(lambda app: app.streams))]
PlanStreamsDep = Annotated[PlanStreams, Depends(FromState(lambda app: app.services.plan_streams))]
SessionStreamsDep = Annotated[SessionStreams, Depends(FromState(lambda app: app.services.sessions))]

router = APIRouter()

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE)


class EventFormat(StrEnum):
    """How events are written: as JSON, or as the control tokens of the multi-step messaging specification."""

    JSON = "json"
    TOKENS = "tokens"


_KEPT = 5000
_serialized: OrderedDict[tuple[str, int], tuple[PlanEvent, str]] = OrderedDict()

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
    watching: PlanStreamsDep,
    streams: StreamsDep,
    still: StillDep,
    format: Format = EventFormat.JSON,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream every event of the plan in order, each exactly once for a client that reconnects with its last `id`."""
    await by.get_own(plan_id, user_id)
    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if after and await watching.drained(plan_id, after):
        return Response(status_code=204)
    owner = streams.reserve(user_id, by.token)
    events = watching.subscribe(plan_id, after)
    return streams.response(owner, events, lambda event: _written(plan_id, event, format), still)


@router.get(
    "/sessions/{session_id}/events",
    tags=["sessions"],
    response_class=EventSourceResponse,
    responses=_ERRORS,
    summary="Watch a chat and its plans",
)
async def session_events(
    session_access: AskedDep,
    sessions: SessionStreamsDep,
    streams: StreamsDep,
    token: Token,
    still: StillDep,
    format: Format = EventFormat.JSON,
    after: Annotated[
        SeenText | None, Query(max_length=4000, description="A cursor; `Last-Event-ID` goes before it")
    ] = None,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream the chat's entries and every event of its plans, in the order of time, each exactly once for a client that
    reconnects with its last `id`. A chat that does not exist yet is awaited. `reset` ends a stream whose
    cursor no longer fits the chat: read the chat again."""
    if await sessions.owner(session_access.chat) not in (None, session_access.user_id):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_chat"), translate("refuse.foreign_chat_next"))
    subscribed = sessions.subscribe(session_access.chat, session_access.user_id, Cursor.read(last_event_id or after))
    return streams.response(
        streams.reserve(session_access.user_id, token), subscribed, lambda event: _of_session(event, format), still
    )


def _written(plan_id: str, event: PlanEvent, form: EventFormat) -> ServerSentEvent:
    if form is EventFormat.TOKENS:
        return ServerSentEvent(encode_event(event), id=str(event.number))
    return ServerSentEvent(_json_of(plan_id, event), event=event.kind.value, id=str(event.number))


def _json_of(plan_id: str, event: PlanEvent) -> str:
    """Return the event as JSON, serialized once for all watchers."""
    key = (plan_id, event.number)
    kept = _serialized.get(key)
    if kept is None or kept[0] is not event:
        kept = _serialized[key] = (event, event.model_dump_json(exclude_none=True))
        while len(_serialized) > _KEPT:
            _serialized.popitem(last=False)
    return kept[1]


def _of_session(event: SessionEvent, form: EventFormat) -> ServerSentEvent | None:
    if form is EventFormat.TOKENS:
        token = token_of_entry(event.entry) if event.entry else encode_event(event.event) if event.event else None
        # Without data it is no event: it only moves the client's cursor (HTML, "Server-sent events").
        return ServerSentEvent(token, id=event.cursor)
    if event.entry is not None:
        return ServerSentEvent(event.entry.model_dump_json(exclude_none=True), event="chat", id=event.cursor)
    if event.event is None:
        return ServerSentEvent("{}", event="reset", id=event.cursor)
    plan_id = event.plan_id or ""
    # The plan's id is inserted before the members of the event, which are serialized already.
    data = f'{{"plan_id":"{plan_id}",{_json_of(plan_id, event.event)[1:]}'
    return ServerSentEvent(data, event="plan", id=event.cursor)
