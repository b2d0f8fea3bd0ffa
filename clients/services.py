"""What one process talks to, put together once and shared by its facade and its worker."""

import asyncio
from dataclasses import dataclass

from temporalio.client import Client

from clients.attributes import Attributes
from clients.chats import ChatClient
from clients.day import Days
from clients.escalations import EscalationClient
from clients.ledger import counters, open_ledger
from clients.model import ModelClient
from clients.modes import Modes
from clients.pacing import Pacing
from clients.places import Places
from clients.plan_list import PlanList
from clients.plans import PlanClient
from clients.registries import Registries
from clients.session_watching import SessionWatching
from clients.sign_in import SignIn
from clients.standing import Standing
from clients.venue import VenueClient
from clients.watching import Watching
from clients.webhooks import WebhookClient
from clients.words import PLACE_WITHIN, Words
from infra.claims import Claims, open_claims
from infra.figures import Figures
from infra.langfuse_sink import langfuse_sinks
from infra.ledger.database import Database
from infra.ledger.escalations import Escalations
from infra.locks import Locks, open_locks
from infra.observe import Observer, ThisProcess
from infra.offers import Offers, open_offers
from infra.pace import open_pace
from infra.plan_log import PlanLog
from infra.presence import Presence, open_presence
from infra.published_version import open_published_version
from infra.redis_wakes import open_wakes
from infra.settings import Settings
from infra.setups import Setups, open_setups, setup_of
from infra.temporal_watch import TemporalWatch
from infra.variables import is_set
from infra.vault import Vault, open_vault
from infra.wakes import ThisProcessWakes, Wakes
from registry import Registry
from registry.apart import read_apart


@dataclass(frozen=True)
class Services:
    """What one process shares between its facade and its worker."""

    settings: Settings
    vault: Vault
    registries: Registries
    venues: VenueClient
    days: Days
    model: ModelClient
    observer: Observer
    figures: Figures
    standing: Standing
    temporal: TemporalWatch
    modes: Modes
    ledger: Database
    plans: PlanClient
    attributes: Attributes
    plan_list: PlanList
    chats: ChatClient
    claims: Claims
    locks: Locks
    offers: Offers
    presence: Presence
    setups: Setups
    words: Words
    sign_in: SignIn
    wakes: Wakes
    watching: Watching
    sessions: SessionWatching
    escalations: EscalationClient
    webhooks: WebhookClient
    escalation_ledger: Escalations

    async def close(self) -> None:
        """Let go of every connection and send what is still buffered."""
        ThisProcess.end(self.observer)
        ThisProcessWakes.end(self.wakes)
        await self.temporal.end()
        parts = (
            self.sessions,
            self.watching,
            self.venues,
            self.model,
            self.vault,
            self.claims,
            self.locks,
            self.offers,
            self.presence,
            self.setups,
            self.webhooks,
        )
        for one in (*parts, self.registries, self.wakes):
            await one.close()
        # What waits to be written has a few seconds; nothing else may wait for them.
        await asyncio.to_thread(self.observer.flush)
        self.ledger.close()


def assemble(settings: Settings, client: Client) -> Services:
    """Build them. Raises `registry.PackError` when a pack cannot be loaded at all."""
    ring = settings.ring()
    ledger, modes = open_ledger(settings)
    vault = open_vault(settings.redis_url, ring)
    wakes = open_wakes(settings.redis_url)
    ThisProcessWakes.begin(wakes)
    claims = open_claims(settings.redis_url)
    registry = Registry(settings.packs, settings.venue_urls, settings.data / "registry-cache", read_apart, is_set)
    served = [pack.profile.venue_id for pack in registry.packs]
    ledger_sink, figures = counters(ledger, served, settings.model, keep_days=settings.ledger_deeds_days)
    observer = Observer(langfuse_sinks(settings, ring), counters=[ledger_sink, figures, PlanLog()])
    registries = Registries(registry, open_published_version(settings.redis_url, ring), observer)
    ThisProcess.begin(observer)
    venues = VenueClient(
        vault,
        observer,
        timeout=settings.call_timeout,
        pacing=Pacing(open_pace(settings.redis_url), registry.rate_at, observer, registry.venue_at),
    )
    plans, attributes = PlanClient(client), Attributes(client)
    places = Places(settings.words_at_once, "word", observer, within=PLACE_WITHIN)
    words = Words(plans, vault, claims, settings.token_ttl, places, lambda: len(registry.packs) > 1)
    chats, watching = ChatClient(client, settings.task_queue), Watching(plans, wakes)
    return Services(
        settings=settings,
        vault=vault,
        registries=registries,
        venues=venues,
        days=Days(venues),
        model=ModelClient(settings, observer),
        observer=observer,
        figures=figures,
        temporal=TemporalWatch(client),
        standing=Standing(client, figures),
        modes=modes,
        ledger=ledger,
        plans=plans,
        attributes=attributes,
        plan_list=PlanList(plans, attributes, ring),
        chats=chats,
        claims=claims,
        locks=open_locks(settings.redis_url),
        offers=open_offers(settings.redis_url),
        presence=open_presence(settings.redis_url),
        setups=open_setups(settings.redis_url, setup_of(ring, settings.venue_urls), settings.task_queue),
        words=words,
        sign_in=SignIn(plans, vault, words, settings.token_ttl),
        wakes=wakes,
        watching=watching,
        sessions=SessionWatching(chats, watching, wakes),
        escalations=EscalationClient(client),
        webhooks=WebhookClient(private=settings.webhook_private),
        escalation_ledger=Escalations(ledger),
    )
