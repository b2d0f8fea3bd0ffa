"""The transcript entries of a turn while it is processed."""

from collections.abc import Iterable

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import Phase, TurnRequest
    from contracts.drafting import CompletedRead, DraftReply
    from reasoning.drafting.plan import intent_of
    from workflows.chat import transcript
    from workflows.chat.session import ChatSession


class TurnShown:
    """The entries of one message."""

    def __init__(self, chat: ChatSession, request: TurnRequest) -> None:
        self._chat, self._request = chat, request
        self._kept = chat.start.policy.shown_kept

    def phase(self, now: Phase) -> None:
        """Add a progress phase."""
        self._chat.remember(transcript=transcript.phase(self._chat.memory.transcript, self._request, self._kept, now))

    def begun(self, draft: DraftReply) -> None:
        """Add the start of a run, with the reads that its plan needs."""
        intent = intent_of(draft.steps, len(draft.reads))
        self._chat.remember(
            transcript=transcript.begun(self._chat.memory.transcript, self._request, self._kept, draft, intent)
        )

    def looked(self, reads: Iterable[CompletedRead]) -> None:
        """Add the results of the reads."""
        self._chat.remember(
            transcript=transcript.looked(self._chat.memory.transcript, self._request, self._kept, reads)
        )

    def over(self) -> None:
        """Add the end of a run that has started but leads to no plan."""
        self._chat.remember(transcript=transcript.over(self._chat.memory.transcript, self._request, self._kept))
