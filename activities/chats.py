"""What chats and plans need of each other and of the vault, as activities."""

import hashlib
from datetime import UTC, datetime
from uuid import uuid4

from temporalio import activity
from temporalio.client import WorkflowExecutionStatus

from activities.desk import Desk, DeskError
from contracts.effects import AssentCall, AssentReply, ClaimCall, ClaimReply, PlanState, SlotCall
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.messages import CancelRequest, ChatMemory, ChatStart, ConfirmRequest
from infra.claims import STARTED, Claims
from infra.settings import Settings
from infra.vault import Vault
from language.catalogue import speak


def conversation_id(venue_id: str, session_id: str) -> str:
    """The workflow id of a chat: a hash of both, so that it tells nothing."""
    name = f"{venue_id}\n{session_id}"
    return f"chat-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


class Chats:
    """Errands between workflows."""

    def __init__(self, settings: Settings, desk: Desk, vault: Vault, claims: Claims) -> None:
        self._settings = settings
        self._desk = desk
        self._vault = vault
        self._claims = claims

    @activity.defn(name="wipe_token")
    async def wipe_token(self, reference: str) -> None:
        """See `signatures.wipe_token`."""
        await self._vault.wipe(reference)

    @activity.defn(name="claim_confirm")
    async def claim_confirm(self, call: ClaimCall) -> ClaimReply:
        """See `signatures.claim_confirm`. After `until` only a word that stands already counts: its caller may have
        been told by then that nothing happens."""
        if datetime.now(UTC) < call.until:
            return ClaimReply(granted=await self._claims.settle(call.attempt, STARTED) == STARTED)
        return ClaimReply(granted=await self._claims.standing(call.attempt) == STARTED)

    @activity.defn(name="recall_chat")
    async def recall_chat(self, conversation: str) -> ChatMemory | None:
        """See `signatures.recall_chat`."""
        return await self._desk.memory_of_last_run(conversation)

    @activity.defn(name="confirm_pending")
    async def confirm_pending(self, call: AssentCall) -> AssentReply:
        """See `signatures.confirm_pending`. The plan gets its own copy of the token: the turn's is wiped with the
        turn."""
        speak(call.locale)
        token = await self._vault.get(call.token_ref)
        lent = await self._vault.put(token, self._settings.token_ttl)
        request = ConfirmRequest(
            user_id=call.user_id,
            request_id=call.request_id,
            token_ref=lent,
            deadline=call.deadline,
            attempt=str(uuid4()),
        )
        try:
            view = await self._desk.confirm(await self._desk.plan(call.plan_id), request)
        except DeskError as error:
            await self._vault.wipe(lent)
            return AssentReply(error=error.error)
        return AssentReply(plan=view.plan)

    @activity.defn(name="drop_pending")
    async def drop_pending(self, call: AssentCall) -> AssentReply:
        """See `signatures.drop_pending`. A plan that is no longer pending is left alone."""
        speak(call.locale)
        request = CancelRequest(user_id=call.user_id, deadline=call.deadline, superseded_by=call.superseded_by)
        try:
            view = await self._desk.cancel(call.plan_id, request)
        except DeskError as error:
            gone = error.error.error_type in (ServiceErrorType.CONFLICT, ServiceErrorType.NOT_FOUND)
            return AssentReply(plan=error.error.plan) if gone and call.superseded_by else AssentReply(error=error.error)
        return AssentReply(plan=view.plan)

    @activity.defn(name="plan_state")
    async def plan_state(self, plan_id: str) -> PlanState:
        """See `signatures.plan_state`."""
        try:
            description = await self._desk.describe(plan_id)
        except DeskError as error:
            if error.error.error_type is ServiceErrorType.NOT_FOUND:
                return PlanState(open=False)
            raise
        status = self._desk.status_of(description)
        return PlanState(
            open=description.status is WorkflowExecutionStatus.RUNNING,
            status=PlanStatus(status) if status else None,
        )

    @activity.defn(name="question_slot")
    async def question_slot(self, call: SlotCall) -> None:
        """See `signatures.question_slot`."""
        start = ChatStart(
            venue_id=call.venue_id, session_id=call.session_id, locale=call.locale, policy=self._settings.chat_policy()
        )
        await self._desk.signal_chat(call.conversation_id, start, "question_slot", call)
