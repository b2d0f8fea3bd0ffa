"""How a chat hands a message to a person: a workflow of its own, which outlives the chat."""

from typing import Literal
from uuid import UUID, uuid5

from temporalio import workflow
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import EscalationReason, EscalationStatus
    from contracts.escalation import SEEN_MOST, EscalationStart, SeenLine
    from contracts.messages import ShownEntry, TurnRequest
    from contracts.turn import EscalationTurn
    from infra.search_attributes import STATUS, VENUE
    from workflows.calls import WORKFLOW_TASK
    from workflows.chat import Chat
    from workflows.escalation import EscalationWorkflow
    from workflows.ids import escalation_workflow

_NAMESPACE = UUID("0b0f2b7e-54c1-4f6b-9d0e-6a3f1c8e7d42")


_LINES = ("said", "plan", "clarification", "answer", "escalation", "error", "person", "lapsed")
"""What was said by either side; what went on in between tells a person nothing."""


async def escalate(
    chat: Chat, request: TurnRequest, turn: EscalationTurn, reason: EscalationReason | None
) -> EscalationTurn:
    """Hand the message to a person; the turn with its reference. The same message is handed over once. Raises
    `RefusedError` where its caller has given it up: they were told that nothing came of it."""
    if request.ticket:
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


def _start_of(chat: Chat, request: TurnRequest, turn: EscalationTurn, reason: EscalationReason) -> EscalationStart:
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
        told=turn.message,
        opened_at=workflow.now(),
        seen=seen_of(chat.memory.shown),
        locale=start.locale,
        words=start.words,
        lapse_after=start.policy.escalation_lapses,
    )


def seen_of(entries: tuple[ShownEntry, ...]) -> tuple[SeenLine, ...]:
    """The last lines of a chat, for the person who takes over."""
    lines = [SeenLine(at=e.at, role=role_of(e), text=e.text) for e in entries if e.kind in _LINES]
    return tuple(lines[-SEEN_MOST:])


def role_of(entry: ShownEntry) -> Literal["user", "assistant", "person"]:
    """Whose a line of a chat is."""
    if entry.kind == "person":
        return "person"
    return "user" if entry.kind == "said" else "assistant"
