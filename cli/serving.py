"""The worker: what it runs, and how."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.worker import Worker

from activities.chats import Chats
from activities.critiques import Critiques
from activities.drafting import Drafting
from activities.escalations import Escalations
from activities.lookups import LookUps
from activities.marks import Marks
from activities.model import Model
from activities.shown import FailedWritesShown
from activities.steps import Steps
from activities.undo import Undo
from clients.services import Services
from infra.activity_site import Sited
from workflows.conversation import ConversationWorkflow
from workflows.escalation import EscalationWorkflow
from workflows.plan import PlanWorkflow


def activities_of(services: Services) -> list[Callable[..., Any]]:
    """Every activity's implementation."""
    model = Model(services.model, services.registries, services.modes)
    critiques = Critiques(services.model, services.registries, services.modes)
    lookups, drafting = LookUps(services.registries, services.venues), Drafting(services.registries, services.venues)
    steps = Steps(services.venues, services.locks)
    chats = Chats(services.settings, services.plans, services.chats, services.words, services.vault, services.claims)
    undo = Undo(services.settings, services.venues, services.locks)
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


def worker(
    services: Services, client: Client, *, grace: float, activities: Sequence[Callable[..., Any]] | None = None
) -> Worker:
    """A worker for all workflows and `activities` (all of them). `grace`: seconds that running activities get at
    shutdown."""
    return Worker(
        client,
        task_queue=services.settings.task_queue,
        workflows=[ConversationWorkflow, PlanWorkflow, EscalationWorkflow],
        activities=activities_of(services) if activities is None else activities,
        interceptors=[Sited(), FailedWritesShown()],
        graceful_shutdown_timeout=timedelta(seconds=grace),
        # After kill -9 of a worker its cached workflows are asked for in vain this long before another takes over.
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        # The SDK holds heartbeats back for four fifths of their time-out otherwise: a second's pause loses the call.
        max_heartbeat_throttle_interval=timedelta(seconds=1),
        default_heartbeat_throttle_interval=timedelta(seconds=1),
        max_concurrent_activities=50,
    )
