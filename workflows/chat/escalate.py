"""Escalates a message of a chat to staff, by a workflow of its own that outlives the chat, and shows their reply, or
its timeout, in the chat. A staff reply is display only: it is no message of the operator, so it confirms no plan,
answers no prompt and does not reach the model as something the operator asked for."""

from typing import Literal
from uuid import UUID, uuid5

from temporalio import workflow
from temporalio.common import SearchAttributePair
from temporalio.exceptions import WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import TranscriptEntry, TurnRequest
    from contracts.enums import EscalationReason, EscalationStatus
    from contracts.escalation import SEEN_MOST, EscalationStart, TranscriptLine
    from contracts.turn import EscalationTurn
    from infra.temporal.search_attributes import STATUS, VENUE
    from workflows.chat.child_workflows import start_detached
    from workflows.chat.session import ChatSession
    from workflows.escalation.workflow import EscalationWorkflow
    from workflows.workflow_ids import escalation_workflow

_NAMESPACE = UUID("0b0f2b7e-54c1-4f6b-9d0e-6a3f1c8e7d42")


_LINES = ("message", "plan", "clarification", "answer", "escalation", "error", "person", "lapsed")
"""The entries that were shown as messages of either side. Progress entries are no use to staff."""


async def escalate(
    chat: ChatSession, request: TurnRequest, turn: EscalationTurn, reason: EscalationReason | None
) -> EscalationTurn:
    """Escalate the message and return the turn with its reference. The same message is escalated only once. Raises
    `TurnRejectedError` if its caller has aborted it, because the caller has reported that it had no effect."""
    await chat.claim(request)
    start = _start_of(chat, request, turn, reason or EscalationReason.LOW_CONFIDENCE)
    labels = [SearchAttributePair(STATUS, EscalationStatus.OPEN.value), SearchAttributePair(VENUE, start.venue_id)]
    try:
        await start_detached(
            EscalationWorkflow.run, start, escalation_workflow(start.escalation_id), labels, "escalation"
        )
    except WorkflowAlreadyStartedError:
        workflow.logger.info("escalation %s had been opened by an earlier try", start.escalation_id)
    return turn.model_copy(update={"reference": start.reference})


def _start_of(
    chat: ChatSession, request: TurnRequest, turn: EscalationTurn, reason: EscalationReason
) -> EscalationStart:
    start = chat.start
    name = f"{start.venue_id}\n{start.session_id}\n{request.user_id}\n{request.request_key}"
    escalation_id = str(uuid5(_NAMESPACE, name))
    return EscalationStart(
        escalation_id=escalation_id,
        reference=escalation_id[:8].upper(),
        venue_id=start.venue_id,
        session_id=start.session_id,
        user_id=request.user_id,
        conversation_id=workflow.info().workflow_id,
        reason=reason,
        asked=request.user_message,
        reply=turn.message,
        opened_at=workflow.now(),
        seen=last_lines(chat.memory.transcript),
        locale=start.locale,
        nouns=start.nouns,
        lapse_after=start.policy.escalation_ttl,
    )


def last_lines(entries: tuple[TranscriptEntry, ...]) -> tuple[TranscriptLine, ...]:
    """Return the last lines of a chat, as context for staff."""
    lines = [TranscriptLine(at=e.at, role=speaker(e), text=e.text) for e in entries if e.kind in _LINES]
    return tuple(lines[-SEEN_MOST:])


def speaker(entry: TranscriptEntry) -> Literal["user", "assistant", "person"]:
    """Return the speaker of a transcript line."""
    if entry.kind == "person":
        return "person"
    return "user" if entry.kind == "message" else "assistant"


with workflow.unsafe.imports_passed_through():
    from contracts import limits
    from contracts.escalation import StaffReplySignal
    from language.messages.catalogue import activate_locale, translate
    from workflows.chat import transcript
    from workflows.chat.session import ChatSession

_REMEMBERED = 50
"""Number of remembered escalations. A duplicate delivery is for one of the last few."""
_QUOTED = 300
"""Characters quoted of the question. After a week its entry may have left the transcript."""


class StaffReplies:
    """Received staff replies. They wait until the chat has restored its memory."""

    def __init__(self, chat: ChatSession) -> None:
        self._chat = chat
        self._waiting: list[StaffReplySignal] = []

    @property
    def has_news(self) -> bool:
        """Return whether a staff reply waits to be shown."""
        return bool(self._waiting)

    def receive(self, says: StaffReplySignal) -> None:
        """Receive a staff reply."""
        self._waiting.append(says)

    def deliver(self) -> None:
        """Show the received staff replies, each once."""
        while self._waiting:
            self._show(self._waiting.pop(0))

    def _show(self, says: StaffReplySignal) -> None:
        memory = self._chat.memory
        if says.escalation_id in memory.delivered_replies:
            return
        # A chat that could not restore its owner must not show a staff reply that was meant for another user.
        if memory.owner not in (None, says.user_id):
            workflow.logger.error("an answer was for another than this chat's owner; it is not shown")
            return
        start = self._chat.start
        activate_locale(start.locale, start.nouns)
        if says.lapsed:
            question = limits.sanitize_text(" ".join(says.message.split()), _QUOTED)
            text, put = translate("escalation.lapsed", reference=says.reference, asked=question), transcript.lapsed
        else:
            text = translate("escalation.says", by=says.by, reference=says.reference, message=says.message)
            put = transcript.from_person
        self._chat.remember(
            owner=says.user_id,
            staff_interrupted=True,
            transcript=put(memory.transcript, start.policy.shown_kept, text, says.reference),
            delivered_replies=(*memory.delivered_replies, says.escalation_id)[-_REMEMBERED:],
        )
