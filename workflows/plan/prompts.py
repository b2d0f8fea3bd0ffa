"""Prompts to the operator while a plan runs: at most one is open in a session, answered by a signal.

The session's chat grants the one prompt slot. A plan waits for the slot as long as for an answer; a plan that never got
the slot ends with another message than one without an answer. An answer carries the prompt's id, so a late one cannot
answer another prompt. The waiting prompt commits a received answer first: an aborted answer is ignored, and the first
committed one wins.
"""

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PlanStart, PromptAnswer
    from contracts.events import EventKind
    from contracts.plan import BlockingPrompt
    from contracts.step_activities import PromptSlotRequest
    from contracts.usage import AuditAction
    from language.messages.catalogue import translate
    from workflows.plan.activities import PlanActivities
    from workflows.plan.commands import AbortedError, CommandCommits
    from workflows.plan.failures import PlanCancellation
    from workflows.plan.state import PlanRecord


class NoAnswerError(Exception):
    """No answer came in time, or the plan was stopped while it waited. `key` is the message for the reason."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _OverError(Exception):
    """The step that a prompt is for is no longer to be carried out."""


class Prompts:
    """The prompts of one plan."""

    def __init__(
        self,
        record: PlanRecord,
        calls: PlanActivities,
        start: PlanStart,
        cancellation: PlanCancellation,
        commands: CommandCommits,
    ) -> None:
        self._record = record
        self._activities = calls
        self._conversation_id = start.conversation_id
        self._profile = start.profile
        self._policy = start.policy
        self._cancellation = cancellation
        self._commands = commands
        self._granted = False
        self._answer: PromptAnswer | None = None
        self._given_up: Callable[[], bool] = lambda: False
        self._put_aside: list[PromptAnswer] = []
        self.asked = 0
        self.taken: list[str] = []

    def grant_slot(self) -> None:
        """Record that the chat has granted the prompt slot."""
        self._granted = True

    def receive_answer(self, answer: PromptAnswer) -> None:
        """Queue an answer to be committed if it is for the open prompt; any other answer is ignored."""
        prompt = self._record.plan.blocking_prompt
        if prompt is None or answer.user_id != self._record.plan.user_id:
            return
        if answer.prompt_id != prompt.prompt_id and not (answer.prompt_id is None and self.asked == 1):
            return
        self._put_aside.append(answer)

    def _take(self, answer: PromptAnswer) -> None:
        self._answer = answer
        self.taken.append(answer.answer_id)
        prompt = self._record.plan.blocking_prompt
        if prompt is not None:
            self._record.events.prompt(EventKind.PROMPT_ANSWERED, prompt.prompt_id, answer.text)
        self._record.audit(AuditAction.ANSWERED)
        self._record.update(blocking_prompt=None)

    async def ask(self, question: str, choices: tuple[str, ...], given_up: Callable[[], bool]) -> PromptAnswer:
        """Ask and wait for the answer. `given_up` returns whether the step is no longer to be carried out. Raises
        `NoAnswerError`."""
        self._given_up = given_up
        if self.asked >= self._policy.questions:
            raise NoAnswerError("plan.too_many_questions")
        plan = self._record.plan
        slot = PromptSlotRequest(
            conversation_id=self._conversation_id,
            venue_id=plan.venue_id,
            session_id=plan.session_id,
            locale=self._profile.locale,
            nouns=self._profile.words,
            plan_id=plan.plan_id,
        )
        timeout = timedelta(seconds=self._policy.answer_timeout)
        self._granted, self._answer = False, None
        self._put_aside.clear()
        await self._ask_for(slot)
        # No `finally`, because it would also run outside the workflow when a cached workflow is evicted.
        try:
            await self._wait(lambda: self._granted, timeout, "plan.slot_taken")
            self.asked += 1
            prompt = BlockingPrompt(
                prompt_id=str(workflow.uuid4()),
                question=question,
                choices=choices,
                expires_at=workflow.now() + timeout,
            )
            self._record.events.prompt(EventKind.PROMPT_OPENED, prompt.prompt_id, question, choices)
            self._record.update(blocking_prompt=prompt)
            answer = await self._answered(workflow.now() + timeout)
        except NoAnswerError:
            await self._give_back(slot)
            raise
        await self._give_back(slot)
        return answer

    async def _answered(self, until: datetime) -> PromptAnswer:
        """Return the first committed answer. An answer that came in time counts, even if it is committed later."""
        while self._answer is None:
            if not self._put_aside:
                remaining = max(until - workflow.now(), timedelta())
                await self._wait(lambda: self._answer is not None or bool(self._put_aside), remaining)
            if self._answer is None:
                await self._commit(self._put_aside.pop(0))
        return self._answer

    async def _commit(self, answer: PromptAnswer) -> None:
        """Commit an answer that its sender has not aborted, unless the plan was stopped first."""
        with contextlib.suppress(AbortedError, _OverError):
            async with self._commands.committed(answer.commit_token, self._refuse_when_over):
                self._take(answer)

    def _refuse_when_over(self) -> None:
        if self._cancellation.requested or self._given_up():
            raise _OverError

    async def _ask_for(self, slot: PromptSlotRequest) -> None:
        """Request the slot. Raises `NoAnswerError` if the request failed, and releases it in case it was received."""
        try:
            await self._activities.request_prompt_slot(slot)
        except ActivityError:
            workflow.logger.warning("the question slot could not be asked for")
            await self._give_back(slot)
            raise NoAnswerError("plan.not_asked") from None

    async def _give_back(self, slot: PromptSlotRequest) -> None:
        """Release the slot. Never fails, because the plan must continue, and the chat detects by itself that a holder
        is gone."""
        prompt = self._record.plan.blocking_prompt
        if prompt is not None:
            self._record.events.prompt(EventKind.PROMPT_CLOSED, prompt.prompt_id, translate("event.prompt_closed"))
            self._record.update(blocking_prompt=None)
        try:
            await self._activities.request_prompt_slot(slot.model_copy(update={"release": True}))
        except ActivityError:
            workflow.logger.warning("the question slot could not be given back")

    async def _wait(self, ready: Callable[[], bool], timeout: timedelta, too_late: str = "plan.not_answered") -> None:
        summary = "waits for its turn to ask" if too_late == "plan.slot_taken" else "waits for the operator's answer"
        try:
            await workflow.wait_condition(
                lambda: ready() or self._cancellation.requested or self._given_up(),
                timeout=timeout,
                timeout_summary=summary,
            )
        except TimeoutError:
            raise NoAnswerError(too_late) from None
        if not ready():
            raise NoAnswerError("plan.cancelled" if self._cancellation.requested else "plan.not_answered")
