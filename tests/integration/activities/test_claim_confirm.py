"""Committing a command, as a plan requests it from the API's store.

Guarantees: an open command takes effect; an aborted, unknown or expired one never does; a command that was committed is
granted again, however late a retry asks. Only the store's clock counts. An undo stays open for as long as its reads of
the bookings may take. The plan keeps its copy of the token unless the command is certainly aborted.
"""

import asyncio
import contextlib
from typing import Any
from unittest.mock import AsyncMock, Mock, patch

import pytest

from activities.chat_plan_bridge import ChatPlanActivities
from clients.commands import PlanCommands
from clients.errors import ApiError, ServiceUnavailableError
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanView
from contracts.commands import ConfirmPlan, UndoPlan
from contracts.enums import PlanStatus
from contracts.step_activities import CommitCommand
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.command_store import ABORTED, COMMITTED, CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import TokenMissingError, Vault
from reasoning.error_messages import unavailable_error
from tests.unit.reasoning.test_drafting import a_plan
from workflows.plan import rollback


async def asked(claims: CommandStore, ticket: str) -> bool:
    """Return the plan's answer."""
    no_one: Any = None  # committing needs no Temporal
    plans, chats_client = PlanClient(no_one), ChatClient(no_one, "iq")
    vault = Vault(Store(), parse_ring(new_key_line()))
    chats = ChatPlanActivities(
        Settings(_env_file=None), plans, chats_client, PlanCommands(plans, vault, claims, 60), vault, claims
    )
    return (await chats.commit_command(CommitCommand(commit_token=ticket))).granted


async def test_in_time_and_asked_again() -> None:
    claims = CommandStore(Store())
    # On a busy machine a command may expire before the commit: then the test tries a longer time.
    for seconds in (0.1, 0.5, 2.5, 12.5):
        ticket = (await claims.open(f"a{seconds}", seconds)).commit_token
        if await asked(claims, ticket):
            break
    await asyncio.sleep(seconds + 0.1)
    assert await asked(claims, ticket)


async def test_withdrawn() -> None:
    claims = CommandStore(Store())
    ticket = (await claims.open("a", 60)).commit_token
    await claims.abort(ticket)
    assert not await asked(claims, ticket)


async def test_too_late() -> None:
    claims = CommandStore(Store())
    ticket = (await claims.open("a", 0.1)).commit_token
    await asyncio.sleep(0.2)
    assert not await asked(claims, ticket)


async def test_never_opened() -> None:
    assert not await asked(CommandStore(Store()), "a#b")


class Opened(CommandStore):
    """A store that notes how long each command was opened."""

    def __init__(self) -> None:
        super().__init__(Store())
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
    plans.undo.side_effect = ApiError(unavailable_error("slow", "command.undo_refused"))
    words = PlanCommands(plans, Vault(Store(), parse_ring(new_key_line())), claims, 60)
    with pytest.raises(ApiError):
        await words.execute(PlanView(plan=plan), UndoPlan(user_id=plan.user_id, request_id="r-1"), "token")
    [seconds] = claims.seconds
    assert seconds > sum(plans.undo.call_args.args[2:]) > rollback._LOOK


@pytest.mark.parametrize(("decided", "kept"), [(COMMITTED, True), (None, True), (ABORTED, False)])
@pytest.mark.parametrize("name", ["confirm", "undo"])
async def test_a_token_is_wiped_only_where_the_command_never_takes_effect(
    name: str, decided: str | None, kept: bool
) -> None:
    store, plans = Store(), Mock(spec=PlanClient)
    claims, vault = CommandStore(store), Vault(store, parse_ring(new_key_line()))
    plan = a_plan()
    command: ConfirmPlan | UndoPlan = ConfirmPlan(user_id=plan.user_id, request_id="r-1")
    if name == "undo":
        done = {"status": PlanStatus.COMPLETED, "confirmed_at": plan.created_at, "completed_at": plan.created_at}
        plan = plan.model_copy(update={**done, "undo_until": plan.expires_at})
        command = UndoPlan(user_id=plan.user_id, request_id="r-1")
    sending = getattr(plans, name)
    sending.side_effect = ServiceUnavailableError("slow")
    commands = PlanCommands(plans, vault, claims, 60)
    with patch.object(commands, "abort", AsyncMock(return_value=decided)), contextlib.suppress(ApiError):
        await commands.execute(PlanView(plan=plan), command, "token")
    reference = sending.call_args.args[1].token_ref
    if kept:
        assert await vault.get(reference) == "token"
    else:
        with pytest.raises(TokenMissingError):
            await vault.get(reference)
