"""What a route may ask for: each service by itself. `create_app` keeps them where these find
them."""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from starlette.datastructures import State

from api.auth import TokenCache
from api.limits import RateLimits
from api.page_session import PageSessions
from api.saying import Sayings
from api.shown import Shown
from api.staff_session import StaffSessions
from api.stopping import Stopping
from api.streaming import Streams
from api.unwell import Unwell
from clients.attributes import Attributes
from clients.chats import ChatClient
from clients.day import Days
from clients.escalations import EscalationClient
from clients.modes import Modes
from clients.plan_list import PlanList
from clients.plans import PlanClient
from clients.registries import Registries
from clients.session_watching import SessionWatching
from clients.sign_in import SignIn
from clients.watching import Watching
from clients.words import Words
from infra.ledger.database import Database
from infra.presence import Presence
from infra.settings import Settings
from infra.setups import Setups
from infra.temporal_watch import TemporalWatch
from infra.vault import Vault

T = TypeVar("T")


class _Given(Generic[T]):
    """One thing that the application was put together with."""

    def __init__(self, pick: Callable[[State], T]) -> None:
        self._pick = pick

    # A plain function would be run in a thread.
    async def __call__(self, request: Request) -> T:
        return self._pick(request.app.state)


SettingsDep = Annotated[Settings, Depends(_Given(lambda app: app.services.settings))]
RegistriesDep = Annotated[Registries, Depends(_Given(lambda app: app.services.registries))]
PlansDep = Annotated[PlanClient, Depends(_Given(lambda app: app.services.plans))]
PlanListDep = Annotated[PlanList, Depends(_Given(lambda app: app.services.plan_list))]
ChatsDep = Annotated[ChatClient, Depends(_Given(lambda app: app.services.chats))]
EscalationsDep = Annotated[EscalationClient, Depends(_Given(lambda app: app.services.escalations))]
DaysDep = Annotated[Days, Depends(_Given(lambda app: app.services.days))]
WordsDep = Annotated[Words, Depends(_Given(lambda app: app.services.words))]
ModesDep = Annotated[Modes, Depends(_Given(lambda app: app.services.modes))]
LedgerDep = Annotated[Database, Depends(_Given(lambda app: app.services.ledger))]
AttributesDep = Annotated[Attributes, Depends(_Given(lambda app: app.services.attributes))]
SetupsDep = Annotated[Setups, Depends(_Given(lambda app: app.services.setups))]
PresenceDep = Annotated[Presence, Depends(_Given(lambda app: app.services.presence))]
TemporalWatchDep = Annotated[TemporalWatch, Depends(_Given(lambda app: app.services.temporal))]
VaultDep = Annotated[Vault, Depends(_Given(lambda app: app.services.vault))]
SignInDep = Annotated[SignIn, Depends(_Given(lambda app: app.services.sign_in))]
WatchingDep = Annotated[Watching, Depends(_Given(lambda app: app.services.watching))]
SessionsDep = Annotated[SessionWatching, Depends(_Given(lambda app: app.services.sessions))]
PageSessionsDep = Annotated[PageSessions, Depends(_Given(lambda app: app.page_sessions))]
StaffSessionsDep = Annotated[StaffSessions, Depends(_Given(lambda app: app.staff_sessions))]
StreamsDep = Annotated[Streams, Depends(_Given(lambda app: app.streams))]
SayingsDep = Annotated[Sayings, Depends(_Given(lambda app: app.sayings))]
TokenCheck = Annotated[TokenCache, Depends(_Given(lambda app: app.tokens))]
ShownDep = Annotated[Shown, Depends(_Given(lambda app: app.shown))]
UnwellDep = Annotated[Unwell, Depends(_Given(lambda app: app.unwell))]
StoppingDep = Annotated[Stopping, Depends(_Given(lambda app: app.stopping))]
LimitsDep = Annotated[RateLimits, Depends(_Given(lambda app: app.limits))]
