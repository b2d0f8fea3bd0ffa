"""The registry as activities see it: always the published version, reloaded when a refresh has published another."""

import asyncio
import logging

from temporalio.exceptions import ApplicationError

from contracts.action import AtomicAction
from infra.published_version import BoardAwayError, PublishedVersion
from registry import FEW, Pack, PackError, Registry, Search

log = logging.getLogger(__name__)


class Registries:
    """This process's registry, kept in step with the others' through the published version."""

    def __init__(self, registry: Registry, board: PublishedVersion) -> None:
        self.registry = registry
        self._board = board
        self._lock = asyncio.Lock()
        self._given_up_on: str | None = None
        self._searches: dict[str, Search] = {}

    async def pack(self, venue_id: str) -> Pack:
        """The venue's pack. Raises a non-retryable `ApplicationError` when no pack serves it."""
        await self._take_up()
        pack = self.registry.venue(venue_id)
        if pack is None:
            raise ApplicationError(f"no pack serves venue {venue_id}", type="not_found", non_retryable=True)
        return pack

    def offered(self, pack: Pack, said: str, most: int) -> list[AtomicAction]:
        """The actions to send to a model for what was said: all of a small pack, the fitting ones of a large one."""
        if len(pack.actions) < FEW:
            return list(pack.actions.values())
        if pack.version not in self._searches:
            self._searches = {pack.version: Search(list(pack.actions.values()))}
        return self._searches[pack.version].choose(said, most)

    async def close(self) -> None:
        """Let go of connections."""
        await self._board.close()

    async def refresh(self) -> str:
        """Load the packs anew and publish the version. Raises `PackError`; the old version then stays."""
        async with self._lock:
            version = await asyncio.to_thread(self.registry.refresh)
            await self._board.publish(version)
            return version

    async def _take_up(self) -> None:
        try:
            published = await self._board.published()
        except BoardAwayError as away:
            log.warning("what is published cannot be read, keeping the registry as it is: %s", away)
            return
        if published in (None, self.registry.version, self._given_up_on):
            return
        async with self._lock:
            if published == self.registry.version:
                return
            try:
                await asyncio.to_thread(self.registry.refresh)
            except PackError as error:
                log.error("a published registry could not be loaded, keeping the old one: %s", error)
            # A worker whose files differ must not reload at every call.
            self._given_up_on = published
