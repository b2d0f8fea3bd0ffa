"""The entries of a turn while it is processed: those of the transcript, and the log of its reasoning."""

import json
from collections.abc import Iterable
from typing import Literal

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import limits
    from contracts.base import Json
    from contracts.chat_completion import InternalMessage, ParsedAssessment
    from contracts.chat_messages import Phase, TurnRequest
    from contracts.drafting import CompletedRead, DraftBegun
    from contracts.enums import AiMode
    from workflows.chat import transcript
    from workflows.chat.session import ChatSession

_TEXT = 500
_DETAILS = 2000
"""Characters. All of it is copied when the chat continues as new."""


class TurnShown:
    """The entries of one message."""

    def __init__(self, chat: ChatSession, request: TurnRequest) -> None:
        self._chat, self._request = chat, request
        self._kept = chat.start.policy.shown_kept

    def phase(self, now: Phase) -> None:
        """Add a progress phase."""
        self._chat.remember(transcript=transcript.phase(self._chat.memory.transcript, self._request, self._kept, now))

    def begun(self, draft: DraftBegun) -> None:
        """Add the start of a run, with the reads that its plan needs. Another message's is ignored."""
        if draft.request_id == self._request.request_id:
            self._chat.remember(
                transcript=transcript.begun(self._chat.memory.transcript, self._request, self._kept, draft)
            )

    def looked(self, reads: Iterable[CompletedRead]) -> None:
        """Add the results of the reads."""
        self._chat.remember(
            transcript=transcript.looked(self._chat.memory.transcript, self._request, self._kept, reads)
        )

    def over(self) -> None:
        """Add the end of a run that has started but leads to no plan."""
        self._chat.remember(transcript=transcript.over(self._chat.memory.transcript, self._request, self._kept))


class ReasoningLog:
    """The reasoning steps of one operator message, for engineers: never sent to operators, and encrypted."""

    def __init__(self, chat: ChatSession, request: TurnRequest) -> None:
        self._chat, self._request = chat, request

    def append(
        self, kind: Literal["assessment", "context", "critique", "decision"], mode: AiMode, text: str, **details: Json
    ) -> None:
        """Append a step. Long text is cut."""
        before = self._chat.memory.internal
        kept = json.loads(
            limits.truncate_json({k: v for k, v in details.items() if v not in (None, "", [], {})}, _DETAILS)
        )
        entry = InternalMessage(
            number=before[-1].number + 1 if before else 1,
            at=workflow.now(),
            request_id=self._request.request_id,
            kind=kind,
            mode=mode,
            text=limits.sanitize_text(text, _TEXT),
            details=kept,
        )
        self._chat.remember(internal=(*before, entry)[-self._chat.start.policy.internal_kept :])


def assessed_in_words(assessed: ParsedAssessment) -> str:
    """Return a model's self-assessment as text, and why it is not trusted if it is not."""
    judged = assessed.assessment
    text = f"confidence {judged.confidence} of 10" if judged is not None else "no assessment"
    return f"{text}; not assured: {'; '.join(assessed.contradictions)}" if assessed.contradictions else text
