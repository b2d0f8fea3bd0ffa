"""The state of a chat while it serves a message: its memory, and the state of the plans that it refers to."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.chat_messages import ChatMemory, ChatStart, PreviousPlan, TurnRequest
    from contracts.commands import PlanCommand, UndoPlan
    from contracts.enums import PlanStatus, ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.step_activities import ChatCommand, ChatCommandResult, CommitCommand, PlanLookUp, PlanState
    from language.messages.catalogue import translate
    from workflows.chat.turn_result import TurnRejectedError
    from workflows.plan.activities import CLAIM, CLAIM_AGAIN

_BRIEF = timedelta(seconds=5)
_UNDO = timedelta(seconds=14)
"""Longer than other commands, because an undo reads every booking first."""
_EARLIER = 5
"""Number of plans before the last that are checked with every message."""
_CONFIRMED = (
    PlanStatus.CONFIRMED,
    PlanStatus.EXECUTING,
    PlanStatus.COMPLETED,
    PlanStatus.FAILED,
    PlanStatus.ROLLED_BACK,
)


class ChatSession:
    """One session's memory between messages. `running`: the state of its last confirmed plan while that is open.
    `expired`: whether the pending plan was found expired. `undone`: the final state of the last plan if it was undone
    since the last message. `in_flux`: the ids of the bookings that a plan of this chat is still changing or undoing."""

    def __init__(self, start: ChatStart) -> None:
        self.start = start
        self.memory = start.memory or ChatMemory()
        self.running: PlanState | None = None
        self.expired = False
        self.undone: PlanState | None = None
        self.in_flux: tuple[str, ...] = ()

    def remember(self, **changes: object) -> None:
        """Update fields of the memory."""
        self.memory = self.memory.model_copy(update=changes)

    async def refresh_plans(self, request: TurnRequest) -> None:
        """Update the memory of plans: clear a pending plan that was confirmed or dropped or has expired, and a
        confirmed one whose workflow has closed."""
        self.running, self.expired, self.undone, self.in_flux, state = None, False, None, (), None
        pending = self.memory.pending_plan_id
        if pending is not None:
            state = await self.state(pending)
            if not state.open or state.status not in (PlanStatus.PENDING_CONFIRMATION, None):
                self.expired = state.status is PlanStatus.EXPIRED
                if self.expired:
                    self.remember(expired=self._waiting(pending))
                self.clear_pending(pending if state.open else None, done=state.status in _CONFIRMED)
        running = self.memory.running_plan_id
        if running is None:
            self._note_end(state)
            return
        if state is None or running != pending:
            state = await self.state(running)
        if state.open:
            self.running = state
        else:
            self.remember(running_plan_id=None)
        self._note_end(state)

    def _note_end(self, state: PlanState | None) -> None:
        done = self.memory.done
        if done is not None and state is not None:
            self.note_flux(done, state)
        if done is not None and state is not None and state.status in _CONFIRMED:
            self.undone = state if state.undone and not done.undone else None
            made = state.created_bookings if state.status is PlanStatus.COMPLETED else done.created
            seen = {"status": state.status, "uncertain": state.uncertain, "undone": state.undone, "created": made}
            self.remember(done=done.model_copy(update=seen))

    def note_flux(self, plan: PreviousPlan, state: PlanState) -> None:
        """Record the bookings of a plan that is still changing or undoing them."""
        if state.in_flux:
            self.in_flux += tuple(s.booking.booking_id for s in plan.steps if s.booking is not None)

    async def state(self, plan_id: str) -> PlanState:
        """Return the state of a plan."""
        return await workflow.execute_activity(
            signatures.plan_state, plan_id, start_to_close_timeout=_BRIEF, retry_policy=RetryPolicy(maximum_attempts=2)
        )

    def clear_pending(self, running: str | None = None, *, done: bool = False) -> None:
        """Clear the pending plan. `running`: its id if it is being executed; `done`: it was confirmed."""
        memory = self.memory
        if memory.pending_plan_id is not None and (done or running):
            self._keep_earlier()
            self.remember(done=self._waiting(memory.pending_plan_id), undone_bookings=())
        self.remember(pending_plan_id=None, pending_steps=(), pending_plan=None, pending_messages=())
        if running:
            self.remember(running_plan_id=running)

    def _keep_earlier(self) -> None:
        done = self.memory.done
        if done is not None and not done.undone:
            self.remember(earlier_plans=(*self.memory.earlier_plans, done)[-_EARLIER:])

    def _waiting(self, plan_id: str) -> PreviousPlan:
        return PreviousPlan(plan_id=plan_id, steps=self.memory.pending_steps, messages=self.memory.pending_messages)

    def nothing_changed_text(self) -> str:
        """Return the message for a turn without effect. While a plan runs, it never states that nothing is being
        changed."""
        state, key = self.running, "plan.nothing_changing"
        if state is not None and (state.at_work or state.going_back):
            key = "plan.still_undoing" if state.going_back else "plan.still_running"
        return translate(key)

    async def claim(self, request: TurnRequest) -> None:
        """Commit the message with its caller. Raises `TurnRejectedError` if the caller has aborted it, or if the store
        has lost it: it then has no effect."""
        remaining = max(request.deadline - workflow.now(), CLAIM)
        reply = await workflow.execute_activity(
            signatures.commit_command,
            CommitCommand(commit_token=request.commit_token, by=workflow.info().workflow_id),
            start_to_close_timeout=CLAIM,
            schedule_to_close_timeout=remaining,
            retry_policy=CLAIM_AGAIN,
            summary="may this message take effect?",
        )
        if not reply.granted:
            message, ways = translate("refuse.given_up"), [translate("refuse.given_up_next")]
            kind = ServiceErrorType.SERVICE_UNAVAILABLE
            raise TurnRejectedError(ServiceError(error_type=kind, message=message, suggestions=ways))

    async def execute(self, request: TurnRequest, plan_id: str, command: PlanCommand) -> ChatCommandResult:
        """Send a command to a plan of this chat. Raises `ActivityError`."""
        return await workflow.execute_activity(
            signatures.execute_command,
            ChatCommand(
                plan_id=plan_id,
                command=command,
                token_ref=request.token_ref,
                locale=self.start.locale,
                nouns=self.start.nouns,
            ),
            start_to_close_timeout=_UNDO if isinstance(command, UndoPlan) else _BRIEF,
            retry_policy=RetryPolicy(maximum_attempts=2),
            summary=command.kind,
        )

    async def plan(self, plan_id: str) -> ChatCommandResult:
        """Return a plan of this chat with its current state. Raises `ActivityError`."""
        return await workflow.execute_activity(
            signatures.get_plan,
            PlanLookUp(plan_id=plan_id, locale=self.start.locale, nouns=self.start.nouns),
            start_to_close_timeout=_BRIEF,
            retry_policy=RetryPolicy(maximum_attempts=2),
        )
