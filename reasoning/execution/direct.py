"""Steps that need no model, because every value is confirmed or is the output of an earlier step.

The same guard (`reasoning/execution/guard.py`) judges these calls and those of a model.
"""

from collections.abc import Mapping, Sequence

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ToolCall
from reasoning.execution import placeholders


def certain(action: AtomicAction, confirmed: Mapping[str, Json], outputs: Mapping[int, Json]) -> bool:
    """Return whether a step can be sent as it was confirmed; `outputs` are those of earlier steps, by index."""
    try:
        values = placeholders.resolve(confirmed, outputs)
    except placeholders.UnresolvedError:
        return False
    return all(values.get(p.name) is not None for p in action.parameters if p.required)


_OWN = "direct-"


def call(step: int, action: AtomicAction, confirmed: Mapping[str, Json]) -> ToolCall:
    """Return the call with its confirmed values; placeholders for another step's output stay."""
    return ToolCall(id=f"{_OWN}{step}", name=action.name, arguments=dict(confirmed), kind="write")


def ends_with_own(talk: Sequence[ChatMessage]) -> bool:
    """Return whether the last calls of a conversation were made by code. A model with signed calls rejects unsigned
    ones in the current turn, so a new turn must begin before the model is called."""
    last = next((m for m in reversed(talk) if m.role != "tool"), None)
    return last is not None and any(one.id.startswith(_OWN) for one in last.tool_calls)
