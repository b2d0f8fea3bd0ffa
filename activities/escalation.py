"""Side effects of an escalation: the ledger, the venue's webhook, and the chat that it came from."""

import logging

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.registry import Registries
from clients.temporal.chats import ChatClient
from clients.webhooks import WebhookClient, WebhookError
from contracts.chat_messages import ChatStart
from contracts.enums import EscalationStatus
from contracts.escalation import DeliverStaffReply, EscalationRecord, WebhookCall, WebhookReply
from contracts.persisted_names import Activity
from infra.config.settings import Settings
from infra.ledger.escalations import EscalationTable as Ledger
from infra.observability.observer import Observer

log = logging.getLogger(__name__)


class EscalationActivities:
    """Activities of escalations."""

    def __init__(
        self,
        settings: Settings,
        registries: Registries,
        chats: ChatClient,
        webhooks: WebhookClient,
        ledger: Ledger,
        observer: Observer,
    ) -> None:
        self._settings = settings
        self._registries = registries
        self._chats = chats
        self._webhooks = webhooks
        self._ledger = ledger
        self._observer = observer

    @activity.defn(name=Activity.RECORD_ESCALATION)
    async def record_escalation(self, record: EscalationRecord) -> None:
        """See `signatures.record_escalation`."""
        await self._ledger.note(record)
        if record.status is EscalationStatus.OPEN:
            self._observer.count("escalation", venue=record.venue_id, reason=record.reason.value)

    @activity.defn(name=Activity.CALL_WEBHOOK)
    async def call_webhook(self, call: WebhookCall) -> WebhookReply:
        """See `signatures.call_webhook`."""
        hook = (await self._registries.pack(call.venue_id)).webhook
        if hook is None:
            return WebhookReply(called=False)
        try:
            return await self._webhooks.call(hook, call)
        except WebhookError as error:
            log.warning("the webhook of %s did not accept escalation %s: %s", call.venue_id, call.escalation_id, error)
            raise ApplicationError(f"the webhook failed: {error}", type="webhook") from None

    @activity.defn(name=Activity.DELIVER_STAFF_REPLY)
    async def deliver_staff_reply(self, call: DeliverStaffReply) -> None:
        """See `signatures.deliver_staff_reply`."""
        start = ChatStart(
            venue_id=call.venue_id,
            session_id=call.session_id,
            locale=call.locale,
            nouns=call.nouns,
            policy=self._settings.chat_policy(),
        )
        await self._chats.staff_reply(call.conversation_id, start, call.says)
