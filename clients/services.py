"""The connections of one process, created once and shared by its API and its worker."""

import asyncio
from dataclasses import dataclass

from temporalio.client import Client

from clients.admission import AdmissionControl
from clients.commands import PLACE_WITHIN, PlanCommands
from clients.last_shown import LastShown
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
from clients.venue.rate_limit import VenueRateLimit, VenueRateLimiter
from clients.webhooks import WebhookClient
from infra.config.pack_variables import is_set
from infra.config.settings import Settings
from infra.ledger.database import Database
from infra.ledger.escalations import EscalationTable
from infra.observability.langfuse import langfuse_sinks
from infra.observability.observer import Observer, ProcessObserver
from infra.observability.plan_log import PlanLog
from infra.observability.prometheus import PrometheusMetrics
from infra.stores.booking_locks import Locks
from infra.stores.command_store import CommandStore
from infra.stores.notifications import Notifications
from infra.stores.process_notifications import ProcessNotifications
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from infra.stores.worker_config import WorkerConfigs, setup_of
from infra.stores.worker_presence import WorkerPresence
from infra.temporal.health import TemporalHealth
from registry import Registry
from registry.loading.folder_registry import FolderRegistry
from registry.loading.subprocess_reader import read_in_subprocess


@dataclass(frozen=True)
class Services:
    """What one process shares between its API and its worker."""

    settings: Settings
    store: Store
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
    last_shown: LastShown
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
        ProcessNotifications.end(self.notifications.notify)
        await self.temporal.stop()
        parts = (
            self.sessions,
            self.plan_streams,
            self.venues,
            self.model,
            self.locks,
            self.webhooks,
            self.notifications,
            self.store,
        )
        for one in parts:
            await one.close()
        # Buffered records have a few seconds, and nothing else may wait for them.
        await asyncio.to_thread(self.observer.flush)
        self.ledger.close()


def _registry(settings: Settings) -> Registry:
    folder = settings.data / "registry-cache"
    return FolderRegistry(settings.packs, settings.venue_urls, folder, read_in_subprocess, is_set)


def _venues(settings: Settings, store: Store, vault: Vault, observer: Observer, registry: Registry) -> VenueClient:
    pacing = VenueRateLimit(VenueRateLimiter(store), registry.rate_for, observer, registry.venue_for)
    return VenueClient(vault, observer, timeout=settings.call_timeout, pacing=pacing)


def assemble(settings: Settings, client: Client) -> Services:
    """Create the services. Raises `registry.PackError` if a pack cannot be loaded at all."""
    ring = settings.ring()
    ledger, modes = open_ledger(settings)
    store = Store(settings.redis_url)
    vault, command_store, wakes = Vault(store, ring), CommandStore(store), Notifications(store)
    ProcessNotifications.begin(wakes.notify)
    registry = _registry(settings)
    served = [pack.profile.venue_id for pack in registry.packs]
    ledger_sink, figures = counters(ledger, served, settings.model, keep_days=settings.audit_retention_days)
    observer = Observer(langfuse_sinks(settings, ring), counters=[ledger_sink, figures, PlanLog()])
    registries = Registries(registry, PublishedVersion(store, ring), observer)
    ProcessObserver.begin(observer)
    venues = _venues(settings, store, vault, observer, registry)
    plans = PlanClient(client)
    admission = AdmissionControl(settings.max_concurrent_commands, "command", observer, timeout=PLACE_WITHIN)
    commands = PlanCommands(plans, vault, command_store, settings.token_ttl, admission, lambda: len(registry.packs) > 1)
    chats, watching = ChatClient(client, settings.task_queue), PlanStreams(plans, wakes)
    return Services(
        settings=settings,
        store=store,
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
        locks=Locks(store),
        last_shown=LastShown(store),
        worker_presence=WorkerPresence(store),
        worker_configs=WorkerConfigs(store, setup_of(ring, settings.venue_urls), settings.task_queue),
        commands=commands,
        token_refresh=TokenRefresh(plans, vault, commands, settings.token_ttl),
        notifications=wakes,
        plan_streams=watching,
        sessions=SessionStreams(chats, watching, wakes),
        escalations=EscalationClient(client),
        webhooks=WebhookClient(private=settings.webhook_private),
        escalation_ledger=EscalationTable(ledger),
    )
