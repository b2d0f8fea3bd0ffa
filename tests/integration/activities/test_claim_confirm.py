"""Settling a word with its caller, as a plan asks for it.

Guarantees: an open word takes effect; a withdrawn one, and one that nobody opened or whose time is up, never does; one
that has taken effect is told so again, however late a retry asks. No clock but the store's is asked. An undo stays open
for as long as it may look at bookings first.
"""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from activities.chat_plan_bridge import ChatPlanActivities
from clients.command_types import CommandKind, PlanCommand
from clients.commands import PlanCommands
from clients.errors import ApiError
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanView
from contracts.enums import PlanStatus
from contracts.step_activities import CommitCommand
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.command_store import MemoryCommandStore
from infra.stores.token_vault import MemoryVault
from reasoning.error_messages import unavailable_error
from tests.unit.reasoning.test_drafting import a_plan
from workflows.plan import undo_check


async def asked(claims: MemoryCommandStore, ticket: str) -> bool:
    """What the plan hears."""
    no_one: Any = None  # claiming talks to no Temporal
    plans, chats_client = PlanClient(no_one), ChatClient(no_one, "iq")
    vault = MemoryVault(parse_ring(new_key_line()))
    chats = ChatPlanActivities(
        Settings(_env_file=None), plans, chats_client, PlanCommands(plans, vault, claims, 60), vault, claims
    )
    return (await chats.commit_command(CommitCommand(commit_token=ticket))).granted


async def test_in_time_and_asked_again() -> None:
    claims = MemoryCommandStore()
    # On a busy machine a word may be over before it is asked for: then a longer one is tried.
    for seconds in (0.1, 0.5, 2.5, 12.5):
        ticket = (await claims.open(f"a{seconds}", seconds)).commit_token
        if await asked(claims, ticket):
            break
    await asyncio.sleep(seconds + 0.1)
    assert await asked(claims, ticket)


async def test_withdrawn() -> None:
    claims = MemoryCommandStore()
    ticket = (await claims.open("a", 60)).commit_token
    await claims.abort(ticket)
    assert not await asked(claims, ticket)


async def test_too_late() -> None:
    claims = MemoryCommandStore()
    ticket = (await claims.open("a", 0.1)).commit_token
    await asyncio.sleep(0.2)
    assert not await asked(claims, ticket)


async def test_never_opened() -> None:
    assert not await asked(MemoryCommandStore(), "a#b")


class Opened(MemoryCommandStore):
    """Claims that keep for how long each was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    async def open(self, attempt: str, seconds: float, *content: str) -> Any:
        """See `CommandStore.open`."""
        self.seconds.append(seconds)
        return await super().open(attempt, seconds, *content)


async def test_an_undo_may_be_claimed_for_as_long_as_its_looks_take() -> None:
    claims, plans = Opened(), Mock(spec=PlanClient)
    plan = a_plan()
    done = {"status": PlanStatus.COMPLETED, "confirmed_at": plan.created_at, "completed_at": plan.created_at}
    plan = plan.model_copy(update={**done, "undo_until": plan.expires_at})
    plans.undo.side_effect = ApiError(unavailable_error("slow", "word.undo_refused"))
    words = PlanCommands(plans, MemoryVault(parse_ring(new_key_line())), claims, 60)
    with pytest.raises(ApiError):
        await words.undo(PlanView(plan=plan), PlanCommand(CommandKind.UNDO, plan.user_id, "r-1"), "token")
    [seconds] = claims.seconds
    assert seconds > sum(plans.undo.call_args.args[2:]) > undo_check._LOOK
