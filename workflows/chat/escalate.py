"""Escalates a message of a chat to staff, by a workflow of its own that outlives the chat."""

from typing import Literal
from uuid import UUID, uuid5

from temporalio import workflow
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import TranscriptEntry, TurnRequest
    from contracts.enums import EscalationReason, EscalationStatus
    from contracts.escalation import SEEN_MOST, EscalationStart, TranscriptLine
    from contracts.turn import EscalationTurn
    from infra.temporal.search_attributes import STATUS, VENUE
    from workflows.chat.session import ChatSession
    from workflows.escalation.workflow import EscalationWorkflow
    from workflows.ids import escalation_workflow
    from workflows.plan.activities import WORKFLOW_TASK

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
        await workflow.start_child_workflow(
            EscalationWorkflow.run,
            start,
            id=escalation_workflow(start.escalation_id),
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            parent_close_policy=workflow.ParentClosePolicy.ABANDON,
            task_timeout=WORKFLOW_TASK,
            search_attributes=TypedSearchAttributes(labels),
            static_summary="escalation",
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
