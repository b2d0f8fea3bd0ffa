"""Activities that do what a test scripts: the real workflows run on them, under the names of `contracts.signatures`.

Each call is noted by a label such as `act 2`, `undo 1` or `wipe tok-1`. A test may script what the next calls of a
label answer, and may hold one: that call waits until the test releases it, which is where cancels are placed.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import Any, cast

from temporalio import activity
from temporalio.client import Client

from activities.chat_plan_bridge import match_bookings
from contracts.chat_completion import Critique, CritiqueRequest, ModelReply, ReasonRequest, ToolCall
from contracts.chat_messages import ChatMemory
from contracts.commands import CommandKind
from contracts.drafting import DraftReply, DraftRequest, LookUpReply, LookUpRequest
from contracts.enums import CritiqueDecision, StepRollbackOutcome, StepStatus
from contracts.escalation import DeliverStaffReply, EscalationRecord, WebhookCall, WebhookReply
from contracts.step_activities import (
    ActReply,
    ActRequest,
    ChatCommand,
    ChatCommandResult,
    CommitCommand,
    CommitResult,
    DraftedStep,
    OwnerLabel,
    OwnerLabelRequest,
    PlanLookUp,
    PlanState,
    PromptSlotRequest,
    SnapshotReply,
    SnapshotRequest,
    StateFingerprint,
    StepScope,
    StepUndoRequest,
    StepUndoResult,
    WriteOutcome,
)
from reasoning.modes.reply_filter import operator_text, strip_effect_claims
from tests.unit.reasoning.actions import a_venue

Reply = Any
"""A contract model to answer with, an exception to raise, or a function of the request that gives either."""


_LABELS = {CommandKind.CANCEL: "drop", CommandKind.DROP: "drop", CommandKind.UNDO: "undo_last"}


class Held:
    """One call that waits."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._go = asyncio.Event()

    def let_go(self) -> None:
        """Let the call answer."""
        self._go.set()

    async def wait(self) -> None:
        """Report that the call has arrived, and wait. The activity calls this."""
        self.reached.set()
        while not self._go.is_set():
            activity.heartbeat()
            try:
                await asyncio.wait_for(self._go.wait(), 0.2)
            except TimeoutError:
                continue


def step_of(scope: StepScope) -> int:
    """Return the step that a venue effect belongs to, from its idempotency key."""
    return int(scope.idempotency_key.rpartition("-")[2])


def a_ground(number: int, key: str | None = None) -> StateFingerprint:
    """Return a step's fingerprint: of its own booking unless a key is given."""
    return StateFingerprint(key=key or f"s{number}", covers=("x",), digest=f"d{number}")


