"""The messages of a run: those that its client holds, and those that the run adds, which are told once.

Ids follow from what a message tells of, so that a run that is told again tells nothing twice: what the client holds
already is only restated, in the snapshot at the end (AG-UI, "Several runs on one stream").
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

from api.ag_ui.asked import SAID
from contracts.messages import ShownEntry
from contracts.plan import PlannedAction

_THEIRS = (ActivityMessage, ReasoningMessage)
"""What a client keeps for itself: a snapshot that holds some would claim to hold all."""


FROM_PEOPLE = frozenset({"person", "lapsed"})
"""What comes into a chat by itself, of what was handed to a person."""


class Transcript:
    """A conversation as its client holds it, and goes on to hold it."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._messages: list[Message] = [m for m in messages if not isinstance(m, _THEIRS)]
        self._held = {m.id for m in self._messages}
        self._calls = {
            call.id for m in self._messages if isinstance(m, AssistantMessage) for call in m.tool_calls or ()
        }

    def restore(self, entries: Sequence[ShownEntry]) -> None:
        """Take up what the chat remembers, for a client that holds nothing."""
        for entry in entries:
            if entry.kind == "said":
                self._put(UserMessage(id=f"{SAID}{entry.request_id}", content=entry.text))
            elif entry.kind in FROM_PEOPLE:
                self._put(AssistantMessage(id=_from_people(entry), content=entry.text))
            elif entry.kind != "progress":
                self._put(AssistantMessage(id=f"told:{entry.request_id}", content=entry.text))

    def people(self, entries: Sequence[ShownEntry]) -> Iterator[BaseEvent]:
        """Say what people have answered to what this client was told is handed to them, and that nobody did. Where a
        hand-over has fallen off the chat, nobody can say who was told of it: then it is said as well."""
        handed = {e.reference: e.request_id for e in entries if e.kind == "escalation"}
        for entry in entries:
            told = entry.reference not in handed or f"told:{handed[entry.reference]}" in self._held
            if entry.kind in FROM_PEOPLE and told:
                yield from self.text(_from_people(entry), entry.text)

    def text(self, message_id: str, text: str) -> Iterator[BaseEvent]:
        """Say something, unless it was said."""
        new = message_id not in self._held
        self._put(AssistantMessage(id=message_id, content=text))
        if new:
            yield TextMessageStartEvent(message_id=message_id, role="assistant")
            yield TextMessageContentEvent(message_id=message_id, delta=text)
            yield TextMessageEndEvent(message_id=message_id)

    def call(self, call_id: str, action: PlannedAction) -> Iterator[BaseEvent]:
        """Tell that a step is sent as a tool call, unless it was told."""
        if call_id in self._calls:
            return
        self._calls.add(call_id)
        told = json.dumps(action.parameters, ensure_ascii=False, default=str)
        call = ToolCall(id=call_id, function=FunctionCall(name=action.action_id, arguments=told))
        self._put(AssistantMessage(id=_caller(call_id), tool_calls=[call]))
        yield ToolCallStartEvent(
            tool_call_id=call_id, tool_call_name=action.action_id, parent_message_id=_caller(call_id)
        )
        yield ToolCallArgsEvent(tool_call_id=call_id, delta=told)
        yield ToolCallEndEvent(tool_call_id=call_id)

    def result(self, call_id: str, content: str, error: str | None) -> Iterator[BaseEvent]:
        """Tell what came of a tool call, unless it was told."""
        message = ToolMessage(id=f"{call_id}:result", tool_call_id=call_id, content=content, error=error)
        new = message.id not in self._held
        self._put(message, behind=call_id)
        if new:
            yield ToolCallResultEvent(message_id=message.id, tool_call_id=call_id, content=content, role="tool")

    def snapshot(self) -> MessagesSnapshotEvent:
        """All of it."""
        return MessagesSnapshotEvent(messages=list(self._messages))

    def _put(self, message: Message, behind: str = "") -> None:
        place = next((n for n, m in enumerate(self._messages) if m.id == message.id), None)
        if place is not None:
            self._messages[place] = message
            return
        self._held.add(message.id)
        # The answer to a call stands right behind it: models' providers take it no other way.
        self._messages.insert(self._behind(behind), message)

    def _behind(self, call_id: str) -> int:
        for place, message in enumerate(self._messages):
            if (
                call_id
                and isinstance(message, AssistantMessage)
                and any(c.id == call_id for c in message.tool_calls or ())
            ):
                return place + 1
        return len(self._messages)


def _from_people(entry: ShownEntry) -> str:
    """It belongs to no message of the operator's; what was handed over is answered once."""
    return f"person:{entry.reference}"


def _caller(call_id: str) -> str:
    return f"{call_id}:call"
