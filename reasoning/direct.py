"""Steps that leave a model nothing to decide: every value confirmed, or put out by an earlier step.

What is called without a model is judged by the same guard (`reasoning/guard.py`) as what a model calls.
"""

from collections.abc import Mapping, Sequence

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.model import ChatMessage, ToolCall
from reasoning import placeholders


def certain(action: AtomicAction, confirmed: Mapping[str, Json], outputs: Mapping[int, Json]) -> bool:
    """Whether a step can be sent as it was confirmed; `outputs` are what earlier steps put out, by their places."""
    try:
        values = placeholders.resolve(confirmed, outputs)
    except placeholders.UnresolvedError:
        return False
    return all(values.get(p.name) is not None for p in action.parameters if p.required)


_OWN = "direct-"


def call(step: int, action: AtomicAction, confirmed: Mapping[str, Json]) -> ToolCall:
    """The call itself, with the values as they were confirmed: what stands for another step's output stays so."""
    return ToolCall(id=f"{_OWN}{step}", name=action.name, arguments=dict(confirmed), kind="write")


def ends_with_own(talk: Sequence[ChatMessage]) -> bool:
    """Whether the last calls of a conversation were ours. A model whose calls are signed takes none without a signature
    in the turn under way, so another has to be begun before it is asked."""
    last = next((m for m in reversed(talk) if m.role != "tool"), None)
    return last is not None and any(one.id.startswith(_OWN) for one in last.tool_calls)
