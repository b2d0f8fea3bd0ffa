"""What workers run, by their roles, and how."""

import asyncio
import os
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from temporalio import activity
from temporalio.client import Client
from temporalio.common import WorkerDeploymentVersion
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
    Worker,
    WorkerDeploymentConfig,
)

from activities.chats import Chats
from activities.critiques import Critiques
from activities.drafting import Drafting
from activities.escalations import Escalations
from activities.lookups import LookUps
from activities.marks import Marks
from activities.model import Model
from activities.recorded import Outcomes
from activities.shown import FailedWritesShown
from activities.steps import Steps
from activities.undo import Undo
from clients.services import Services
from infra.activity_ids import IdsOnLines
from infra.activity_site import Sited
from infra.presence import keep_saying, polls
from infra.roles import EVERY, MODEL_ACTIVITIES, VENUE_ACTIVITIES, Role, queue_of
from infra.settings import Settings
from workflows.conversation import ConversationWorkflow
from workflows.escalation import EscalationWorkflow
from workflows.plan import PlanWorkflow
from workflows.versioned import PinnedPlanWorkflow, UpgradedConversationWorkflow, UpgradedEscalationWorkflow


def activities_of(services: Services) -> list[Callable[..., Any]]:
    """Every activity's implementation."""
    model = Model(services.model, services.registries, services.modes)
    critiques = Critiques(services.model, services.registries, services.modes)
    lookups, drafting = LookUps(services.registries, services.venues), Drafting(services.registries, services.venues)
    outcomes = Outcomes(services.vault)
    steps = Steps(services.venues, services.locks, outcomes, services.settings.look_every)
    chats = Chats(services.settings, services.plans, services.chats, services.words, services.vault, services.claims)
    undo = Undo(services.settings, services.venues, services.locks, outcomes)
    marks = Marks(services.settings.ring(), services.attributes)
    escalations = Escalations(
        services.settings,
        services.registries,
        services.chats,
        services.webhooks,
        services.escalation_ledger,
        services.observer,
    )
    return [
        model.reason,
        critiques.critique,
        lookups.look_up,
        drafting.draft,
        steps.take_snapshot,
        steps.act,
        steps.read_back,
        undo.undo_step,
        marks.mark_user,
        chats.wipe_token,
        chats.claim_confirm,
        chats.recall_chat,
        chats.confirm_pending,
        chats.drop_pending,
        chats.undo_done,
        chats.answer_plan,
        chats.look_at_plan,
        chats.plan_state,
        chats.question_slot,
        escalations.record_escalation,
        escalations.call_webhook,
        escalations.tell_chat,
    ]


class Running:
    """The activities that run in this process now."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in sorted(self.names.items()) if count)


class _Counting(Interceptor):
    """Counts what runs."""

    def __init__(self, running: Running) -> None:
        self._running = running

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _CountingActivities(next, self._running)


class _CountingActivities(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, running: Running) -> None:
        super().__init__(next)
        self._names = running.names

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        name = activity.info().activity_type
        self._names[name] += 1
        try:
            return await super().execute_activity(input)
        finally:
            self._names[name] -= 1


class Workers:
    """What one process works on: a worker for each task queue of its roles."""

    def __init__(
        self,
        services: Services,
        client: Client,
        *,
        grace: float,
        roles: Sequence[Role] = EVERY,
        activities: Sequence[Callable[..., Any]] | None = None,
    ) -> None:
        """`activities` are all there are, unless others are given. `grace`: seconds that running ones get at
        shutdown."""
        base, found = services.settings.task_queue, activities_of(services) if activities is None else activities
        self.running = Running()
        self.queues = tuple(queue_of(base, role) for role in Role if role in roles)
        self._presence, self._build = services.presence, services.settings.build_id or ""
        self._locks = services.locks
        self._setups, self._calls_venues = services.setups, any(role is not Role.MODEL for role in roles)
        self._workers = [
            _worker(services.settings, client, role, served(role, found), grace, self.running)
            for role in Role
            if role in roles
        ]

    async def run(self) -> None:
        """Work until told to stop. Raises what ended a worker that was not told to."""
        await self._locks.ready()
        names = tuple(polls(queue, self._build) for queue in self.queues)
        saying = asyncio.create_task(keep_saying(lambda: self._presence.here(names), self._say_setup))
        tasks = [asyncio.create_task(one.run()) for one in self._workers]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            saying.cancel()
            # Where one has ended by itself, whoever waits for what the others do is better served elsewhere.
            await self.shutdown()
            await asyncio.gather(*tasks)
        finally:
            saying.cancel()

    async def _say_setup(self) -> None:
        await self._setups.said(f"{socket.gethostname()}:{os.getpid()}", calls_venues=self._calls_venues)

    async def shutdown(self) -> None:
        """Ask for nothing new; returns once what runs has ended, or its time is up."""
        await asyncio.gather(*(one.shutdown() for one in self._workers if one.is_running))


def served(role: Role, activities: Sequence[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """What a role's queue is asked for. Plans from before the split ask for everything at that of the workflows."""
    names = {Role.VENUE: VENUE_ACTIVITIES, Role.MODEL: MODEL_ACTIVITIES}.get(role)
    return [one for one in activities if names is None or _name_of(one) in names]


def _name_of(implementation: Callable[..., Any]) -> str:
    definition = getattr(implementation, "__temporal_activity_definition", None)
    return str(definition.name) if definition is not None else implementation.__name__


def _worker(
    settings: Settings,
    client: Client,
    role: Role,
    activities: Sequence[Callable[..., Any]],
    grace: float,
    running: Running,
) -> Worker:
    return Worker(
        client,
        task_queue=queue_of(settings.task_queue, role),
        workflows=_workflows(settings) if role is Role.PLAN else [],
        activities=activities,
        interceptors=[IdsOnLines(), Sited(), FailedWritesShown(), _Counting(running)],
        graceful_shutdown_timeout=timedelta(seconds=grace),
        # After kill -9 of a worker its cached workflows are asked for in vain this long before another takes over.
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        # The SDK holds heartbeats back for four fifths of their time-out otherwise: a second's pause loses the call.
        max_heartbeat_throttle_interval=timedelta(seconds=1),
        default_heartbeat_throttle_interval=timedelta(seconds=1),
        max_concurrent_activities=settings.activities_at_once,
        deployment_config=_version(settings),
    )


def _workflows(settings: Settings) -> list[type]:
    if settings.build_id is None:
        return [ConversationWorkflow, PlanWorkflow, EscalationWorkflow]
    return [UpgradedConversationWorkflow, PinnedPlanWorkflow, UpgradedEscalationWorkflow]


def _version(settings: Settings) -> WorkerDeploymentConfig | None:
    """Which code this is, where Temporal is to know. Each workflow says of itself whether it stays with it."""
    if settings.build_id is None:
        return None
    version = WorkerDeploymentVersion(deployment_name=settings.task_queue, build_id=settings.build_id)
    return WorkerDeploymentConfig(version=version, use_worker_versioning=True)
