"""FastAPI dependencies, one per service that several routes use; a route makes its own of any other. `create_app`
stores the services where these find them."""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from starlette.datastructures import State

from api.auth.credentials import TokenCache
from api.auth.page_session import PageSessions
from api.auth.rate_limits import RateLimits
from api.turns import TurnService
from clients.commands import PlanCommands
from clients.last_shown import LastShown
from clients.registry import Registries
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from infra.config.settings import Settings
from infra.ledger.database import Database

T = TypeVar("T")


class FromState(Generic[T]):
    """A dependency that returns one service of the application's state."""

    def __init__(self, pick: Callable[[State], T]) -> None:
        self._pick = pick

    # A plain function would run in a thread.
    async def __call__(self, request: Request) -> T:
        """Return the service."""
        return self._pick(request.app.state)


SettingsDep = Annotated[Settings, Depends(FromState(lambda app: app.services.settings))]
RegistriesDep = Annotated[Registries, Depends(FromState(lambda app: app.services.registries))]
PlansDep = Annotated[PlanClient, Depends(FromState(lambda app: app.services.plans))]
ChatsDep = Annotated[ChatClient, Depends(FromState(lambda app: app.services.chats))]
CommandsDep = Annotated[PlanCommands, Depends(FromState(lambda app: app.services.commands))]
LedgerDep = Annotated[Database, Depends(FromState(lambda app: app.services.ledger))]
PageSessionsDep = Annotated[PageSessions, Depends(FromState(lambda app: app.page_sessions))]
TurnsDep = Annotated[TurnService, Depends(FromState(lambda app: app.sayings))]
TokenCheck = Annotated[TokenCache, Depends(FromState(lambda app: app.tokens))]
LastShownDep = Annotated[LastShown, Depends(FromState(lambda app: app.shown))]
LimitsDep = Annotated[RateLimits, Depends(FromState(lambda app: app.limits))]
