"""FastAPI dependencies: one per service. `create_app` stores the services where these find them."""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from starlette.datastructures import State

from api.auth.credentials import TokenCache
from api.auth.page_session import PageSessions
from api.auth.rate_limits import RateLimits
from api.auth.staff_session import StaffSessions
from api.health_history import HealthHistory
from api.last_shown import LastShown
from api.shutdown import Shutdown
from api.sse import EventStreams
from api.turns import TurnService
from clients.commands import PlanCommands
from clients.modes import Modes
from clients.registry import Registries
from clients.streams.plan import PlanStreams
from clients.streams.session import SessionStreams
from clients.temporal.chats import ChatClient
from clients.temporal.escalations import EscalationClient
from clients.temporal.plan_list import PlanList
from clients.temporal.plans import PlanClient
from clients.token_refresh import TokenRefresh
from clients.venue.day import DayReader
from infra.config.settings import Settings
from infra.ledger.database import Database
from infra.stores.token_vault import Vault
from infra.stores.worker_config import WorkerConfigs
from infra.stores.worker_presence import WorkerPresence
from infra.temporal.health import TemporalHealth

T = TypeVar("T")


class _FromState(Generic[T]):
    """A dependency that returns one service of the application's state."""

    def __init__(self, pick: Callable[[State], T]) -> None:
        self._pick = pick

    # A plain function would run in a thread.
    async def __call__(self, request: Request) -> T:
        return self._pick(request.app.state)


SettingsDep = Annotated[Settings, Depends(_FromState(lambda app: app.services.settings))]
RegistriesDep = Annotated[Registries, Depends(_FromState(lambda app: app.services.registries))]
PlansDep = Annotated[PlanClient, Depends(_FromState(lambda app: app.services.plans))]
PlanListDep = Annotated[PlanList, Depends(_FromState(lambda app: app.services.plan_list))]
ChatsDep = Annotated[ChatClient, Depends(_FromState(lambda app: app.services.chats))]
EscalationsDep = Annotated[EscalationClient, Depends(_FromState(lambda app: app.services.escalations))]
DaysDep = Annotated[DayReader, Depends(_FromState(lambda app: app.services.day_reader))]
CommandsDep = Annotated[PlanCommands, Depends(_FromState(lambda app: app.services.commands))]
ModesDep = Annotated[Modes, Depends(_FromState(lambda app: app.services.modes))]
LedgerDep = Annotated[Database, Depends(_FromState(lambda app: app.services.ledger))]
WorkerConfigsDep = Annotated[WorkerConfigs, Depends(_FromState(lambda app: app.services.worker_configs))]
PresenceDep = Annotated[WorkerPresence, Depends(_FromState(lambda app: app.services.worker_presence))]
TemporalHealthDep = Annotated[TemporalHealth, Depends(_FromState(lambda app: app.services.temporal))]
VaultDep = Annotated[Vault, Depends(_FromState(lambda app: app.services.vault))]
TokenRefreshDep = Annotated[TokenRefresh, Depends(_FromState(lambda app: app.services.token_refresh))]
PlanStreamsDep = Annotated[PlanStreams, Depends(_FromState(lambda app: app.services.plan_streams))]
SessionStreamsDep = Annotated[SessionStreams, Depends(_FromState(lambda app: app.services.sessions))]
PageSessionsDep = Annotated[PageSessions, Depends(_FromState(lambda app: app.page_sessions))]
StaffSessionsDep = Annotated[StaffSessions, Depends(_FromState(lambda app: app.staff_sessions))]
StreamsDep = Annotated[EventStreams, Depends(_FromState(lambda app: app.streams))]
TurnsDep = Annotated[TurnService, Depends(_FromState(lambda app: app.sayings))]
TokenCheck = Annotated[TokenCache, Depends(_FromState(lambda app: app.tokens))]
LastShownDep = Annotated[LastShown, Depends(_FromState(lambda app: app.shown))]
HealthHistoryDep = Annotated[HealthHistory, Depends(_FromState(lambda app: app.unwell))]
ShutdownDep = Annotated[Shutdown, Depends(_FromState(lambda app: app.stopping))]
LimitsDep = Annotated[RateLimits, Depends(_FromState(lambda app: app.limits))]
