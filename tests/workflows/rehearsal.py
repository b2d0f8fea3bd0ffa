"""One plan on a server that skips time: the real `PlanWorkflow` with encrypted payloads, and fake activities."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from temporalio.api.enums.v1 import EventType, IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.api.testservice.v1 import SleepRequest
from temporalio.client import WorkflowHandle
from temporalio.converter import DataConverter
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from contracts.chat_completion import ModelReply, ToolCall
from contracts.chat_messages import (
    CancelRequest,
    ChatMemory,
    ChatStart,
    ConfirmRequest,
    PlanStart,
    PlanView,
    PromptAnswer,
    TokenRenewed,
    TurnRequest,
    UndoRequest,
)
from contracts.enums import SafetyTier
from contracts.limits import ChatPolicy, PlanPolicy
from contracts.plan import ExecutionPlan
from contracts.step_activities import DraftedStep
from infra.crypto.keyring import new_key_line, parse_ring
from infra.temporal.client import data_converter
from infra.temporal.search_attributes import ALL, STATUS
from language.replies.message_reading import classify_message
from reasoning.drafting.plan import plan_of
from reasoning.drafting.short_replies import COMMANDS
from tests.support.waiting import pauses, soon
from tests.unit.reasoning.actions import a_venue, an_action
from tests.workflows.fakes import Effects, Held, a_ground
from workflows.chat.workflow import ConversationWorkflow
from workflows.escalation.workflow import EscalationWorkflow
from workflows.plan.workflow import PlanWorkflow

T = TypeVar("T")

USER = "operator-1"
QUEUE = "rehearsal"
PATIENT = timedelta(days=30)
"""A deadline that no skipped timer reaches: lateness of requests is not what these tests are about."""
POLICY = PlanPolicy(heartbeat=20)
DIRECT = frozenset({"yes", "no", "undo"})
"""The attempts of commands that a `Play` gives without the API before it: no store has opened them."""
LIMIT = 60
"""Seconds of the machine's clock, only so that what hangs comes to an end."""


def a_step(
    number: int, *, reversible: bool = True, key: str | None = None, safety: SafetyTier = SafetyTier.NORMAL
) -> DraftedStep:
    """Return a step with its own action, on its own booking unless the key of another ground is given."""
    action = an_action(f"change_{number}", title=f"Change {number}", reversible=reversible, safety=safety)
    return DraftedStep(action=action, parameters={}, fingerprints=(a_ground(number, key),))


def a_message(now: datetime, text: str, key: str, **fields: Any) -> TurnRequest:
    """What the API sends of a message, with what code understands of it; its commit token is named
    after its key."""
    reading, ticket = fields.pop("reading", classify_message(text)), f"ticket-{key}"
    given: dict[str, Any] = {
        "request_key": key,
        "request_id": key,
        "user_id": USER,
        "user_message": text,
        "token_ref": "tok",
        "accept_by": now + PATIENT,
        "deadline": now + PATIENT,
        "commit_token": ticket,
        "reading": reading,
        "reply_token": ticket if reading.reply in COMMANDS else "",
    }
    return TurnRequest(**{**given, **fields})


def asks(question: str = "Which table?") -> ModelReply:
    """Return a reply in which the model asks the operator."""
    return ModelReply(tool_calls=(ToolCall(id="ask-1", name="ask_operator", arguments={"question": question}),))


