"""Questions to the operator while a plan runs: at most one open in a session, answered by a signal.

The session's chat grants the one question slot; a plan that wants to ask waits for it as long as for an answer, and is
told apart from one that was not answered when it never got to ask. An answer carries the prompt's id, so a late one
cannot land on another question. It is put aside until the waiting question has claimed it: one that its sender was told
has no effect is left out, and the first that is granted wins.
"""

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.effects import SlotCall
    from contracts.events import EventKind
    from contracts.messages import Answer, PlanStart
    from contracts.plan import BlockingPrompt
    from contracts.usage import Word
    from language.catalogue import say
    from workflows.calls import Calls
    from workflows.cancellation import Cancellation
    from workflows.commands import AbortedError, Commands
    from workflows.record import PlanRecord


class NoAnswerError(Exception):
    """Nobody answered in time, or the plan was stopped while it waited. `key` is the message that says which."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _OverError(Exception):
    """What is asked for is not to be done any more."""


class Questions:
    """One plan's questions."""

    def __init__(
        self, record: PlanRecord, calls: Calls, start: PlanStart, cancellation: Cancellation, commands: Commands
    ) -> None:
        self._record = record
        self._calls = calls
        self._conversation_id = start.conversation_id
        self._profile = start.profile
        self._policy = start.policy
        self._cancellation = cancellation
        self._commands = commands
        self._granted = False
        self._answer: Answer | None = None
        self._given_up: Callable[[], bool] = lambda: False
        self._put_aside: list[Answer] = []
        self.asked = 0
        self.taken: list[str] = []

    def grant(self) -> None:
        """The chat has given this plan the question slot."""
        self._granted = True

    def receive(self, answer: Answer) -> None:
        """Take an answer if it is for the open question, or put it aside to be claimed; anything else is left out."""
        prompt = self._record.plan.blocking_prompt
        if prompt is None or answer.user_id != self._record.plan.user_id:
            return
        if answer.prompt_id != prompt.prompt_id and not (answer.prompt_id is None and self.asked == 1):
            return
        if answer.attempt:
            self._put_aside.append(answer)
        else:
            self._take(answer)

    def _take(self, answer: Answer) -> None:
        self._answer = answer
        self.taken.append(answer.answer_id)
        prompt = self._record.plan.blocking_prompt
        if prompt is not None:
            self._record.telling.prompt(EventKind.PROMPT_ANSWERED, prompt.prompt_id, answer.text)
        self._record.heard(Word.ANSWERED)
        self._record.set(blocking_prompt=None)

    async def ask(self, question: str, choices: tuple[str, ...], given_up: Callable[[], bool]) -> Answer:
        """Ask and wait, until `given_up`: what it is asked for is not to be done any more. Raises `NoAnswerError`."""
        self._given_up = given_up
        if self.asked >= self._policy.questions:
            raise NoAnswerError("plan.too_many_questions")
        plan = self._record.plan
        slot = SlotCall(
            conversation_id=self._conversation_id,
            venue_id=plan.venue_id,
            session_id=plan.session_id,
            locale=self._profile.locale,
            words=self._profile.words,
            plan_id=plan.plan_id,
        )
        patience = timedelta(seconds=self._policy.answer_within)
        self._granted, self._answer = False, None
        self._put_aside.clear()
        await self._ask_for(slot)
        # No `finally`: it would also run, outside the workflow, when a cached workflow is put aside.
        try:
            await self._wait(lambda: self._granted, patience, "plan.slot_taken")
            self.asked += 1
            prompt = BlockingPrompt(
                prompt_id=str(workflow.uuid4()),
                question=question,
                choices=choices,
                expires_at=workflow.now() + patience,
            )
            self._record.telling.prompt(EventKind.PROMPT_OPENED, prompt.prompt_id, question, choices)
            self._record.set(blocking_prompt=prompt)
            answer = await self._answered(workflow.now() + patience)
        except NoAnswerError:
            await self._give_back(slot)
            raise
        await self._give_back(slot)
        return answer

    async def _answered(self, until: datetime) -> Answer:
        """The first answer that is granted. One that came in time counts, though it is granted only afterwards."""
        while self._answer is None:
            if not self._put_aside:
                left = max(until - workflow.now(), timedelta())
                await self._wait(lambda: self._answer is not None or bool(self._put_aside), left)
            if self._answer is None:
                await self._commit(self._put_aside.pop(0))
        return self._answer

    async def _commit(self, answer: Answer) -> None:
        """Take an answer that its sender has not given up, unless the plan was stopped before its turn came."""
        with contextlib.suppress(AbortedError, _OverError):
            async with self._commands.committed(answer.attempt, self._refuse_when_over):
                self._take(answer)

    def _refuse_when_over(self) -> None:
        if self._cancellation.requested or self._given_up():
            raise _OverError

    async def _ask_for(self, slot: SlotCall) -> None:
        """Ask for the slot. Raises `NoAnswerError` when the request did not get through, and takes it back in case it
        did."""
        try:
            await self._calls.question_slot(slot)
        except ActivityError:
            workflow.logger.warning("the question slot could not be asked for")
            if workflow.patched("slot-asked-in-vain-given-back"):
                await self._give_back(slot)
            raise NoAnswerError("plan.not_asked") from None

    async def _give_back(self, slot: SlotCall) -> None:
        """Never fails: what the answer was for goes on, and the chat finds out by itself when a holder is gone."""
        prompt = self._record.plan.blocking_prompt
        if prompt is not None:
            self._record.telling.prompt(EventKind.PROMPT_CLOSED, prompt.prompt_id, say("event.prompt_closed"))
            self._record.set(blocking_prompt=None)
        try:
            await self._calls.question_slot(slot.model_copy(update={"release": True}))
        except ActivityError:
            workflow.logger.warning("the question slot could not be given back")

    async def _wait(self, ready: Callable[[], bool], patience: timedelta, too_late: str = "plan.not_answered") -> None:
        summary = "waits for its turn to ask" if too_late == "plan.slot_taken" else "waits for the operator's answer"
        try:
            await workflow.wait_condition(
                lambda: ready() or self._cancellation.requested or self._given_up(),
                timeout=patience,
                timeout_summary=summary,
            )
        except TimeoutError:
            raise NoAnswerError(too_late) from None
        if not ready():
            raise NoAnswerError("plan.cancelled" if self._cancellation.requested else "plan.not_answered")
