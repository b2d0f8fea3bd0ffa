"""The one question slot of a session: at most one plan may wait for the operator's answer at a time
(`docs/state-model.md`, "Questions while it runs")."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, FailureError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import SlotCall
    from workflows.ids import plan_workflow


CHECK_EVERY = timedelta(seconds=60)
"""While plans queue, the holder is looked at this often: one that was terminated, or whose giving back was lost, never
gives it back. A plan that is done counts as gone though it stays open to be undone."""


class QuestionSlot:
    """Who may ask, and who waits to."""

    def __init__(self, holder: str | None, queue: tuple[str, ...]) -> None:
        self.holder = holder
        self.queue = list(queue)
        self._calls: list[SlotCall] = []

    @property
    def busy(self) -> bool:
        """Whether the chat must stay alive for it."""
        return self.holder is not None or bool(self.queue) or bool(self._calls)

    @property
    def has_news(self) -> bool:
        """Whether a request or release waits to be handled."""
        return bool(self._calls)

    def patience(self, idle: timedelta) -> timedelta:
        """How long the chat may sleep: until it is idle, or until the holder is to be looked at."""
        return min(idle, CHECK_EVERY) if self.queue else idle

    def receive(self, call: SlotCall) -> None:
        """A plan asks for the slot or gives it back."""
        self._calls.append(call)

    async def work(self) -> None:
        """Handle every request and release that has come in."""
        while self._calls:
            call = self._calls.pop(0)
            if call.release:
                await self._release(call.plan_id)
            elif self.holder in (None, call.plan_id) or not await _lives(str(self.holder)):
                await self._grant(call.plan_id)
            elif call.plan_id not in self.queue:
                self.queue.append(call.plan_id)

    async def free_if_dead(self) -> None:
        """Take the slot from a holder that has ended, or is past asking, without giving it back. Chats from before that
        checked only when another plan asked."""
        holder = self.holder
        if holder is None or not workflow.patched("dead-holder-frees-slot"):
            return
        if not await _lives(holder) and self.holder == holder:
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
            await workflow.get_external_workflow_handle(plan_workflow(plan_id)).signal("slot_granted")
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
