"""The prompt slot of a session: at most one plan may wait for the operator's answer at a time (`docs/state-model.md`,
"Questions while it runs")."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, FailureError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.persisted_names import Signal
    from contracts.step_activities import PromptSlotRequest
    from workflows.workflow_ids import plan_workflow


CHECK_EVERY = timedelta(seconds=60)
"""The interval at which the holder is checked while plans queue. A holder that was terminated, or whose release was
lost, never releases the slot. A finished plan counts as gone although it stays open for undo."""


class PromptSlot:
    """The holder of the slot, and the plans that wait for it."""

    def __init__(self, holder: str | None, queue: tuple[str, ...]) -> None:
        self.holder = holder
        self.queue = list(queue)
        self._calls: list[PromptSlotRequest] = []

    @property
    def busy(self) -> bool:
        """Return whether the chat must stay alive for the slot."""
        return self.holder is not None or bool(self.queue) or bool(self._calls)

    @property
    def has_news(self) -> bool:
        """Return whether a request or release waits to be handled."""
        return bool(self._calls)

    def patience(self, idle: timedelta) -> timedelta:
        """Return how long the chat may sleep: until it is idle, or until the holder must be checked."""
        return min(idle, CHECK_EVERY) if self.queue else idle

    def receive(self, call: PromptSlotRequest) -> None:
        """Receive a plan's request or release of the slot."""
        self._calls.append(call)

    async def process(self) -> None:
        """Handle every received request and release."""
        while self._calls:
            call = self._calls.pop(0)
            if call.release:
                await self._release(call.plan_id)
            elif self.holder in (None, call.plan_id) or not await _lives(str(self.holder)):
                await self._grant(call.plan_id)
            elif call.plan_id not in self.queue:
                self.queue.append(call.plan_id)

    async def release_if_holder_gone(self) -> None:
        """Release the slot if its holder has ended, or can ask no more, without releasing it."""
        holder = self.holder
        if holder is not None and not await _lives(holder) and self.holder == holder:
            workflow.logger.warning("plan %s ended with the question slot; it is free again", holder)
            await self._release(holder)

    async def _release(self, plan_id: str) -> None:
        self.queue = [p for p in self.queue if p != plan_id]
        if self.holder == plan_id:
            self.holder = None
            await self._next()

    async def _next(self) -> None:
        while self.holder is None and self.queue:
            await self._grant(self.queue.pop(0))

    async def _grant(self, plan_id: str) -> None:
        self.holder = plan_id
        try:
            await workflow.get_external_workflow_handle(plan_workflow(plan_id)).signal(Signal.PROMPT_SLOT_GRANTED)
        except FailureError:
            workflow.logger.warning("plan %s closed before it could ask", plan_id)
            self.holder = None
            await self._next()


async def _lives(plan_id: str) -> bool:
    try:
        state = await workflow.execute_activity(
            signatures.plan_state,
            plan_id,
            start_to_close_timeout=timedelta(seconds=5),
            retry_policy=RetryPolicy(maximum_attempts=3),
            summary="does the plan still live that may ask?",
        )
    except ActivityError:
        return True
    return state.may_ask
