"""`POST /v1/requests`: one operator message in, one turn out."""

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from fastapi import APIRouter, Request, Response

from activities.chats import conversation_id
from activities.desk import TURN_ACCEPT_WITHIN, DeskError, refuse
from api.auth import PartsDep, Token, TokenCheck
from api.bodies import RequestBody
from api.errors import documented
from contracts.enums import ServiceErrorType as E
from contracts.messages import ChatStart, TurnRequest
from contracts.turn import Turn
from language.catalogue import say, speak, spoken
from registry import Pack

router = APIRouter(tags=["requests"])


def pack_of(parts: PartsDep, venue_id: str | None) -> Pack:
    """The venue's pack, the default one's where none is named. Raises `DeskError`: not_found."""
    registry = parts.registries.registry
    pack = registry.default_venue if venue_id is None else registry.venue(venue_id)
    if pack is None:
        known = [p.profile.venue_id for p in registry.packs]
        raise refuse(
            E.NOT_FOUND,
            say("refuse.no_venue", spoken(), venue=venue_id),
            say("refuse.no_venue_next", spoken(), venues=known),
        )
    speak(pack.profile.locale)
    return pack


@router.post(
    "/requests",
    response_model=Turn,
    response_model_exclude_none=True,
    responses=documented(
        E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE
    ),
    summary="Say something",
)
async def take(
    body: RequestBody, request: Request, response: Response, parts: PartsDep, token: Token, tokens: TokenCheck
) -> Turn:
    """Turn one message into a plan to confirm, a question, or an answer. A retry with the same `request_id` gets the
    same turn. Answers within the turn budget (15 s unless set otherwise); a 503 has changed nothing."""
    pack = pack_of(parts, body.venue_id)
    venue = pack.profile.venue_id
    request_id = body.request_id or str(uuid4())
    response.headers["X-Request-Id"] = request_id
    await request.app.state.limits.count(venue=venue, user=body.user_id)
    await tokens.admit(pack, token)
    budget = parts.settings.turn_budget
    reference = await parts.vault.put(token, budget + 30)
    turn = TurnRequest(
        request_key=hashlib.sha256(f"{body.user_id}\n{request_id}".encode()).hexdigest(),
        request_id=request_id,
        user_id=body.user_id,
        user_message=body.user_message,
        token_ref=reference,
        accept_by=datetime.now(UTC) + timedelta(seconds=min(budget, TURN_ACCEPT_WITHIN)),
        deadline=datetime.now(UTC) + timedelta(seconds=budget),
    )
    start = ChatStart(
        venue_id=venue, session_id=body.session_id, locale=pack.profile.locale, policy=parts.settings.chat_policy()
    )
    try:
        reply = await parts.desk.turn(conversation_id(venue, body.session_id), start, turn)
    finally:
        await parts.vault.wipe(reference)
    if reply.turn is None:
        assert reply.error is not None
        if reply.error.error_type is E.UNAUTHORIZED:
            tokens.forget(pack, token)
        raise DeskError(reply.error)
    return reply.turn
