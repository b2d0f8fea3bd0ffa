"""Settling a confirm with its caller.

Guarantees: an attempt in time takes effect unless it was withdrawn; a late one never does, though its caller could not
withdraw it; one that has taken effect is told so again, however late a retry asks.
"""

from datetime import UTC, datetime, timedelta

from activities.chats import Chats
from activities.desk import Desk
from contracts.effects import ClaimCall
from infra.claims import WITHDRAWN, MemoryClaims
from infra.keyring import new_key_line, parse_ring
from infra.settings import Settings
from infra.vault import MemoryVault


async def asked(claims: MemoryClaims, *, in_time: bool) -> bool:
    """What the plan hears."""
    until = datetime.now(UTC) + timedelta(seconds=5 if in_time else -5)
    desk: Desk = Desk(None, "iq", claims)  # type: ignore[arg-type]  # claiming talks to no Temporal
    chats = Chats(Settings(_env_file=None), desk, MemoryVault(parse_ring(new_key_line())), claims)
    return (await chats.claim_confirm(ClaimCall(attempt="a", until=until))).granted


async def test_in_time() -> None:
    assert await asked(MemoryClaims(), in_time=True)


async def test_withdrawn() -> None:
    claims = MemoryClaims()
    await claims.settle("a", WITHDRAWN)
    assert not await asked(claims, in_time=True)


async def test_too_late() -> None:
    claims = MemoryClaims()
    assert not await asked(claims, in_time=False)
    assert await claims.standing("a") is None


async def test_asked_again() -> None:
    claims = MemoryClaims()
    assert await asked(claims, in_time=True)
    assert await asked(claims, in_time=False)
