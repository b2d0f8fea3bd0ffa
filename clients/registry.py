"""The registry as activities use it: always the published version, reloaded when another process publishes one."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import uuid4

from temporalio.exceptions import ApplicationError

from contracts.action import AtomicAction
from contracts.chat_completion import ReasonRequest
from contracts.enums import SafetyTier
from contracts.trace_context import REQUEST
from infra.errors import DependencyUnavailableError
from infra.observability.observer import Observer, Span
from infra.stores.registry_version import PublishedVersion
from reasoning.modes.base import ToolOffer
from reasoning.modes.planning import looked_for
from reasoning.venue_facts.entries import requested_schemas
from registry import Pack, PackError, Registry, Search, argument_problems, fitted_arguments, openai_tool
from registry.search.search import FEW

log = logging.getLogger(__name__)

_SENT = 25
"""Actions that the model gets with their schemas if a pack has thirty or more; the others are listed by resource."""

_FOUND, _LOOKED_FOR = 10, 3
"""The number of actions that one tool search finds, and of the latest searches that still count."""

Why = Literal["start", "refresh", "taken_up"]


class Registries:
    """This process's registry, kept in sync with other processes through the published version."""

    def __init__(self, registry: Registry, board: PublishedVersion, observer: Observer | None = None) -> None:
        self.registry = registry
        self._observer = observer or Observer()
        self._tell("start", datetime.now(UTC))
        self._published_version = board
        self._lock = asyncio.Lock()
        self._given_up_on: str | None = None
        self._searches: dict[str, Search] = {}

    async def pack(self, venue_id: str) -> Pack:
        """Return the venue's pack. Raises a non-retryable `ApplicationError` if no pack serves it."""
        await self.take_up()
        pack = self.registry.venue(venue_id)
        if pack is None:
            raise ApplicationError(f"no pack serves venue {venue_id}", type="not_found", non_retryable=True)
        return pack

    async def offer(self, request: ReasonRequest) -> ToolOffer:
        """Return the tools for a model call: the request's own actions, or those of its venue that match the message,
        but never a blocked one. Raises like `pack`."""
        pack = await self.pack(request.venue_id)
        own = request.goal is not None
        known = request.actions if own else tuple(pack.actions.values())
        actions = {a.name: a for a in known if a.safety is not SafetyTier.BLOCKED}
        text = "\n".join(m.content for m in request.messages if m.role == "user")
        sent = list(actions.values()) if own else self._fitting(pack, text, looked_for(request.messages))
        # A schema that the model has requested stays visible, even if the text would select other tools.
        seen = requested_schemas(request.fetched) - {a.name for a in sent}
        sent = [*sent, *(a for n, a in pack.actions.items() if n in seen)]
        names = {a.name for a in sent}
        # A template is offered only if all of its actions are.
        whole = [] if own else [t for t in pack.templates.values() if {step.action for step in t.steps} <= names]
        actions |= {t.name: t for t in whole}
        sent = [*sent, *whole]
        return ToolOffer(
            profile=request.profile or pack.profile,
            actions=actions,
            visible=sent,
            tools=[openai_tool(a) for a in sent],
            others="" if own or len(pack.actions) < FEW else self._search(pack).left_out(names),
            fit=fitted_arguments,
            check=argument_problems,
            knowledge=pack.knowledge,
        )

    async def find(self, venue_id: str, about: str) -> list[AtomicAction]:
        """Return the actions of a venue that match a short text, best first. Raises like `pack`."""
        return self._found(await self.pack(venue_id), about)

    def _fitting(self, pack: Pack, text: str, looked_for: Sequence[str]) -> list[AtomicAction]:
        """Return all actions of a small pack; of a large one, those that match the message, and those of the model's
        searches."""
        if len(pack.actions) < FEW:
            return list(pack.actions.values())
        found = [action for about in looked_for[-_LOOKED_FOR:] for action in self._found(pack, about)]
        chosen = [*self._search(pack).choose(text, _SENT), *found]
        return list({action.name: action for action in chosen}.values())

    def _found(self, pack: Pack, about: str) -> list[AtomicAction]:
        return self._search(pack).choose(about, _FOUND)

    def _search(self, pack: Pack) -> Search:
        if pack.version not in self._searches:
            self._searches = {pack.version: Search(list(pack.actions.values()), pack.profile.aliases)}
        return self._searches[pack.version]

    async def refresh(self) -> str:
        """Reload the packs and publish the version. Raises `PackError`; a pack that cannot be loaded keeps its old
        version, and the others are still updated."""
        async with self._lock:
            began = datetime.now(UTC)
            try:
                return await asyncio.to_thread(self.registry.refresh, await self._retained())
            finally:
                self._tell("refresh", began)
                await self._published_version.publish(self.registry.version, self.registry.shared)

    def _tell(self, why: Why, began: datetime) -> None:
        self._observer.spans(new_trace_id(self.registry), spans_of(self.registry, why, began))

    async def _retained(self) -> str:
        try:
            return await self._published_version.retained()
        except DependencyUnavailableError as away:
            log.warning("retained actions of other processes are unavailable: %s", away)
            return ""

    async def take_up(self) -> None:
        """Reload the packs if another process has published another version. Never raises."""
        try:
            published = await self._published_version.published()
        except DependencyUnavailableError as away:
            log.warning("what is published cannot be read, keeping the registry as it is: %s", away)
            return
        if published in (None, self.registry.version, self._given_up_on):
            return
        async with self._lock:
            if published == self.registry.version:
                return
            began = datetime.now(UTC)
            try:
                await asyncio.to_thread(self.registry.refresh, await self._retained())
            except PackError as error:
                log.error("a published registry could not be loaded, keeping the old one: %s", error)
            self._tell("taken_up", began)
            if self.registry.version != published:
                log.error("what is loaded is not what is published: do the packs' files differ between processes?")
            # A worker with different files must not reload at every call.
            self._given_up_on = published


def new_trace_id(registry: Registry) -> str:
    """Return the trace id of one registry load. Each load is traced once, so its id is random."""
    return f"registry {registry.version} {uuid4()}"


def spans_of(registry: Registry, why: Why, began: datetime) -> Iterator[Span]:
    """Return the spans of a registry load: the documents that became actions, and each pack with what was skipped and
    why, in the versions that are served."""
    name, now = f"registry_{registry.version}", datetime.now(UTC)
    for pack in registry.packs:
        yield from _pack(pack, name, now)
    fields = {"why": why, "packs": len(registry.packs), "retained": list(registry.retained)}
    yield Span(REQUEST, name, began, now, fields={"output": fields}, trace_name=name)


def _pack(pack: Pack, trace_name: str, now: datetime) -> Iterator[Span]:
    venue, key = pack.profile.venue_id, f"pack:{pack.profile.pack}"
    for overlay in pack.skipped:
        why = [f.message for f in pack.findings if overlay in (f.file, f.action) or f.file.endswith(overlay)]
        fields = {"output": {"why": why}, "level": "WARNING"}
        yield Span(
            f"{key}:{overlay}", "action_skipped", now, now, key, "event", None, {**fields, "input": overlay}, trace_name
        )
    details = {
        "venue_id": venue,
        "version": pack.version,
        "actions": sorted(pack.actions),
        "templates": sorted(pack.templates),
        "skipped": len(pack.skipped),
        "findings": len(pack.findings),
    }
    began = now - timedelta(seconds=pack.seconds)
    yield Span(key, "registry_transformation", began, now, fields={"output": details}, trace_name=trace_name)
