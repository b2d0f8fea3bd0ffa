"""The connections of one process, created once and shared by its API and its worker."""

import asyncio
from dataclasses import dataclass

from temporalio.client import Client

from clients.admission import AdmissionControl
from clients.commands import PLACE_WITHIN, PlanCommands
from clients.ledger import counters, open_ledger
from clients.model import ModelClient
from clients.modes import Modes
from clients.registry import Registries
from clients.streams.plan import PlanStreams
from clients.streams.session import SessionStreams
from clients.temporal.chats import ChatClient
from clients.temporal.escalations import EscalationClient
from clients.temporal.plan_gauges import PlanGauges
from clients.temporal.plan_list import PlanList
from clients.temporal.plans import PlanClient
from clients.token_refresh import TokenRefresh
from clients.venue.client import VenueClient
from clients.venue.day import DayReader
from clients.venue.rate_limit import VenueRateLimit
from clients.webhooks import WebhookClient
from infra.config.pack_variables import is_set
from infra.config.settings import Settings
from infra.ledger.database import Database
from infra.ledger.escalations import EscalationTable
from infra.observability.langfuse import langfuse_sinks
from infra.observability.observer import Observer, ProcessObserver
from infra.observability.plan_log import PlanLog
from infra.observability.prometheus import PrometheusMetrics
from infra.stores.command_store import CommandStore, open_command_store
from infra.stores.last_shown_plan import LastShownPlans, open_offers
from infra.stores.locks import Locks, open_locks
from infra.stores.notifications import Notifications, ProcessNotifications
from infra.stores.rate_limiter import open_pace
from infra.stores.redis_notifications import open_notifications
from infra.stores.registry_version import open_published_version
from infra.stores.token_vault import Vault, open_vault
from infra.stores.worker_config import WorkerConfigs, open_setups, setup_of
from infra.stores.worker_presence import WorkerPresence, open_presence
from infra.temporal.health import TemporalHealth
from registry import Registry
from registry.loading.subprocess_reader import read_in_subprocess


@dataclass(frozen=True)
class Services:
    """What one process shares between its API and its worker."""

    settings: Settings
    vault: Vault
    registries: Registries
    venues: VenueClient
    day_reader: DayReader
    model: ModelClient
    observer: Observer
    prometheus: PrometheusMetrics
    plan_gauges: PlanGauges
    temporal: TemporalHealth
    modes: Modes
    ledger: Database
    plans: PlanClient
    plan_list: PlanList
    chats: ChatClient
    command_store: CommandStore
    locks: Locks
    last_shown_plans: LastShownPlans
    worker_presence: WorkerPresence
    worker_configs: WorkerConfigs
    commands: PlanCommands
    token_refresh: TokenRefresh
    notifications: Notifications
    plan_streams: PlanStreams
    sessions: SessionStreams
    escalations: EscalationClient
    webhooks: WebhookClient
    escalation_ledger: EscalationTable

    async def close(self) -> None:
        """Close every connection and flush the buffers."""
        ProcessObserver.end(self.observer)
        ProcessNotifications.end(self.notifications)
        await self.temporal.stop()
        parts = (
            self.sessions,
            self.plan_streams,
            self.venues,
            self.model,
            self.vault,
            self.command_store,
            self.locks,
            self.last_shown_plans,
            self.worker_presence,
            self.worker_configs,
            self.webhooks,
        )
        for one in (*parts, self.registries, self.notifications):
            await one.close()
        # Buffered records have a few seconds, and nothing else may wait for them.
        await asyncio.to_thread(self.observer.flush)
        self.ledger.close()


def _registry(settings: Settings) -> Registry:
    folder = settings.data / "registry-cache"
    return Registry(settings.packs, settings.venue_urls, folder, read_in_subprocess, is_set)


def _venues(settings: Settings, vault: Vault, observer: Observer, registry: Registry) -> VenueClient:
    pacing = VenueRateLimit(open_pace(settings.redis_url), registry.rate_for, observer, registry.venue_for)
    return VenueClient(vault, observer, timeout=settings.call_timeout, pacing=pacing)


def assemble(settings: Settings, client: Client) -> Services:
    """Create the services. Raises `registry.PackError` if a pack cannot be loaded at all."""
    ring = settings.ring()
    ledger, modes = open_ledger(settings)
    vault = open_vault(settings.redis_url, ring)
    wakes = open_notifications(settings.redis_url)
    ProcessNotifications.begin(wakes)
    command_store = open_command_store(settings.redis_url)
    registry = _registry(settings)
    served = [pack.profile.venue_id for pack in registry.packs]
    ledger_sink, figures = counters(ledger, served, settings.model, keep_days=settings.audit_retention_days)
    observer = Observer(langfuse_sinks(settings, ring), counters=[ledger_sink, figures, PlanLog()])
    registries = Registries(registry, open_published_version(settings.redis_url, ring), observer)
    ProcessObserver.begin(observer)
    venues = _venues(settings, vault, observer, registry)
    plans = PlanClient(client)
    admission = AdmissionControl(settings.max_concurrent_commands, "word", observer, timeout=PLACE_WITHIN)
    commands = PlanCommands(plans, vault, command_store, settings.token_ttl, admission, lambda: len(registry.packs) > 1)
    chats, watching = ChatClient(client, settings.task_queue), PlanStreams(plans, wakes)
    return Services(
        settings=settings,
        vault=vault,
        registries=registries,
        venues=venues,
        day_reader=DayReader(venues),
        model=ModelClient(settings, observer),
        observer=observer,
        prometheus=figures,
        temporal=TemporalHealth(client),
        plan_gauges=PlanGauges(client, figures),
        modes=modes,
        ledger=ledger,
        plans=plans,
        plan_list=PlanList(plans, ring),
        chats=chats,
        command_store=command_store,
        locks=open_locks(settings.redis_url),
        last_shown_plans=open_offers(settings.redis_url),
        worker_presence=open_presence(settings.redis_url),
        worker_configs=open_setups(settings.redis_url, setup_of(ring, settings.venue_urls), settings.task_queue),
        commands=commands,
        token_refresh=TokenRefresh(plans, vault, commands, settings.token_ttl),
        notifications=wakes,
        plan_streams=watching,
        sessions=SessionStreams(chats, watching, wakes),
        escalations=EscalationClient(client),
        webhooks=WebhookClient(private=settings.webhook_private),
        escalation_ledger=EscalationTable(ledger),
    )
