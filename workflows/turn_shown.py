"""What one turn shows in its chat while it is worked out."""

from collections.abc import Iterable

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.drafting import DraftReply, MadeLook
    from contracts.messages import Phase, TurnRequest
    from reasoning.drafting import intent_of
    from workflows import shown
    from workflows.chat import Chat


class TurnShown:
    """The entries of one message."""

    def __init__(self, chat: Chat, request: TurnRequest) -> None:
        self._chat, self._request = chat, request
        self._kept = chat.start.policy.shown_kept

    def phase(self, now: Phase) -> None:
        """Something goes on."""
        self._chat.remember(shown=shown.phase(self._chat.memory.shown, self._request, self._kept, now))

    def begun(self, draft: DraftReply) -> None:
        """A run begins, with the looks that its plan needs."""
        intent = intent_of(draft.steps, len(draft.looks))
        self._chat.remember(shown=shown.begun(self._chat.memory.shown, self._request, self._kept, draft, intent))

    def looked(self, looks: Iterable[MadeLook]) -> None:
        """Looks have been made."""
        self._chat.remember(shown=shown.looked(self._chat.memory.shown, self._request, self._kept, looks))

    def over(self) -> None:
        """No plan comes of the run, if one has begun."""
        self._chat.remember(shown=shown.over(self._chat.memory.shown, self._request, self._kept))
