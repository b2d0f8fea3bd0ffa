"""One message that was handed to a person: it waits for their answer and brings it into the chat it came from.

Whoever answers first is heard: the venue's staff by `resolve`, or the venue's webhook by what it answers. The ledger is
written and the webhook called beside all that, and tried again for as long as it is worth; neither holds anything up.
The answer is a message and nothing else: no plan and no prompt hears of it. Where nobody answers in time, that is told
in the chat instead.

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
        EscalationRecord,
        EscalationStart,
        EscalationView,
        PersonCall,
        PersonsAnswer,
        PersonSays,
        Resolve,
        WebhookCall,
        WebhookReply,
    )
    from infra.search_attributes import STATUS
    from language.catalogue import say, speak
    from workflows.refusals import refusal

_ATTEMPT = timedelta(seconds=15)
"""A webhook's answer is waited for ten seconds (`clients/webhooks.py`); the rest is brief."""
_CALLED_FOR = timedelta(days=1)
_KEPT_AT_IT = timedelta(days=7)
"""For what must happen in the end, as long as histories are kept."""
_PATIENTLY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=15))
_SOON = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30))
"""Somebody looks at the chat and waits for the answer."""

_OF_WEBHOOK = "webhook"
"""The request id of what a webhook answers. Staff's are made by the facade, and longer."""


@workflow.defn(name="Escalation")
class EscalationWorkflow:
    """One escalation. Its result is how it ended."""

    @workflow.init
    def __init__(self, start: EscalationStart) -> None:
        self._start = start
        self._status = EscalationStatus.OPEN
        self._answer: PersonsAnswer | None = None
        self._delivered_at: datetime | None = None
        self._ended_at: datetime | None = None

    @workflow.run
    async def run(self, start: EscalationStart) -> EscalationView:
        """Wait for an answer, or until nobody is expected to give one any more."""
        recording = asyncio.create_task(self._record(EscalationStatus.OPEN, start.opened_at))
        calling = asyncio.create_task(self._call_venue())
        try:
            await workflow.wait_condition(
                lambda: self._answer is not None,
                timeout=timedelta(seconds=start.lapse_after),
                timeout_summary="waits for a person's answer, then lapses",
            )
        except TimeoutError:
            # An answer may have come in the very moment.
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
        """Answer it; a retry of the answer that was taken gets the same, another answer under its id is refused."""
        speak(self._start.locale, self._start.words)
        self._take(answer)
        return self.escalation()

    @resolve.validator
    def _may_resolve(self, answer: Resolve) -> None:
        speak(self._start.locale, self._start.words)
        if self._is_taken(answer):
            if self._answer is not None and self._answer.message != answer.message.strip():
                message, ways = say("refuse.reused_answer"), say("refuse.reused_answer_next")
                raise refusal(ServiceErrorType.INVALID_REQUEST, message, ways)
            return
        if not answer.message.strip():
            raise refusal(ServiceErrorType.INVALID_REQUEST, say("escalation.empty"))
        if len(answer.message) > ANSWER_MOST or len(answer.by) > BY_MOST:
            raise refusal(ServiceErrorType.INVALID_REQUEST, say("escalation.long", most=ANSWER_MOST, name=BY_MOST))
        if self._status is not EscalationStatus.OPEN:
            raise refusal(ServiceErrorType.CONFLICT, say(f"escalation.already_{self._status}"))

    def _is_taken(self, answer: Resolve) -> bool:
        return self._answer is not None and self._answer.request_id == answer.request_id

    def _take(self, answer: Resolve) -> None:
        if self._status is not EscalationStatus.OPEN:
            return
        message, by = answer.message.strip(), " ".join(answer.by.split())
        self._answer = PersonsAnswer(request_id=answer.request_id, message=message, by=by, at=workflow.now())
        self._end(EscalationStatus.RESOLVED)

    async def _call_venue(self) -> None:
        """Tell the venue's webhook, which may answer at once."""
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
        """Tell the chat that nobody has answered; a ledger that is away holds that up no more than an answer."""
        if self._answer is None and workflow.patched("a-lapse-is-told"):
            await self._deliver(self._start.asked, lapsed=True)

    async def _deliver(self, message: str, by: str = "", *, lapsed: bool = False) -> None:
        start = self._start
        says = PersonSays(
            escalation_id=start.escalation_id,
            reference=start.reference,
            user_id=start.user_id,
            message=message,
            by=by,
            lapsed=lapsed,
        )
        call = PersonCall(
            conversation_id=start.conversation_id,
            venue_id=start.venue_id,
            session_id=start.session_id,
            says=says,
            locale=start.locale,
            words=start.words,
        )
        try:
            await workflow.execute_activity(
                signatures.tell_chat,
                call,
                start_to_close_timeout=_ATTEMPT,
                schedule_to_close_timeout=_KEPT_AT_IT,
                retry_policy=_SOON,
                summary="tell the chat that nobody answered" if lapsed else "bring the answer into the chat",
            )
        except ActivityError:
            workflow.logger.error("how an escalation ended did not come into its chat: it could not be told for a week")
            return
        self._delivered_at = workflow.now()

    @workflow.query(name="escalation")
    def escalation(self) -> EscalationView:
        """How it stands."""
        return EscalationView(
            start=self._start,
            status=self._status,
            answer=self._answer,
            delivered_at=self._delivered_at,
            ended_at=self._ended_at,
        )
