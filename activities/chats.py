"""What chats and plans need of each other and of the vault, as activities."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from temporalio import activity
from temporalio.client import WorkflowExecutionStatus
from temporalio.exceptions import ApplicationError

from clients.chats import ChatClient
from clients.errors import RequestError, UnansweredError
from clients.plans import PlanClient
from clients.words import Kind, Said, Word, Words
from contracts.effects import AssentCall, AssentReply, ClaimCall, ClaimReply, MadeThing, PlanState, SlotCall
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.messages import ChatMemory, ChatStart, PlanView
from contracts.plan import ExecutionPlan
from infra.claims import Claims
from infra.settings import Settings
from infra.vault import TokenMissingError, Vault
from language.catalogue import speak
from reasoning import wording


@contextmanager
def _naming_the_part() -> Iterator[None]:
    """Let an errand that nobody answered fail so that its chat knows which part was away."""
    try:
        yield
    except UnansweredError as away:
        raise ApplicationError(away.answer.message, type=f"away.{away.part}") from None


async def _reply(saying: Awaitable[Said | PlanView]) -> AssentReply:
    """The plan after a word or a look, or why not."""
    try:
        with _naming_the_part():
            return AssentReply(plan=(await saying).plan)
    except RequestError as error:
        return AssentReply(error=error.answer)


class Chats:
    """Errands between workflows."""

    def __init__(
        self, settings: Settings, plans: PlanClient, chats: ChatClient, words: Words, vault: Vault, claims: Claims
    ) -> None:
        self._settings = settings
        self._plans = plans
        self._chats = chats
        self._words = words
        self._vault = vault
        self._claims = claims

    @activity.defn(name="wipe_token")
    async def wipe_token(self, reference: str) -> None:
        """See `signatures.wipe_token`."""
        await self._vault.wipe(reference)

    @activity.defn(name="claim_confirm")
    async def claim_confirm(self, call: ClaimCall) -> ClaimReply:
        """See `signatures.claim_confirm`."""
        return ClaimReply(granted=await self._claims.claim(call.attempt, call.by))

    @activity.defn(name="recall_chat")
    async def recall_chat(self, conversation: str) -> ChatMemory | None:
        """See `signatures.recall_chat`."""
        asking = activity.info().workflow_run_id or ""
        return await self._chats.memory_of_last_run(conversation, asking)

    @activity.defn(name="confirm_pending")
    async def confirm_pending(self, call: AssentCall) -> AssentReply:
        """See `signatures.confirm_pending`. The plan gets its own copy of the token: the turn's is wiped with the
        turn. Fails when it is not known whether the word was sent; tried again, it learns what became of it."""
        speak(call.locale, call.words)
        try:
            token = await self._vault.get(call.token_ref)
        except TokenMissingError:
            token = None
        word = Word(Kind.CONFIRM, call.user_id, call.request_id, call.attempt)
        return await _reply(self._on(call, lambda view: self._words.confirm(view, word, token)))

    @activity.defn(name="drop_pending")
    async def drop_pending(self, call: AssentCall) -> AssentReply:
        """See `signatures.drop_pending`. A plan that is no longer pending is left alone where another is to replace it;
        one that is gone without a word of its own is told as None."""
        speak(call.locale, call.words)
        kind = Kind.DROP if call.superseded_by else Kind.CANCEL
        word = Word(kind, call.user_id, call.superseded_by or call.request_id, call.attempt)
        reply = await _reply(self._on(call, lambda view: self._words.cancel(view, word, call.superseded_by)))
        kinds = (ServiceErrorType.CONFLICT, ServiceErrorType.NOT_FOUND)
        if reply.error is None or call.superseded_by is None or reply.error.error_type not in kinds:
            return reply
        found = reply.error.plan
        pending = found is not None and found.status is PlanStatus.PENDING_CONFIRMATION
        if pending and (await self.plan_state(call.plan_id)).open:
            return AssentReply(error=wording.unavailable("slow", "word.drop_unknown"))
        return AssentReply(plan=None if pending else found)

    @activity.defn(name="undo_done")
    async def undo_done(self, call: AssentCall) -> AssentReply:
        """See `signatures.undo_done`. The plan gets its own copy of the token."""
        speak(call.locale, call.words)
        word = Word(Kind.UNDO, call.user_id, call.request_id, call.attempt)
        try:
            token = await self._vault.get(call.token_ref)
        except TokenMissingError:
            return AssentReply(error=wording.unavailable("slow", "away.not_sent"))
        return await _reply(self._on(call, lambda view: self._words.undo(view, word, token)))

    @activity.defn(name="answer_plan")
    async def answer_plan(self, call: AssentCall) -> AssentReply:
        """See `signatures.answer_plan`. It answers the question that is open now."""
        speak(call.locale, call.words)
        word = Word(Kind.ANSWER, call.user_id, call.request_id, call.attempt)

        def answered(view: PlanView) -> Awaitable[Said]:
            prompt = view.plan.blocking_prompt
            return self._words.answer(view, word, call.text, prompt.prompt_id if prompt else None)

        return await _reply(self._on(call, answered))

    @activity.defn(name="look_at_plan")
    async def look_at_plan(self, call: AssentCall) -> AssentReply:
        """See `signatures.look_at_plan`."""
        speak(call.locale, call.words)
        return await _reply(self._plans.plan(call.plan_id))

    async def _on(self, call: AssentCall, say_it: Callable[[PlanView], Awaitable[Said]]) -> Said:
        """Say a word to the plan as it stands now."""
        return await say_it(await self._plans.plan(call.plan_id))

    @activity.defn(name="plan_state")
    async def plan_state(self, plan_id: str) -> PlanState:
        """See `signatures.plan_state`."""
        try:
            with _naming_the_part():
                description = await self._plans.describe(plan_id)
        except RequestError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return PlanState(open=False)
            raise
        status = self._plans.status_of(description)
        plan = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        runs = description.status is WorkflowExecutionStatus.RUNNING
        # Terminated from outside, it failed wherever it was, and what it had sent may stand.
        cut_off = not runs and status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)
        return PlanState(
            open=runs,
            status=PlanStatus.FAILED if cut_off else PlanStatus(status) if status else None,
            phase=self._plans.phase_of(description),
            uncertain=cut_off or (plan is not None and plan.uncertain),
            undone=plan is not None and plan.undone,
            made=_made_in(plan) if plan is not None else (),
            ended=description.close_time,
        )

    @activity.defn(name="question_slot")
    async def question_slot(self, call: SlotCall) -> None:
        """See `signatures.question_slot`."""
        start = ChatStart(
            venue_id=call.venue_id,
            session_id=call.session_id,
            locale=call.locale,
            words=call.words,
            policy=self._settings.chat_policy(),
        )
        await self._chats.question_slot(call.conversation_id, start, call)


def _made_in(plan: ExecutionPlan) -> tuple[MadeThing, ...]:
    behind = sum(action.read_only for action in plan.actions)
    return tuple(MadeThing(step=r.step - behind, booking_id=r.made) for r in plan.results if r.made is not None)
