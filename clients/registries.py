"""The registry as activities see it: always the published version, reloaded when a refresh has published another."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from temporalio.exceptions import ApplicationError

from clients.registry_trace import Why, new_trace_id, spans_of
from contracts.action import AtomicAction
from contracts.enums import SafetyTier
from contracts.model import ReasonRequest
from infra.observe import Observer
from infra.published_version import BoardAwayError, PublishedVersion
from reasoning.knowing import schemas_in
from reasoning.mode import Offer
from reasoning.planning import looked_for
from registry import FEW, Pack, PackError, Registry, Search, argument_problems, fitted_arguments, openai_tool

log = logging.getLogger(__name__)

_SENT = 25
"""Actions sent to the model with their schemas when a pack has thirty or more; of the others it is told by resource."""

_FOUND, _LOOKED_FOR = 10, 3
"""Actions that one look for more tools finds, and how many of the last such looks still count."""


class Registries:
    """This process's registry, kept in step with the others' through the published version."""

    def __init__(self, registry: Registry, board: PublishedVersion, observer: Observer | None = None) -> None:
        self.registry = registry
        self._observer = observer or Observer()
        self._tell("start", datetime.now(UTC))
        self._board = board
        self._lock = asyncio.Lock()
        self._given_up_on: str | None = None
        self._searches: dict[str, Search] = {}

    async def pack(self, venue_id: str) -> Pack:
        """The venue's pack. Raises a non-retryable `ApplicationError` when no pack serves it."""
        await self.take_up()
        pack = self.registry.venue(venue_id)
        if pack is None:
            raise ApplicationError(f"no pack serves venue {venue_id}", type="not_found", non_retryable=True)
        return pack

    async def offer(self, request: ReasonRequest) -> Offer:
        """What a model may call: the request's own actions, or those of its venue that fit what was said, but never a
        blocked one. Raises as `pack`."""
        pack = await self.pack(request.venue_id)
        own = request.goal is not None
        known = request.actions if own else tuple(pack.actions.values())
        actions = {a.name: a for a in known if a.safety is not SafetyTier.BLOCKED}
        said = "\n".join(m.content for m in request.messages if m.role == "user")
        sent = list(actions.values()) if own else self._fitting(pack, said, looked_for(request.messages))
        # Whatever the model has asked to see stays in sight, also where other words would choose other tools.
        seen = schemas_in(request.fetched) - {a.name for a in sent}
        sent = [*sent, *(a for n, a in pack.actions.items() if n in seen)]
        names = {a.name for a in sent}
        # A template is offered where all that it stands for is.
        whole = [] if own else [t for t in pack.templates.values() if {step.action for step in t.steps} <= names]
        actions |= {t.name: t for t in whole}
        sent = [*sent, *whole]
        return Offer(
            profile=request.profile or pack.profile,
            actions=actions,
            sent=sent,
            tools=[openai_tool(a) for a in sent],
            others="" if own or len(pack.actions) < FEW else self._search(pack).left_out(names),
            fit=fitted_arguments,
            check=argument_problems,
            knowledge=pack.knowledge,
        )

    async def find(self, venue_id: str, about: str) -> list[AtomicAction]:
        """The actions of a venue that fit a few words, the best first. Raises as `pack`."""
        return self._found(await self.pack(venue_id), about)

    def _fitting(self, pack: Pack, said: str, looked_for: Sequence[str]) -> list[AtomicAction]:
        """All of a small pack, those of a large one that fit what was said, and what the model has looked for since."""
        if len(pack.actions) < FEW:
            return list(pack.actions.values())
        found = [action for about in looked_for[-_LOOKED_FOR:] for action in self._found(pack, about)]
        chosen = [*self._search(pack).choose(said, _SENT), *found]
        return list({action.name: action for action in chosen}.values())

    def _found(self, pack: Pack, about: str) -> list[AtomicAction]:
        return self._search(pack).choose(about, _FOUND)

    def _search(self, pack: Pack) -> Search:
        if pack.version not in self._searches:
            self._searches = {pack.version: Search(list(pack.actions.values()), pack.profile.also_called)}
        return self._searches[pack.version]

    async def close(self) -> None:
        """Let go of connections."""
        await self._board.close()

    async def refresh(self) -> str:
        """Load the packs anew and publish the version. Raises `PackError`; a pack that cannot be loaded then stays as
        it was, and the others are taken up all the same."""
        async with self._lock:
            began = datetime.now(UTC)
            try:
                return await asyncio.to_thread(self.registry.refresh, await self._standing_in())
            finally:
                self._tell("refresh", began)
                await self._board.publish(self.registry.version, self.registry.shared)

    def _tell(self, why: Why, began: datetime) -> None:
        self._observer.spans(new_trace_id(self.registry), spans_of(self.registry, why, began))

    async def _standing_in(self) -> str:
        try:
            return await self._board.standing_in()
        except BoardAwayError as away:
            log.warning("what stands in elsewhere cannot be read: %s", away)
            return ""

    async def take_up(self) -> None:
        """Load the packs anew if another process has published another version. Never raises."""
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
            began = datetime.now(UTC)
            try:
                await asyncio.to_thread(self.registry.refresh, await self._standing_in())
            except PackError as error:
                log.error("a published registry could not be loaded, keeping the old one: %s", error)
            self._tell("taken_up", began)
            if self.registry.version != published:
                log.error("what is loaded is not what is published: do the packs' files differ between processes?")
            # A worker whose files differ must not reload at every call.
            self._given_up_on = published