class Effects:
    """Every effect of a plan and a chat, scripted and noted."""

    def __init__(self) -> None:
        self.client: Client | None = None
        self.forget()

    def forget(self) -> None:
        """Reset everything for the next test."""
        self.calls: list[str] = []
        self.requests: dict[str, list[Any]] = defaultdict(list)
        self.memory: ChatMemory | None = None
        self.grants = True
        self.step: DraftedStep | None = None
        self.claims: Reply = CommitResult(granted=True)
        self._scripts: dict[str, deque[Reply]] = defaultdict(deque)
        self._held: dict[str, Held] = {}

    def script(self, label: str, *replies: Reply) -> None:
        """Script the next calls of that label; later calls answer as usual."""
        self._scripts[label].extend(replies)

    def hold(self, label: str) -> Held:
        """Let the next call of that label wait."""
        self._held[label] = Held()
        return self._held[label]

    def made(self, kind: str) -> list[str]:
        """Return the calls of one kind, in order."""
        return [c for c in self.calls if c.split()[0] == kind]

    async def _answer(self, label: str, request: Any, usual: Reply) -> Any:
        self.calls.append(label)
        self.requests[label].append(request)
        held = self._held.pop(label, None)
        if held is not None:
            await held.wait()
        reply = self._scripts[label].popleft() if self._scripts[label] else usual
        if callable(reply):
            reply = reply(request)
            if asyncio.iscoroutine(reply):
                reply = await cast(Awaitable[Any], reply)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    @activity.defn(name="reason")
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """Call the next step with its confirmed values, as a well-behaved model does; in a chat, write something."""
        todo = next((a for a in request.goal or () if a.status is not StepStatus.COMPLETED), None)
        if todo is None:
            return _filtered(await self._answer("reason", request, ModelReply(text="Hello there.")))
        call = ToolCall(id=f"call-{len(self.calls)}", name=todo.action_id, kind="write")
        usual = ModelReply(tool_calls=(call,))
        return _filtered(await self._answer(f"reason {todo.step}", request, usual))

    @activity.defn(name="critique")
    async def critique(self, request: CritiqueRequest) -> Critique:
        """Let the draft go on."""
        usual = Critique(decision=CritiqueDecision.PROCEED)
        return cast(Critique, await self._answer("critique", request, usual))

    @activity.defn(name="look_up")
    async def look_up(self, request: LookUpRequest) -> LookUpReply:
        """Find nothing."""
        return cast(LookUpReply, await self._answer("look_up", request, LookUpReply(observation={"found": 0})))

    @activity.defn(name="take_snapshot")
    async def take_snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """Return a booking that no one else changes."""
        n = step_of(request.scope)
        own = [e for e in request.expectations if e.step == n]
        grounds = tuple(a_ground(n, e.key).model_copy(update={"digest": e.digest or f"d{n}"}) for e in own)
        usual = SnapshotReply(before={"step": n}, fingerprints=grounds, manual=f"put step {n} back by hand")
        return cast(SnapshotReply, await self._answer(f"snapshot {n}", request, usual))

    @activity.defn(name="act")
    async def act(self, request: ActRequest) -> ActReply:
        """Apply the write."""
        n = step_of(request.scope)
        usual = ActReply(write_outcome=WriteOutcome.APPLIED, output={"step": n}, summary=f"Step {n} is done.")
        return cast(ActReply, await self._answer(f"act {n}", request, usual))

    @activity.defn(name="read_back")
    async def read_back(self, request: ActRequest) -> ActReply:
        """Report that the write did not land."""
        n = step_of(request.scope)
        return cast(
            ActReply, await self._answer(f"read_back {n}", request, ActReply(write_outcome=WriteOutcome.NOT_APPLIED))
        )

    @activity.defn(name="undo_step")
    async def undo_step(self, request: StepUndoRequest) -> StepUndoResult:
        """Undo the step."""
        n = step_of(request.scope)
        usual = StepUndoResult(outcome=StepRollbackOutcome.REVERSED, message=f"step {n} was undone")
        kind = "look" if request.look_only else "undo"
        return cast(StepUndoResult, await self._answer(f"{kind} {n}", request, usual))

    @activity.defn(name="wipe_token")
    async def wipe_token(self, reference: str) -> None:
        """Note the call."""
        await self._answer(f"wipe {reference}", reference, None)

    @activity.defn(name="commit_command")
    async def commit_command(self, call: CommitCommand) -> CommitResult:
        """Commit it, as when no caller has aborted it; or ask the test's store."""
        return cast(CommitResult, await self._answer(f"claim {call.commit_token}", call, self.claims))

    @activity.defn(name="owner_label")
    async def owner_label(self, call: OwnerLabelRequest) -> OwnerLabel:
        """Label the plan with something that is no name."""
        return cast(OwnerLabel, await self._answer("mark", call, OwnerLabel(mark="0f" * 16)))

    @activity.defn(name="request_prompt_slot")
    async def request_prompt_slot(self, call: PromptSlotRequest) -> None:
        """Grant the slot as the session's chat would."""
        await self._answer("release" if call.release else "slot", call, None)
        if self.grants and not call.release:
            assert self.client is not None
            await self.client.get_workflow_handle(f"plan-{call.plan_id}").signal("prompt_slot_granted")

    @activity.defn(name="draft")
    async def draft(self, request: DraftRequest) -> DraftReply:
        """Draft one step."""
        usual = DraftReply(steps=(self.step,), profile=a_venue()) if self.step else None
        return cast(DraftReply, await self._answer("draft", request, usual))

    @activity.defn(name="execute_command")
    async def execute_command(self, call: ChatCommand) -> ChatCommandResult:
        """Return what the test scripted. A plan that is dropped is gone."""
        label = f"{_LABELS.get(call.command.kind, call.command.kind)} {call.plan_id}"
        return cast(ChatCommandResult, await self._answer(label, call, ChatCommandResult()))

    @activity.defn(name="get_plan")
    async def get_plan(self, call: PlanLookUp) -> ChatCommandResult:
        """Return what the test scripted."""
        return cast(ChatCommandResult, await self._answer(f"get_plan {call.plan_id}", call, ChatCommandResult()))

    @activity.defn(name="load_chat_memory")
    async def load_chat_memory(self, conversation_id: str) -> ChatMemory | None:
        """Return the memory that the last run left, as the test scripted it."""
        return cast(ChatMemory | None, await self._answer("recall", conversation_id, self.memory))

    @activity.defn(name="plan_state")
    async def plan_state(self, plan_id: str) -> PlanState:
        """Return whether the plan runs."""
        return cast(PlanState, await self._answer(f"state {plan_id}", plan_id, PlanState(open=True)))

    @activity.defn(name="record_escalation")
    async def record_escalation(self, record: EscalationRecord) -> None:
        """Note the record."""
        await self._answer(f"record {record.status}", record, None)

    @activity.defn(name="call_webhook")
    async def call_webhook(self, call: WebhookCall) -> WebhookReply:
        """Answer that the venue has no webhook."""
        return cast(WebhookReply, await self._answer("webhook", call, WebhookReply(called=False)))

    @activity.defn(name="deliver_staff_reply")
    async def deliver_staff_reply(self, call: DeliverStaffReply) -> None:
        """Note the reply."""
        await self._answer("tell", call, None)

    def activities(self) -> list[Callable[..., Any]]:
        """Return all of them, for a worker."""
        return [
            self.reason,
            self.take_snapshot,
            self.act,
            self.read_back,
            self.undo_step,
            self.wipe_token,
            self.commit_command,
            self.request_prompt_slot,
            self.owner_label,
            match_bookings,
            self.load_chat_memory,
            self.plan_state,
            self.draft,
            self.critique,
            self.look_up,
            self.execute_command,
            self.get_plan,
            self.record_escalation,
            self.call_webhook,
            self.deliver_staff_reply,
        ]


def _filtered(reply: ModelReply) -> ModelReply:
    """Return the reply with its text for the operator, as the activity does, unless the test has given it."""
    return (
        reply
        if reply.statement.plain
        else reply.model_copy(update={"statement": strip_effect_claims(operator_text(reply), "en")})
    )
