"""Settling a word with its caller, as a plan asks for it.

Guarantees: an open word takes effect; a withdrawn one, and one that nobody opened or whose time is up, never does; one
that has taken effect is told so again, however late a retry asks. No clock but the store's is asked. An undo stays open
for as long as it may look at bookings first.
"""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from activities.chats import Chats
from clients.chats import ChatClient
from clients.errors import RequestError
from clients.plans import PlanClient
from clients.words import Kind, Word, Words
from contracts.effects import ClaimCall
from contracts.enums import PlanStatus
from contracts.messages import PlanView
from infra.claims import MemoryClaims
from infra.keyring import new_key_line, parse_ring
from infra.settings import Settings
from infra.vault import MemoryVault
from reasoning.wording import unavailable
from tests.unit.reasoning.test_drafting import a_plan
from workflows import undoing


async def asked(claims: MemoryClaims, ticket: str) -> bool:
    """What the plan hears."""
    nobody: Any = None  # claiming talks to no Temporal
    plans, chats_client = PlanClient(nobody), ChatClient(nobody, "iq")
    vault = MemoryVault(parse_ring(new_key_line()))
    chats = Chats(Settings(_env_file=None), plans, chats_client, Words(plans, vault, claims, 60), vault, claims)
    return (await chats.claim_confirm(ClaimCall(attempt=ticket))).granted


async def test_in_time_and_asked_again() -> None:
    claims = MemoryClaims()
    # On a busy machine a word may be over before it is asked for: then a longer one is tried.
    for seconds in (0.1, 0.5, 2.5, 12.5):
        ticket = (await claims.open(f"a{seconds}", seconds)).ticket
        if await asked(claims, ticket):
            break
    await asyncio.sleep(seconds + 0.1)
    assert await asked(claims, ticket)


async def test_withdrawn() -> None:
    claims = MemoryClaims()
    ticket = (await claims.open("a", 60)).ticket
    await claims.withdraw(ticket)
    assert not await asked(claims, ticket)


async def test_too_late() -> None:
    claims = MemoryClaims()
    ticket = (await claims.open("a", 0.1)).ticket
    await asyncio.sleep(0.2)
    assert not await asked(claims, ticket)


async def test_never_opened() -> None:
    assert not await asked(MemoryClaims(), "a#b")


class Opened(MemoryClaims):
    """Claims that keep for how long each was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    async def open(self, attempt: str, seconds: float, *content: str) -> Any:
        """See `Claims.open`."""
        self.seconds.append(seconds)
        return await super().open(attempt, seconds, *content)


async def test_an_undo_may_be_claimed_for_as_long_as_its_looks_take() -> None:
    claims, plans = Opened(), Mock(spec=PlanClient)
    plan = a_plan()
    done = {"status": PlanStatus.COMPLETED, "confirmed_at": plan.created_at, "completed_at": plan.created_at}
    plan = plan.model_copy(update={**done, "undo_until": plan.expires_at})
    plans.undo.side_effect = RequestError(unavailable("slow", "word.undo_refused"))
    words = Words(plans, MemoryVault(parse_ring(new_key_line())), claims, 60)
    with pytest.raises(RequestError):
        await words.undo(PlanView(plan=plan), Word(Kind.UNDO, plan.user_id, "r-1"), "token")
    [seconds] = claims.seconds
    assert seconds > sum(plans.undo.call_args.args[2:]) > undoing._LOOK
