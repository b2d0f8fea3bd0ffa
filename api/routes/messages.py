"""`POST /v1/requests`: one operator message in, one turn out."""

from dataclasses import dataclass
from uuid import uuid4

from fastapi import APIRouter, Request, Response

from api.auth.credentials import IdempotencyKey, Token, TokenCache, request_id_of
from api.dependencies import LimitsDep, RegistriesDep, SettingsDep, TokenCheck, TurnsDep
from api.errors import documented
from api.middleware.request_id import given_id
from api.schemas import RequestBody
from api.turns import TurnService, request_key
from clients.errors import ApiError, api_error, service_unavailable
from clients.registry import Registries
from contracts.chat_messages import ChatStart
from contracts.enums import ServiceErrorType as E
from contracts.turn import PlanTurn, Turn
from infra.config.settings import Settings
from infra.observability.logging import bind_log_context, hashed, opaque
from language.messages.catalogue import activate_locale, translate
from registry import Pack
from workflows.workflow_ids import chat_workflow, request_trace

router = APIRouter(tags=["requests"])


def pack_of(registries: Registries, venue_id: str | None) -> Pack:
    """Return the venue's pack, or the default one if no venue is named. Raises `ApiError`: not_found."""
    registry = registries.registry
    pack = registry.default_venue if venue_id is None else registry.venue(venue_id)
    if pack is None:
        known = [p.profile.venue_id for p in registry.packs]
        raise api_error(
            E.NOT_FOUND,
            translate("refuse.no_venue", venue=venue_id),
            translate("refuse.no_venue_next", venues=known),
        )
    activate_locale(pack.profile.locale, pack.profile.words)
    return pack


def _not_sent(named: bool) -> str:
    """Return what it means that a message was not sent: another try with the same id may have been."""
    return "unavailable.not_sent_again" if named else "unavailable.no_booking_changed"


@router.post(
    "/requests",
    response_model_exclude_none=True,
    responses={
        **documented(
            E.INVALID_REQUEST,
            E.UNAUTHORIZED,
            E.FORBIDDEN,
            E.NOT_FOUND,
            E.CONFLICT,
            E.RATE_LIMITED,
            E.SERVICE_UNAVAILABLE,
        ),
        202: {
            "model": PlanTurn,
            "description": "A yes or no was received; the plan's `notice` says what is known of it",
        },
    },
    summary="Say something",
)
async def create_turn(
    body: RequestBody,
    request: Request,
    response: Response,
    registries: RegistriesDep,
    settings: SettingsDep,
    sayings: TurnsDep,
    limits: LimitsDep,
    token: Token,
    tokens: TokenCheck,
    key: IdempotencyKey = None,
) -> Turn:
    """Turn one message into a plan to confirm, a question, or an answer. A retry with the same `request_id` gets the
    same turn; other words or values under it are refused with 422. Answers within the turn budget (15 s unless set
    otherwise). After a 503 no booking is changed by the message and no plan was made of it, unless the answer says
    that this is not known: of a bare yes or no, of a message whose plan may have been made, and of a try that was not
    passed on where an earlier one may have been."""
    pack = pack_of(registries, body.venue_id)
    named = request_id_of(body.request_id, key)
    request_id = named or str(uuid4())
    if request_id.isascii() and not given_id(request.headers):
        # A header cannot hold other characters; the answer then has an id of its own.
        response.headers["X-Request-Id"] = request_id
        bind_log_context(http_id=opaque(request_id))
    hearing = TurnHandler(settings, sayings, tokens, registries)
    # Before the rate limit counts it, because a caller without the user's token must not use up the user's limit.
    await hearing.admit(pack, token, named=named is not None)
    await limits.count(venue=pack.profile.venue_id, user=body.user_id)
    return await hearing.turn(pack, body, request_id, token, response, named is not None)


@dataclass(frozen=True)
class TurnHandler:
    """Handles a message of any front end. `decides`: whether it may be a person's own decision about a plan."""

    settings: Settings
    turns: TurnService
    tokens: TokenCache
    registries: Registries
    decides: bool = True

    async def admit(self, pack: Pack, token: str, *, named: bool) -> None:
        """Check that the venue accepts the token. Raises `ApiError`."""
        with service_unavailable(_not_sent(named)):
            await self.tokens.verify(pack, token)

    async def turn(
        self, pack: Pack, body: RequestBody, request_id: str, token: str, response: Response, named: bool
    ) -> Turn:
        """Return the turn of a message whose token the venue has accepted (`admit`). `named`: the caller may have sent
        it before with this id. Raises `ApiError`."""
        async with self.turns.admission.slot(pack.profile.venue_id, several=len(self.registries.registry.packs) > 1):
            return await self._turn(pack, body, request_id, token, response, named)

    async def _turn(
        self, pack: Pack, body: RequestBody, request_id: str, token: str, response: Response, named: bool
    ) -> Turn:
        chat = chat_workflow(pack.profile.venue_id, body.session_id)
        key = request_key(body.user_id, request_id)
        trace = request_trace(pack.profile.venue_id, body.session_id, body.user_id, key)
        bind_log_context(workflow_id=chat, request_id=hashed(trace))
        with service_unavailable(_not_sent(named)):
            turn = await self.turns.open(chat, body, request_id, token, decides=self.decides)
        start = ChatStart(
            venue_id=pack.profile.venue_id,
            session_id=body.session_id,
            locale=pack.profile.locale,
            nouns=pack.profile.words,
            policy=self.settings.chat_policy(),
        )
        try:
            return await self.turns.send(chat, turn, start, response)
        except ApiError as refused:
            if refused.kind is E.UNAUTHORIZED:
                self.tokens.evict(pack, token)
            raise
