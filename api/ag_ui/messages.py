"""The messages of a run: those that its client holds, and those that the run adds. Each is sent once.

A message's id is computed from its subject, so a repeated run does not send a message twice. Messages that the client
holds already are only restated, in the final snapshot (AG-UI, "Several runs on one stream").
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from ag_ui.core import (
    ActivityMessage,
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Message,
    MessagesSnapshotEvent,
    ReasoningMessage,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)

from api.ag_ui.request import MESSAGE_ID
from contracts.chat_messages import TranscriptEntry
from contracts.plan import PlannedAction

_THEIRS = (ActivityMessage, ReasoningMessage)
"""Messages that a client keeps for itself. A snapshot that includes some of them would have to include all."""


FROM_PEOPLE = frozenset({"person", "lapsed"})
"""Transcript entries that end an escalation: a staff reply, or its timeout."""


class MessageHistory:
    """A conversation as its client holds it."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._messages: list[Message] = [m for m in messages if not isinstance(m, _THEIRS)]
        self._held = {m.id for m in self._messages}
        self._calls = {
            call.id for m in self._messages if isinstance(m, AssistantMessage) for call in m.tool_calls or ()
        }

    def restore(self, entries: Sequence[TranscriptEntry]) -> None:
        """Add the messages of the chat's transcript, for a client that holds none."""
        for entry in entries:
            if entry.kind == "message":
                self._put(UserMessage(id=f"{MESSAGE_ID}{entry.request_id}", content=entry.text))
            elif entry.kind in FROM_PEOPLE:
                self._put(AssistantMessage(id=_from_people(entry), content=entry.text))
            elif entry.kind != "progress":
                self._put(AssistantMessage(id=f"reply:{entry.request_id}", content=entry.text))

    def people(self, entries: Sequence[TranscriptEntry]) -> Iterator[BaseEvent]:
        """Yield the staff replies to escalations that this client was shown, and their timeouts. If an escalation has
        dropped out of the transcript, its reply is sent in any case, because the chat cannot know which client was
        shown it."""
        handed = {e.reference: e.request_id for e in entries if e.kind == "escalation"}
        for entry in entries:
            shown = entry.reference not in handed or f"reply:{handed[entry.reference]}" in self._held
            if entry.kind in FROM_PEOPLE and shown:
                yield from self.text(_from_people(entry), entry.text)

    def text(self, message_id: str, text: str) -> Iterator[BaseEvent]:
        """Yield a text message, unless it was already sent."""
        new = message_id not in self._held
        self._put(AssistantMessage(id=message_id, content=text))
        if new:
            yield TextMessageStartEvent(message_id=message_id, role="assistant")
            yield TextMessageContentEvent(message_id=message_id, delta=text)
            yield TextMessageEndEvent(message_id=message_id)

    def call(self, call_id: str, action: PlannedAction) -> Iterator[BaseEvent]:
        """Yield a step as a tool call, unless it was already sent."""
        if call_id in self._calls:
            return
        self._calls.add(call_id)
        text = json.dumps(action.parameters, ensure_ascii=False, default=str)
        call = ToolCall(id=call_id, function=FunctionCall(name=action.action_id, arguments=text))
        self._put(AssistantMessage(id=_caller(call_id), tool_calls=[call]))
        yield ToolCallStartEvent(
            tool_call_id=call_id, tool_call_name=action.action_id, parent_message_id=_caller(call_id)
        )
        yield ToolCallArgsEvent(tool_call_id=call_id, delta=text)
        yield ToolCallEndEvent(tool_call_id=call_id)

    def result(self, call_id: str, content: str, error: str | None) -> Iterator[BaseEvent]:
        """Yield the result of a tool call, unless it was already sent."""
        message = ToolMessage(id=f"{call_id}:result", tool_call_id=call_id, content=content, error=error)
        new = message.id not in self._held
        self._put(message, rest=call_id)
        if new:
            yield ToolCallResultEvent(message_id=message.id, tool_call_id=call_id, content=content, role="tool")

    def snapshot(self) -> MessagesSnapshotEvent:
        """Return all messages."""
        return MessagesSnapshotEvent(messages=list(self._messages))

    def _put(self, message: Message, rest: str = "") -> None:
        index = next((n for n, m in enumerate(self._messages) if m.id == message.id), None)
        if index is not None:
            self._messages[index] = message
            return
        self._held.add(message.id)
        # The result of a call must follow it directly, because model providers accept no other order.
        self._messages.insert(self._behind(rest), message)

    def _behind(self, call_id: str) -> int:
        for index, message in enumerate(self._messages):
            if (
                call_id
                and isinstance(message, AssistantMessage)
                and any(c.id == call_id for c in message.tool_calls or ())
            ):
                return index + 1
        return len(self._messages)


def _from_people(entry: TranscriptEntry) -> str:
    """Return the id of a staff reply's message. It belongs to no message of the operator, and an escalation is answered
    once."""
    return f"person:{entry.reference}"


def _caller(call_id: str) -> str:
    return f"{call_id}:call"
