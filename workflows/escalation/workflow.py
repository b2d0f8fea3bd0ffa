"""The workflow of one escalated message: it waits for the staff reply and delivers it to the message's chat.

The first answer counts: from staff by `resolve`, or in the response of the venue's webhook. The ledger write and the
webhook call run in parallel and are retried for a limited time; neither delays anything. The reply is display only: no
plan and no prompt receives it. If no answer comes in time, the chat shows that instead.

Update: `resolve`. Query: `escalation`.
"""

import asyncio
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.enums import EscalationStatus, ServiceErrorType
    from contracts.escalation import (
        ANSWER_MOST,
        BY_MOST,
        DeliverStaffReply,
        EscalationRecord,
        EscalationStart,
        EscalationView,
        Resolve,
        StaffAnswer,
        StaffReplySignal,
        WebhookCall,
        WebhookReply,
    )
    from contracts.persisted_names import Query, WorkflowType
    from infra.temporal.search_attributes import STATUS
    from language.messages.catalogue import activate_locale, translate
    from workflows.update_errors import refusal

_ATTEMPT = timedelta(seconds=15)
"""The webhook call waits ten seconds for an answer (`clients/webhooks.py`); the other activities are short."""
_CALLED_FOR = timedelta(days=1)
_KEPT_AT_IT = timedelta(days=7)
"""The retry limit of what must happen in the end: as long as histories are kept."""
_PATIENTLY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=15))
_SOON = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30))
"""Retries fast, because an operator waits in the chat for the answer."""

_OF_WEBHOOK = "webhook"
"""The request id of a webhook's answer. Ids of staff replies are created by the API, and are longer."""


