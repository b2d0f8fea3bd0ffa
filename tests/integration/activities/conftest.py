"""A small venue over real HTTP, its pack and a client for it, for activities that run alone."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from clients.venue.client import VenueClient
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import Pack
from registry.loading.folder_registry import FolderRegistry
from tests.support.small_venue import SmallVenue, served, write_pack
from tests.support.stacks import free_base


@dataclass(frozen=True)
class Small:
    """The venue, with one party of ten guests, its client and its token vault."""

    venue: SmallVenue
    pack: Pack
    venues: VenueClient
    vault: Vault


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Small]:
    """A venue that is served for one test."""
    venue, port = SmallVenue(), free_base(1)
    pack = FolderRegistry(
        (write_pack(tmp_path),), {"small": f"http://127.0.0.1:{port}"}, tmp_path / "cache"
    ).default_venue
    vault = Vault(Store(), parse_ring(new_key_line()))
    venues = VenueClient(vault, Observer(), timeout=60)
    venue.add("p-1")
    async with served(venue, port):
        yield Small(venue, pack, venues, vault)
        await venues.close()