class Play:
    """One running plan, and its operator."""

    def __init__(self, stage: "Stage", handle: WorkflowHandle[Any, ExecutionPlan]) -> None:
        self.stage = stage
        self.handle = handle

    async def confirm(self, token: str = "tok-1", *, attempt: str = "yes") -> PlanView:
        """Confirm it."""
        request = ConfirmRequest(user_id=USER, request_id="r-1", token_ref=token, commit_token=attempt)
        return await self.handle.execute_update("confirm", request, result_type=PlanView)

    async def cancel(self, *, attempt: str = "no", superseded_by: str | None = None) -> PlanView:
        """Cancel it as the product does, by an update; or drop it because another plan replaces it."""
        request = CancelRequest(user_id=USER, commit_token=attempt, superseded_by=superseded_by)
        return await self.handle.execute_update("cancel", request, result_type=PlanView)

    async def cancel_workflow(self) -> None:
        """Cancel it as Temporal does, and wait until the workflow has received the cancel."""
        await self.handle.cancel()
        await self.view()

    async def undo(self, token: str = "tok-undo", *, attempt: str = "undo") -> PlanView:
        """Undo it."""
        request = UndoRequest(user_id=USER, token_ref=token, commit_token=attempt)
        return await self.handle.execute_update("undo", request, result_type=PlanView)

    async def answer(self, text: str, *, attempt: str = "", prompt_id: str | None = None) -> None:
        """Answer the open question."""
        name = attempt or str(uuid4())
        answer = PromptAnswer(answer_id=name, user_id=USER, text=text, commit_token=name, prompt_id=prompt_id)
        await self.handle.signal("answer", answer)

    async def sign_in(self, token: str = "tok-2") -> None:
        """Give it a token that the venue has accepted."""
        await self.handle.signal("token_renewed", TokenRenewed(user_id=USER, token_ref=token))

    async def has_heard(self, updates: int) -> None:
        """Wait until the plan has accepted so many updates."""

        async def heard() -> bool:
            kinds = [event.event_type for event in (await self.handle.fetch_history()).events]
            return kinds.count(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED) >= updates

        await soon(heard)

    async def view(self) -> PlanView:
        """Return the plan's current state."""
        return await self.handle.query("plan", result_type=PlanView)

    async def until(self, ready: Any) -> ExecutionPlan:
        """Poll until the plan is as wanted; no time is skipped meanwhile."""
        deadline = asyncio.get_running_loop().time() + LIMIT
        looks = pauses(0.01, 0.1)
        while not ready(plan := (await self.view()).plan):
            assert asyncio.get_running_loop().time() < deadline, f"never so: {plan}"
            await asyncio.sleep(next(looks))
        return plan

    async def reached(self, held: Held) -> None:
        """Wait until a held call is made."""
        async with asyncio.timeout(LIMIT):
            await held.reached.wait()

    async def ended(self) -> ExecutionPlan:
        """Return the plan as it ended; time is skipped as long as nothing else is going on."""
        return await result(self.handle)

    async def statuses(self) -> list[str]:
        """Return every status that the plan's search attribute was ever set to, in order, without repeats."""
        converter = self.stage.env.client.data_converter.payload_converter
        seen: list[str] = []
        async for event in self.handle.fetch_history_events():
            if event.event_type == EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:
                fields = event.upsert_workflow_search_attributes_event_attributes.search_attributes.indexed_fields
                if STATUS.name not in fields:
                    continue
                status = str(converter.from_payload(fields[STATUS.name]))
                seen += [status] if seen[-1:] != [status] else []
        return seen


