"""Settling a word with its caller, as a plan asks for it.

Guarantees: an open word takes effect; a withdrawn one, and one that nobody opened or whose time is up, never does; one
that has taken effect is told so again, however late a retry asks. No clock but the store's is asked.
"""

import asyncio
from typing import Any

from activities.chats import Chats
from clients.chats import ChatClient
from clients.plans import PlanClient
from clients.words import Words
from contracts.effects import ClaimCall
from infra.claims import MemoryClaims
from infra.keyring import new_key_line, parse_ring
from infra.settings import Settings
from infra.vault import MemoryVault


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
