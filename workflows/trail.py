"""The steps of a chat's reasoning as engineers read them. They are never sent to operators, and travel encrypted like
all that a chat remembers."""

import json
from typing import Literal

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import bounds
    from contracts.assessment import Assessed, InternalMessage
    from contracts.base import Json
    from contracts.enums import AiMode
    from contracts.messages import TurnRequest
    from workflows.chat import Chat

_TEXT = 500
_DETAILS = 2000
"""Characters: all of it travels with the chat when its history starts afresh."""


class Trail:
    """The internal messages of one message of the operator's."""

    def __init__(self, chat: Chat, request: TurnRequest) -> None:
        self._chat, self._request = chat, request

    def note(
        self, kind: Literal["assessment", "context", "critique", "decision"], mode: AiMode, text: str, **details: Json
    ) -> None:
        """Keep one step. What is long is cut."""
        before = self._chat.memory.internal
        told = json.loads(bounds.shown({k: v for k, v in details.items() if v not in (None, "", [], {})}, _DETAILS))
        entry = InternalMessage(
            number=before[-1].number + 1 if before else 1,
            at=workflow.now(),
            request_id=self._request.request_id,
            kind=kind,
            mode=mode,
            text=bounds.clean(text, _TEXT),
            details=told,
        )
        self._chat.remember(internal=(*before, entry)[-self._chat.start.policy.internal_kept :])


def assessed_in_words(assessed: Assessed) -> str:
    """What a model says of itself, and why that is not believed where it is not."""
    judged = assessed.assessment
    said = f"confidence {judged.confidence} of 10" if judged is not None else "no assessment"
    return f"{said}; not assured: {'; '.join(assessed.doubts)}" if assessed.doubts else said
