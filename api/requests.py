"""`POST /v1/requests`: one operator message in, one turn out."""

from dataclasses import dataclass
from uuid import uuid4

from fastapi import APIRouter, Request, Response

from api.auth import IdempotencyKey, Token, TokenCache, id_of
from api.bodies import RequestBody
from api.errors import documented
from api.injected import LimitsDep, RegistriesDep, SayingsDep, SettingsDep, TokenCheck
from api.request_ids import given_id
from api.saying import KINDS, Sayings, request_key
from clients.errors import RequestError, UnansweredError, refuse
from clients.registries import Registries
from contracts.enums import ServiceErrorType as E
from contracts.messages import ChatStart
from contracts.turn import PlanTurn, Turn
from infra.log_ids import also_about, hashed, opaque
from infra.settings import Settings
from language.catalogue import say, speak
from language.replies import read_reply
from registry import Pack
from workflows.ids import chat_workflow, request_trace

router = APIRouter(tags=["requests"])


def pack_of(registries: Registries, venue_id: str | None) -> Pack:
    """The venue's pack, the default one's where none is named. Raises `RequestError`: not_found."""
    registry = registries.registry
    pack = registry.default_venue if venue_id is None else registry.venue(venue_id)
    if pack is None:
        known = [p.profile.venue_id for p in registry.packs]
        raise refuse(
            E.NOT_FOUND,
            say("refuse.no_venue", venue=venue_id),
            say("refuse.no_venue_next", venues=known),
        )
    speak(pack.profile.locale, pack.profile.words)
    return pack


def _not_sent(message: str, named: bool) -> str:
    """What it means that a message was not passed on: another try under the same id may have been."""
    if not named:
        return "away.no_booking_changed"
    read = read_reply(message)
    return "word.reply_unknown" if read is not None and read.kind in KINDS else "away.not_sent_again"


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
async def take(
    body: RequestBody,
    request: Request,
    response: Response,
    registries: RegistriesDep,
    settings: SettingsDep,
    sayings: SayingsDep,
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
    named = id_of(body.request_id, key)
    request_id = named or str(uuid4())
    if request_id.isascii() and not given_id(request.headers):
        # A header holds nothing else; the answer then has an id of its own.
        response.headers["X-Request-Id"] = request_id
        also_about(http_id=opaque(request_id))
    hearing = Hearing(settings, sayings, tokens, registries)
    # Before it is counted: whoever knows a user's id and no token must not use up what that user may send.
    await hearing.admit(pack, body, token, named=named is not None)
    await limits.count(venue=pack.profile.venue_id, user=body.user_id)
    return await hearing.turn(pack, body, request_id, token, response, named is not None)


@dataclass(frozen=True)
class Hearing:
    """How a message is heard, whichever door it came by. `decides`: whether it may be a person's own word on a plan."""

    settings: Settings
    sayings: Sayings
    tokens: TokenCache
    registries: Registries
    decides: bool = True

    async def admit(self, pack: Pack, body: RequestBody, token: str, *, named: bool) -> None:
        """Make sure the venue accepts the token. Raises `RequestError`."""
        try:
            await self.tokens.admit(pack, token)
        except UnansweredError as away:
            raise UnansweredError(away.part, _not_sent(body.user_message, named)) from None

    async def turn(
        self, pack: Pack, body: RequestBody, request_id: str, token: str, response: Response, named: bool
    ) -> Turn:
        """What becomes of a message; `named`: its caller may have sent it before under this id. Raises
        `RequestError`."""
        await self.admit(pack, body, token, named=named)
        async with self.sayings.places.one(pack.profile.venue_id, several=len(self.registries.registry.packs) > 1):
            return await self._turn(pack, body, request_id, token, response, named)

    async def _turn(
        self, pack: Pack, body: RequestBody, request_id: str, token: str, response: Response, named: bool
    ) -> Turn:
        chat = chat_workflow(pack.profile.venue_id, body.session_id)
        key = request_key(body.user_id, request_id)
        trace = request_trace(pack.profile.venue_id, body.session_id, body.user_id, key)
        also_about(workflow_id=chat, request_id=hashed(trace))
        try:
            saying = await self.sayings.begin(chat, body, request_id, token, decides=self.decides)
        except UnansweredError as away:
            raise UnansweredError(away.part, _not_sent(body.user_message, named)) from None
        start = ChatStart(
            venue_id=pack.profile.venue_id,
            session_id=body.session_id,
            locale=pack.profile.locale,
            words=pack.profile.words,
            policy=self.settings.chat_policy(),
        )
        try:
            return await saying.heard(start, response)
        except RequestError as refused:
            if refused.kind is E.UNAUTHORIZED:
                self.tokens.forget(pack, token)
            raise
