"""Who calls, by the headers of the call's own HTTP request: never by an argument, which a model writes."""

import hashlib
from dataclasses import dataclass

from fastapi.exceptions import RequestValidationError
from mcp.server.context import ServerRequestContext
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from api.auth import TokenCache, own_token
from api.limits import RateLimits
from api.plans import Caller
from api.requests import Hearing, pack_of
from api.saying import Sayings
from api.shown import Shown
from clients.services import Services
from contracts.names import Identifier
from registry import Pack

Context = ServerRequestContext[dict[str, object], Request]


class _Headers(BaseModel):
    """What a client says of its operator beside the token."""

    user_id: Identifier = Field(alias="x-user-id")
    venue_id: Identifier | None = Field(default=None, alias="x-venue-id")


@dataclass(frozen=True)
class Parts:
    """What the door is put together with."""

    services: Services
    tokens: TokenCache
    shown: Shown
    limits: RateLimits
    sayings: Sayings


@dataclass(frozen=True)
class Who:
    """The operator for whom a client calls, at one venue."""

    user_id: str
    pack: Pack
    token: str

    @property
    def mark(self) -> str:
        """Stands for all of it: what was begun with one is gone on with by no other."""
        return hashlib.sha256("\n".join([self.pack.profile.venue_id, self.user_id, self.token]).encode()).hexdigest()


async def who_asks(parts: Parts, request: Request) -> Who:
    """The operator that a request names, whose venue's language is spoken from here on. Raises `RequestError`:
    unauthorized, not_found; `RequestValidationError`."""
    token = await own_token(request.headers.get("authorization"))
    try:
        given = _Headers.model_validate({k: v for k, v in request.headers.items() if k in ("x-user-id", "x-venue-id")})
    except ValidationError as wrong:
        problems = [{**problem, "loc": ("header", *problem["loc"])} for problem in wrong.errors()]
        raise RequestValidationError(problems) from None
    return Who(given.user_id, pack_of(parts.services.registries, given.venue_id), token)


def caller_of(parts: Parts, who: Who) -> Caller:
    """How plans are found that are this operator's."""
    services = parts.services
    return Caller(
        services.plans,
        services.registries,
        services.sign_in,
        services.words,
        parts.tokens,
        parts.shown,
        who.token,
        None,
        None,
    )


def hearing_of(parts: Parts) -> Hearing:
    """How a message is heard that a model may have written: it proposes, and decides nothing."""
    return Hearing(parts.services.settings, parts.sayings, parts.tokens, parts.services.registries, decides=False)
