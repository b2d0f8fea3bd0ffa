"""How often a command asks the store, in memory and in Redis. Guarantees:

- A confirmation costs two round trips, and so does an undo: the API opens the command and stores the plan's copy of the
  token in one, the plan commits it in the other.
- So does a command that a message has opened.
- A command that took effect before costs one, and leaves no second copy of a token behind.
"""

from typing import Any
from unittest.mock import Mock

import pytest
from redis.asyncio.connection import AbstractConnection

from activities.chat_plan_bridge import ChatPlanActivities
from clients.commands import PlanCommands
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import ConfirmRequest, PlanView, UndoRequest
from contracts.commands import ConfirmPlan, UndoPlan
from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from contracts.step_activities import CommitCommand
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.command_store import CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.unit.reasoning.test_drafting import a_plan

PLAN: ExecutionPlan = a_plan()
DONE = PLAN.model_copy(
    update={
        "status": PlanStatus.COMPLETED,
        "confirmed_at": PLAN.created_at,
        "completed_at": PLAN.created_at,
        "undo_until": PLAN.expires_at,
    }
)


class Scene:
    """The API, and a plan that commits each command by its activity and then shows the token that it was given."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.vault, self.claims = Vault(store, parse_ring(new_key_line())), CommandStore(store)
        plans: Any = Mock(spec=PlanClient)
        plans.confirm.side_effect = plans.undo.side_effect = self._take
        self.commands = PlanCommands(plans, self.vault, self.claims, 60)
        self.bridge = ChatPlanActivities(
            Settings(_env_file=None), plans, Mock(spec=ChatClient), self.commands, self.vault, self.claims
        )
        self.lent: list[str] = []

    async def _take(self, plan_id: str, request: ConfirmRequest | UndoRequest, *within: float) -> PlanView:
        call = CommitCommand(commit_token=request.commit_token, by=plan_id)
        assert (await self.bridge.commit_command(call)).granted
        self.lent.append(request.token_ref)
        return PlanView(plan=PLAN, token_ref=request.token_ref)

    async def tokens(self) -> int:
        """Return how many tokens the store holds."""
        return len(await self.store.redis.keys("iq:token:*"))


@pytest.fixture
async def scene(store: Store) -> Scene:
    await store.redis.ping()  # a first call connects, too
    return Scene(store)


@pytest.fixture
def trips(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was sent over the scene's connections: one entry for each round trip."""
    sent: list[bytes] = []
    send = AbstractConnection.send_packed_command
    own = scene.store.redis.connection_pool._in_use_connections

    async def counted(self: AbstractConnection, command: Any, check_health: bool = True) -> None:
        if self in own:  # a stack that still runs in this process has connections, too
            sent.append(command if isinstance(command, bytes) else b"".join(command))
        await send(self, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    return sent


@pytest.mark.parametrize("opened_by_a_message", [False, True])
@pytest.mark.parametrize(("plan", "kind"), [(PLAN, ConfirmPlan), (DONE, UndoPlan)], ids=["confirm", "undo"])
async def test_a_command_costs_two(
    scene: Scene, trips: list[bytes], plan: ExecutionPlan, kind: type[ConfirmPlan | UndoPlan], opened_by_a_message: bool
) -> None:
    ticket = (await scene.claims.open("message", 60)).commit_token if opened_by_a_message else ""
    trips.clear()
    command = kind(user_id=plan.user_id, request_id="r-1", commit_token=ticket)
    assert (await scene.commands.execute(PlanView(plan=plan), command, "token")).certain
    assert len(trips) == 2, trips
    assert await scene.vault.get(scene.lent[0]) == "token"


async def test_once_more_costs_one_and_leaves_no_token(scene: Scene, trips: list[bytes]) -> None:
    command = ConfirmPlan(user_id=PLAN.user_id, request_id="r-1")
    await scene.commands.execute(PlanView(plan=PLAN), command, "token")
    trips.clear()
    assert (await scene.commands.execute(PlanView(plan=PLAN), command, "token")).certain
    assert len(trips) == 1 == await scene.tokens() == len(scene.lent)
