"""What people answer in a chat whose messages were handed to them, or that nobody did. It is shown, and that is all: it
is no word of the operator's, so no plan is confirmed by it, no question answered, and no model is told of it as
something that was said.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import bounds
    from contracts.escalation import PersonSays
    from language.catalogue import say, speak
    from workflows import shown
    from workflows.chat import Chat

_REMEMBERED = 50
"""Escalations whose answer came in: what is brought a second time is one of the last few."""
_QUOTED = 300
"""Characters of what was asked: after a week its line may have fallen off the chat."""


class People:
    """Answers that have come in. They wait while a chat still recalls what was said before."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._waiting: list[PersonSays] = []

    @property
    def has_news(self) -> bool:
        """Whether an answer waits to be shown."""
        return bool(self._waiting)

    def receive(self, says: PersonSays) -> None:
        """A person has answered."""
        self._waiting.append(says)

    def work(self) -> None:
        """Show what has come in, each answer once."""
        while self._waiting:
            self._show(self._waiting.pop(0))

    def _show(self, says: PersonSays) -> None:
        memory = self._chat.memory
        if says.escalation_id in memory.heard:
            return
        # A chat that could not recall who speaks in it must not tell the next one what a person said to another.
        if memory.owner not in (None, says.user_id):
            workflow.logger.error("an answer was for another than this chat's owner; it is not shown")
            return
        start = self._chat.start
        speak(start.locale, start.words)
        if says.lapsed:
            asked = bounds.clean(" ".join(says.message.split()), _QUOTED)
            text, put = say("escalation.lapsed", reference=says.reference, asked=asked), shown.from_nobody
        else:
            text = say("escalation.says", by=says.by, reference=says.reference, message=says.message)
            put = shown.from_person
        self._chat.remember(
            owner=says.user_id,
            interrupted=True,
            shown=put(memory.shown, start.policy.shown_kept, text, says.reference),
            heard=(*memory.heard, says.escalation_id)[-_REMEMBERED:],
        )
