"""Activities between chats, plans and the token vault, and the comparison of a message with a chat's bookings.

Keyed hashes by which a plan is found, stored in search attributes that are not encrypted.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress

from temporalio import activity
from temporalio.client import WorkflowExecutionStatus
from temporalio.exceptions import ApplicationError

from clients.commands import PlanCommands
from clients.errors import ApiError, ServiceUnavailableError
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import ChatMemory, ChatStart
from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan, PlanCommand, UndoPlan
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.message_reading import BookingMatch, BookingMatchRequest
from contracts.persisted_names import Activity
from contracts.plan import ExecutionPlan
from contracts.step_activities import (
    ChatCommand,
    ChatCommandResult,
    CommitCommand,
    CommitResult,
    CreatedBooking,
    OwnerLabel,
    OwnerLabelRequest,
    PlanLookUp,
    PlanState,
    PromptSlotRequest,
)
from infra.config.settings import Settings
from infra.crypto.keyring import KeyRing
from infra.stores.command_store import CommandResult, CommandStore
from infra.stores.token_vault import TokenMissingError, Vault
from language.messages.catalogue import activate_locale
from language.messages.nouns import things_of
from language.requests.booking_names import chosen
from reasoning import error_messages
from reasoning.drafting import short_replies


@contextmanager
def _naming_the_part() -> Iterator[None]:
    """Make an activity that got no answer fail with the name of the unavailable part, so that its chat can
    report it."""
    try:
        yield
    except ServiceUnavailableError as away:
        raise ApplicationError(away.answer.message, type=f"unavailable.{away.part}") from None


async def _reply(saying: Awaitable[CommandResult]) -> ChatCommandResult:
    """Return the plan after a command, or why the command failed."""
    try:
        with _naming_the_part():
            return ChatCommandResult(plan=(await saying).plan)
    except ApiError as error:
        return ChatCommandResult(error=error.answer)


class ChatPlanActivities:
    """Activities by which chats and plans call each other."""

    def __init__(
        self,
        settings: Settings,
        plans: PlanClient,
        chats: ChatClient,
        commands: PlanCommands,
        vault: Vault,
        command_store: CommandStore,
    ) -> None:
        self._settings = settings
        self._plans = plans
        self._chats = chats
        self._commands = commands
        self._vault = vault
        self._command_store = command_store

    @activity.defn(name=Activity.WIPE_TOKEN)
    async def wipe_token(self, reference: str) -> None:
        """See `signatures.wipe_token`."""
        await self._vault.wipe(reference)

    @activity.defn(name=Activity.COMMIT_COMMAND)
    async def commit_command(self, call: CommitCommand) -> CommitResult:
        """See `signatures.commit_command`."""
        return CommitResult(granted=await self._command_store.commit(call.commit_token, call.by))

    @activity.defn(name=Activity.LOAD_CHAT_MEMORY)
    async def load_chat_memory(self, conversation: str) -> ChatMemory | None:
        """See `signatures.load_chat_memory`."""
        asking = activity.info().workflow_run_id or ""
        return await self._chats.memory_of_last_run(conversation, asking)

    @activity.defn(name=Activity.EXECUTE_COMMAND)
    async def execute_command(self, call: ChatCommand) -> ChatCommandResult:
        """See `signatures.execute_command`. The plan gets its own copy of the token, because the turn's copy is wiped
        with the turn. An answer is for the prompt that is open now. Fails when it is not known whether the command was
        sent; a retry learns its outcome."""
        activate_locale(call.locale, call.nouns)
        command, token = call.command, None
        if isinstance(command, ConfirmPlan | UndoPlan):
            with suppress(TokenMissingError):
                token = await self._vault.get(call.token_ref)
        result = await _reply(self._execute(call.plan_id, command, token))
        if isinstance(command, CancelPlan) and command.superseded_by is not None:
            return await self._replaced(call.plan_id, result)
        return result

    async def _execute(self, plan_id: str, command: PlanCommand, token: str | None) -> CommandResult:
        """Send a command to the plan in its current state."""
        view = await self._plans.plan(plan_id)
        if isinstance(command, AnswerPrompt) and view.plan.blocking_prompt is not None:
            command = command.model_copy(update={"prompt_id": view.plan.blocking_prompt.prompt_id})
        return await self._commands.execute(view, command, token)

    async def _replaced(self, plan_id: str, result: ChatCommandResult) -> ChatCommandResult:
        """Return the plan if it was no longer pending, because it then stays as it is; no plan if it is gone although
        its last recorded state is pending."""
        if result.error is None or result.error.error_type not in (
            ServiceErrorType.CONFLICT,
            ServiceErrorType.NOT_FOUND,
        ):
            return result
        found = result.error.plan
        pending = found is not None and found.status is PlanStatus.PENDING_CONFIRMATION
        if pending and (await self.plan_state(plan_id)).open:
            return ChatCommandResult(error=error_messages.unavailable_error("slow", "command.drop_unknown"))
        return ChatCommandResult(plan=None if pending else found)

    @activity.defn(name=Activity.GET_PLAN)
    async def get_plan(self, call: PlanLookUp) -> ChatCommandResult:
        """See `signatures.get_plan`."""
        activate_locale(call.locale, call.nouns)
        try:
            with _naming_the_part():
                view = await self._plans.plan(call.plan_id)
        except ApiError as error:
            return ChatCommandResult(error=error.answer)
        return ChatCommandResult(plan=view.plan, committing=view.committing)

    @activity.defn(name=Activity.PLAN_STATE)
    async def plan_state(self, plan_id: str) -> PlanState:
        """See `signatures.plan_state`."""
        try:
            with _naming_the_part():
                description = await self._plans.describe(plan_id)
        except ApiError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return PlanState(open=False)
            raise
        status = self._plans.status_of(description)
        plan = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        runs = description.status is WorkflowExecutionStatus.RUNNING
        # A terminated plan may have failed at any step, and its writes may have been applied.
        cut_off = not runs and status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)
        return PlanState(
            open=runs,
            status=PlanStatus.FAILED if cut_off else PlanStatus(status) if status else None,
            phase=self._plans.phase_of(description),
            uncertain=cut_off or (plan is not None and plan.uncertain),
            undone=plan is not None and plan.undone,
            created_bookings=_made_in(plan) if plan is not None else (),
            ended=description.close_time,
        )

    @activity.defn(name=Activity.REQUEST_PROMPT_SLOT)
    async def request_prompt_slot(self, call: PromptSlotRequest) -> None:
        """See `signatures.request_prompt_slot`."""
        start = ChatStart(
            venue_id=call.venue_id,
            session_id=call.session_id,
            locale=call.locale,
            nouns=call.nouns,
            policy=self._settings.chat_policy(),
        )
        await self._chats.request_prompt_slot(call.conversation_id, start, call)


def _made_in(plan: ExecutionPlan) -> tuple[CreatedBooking, ...]:
    offset = sum(action.read_only for action in plan.actions)
    return tuple(CreatedBooking(step=r.step - offset, booking_id=r.made) for r in plan.results if r.made is not None)


@activity.defn(name=Activity.MATCH_BOOKINGS)
async def match_bookings(request: BookingMatchRequest) -> BookingMatch:
    """See `signatures.match_bookings`."""
    reading, known = request.reading, request.known
    things = things_of(request.nouns, request.locale)
    choice = chosen(request.message, request.listed, request.now, things) if request.listed else None
    return BookingMatch(
        fits_plan=reading.qualifiers.empty or short_replies.reply_fits_plan(reading.qualifiers, request.steps, known),
        other_booking=short_replies.of_another(reading.for_whom, request.asking_steps, known),
        chosen=choice.booking_id if choice is not None else None,
    )


class OwnerLabelActivity:
    """Creates labels with the keys of this deployment."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    @activity.defn(name=Activity.OWNER_LABEL)
    async def owner_label(self, call: OwnerLabelRequest) -> OwnerLabel:
        """See `signatures.owner_label`."""
        return OwnerLabel(mark=self._ring.pseudonyms(call.venue_id, call.user_id)[0])