@workflow.defn(name=WorkflowType.ESCALATION)
class EscalationWorkflow:
    """One escalation. Its result is its final state."""

    @workflow.init
    def __init__(self, start: EscalationStart) -> None:
        self._start = start
        self._status = EscalationStatus.OPEN
        self._answer: StaffAnswer | None = None
        self._delivered_at: datetime | None = None
        self._ended_at: datetime | None = None

    @workflow.run
    async def run(self, start: EscalationStart) -> EscalationView:
        """Wait for an answer, or until the escalation lapses."""
        recording = asyncio.create_task(self._record(EscalationStatus.OPEN, start.opened_at))
        calling = asyncio.create_task(self._call_venue())
        try:
            await workflow.wait_condition(
                lambda: self._answer is not None,
                timeout=timedelta(seconds=start.lapse_after),
                timeout_summary="waits for a person's answer, then lapses",
            )
        except TimeoutError:
            # An answer may have arrived at the same moment.
            if self._answer is None:
                self._end(EscalationStatus.LAPSED)
        calling.cancel()
        telling = asyncio.create_task(self._tell_of_lapse())
        if self._answer is not None:
            await self._deliver(self._answer.message, self._answer.by)
        await asyncio.gather(calling, recording, return_exceptions=True)
        await self._record(self._status, workflow.now() if self._ended_at is None else self._ended_at)
        await telling
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self.escalation()

    def _end(self, status: EscalationStatus) -> None:
        self._status, self._ended_at = status, workflow.now()
        workflow.upsert_search_attributes([STATUS.value_set(status.value)])

    @workflow.update
    def resolve(self, answer: Resolve) -> EscalationView:
        """Resolve the escalation. A retry of the accepted answer gets the same result; another answer with its id is
        rejected."""
        activate_locale(self._start.locale, self._start.nouns)
        self._take(answer)
        return self.escalation()

    @resolve.validator
    def _may_resolve(self, answer: Resolve) -> None:
        activate_locale(self._start.locale, self._start.nouns)
        if self._is_taken(answer):
            if self._answer is not None and self._answer.message != answer.message.strip():
                message, ways = translate("refuse.reused_answer"), translate("refuse.reused_answer_next")
                raise refusal(ServiceErrorType.INVALID_REQUEST, message, ways)
            return
        if not answer.message.strip():
            raise refusal(ServiceErrorType.INVALID_REQUEST, translate("escalation.empty"))
        if len(answer.message) > ANSWER_MOST or len(answer.by) > BY_MOST:
            raise refusal(
                ServiceErrorType.INVALID_REQUEST, translate("escalation.long", most=ANSWER_MOST, name=BY_MOST)
            )
        if self._status is not EscalationStatus.OPEN:
            raise refusal(ServiceErrorType.CONFLICT, translate(f"escalation.already_{self._status}"))

    def _is_taken(self, answer: Resolve) -> bool:
        return self._answer is not None and self._answer.request_id == answer.request_id

    def _take(self, answer: Resolve) -> None:
        if self._status is not EscalationStatus.OPEN:
            return
        message, by = answer.message.strip(), " ".join(answer.by.split())
        self._answer = StaffAnswer(request_id=answer.request_id, message=message, by=by, at=workflow.now())
        self._end(EscalationStatus.RESOLVED)

    async def _call_venue(self) -> None:
        """Call the venue's webhook, which may answer at once."""
        start = self._start
        call = WebhookCall(
            escalation_id=start.escalation_id,
            reference=start.reference,
            venue_id=start.venue_id,
            session_id=start.session_id,
            reason=start.reason,
            question=start.asked,
            opened_at=start.opened_at,
        )
        try:
            reply = await workflow.execute_activity(
                signatures.call_webhook,
                call,
                start_to_close_timeout=_ATTEMPT,
                schedule_to_close_timeout=_CALLED_FOR,
                retry_policy=_PATIENTLY,
                summary="tell the venue's webhook",
            )
        except ActivityError:
            workflow.logger.warning("a webhook was not reached; the escalation is in the inbox all the same")
            return
        self._take_from_webhook(reply)

    def _take_from_webhook(self, reply: WebhookReply) -> None:
        if reply.message is not None:
            self._take(Resolve(request_id=_OF_WEBHOOK, message=reply.message, by=reply.by))

    async def _record(self, status: EscalationStatus, at: datetime) -> None:
        start = self._start
        record = EscalationRecord(
            escalation_id=start.escalation_id,
            venue_id=start.venue_id,
            reason=start.reason,
            status=status,
            at=at,
            reference=start.reference,
            opened_at=start.opened_at,
        )
        try:
            await workflow.execute_activity(
                signatures.record_escalation,
                record,
                start_to_close_timeout=_ATTEMPT,
                schedule_to_close_timeout=_KEPT_AT_IT,
                retry_policy=_PATIENTLY,
                summary=f"ledger: {status}",
            )
        except ActivityError:
            workflow.logger.error("the ledger lacks an escalation: it was away for a week")

    async def _tell_of_lapse(self) -> None:
        """Notify the chat of a lapse. An unavailable ledger does not delay that, as it does not delay an answer."""
        if self._answer is None:
            await self._deliver(self._start.asked, lapsed=True)

    async def _deliver(self, message: str, by: str = "", *, lapsed: bool = False) -> None:
        start = self._start
        says = StaffReplySignal(
            escalation_id=start.escalation_id,
            reference=start.reference,
            user_id=start.user_id,
            message=message,
            by=by,
            lapsed=lapsed,
        )
        call = DeliverStaffReply(
            conversation_id=start.conversation_id,
            venue_id=start.venue_id,
            session_id=start.session_id,
            says=says,
            locale=start.locale,
            nouns=start.nouns,
        )
        try:
            await workflow.execute_activity(
                signatures.deliver_staff_reply,
                call,
                start_to_close_timeout=_ATTEMPT,
                schedule_to_close_timeout=_KEPT_AT_IT,
                retry_policy=_SOON,
                summary="tell the chat that no answer came in time" if lapsed else "bring the answer into the chat",
            )
        except ActivityError:
            workflow.logger.error("the end of an escalation was not delivered to its chat: retried for a week")
            return
        self._delivered_at = workflow.now()

    @workflow.query(name=Query.ESCALATION)
    def escalation(self) -> EscalationView:
        """Return the state of the escalation."""
        return EscalationView(
            start=self._start,
            status=self._status,
            answer=self._answer,
            delivered_at=self._delivered_at,
            ended_at=self._ended_at,
        )
