"""The parts of the stack as things that run: HTTP servers and workers that stop when they are told to."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from temporalio.client import Client
from temporalio.worker import Worker

from activities.chats import Chats
from activities.drafting import Drafting
from activities.lookups import LookUps
from activities.model import Model
from activities.steps import Steps
from activities.undo import Undo
from clients.services import Services
from workflows.conversation import ConversationWorkflow
from workflows.plan import PlanWorkflow


class HttpServer(uvicorn.Server):
    """A uvicorn server that shares its process with others, so it leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handlers alone."""
        yield

    async def until_started(self) -> None:
        """Return once it accepts connections."""
        # uvicorn tells that it has started by this flag alone.
        while not self.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def http_server(app: ASGIApp, host: str, port: int, *, log_level: str = "warning") -> HttpServer:
    """A server for an ASGI app. Raises `SystemExit` at `serve` when the port is taken."""
    return HttpServer(
        uvicorn.Config(
            app, host=host, port=port, log_level=log_level, access_log=False, timeout_graceful_shutdown=3, lifespan="on"
        )
    )


def activities_of(services: Services) -> list[Callable[..., Any]]:
    """Every activity's implementation."""
    model = Model(services.model, services.registries)
    lookups, drafting = LookUps(services.registries, services.venues), Drafting(services.registries, services.venues)
    steps = Steps(services.venues, services.locks)
    chats = Chats(services.settings, services.plans, services.chats, services.words, services.vault, services.claims)
    undo = Undo(services.settings, services.venues, services.locks)
    return [
        model.reason,
        lookups.look_up,
        drafting.draft,
        steps.take_snapshot,
        steps.act,
        steps.read_back,
        undo.undo_step,
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
    ]


def worker(
    services: Services, client: Client, *, grace: float, activities: Sequence[Callable[..., Any]] | None = None
) -> Worker:
    """A worker for all workflows and `activities` (all of them). `grace`: seconds that running activities get at
    shutdown."""
    return Worker(
        client,
        task_queue=services.settings.task_queue,
        workflows=[ConversationWorkflow, PlanWorkflow],
        activities=activities_of(services) if activities is None else activities,
        graceful_shutdown_timeout=timedelta(seconds=grace),
        # After kill -9 of a worker its cached workflows are asked for in vain this long before another takes over.
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        # The SDK holds heartbeats back for four fifths of their time-out otherwise: a second's pause loses the call.
        max_heartbeat_throttle_interval=timedelta(seconds=1),
        default_heartbeat_throttle_interval=timedelta(seconds=1),
        max_concurrent_activities=50,
    )
