"""A token is trusted only at the venue that accepted it. `creates` makes iQ ask the venue again, and a rejected token
leaves the cache.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from api.auth.credentials import TokenCache
from clients.errors import ApiError
from clients.venue.client import VenueClient
from contracts.enums import ServiceErrorType
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import Pack
from registry.loading.folder_registry import FolderRegistry
from tests.support.small_venue import VENUE, SmallVenue, served, write_pack
from tests.support.stacks import free_base

pytestmark = pytest.mark.asyncio

Venues = dict[str, tuple[SmallVenue, Pack]]


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Venues]:
    """Two venues, each with a server of its own."""
    base, found = free_base(2), dict[str, tuple[SmallVenue, Pack]]()
    async with AsyncExitStack() as running:
        for number, name in enumerate(("one", "other")):
            folder = write_pack(tmp_path / name)
            (folder / "venue.yaml").write_text(VENUE.replace("venue_id: small", f"venue_id: {name}"))
            where = {name: f"http://127.0.0.1:{base + number}"}
            venue = SmallVenue()
            await running.enter_async_context(served(venue, base + number))
            found[name] = venue, FolderRegistry((folder,), where, tmp_path / f"{name}-cache").default_venue
        yield found


@pytest.fixture
async def tokens() -> AsyncIterator[TokenCache]:
    """The cache of accepted tokens."""
    venues = VenueClient(Vault(Store(), parse_ring(new_key_line())), Observer(), timeout=5.0)
    yield TokenCache(venues)
    await venues.close()


async def refused(tokens: TokenCache, pack: Pack, *, again: bool = False) -> bool:
    """Return whether the venue of this pack refuses the token."""
    try:
        await tokens.verify(pack, "token", creates=again)
    except ApiError as error:
        return error.kind is ServiceErrorType.UNAUTHORIZED
    return False


async def test_a_token_counts_only_where_it_was_accepted(two: Venues, tokens: TokenCache) -> None:
    (_, one), (other_venue, other) = two["one"], two["other"]
    other_venue.fail("GET me", 401)
    assert not await refused(tokens, one)
    assert tokens.is_cached("one", "token") and not tokens.is_cached("other", "token")
    assert not tokens.is_cached("one", "another token")
    assert await refused(tokens, other)
    assert tokens.is_cached("one", "token"), "what the other venue says tells nothing of this one"


async def test_a_token_that_was_rejected_is_trusted_no_more(two: Venues, tokens: TokenCache) -> None:
    venue, pack = two["one"]
    assert not await refused(tokens, pack)
    venue.fail("GET me", 401, 401)
    assert not await refused(tokens, pack), "it was accepted a moment ago"
    assert await refused(tokens, pack, again=True)
    assert not tokens.is_cached("one", "token")
    assert await refused(tokens, pack)
