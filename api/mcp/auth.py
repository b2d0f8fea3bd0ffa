"""Authentication by the headers of the call's own HTTP request: never by an argument, because a model writes those."""

import hashlib
from dataclasses import dataclass

from fastapi.exceptions import RequestValidationError
from mcp.server.context import ServerRequestContext
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from api.auth.credentials import TokenCache, operator_token_of
from api.auth.rate_limits import RateLimits
from api.routes.messages import TurnHandler, pack_of
from api.routes.plans import PlanAccess
from api.turns import TurnService
from clients.last_shown import LastShown
from clients.services import Services
from contracts.identifiers import Identifier
from registry import Pack

Context = ServerRequestContext[dict[str, object], Request]


class _Headers(BaseModel):
    """The headers that identify the operator, beside the token."""

    user_id: Identifier = Field(alias="x-user-id")
    venue_id: Identifier | None = Field(default=None, alias="x-venue-id")


@dataclass(frozen=True)
class McpServices:
    """The services that MCP calls use."""

    services: Services
    tokens: TokenCache
    last_shown: LastShown
    limits: RateLimits
    turns: TurnService


@dataclass(frozen=True)
class McpCaller:
    """The operator for whom a client calls, at one venue."""

    user_id: str
    pack: Pack
    token: str

    @property
    def mark(self) -> str:
        """Return a hash of the caller: only the same caller can continue a session or a question."""
        return hashlib.sha256("\n".join([self.pack.profile.venue_id, self.user_id, self.token]).encode()).hexdigest()


async def authenticate(parts: McpServices, request: Request) -> McpCaller:
    """Return the operator that a request names, and activate the language of the operator's venue. Raises `ApiError`:
    unauthorized, not_found; `RequestValidationError`."""
    token = await operator_token_of(request.headers.get("authorization"))
    try:
        given = _Headers.model_validate({k: v for k, v in request.headers.items() if k in ("x-user-id", "x-venue-id")})
    except ValidationError as wrong:
        problems = [{**problem, "loc": ("header", *problem["loc"])} for problem in wrong.errors()]
        raise RequestValidationError(problems) from None
    return McpCaller(given.user_id, pack_of(parts.services.registries, given.venue_id), token)


def caller_of(parts: McpServices, caller: McpCaller) -> PlanAccess:
    """Return the access to this operator's plans."""
    services = parts.services
    return PlanAccess(
        services.plans,
        services.registries,
        services.token_refresh,
        services.commands,
        parts.tokens,
        parts.last_shown,
        caller.token,
        None,
        None,
    )


def hearing_of(parts: McpServices) -> TurnHandler:
    """Return the handler of messages that a model may have written: they propose changes, and decide nothing."""
    return TurnHandler(parts.services.settings, parts.turns, parts.tokens, parts.services.registries, decides=False)