class Stage:
    """The server, the worker, and the fakes."""

    def __init__(self, env: WorkflowEnvironment, effects: Effects) -> None:
        self.env = env
        self.effects = effects

    async def now(self) -> datetime:
        """Return the server's time."""
        return await self.env.get_current_time()

    async def later(self, seconds: float) -> None:
        """Wait so many seconds by the server's clock while something runs, so no time is skipped."""
        until = await self.now() + timedelta(seconds=seconds)
        while await self.now() <= until:  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.05)

    async def pass_time(self, seconds: float) -> None:
        """Skip that much of the server's time at once. `env.sleep` gives a busy server ten seconds for the call."""
        request = SleepRequest()
        request.duration.FromTimedelta(timedelta(seconds=seconds))
        skip = self.env.client.test_service.unlock_time_skipping_with_sleep
        await skip(request, timeout=timedelta(seconds=LIMIT))

    async def plan(
        self,
        *steps: DraftedStep,
        policy: PlanPolicy = POLICY,
        undo_window: float = 900,
        parallel: bool = False,
        executor: str = "react",
    ) -> Play:
        """Start a plan that waits for its confirmation."""
        taken: Sequence[DraftedStep] = steps or (a_step(1),)
        plan = plan_of(
            taken, plan_id=str(uuid4()), session_id="session-1", user_id=USER, venue_id="v-1", now=await self.now(),
            confirm_timeout=policy.confirm_timeout,
        )  # fmt: skip
        profile = a_venue(undo_window_seconds=undo_window, parallel_steps=parallel, executor=executor)
        start = PlanStart(plan=plan, steps=tuple(taken), profile=profile, conversation_id="chat-1", policy=policy)
        handle = await self.env.client.start_workflow(
            PlanWorkflow.run, start, id=f"plan-{plan.plan_id}", task_queue=QUEUE
        )
        return Play(self, handle)

    async def confirmed(self, *steps: DraftedStep, **how: Any) -> Play:
        """Start a plan and confirm it."""
        play = await self.plan(*steps, **how)
        await play.confirm()
        return play

    async def chat(
        self, policy: ChatPolicy | None = None, memory: ChatMemory | None = None
    ) -> WorkflowHandle[Any, ChatMemory]:
        """Start a chat."""
        start = ChatStart(
            venue_id="v-1", session_id="session-1", policy=policy or ChatPolicy(plan=POLICY), memory=memory
        )
        return await self.env.client.start_workflow(
            ConversationWorkflow.run, start, id=f"chat-{uuid4().hex}", task_queue=QUEUE
        )


async def closed(chat: WorkflowHandle[Any, ChatMemory]) -> ChatMemory:
    """Return a chat's memory once it has closed; time is skipped meanwhile."""
    return await result(chat)


async def result(handle: WorkflowHandle[Any, T]) -> T:
    """Return a workflow's result; time is skipped as long as nothing else is going on."""
    async with asyncio.timeout(LIMIT):
        return await handle.result()


async def has_worked(handle: WorkflowHandle[Any, Any], *since: EventType.ValueType) -> None:
    """Wait until such events are in a workflow's history and everything is processed. This server loses signals between
    workflows, or fails, when time is skipped or a call is cancelled while it is under way."""
    wanted = since or (EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,)

    async def worked() -> bool:
        kinds = [event.event_type for event in (await handle.fetch_history()).events]
        if not set(wanted) <= set(kinds):
            return False
        todo = kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED)
        done = kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        # A workflow task that a busy machine delayed for too long is scheduled again.
        done += kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT)
        asked = kinds.count(EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
        answered = kinds.count(EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED)
        return todo == done and asked == answered

    await soon(worked)


async def _started(binary: str, converter: DataConverter) -> WorkflowEnvironment:
    """Start the server that skips time. The SDK gives it five seconds, which a busy machine may not have."""
    for _ in range(20):
        with contextlib.suppress(RuntimeError):
            return await WorkflowEnvironment.start_time_skipping(
                test_server_existing_path=binary, data_converter=converter
            )
    raise AssertionError("the test server did not start")


@asynccontextmanager
async def staged(effects: Effects, *, cached: int = 1000) -> AsyncIterator[Stage]:
    """Start a server that skips time, with a worker that keeps so many workflows in memory."""
    binary = str(Path(sys.executable).parent / "temporal-test-server")
    converter = data_converter(parse_ring(new_key_line()))
    async with await _started(binary, converter) as env:
        kinds = {key.name: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD for key in ALL}
        request = AddSearchAttributesRequest(search_attributes=kinds, namespace=env.client.namespace)
        await env.client.operator_service.add_search_attributes(request)
        effects.client = env.client
        worker = Worker(
            env.client,
            task_queue=QUEUE,
            workflows=[PlanWorkflow, ConversationWorkflow, EscalationWorkflow],
            activities=effects.activities(),
            max_cached_workflows=cached,
        )
        if worker._workflow_worker is not None:
            # Its two seconds are a clock: a busy machine takes them to collect the garbage of a thousand tests.
            worker._workflow_worker._deadlock_timeout_seconds = LIMIT
        async with worker:
            yield Stage(env, effects)
