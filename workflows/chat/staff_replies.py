"""Shows staff replies, or their timeout, in the chat. A staff reply is display only: it is no message of the operator,
so it confirms no plan, answers no prompt and does not reach the model as something the operator asked for.
"""

from temporalio import workflow

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
