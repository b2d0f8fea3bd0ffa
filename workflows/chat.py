"""What a chat holds while it serves a message: its memory, and how the plans stand that it speaks of."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import AssentCall, AssentReply, ClaimCall, PlanState
    from contracts.enums import PlanStatus, ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.messages import ChatMemory, ChatStart, DonePlan, TurnRequest
    from language.catalogue import say
    from workflows.calls import CLAIM, CLAIM_AGAIN
    from workflows.outcome import RefusedError

_BRIEF = timedelta(seconds=5)
_UNDO = timedelta(seconds=14)
"""An undo looks at every booking first."""
_EARLIER = 5
"""Plans before the last that are looked at with every message."""
_CONFIRMED = (
    PlanStatus.CONFIRMED,
    PlanStatus.EXECUTING,
    PlanStatus.COMPLETED,
    PlanStatus.FAILED,
    PlanStatus.ROLLED_BACK,
)


class Chat:
    """One session's memory between messages, and `running`: how its last confirmed plan stands, while that is open.
    `expired`: the plan that waited was found to have run out of time. `undone`: how the last plan ended, where it was
    found to have been taken back since the last message."""

    def __init__(self, start: ChatStart) -> None:
        self.start = start
        self.memory = start.memory or ChatMemory()
        self.running: PlanState | None = None
        self.expired = False
        self.undone: PlanState | None = None

    def remember(self, **changes: object) -> None:
        """Change the memory."""
        self.memory = self.memory.model_copy(update=changes)

    async def look_at_plans(self, request: TurnRequest) -> None:
        """Forget a pending plan that has meanwhile been confirmed, dropped or has expired, and a confirmed one whose
        workflow has closed."""
        self.running, self.expired, self.undone, state = None, False, None, None
        pending = self.memory.pending_plan_id
        if pending is not None:
            state = await self.state(pending)
            if not state.open or state.status not in (PlanStatus.PENDING_CONFIRMATION, None):
                self.expired = state.status is PlanStatus.EXPIRED
                if self.expired:
                    self.remember(expired=self._waiting(pending))
                self.forget_pending(pending if state.open else None, done=state.status in _CONFIRMED)
        running = self.memory.running_plan_id
        if running is None or not request.ticket:
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
        if done is not None and state is not None and state.status in _CONFIRMED:
            self.undone = state if state.undone and not done.undone else None
            made = state.made if state.status is PlanStatus.COMPLETED else done.made
            seen = {"status": state.status, "uncertain": state.uncertain, "undone": state.undone, "made": made}
            self.remember(done=done.model_copy(update=seen))

    async def state(self, plan_id: str) -> PlanState:
        """How a plan stands."""
        return await workflow.execute_activity(
            signatures.plan_state, plan_id, start_to_close_timeout=_BRIEF, retry_policy=RetryPolicy(maximum_attempts=2)
        )

    def forget_pending(self, running: str | None = None, *, done: bool = False) -> None:
        """No plan waits any more. `running`: the one that did is being carried out; `done`: it was confirmed."""
        memory = self.memory
        if memory.pending_plan_id is not None and (done or running):
            self._keep_earlier()
            self.remember(done=self._waiting(memory.pending_plan_id), taken_back=())
        self.remember(pending_plan_id=None, pending_steps=(), pending_plan=None, pending_said=())
        if running:
            self.remember(running_plan_id=running)

    def _keep_earlier(self) -> None:
        done = self.memory.done
        if done is not None and not done.undone and workflow.patched("earlier-plans-are-looked-at"):
            self.remember(earlier=(*self.memory.earlier, done)[-_EARLIER:])

    def _waiting(self, plan_id: str) -> DonePlan:
        return DonePlan(plan_id=plan_id, steps=self.memory.pending_steps, said=self.memory.pending_said)

    def nothing_new(self) -> str:
        """What is said where nothing comes of a message: never that nothing is being changed while a plan runs."""
        state, key = self.running, "plan.nothing_changing"
        if state is not None and (state.at_work or state.going_back):
            key = "plan.still_undoing" if state.going_back else "plan.still_running"
        return say(key)

    async def claim(self, request: TurnRequest) -> None:
        """Settle with the caller that this message counts. Raises `RefusedError` when it has been given up, or the
        store has lost it: nothing comes of it."""
        left = max(request.deadline - workflow.now(), CLAIM)
        reply = await workflow.execute_activity(
            signatures.claim_confirm,
            ClaimCall(attempt=request.ticket, by=workflow.info().workflow_id),
            start_to_close_timeout=CLAIM,
            schedule_to_close_timeout=left,
            retry_policy=CLAIM_AGAIN,
            summary="may this message take effect?",
        )
        if not reply.granted:
            message, ways = say("refuse.given_up"), [say("refuse.given_up_next")]
            kind = ServiceErrorType.SERVICE_UNAVAILABLE
            raise RefusedError(ServiceError(error_type=kind, message=message, suggestions=ways))

    async def tell(
        self,
        errand: Callable[[AssentCall], Awaitable[AssentReply]],
        request: TurnRequest,
        plan_id: str,
        superseded_by: str | None = None,
        text: str = "",
    ) -> AssentReply:
        """Say a word to a plan of this chat by one of the activities that do so."""
        call = AssentCall(
            plan_id=plan_id,
            user_id=request.user_id,
            request_id=request.request_id,
            token_ref=request.token_ref,
            superseded_by=superseded_by,
            locale=self.start.locale,
            words=self.start.words,
            deadline=workflow.now() + _BRIEF,
            attempt="" if superseded_by else request.attempt or (request.ticket if text else ""),
            text=text,
        )
        return await workflow.execute_activity(
            errand,
            call,
            start_to_close_timeout=_UNDO if errand is signatures.undo_done else _BRIEF,
            retry_policy=RetryPolicy(maximum_attempts=2),
        )
