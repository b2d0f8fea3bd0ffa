"""What an escalation does outside its workflow: the ledger, the venue's webhook, the chat that it came from."""

import logging

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.chats import ChatClient
from clients.registries import Registries
from clients.webhooks import WebhookClient, WebhookError
from contracts.enums import EscalationStatus
from contracts.escalation import EscalationRecord, PersonCall, WebhookCall, WebhookReply
from contracts.messages import ChatStart
from infra.ledger.escalations import Escalations as Ledger
from infra.observe import Observer
from infra.settings import Settings

log = logging.getLogger(__name__)


class Escalations:
    """Errands of escalations."""

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

    @activity.defn(name="record_escalation")
    async def record_escalation(self, record: EscalationRecord) -> None:
        """See `signatures.record_escalation`."""
        await self._ledger.note(record)
        if record.status is EscalationStatus.OPEN:
            self._observer.count("escalation", venue=record.venue_id, reason=record.reason.value)

    @activity.defn(name="call_webhook")
    async def call_webhook(self, call: WebhookCall) -> WebhookReply:
        """See `signatures.call_webhook`."""
        hook = (await self._registries.pack(call.venue_id)).webhook
        if hook is None:
            return WebhookReply(called=False)
        try:
            return await self._webhooks.call(hook, call)
        except WebhookError as error:
            log.warning("the webhook of %s was not told of escalation %s: %s", call.venue_id, call.escalation_id, error)
            raise ApplicationError(f"the webhook was not told: {error}", type="webhook") from None

    @activity.defn(name="tell_chat")
    async def tell_chat(self, call: PersonCall) -> None:
        """See `signatures.tell_chat`."""
        start = ChatStart(
            venue_id=call.venue_id,
            session_id=call.session_id,
            locale=call.locale,
            words=call.words,
            policy=self._settings.chat_policy(),
        )
        await self._chats.person_says(call.conversation_id, start, call.says)
