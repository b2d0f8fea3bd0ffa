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

from activities.chat_plan_bridge import ChatPlanActivities, OwnerLabelActivity, match_bookings
from activities.drafting.activity import DraftActivity
from activities.escalation import EscalationActivities
from activities.failed_writes import FailedWriteInterceptor
from activities.look_up import LookUpActivity
from activities.reason import CritiqueActivity, ReasonActivity
from activities.recorded_outcomes import Outcomes
from activities.steps import Steps
from activities.undo import UndoActivity
from clients.services import Services
from infra.config.settings import Settings
from infra.stores.worker_presence import heartbeat_loop, polls
from infra.temporal.interceptors import LogContextInterceptor, TraceContextInterceptor
from infra.temporal.task_queues import ALL_ROLES, MODEL_ACTIVITIES, VENUE_ACTIVITIES, Role, task_queue_for
from workflows.chat.workflow import ConversationWorkflow
from workflows.escalation.workflow import EscalationWorkflow
from workflows.plan.workflow import PlanWorkflow
from workflows.versioning import PinnedPlanWorkflow, UpgradedConversationWorkflow, UpgradedEscalationWorkflow


def activities_of(services: Services) -> list[Callable[..., Any]]:
    """Return every activity's implementation."""
    model = ReasonActivity(services.model, services.registries, services.modes)
    critiques = CritiqueActivity(services.model, services.registries, services.modes)
    lookups, drafting = (
        LookUpActivity(services.registries, services.venues),
        DraftActivity(services.registries, services.venues),
    )
    outcomes = Outcomes(services.vault)
    steps = Steps(services.venues, services.locks, outcomes, services.settings.look_every)
    chats = ChatPlanActivities(
        services.settings, services.plans, services.chats, services.commands, services.vault, services.command_store
    )
    undo = UndoActivity(services.settings, services.venues, services.locks, outcomes)
    marks = OwnerLabelActivity(services.settings.ring())
    escalations = EscalationActivities(
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
        marks.owner_label,
        match_bookings,
        chats.wipe_token,
        chats.commit_command,
        chats.load_chat_memory,
        chats.execute_command,
        chats.get_plan,
        chats.plan_state,
        chats.request_prompt_slot,
        escalations.record_escalation,
        escalations.call_webhook,
        escalations.deliver_staff_reply,
    ]


class RunningWorkers:
    """The activities that run in this process now."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in sorted(self.names.items()) if count)


class _Counting(Interceptor):
    """Counts running activities."""

    def __init__(self, running: RunningWorkers) -> None:
        self._running = running

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _CountingActivities(next, self._running)


class _CountingActivities(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, running: RunningWorkers) -> None:
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
    """The workers of one process: one for each task queue of its roles."""

    def __init__(
        self,
        services: Services,
        client: Client,
        *,
        grace: float,
        roles: Sequence[Role] = ALL_ROLES,
        activities: Sequence[Callable[..., Any]] | None = None,
    ) -> None:
        """Use `activities` in place of all activities, if given. `grace`: seconds that running ones get at shutdown."""
        base, found = services.settings.task_queue, activities_of(services) if activities is None else activities
        self.running = RunningWorkers()
        self.queues = tuple(task_queue_for(base, role) for role in Role if role in roles)
        self._worker_presence, self._build = services.worker_presence, services.settings.build_id or ""
        self._locks = services.locks
        self._worker_configs, self._calls_venues = (
            services.worker_configs,
            any(role is not Role.MODEL for role in roles),
        )
        self._workers = [
            _worker(services.settings, client, role, served(role, found), grace, self.running)
            for role in Role
            if role in roles
        ]

    async def run(self) -> None:
        """Work until stopped. Raises the error of a worker that ended by itself."""
        await self._locks.ready()
        names = tuple(polls(queue, self._build) for queue in self.queues)
        saying = asyncio.create_task(heartbeat_loop(lambda: self._worker_presence.heartbeat(names), self._say_setup))
        tasks = [asyncio.create_task(one.run()) for one in self._workers]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            saying.cancel()
            # If one worker has ended by itself, another process serves the tasks of the others better.
            await self.shutdown()
            await asyncio.gather(*tasks)
        finally:
            saying.cancel()

    async def _say_setup(self) -> None:
        await self._worker_configs.published(f"{socket.gethostname()}:{os.getpid()}", calls_venues=self._calls_venues)

    async def shutdown(self) -> None:
        """Stop polling; return once running tasks have ended or their time is up."""
        await asyncio.gather(*(one.shutdown() for one in self._workers if one.is_running))


def served(role: Role, activities: Sequence[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """Return the activities that a role's queue serves; the workflows' queue serves all, because a plan keeps the
    queues that it started with."""
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
    running: RunningWorkers,
) -> Worker:
    return Worker(
        client,
        task_queue=task_queue_for(settings.task_queue, role),
        workflows=_workflows(settings) if role is Role.PLAN else [],
        activities=activities,
        interceptors=[LogContextInterceptor(), TraceContextInterceptor(), FailedWriteInterceptor(), _Counting(running)],
        graceful_shutdown_timeout=timedelta(seconds=grace),
        # After kill -9 of a worker its cached workflows wait this long before another worker takes over.
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        # Otherwise the SDK delays heartbeats for four fifths of their timeout, and a pause of one second loses the
        # call.
        max_heartbeat_throttle_interval=timedelta(seconds=1),
        default_heartbeat_throttle_interval=timedelta(seconds=1),
        max_concurrent_activities=settings.max_concurrent_activities,
        deployment_config=_version(settings),
    )


def _workflows(settings: Settings) -> list[type]:
    if settings.build_id is None:
        return [ConversationWorkflow, PlanWorkflow, EscalationWorkflow]
    return [UpgradedConversationWorkflow, PinnedPlanWorkflow, UpgradedEscalationWorkflow]


def _version(settings: Settings) -> WorkerDeploymentConfig | None:
    """Return the version of this code, if Temporal should know it. Each workflow declares whether it stays on its
    version."""
    if settings.build_id is None:
        return None
    version = WorkerDeploymentVersion(deployment_name=settings.task_queue, build_id=settings.build_id)
    return WorkerDeploymentConfig(version=version, use_worker_versioning=True)
