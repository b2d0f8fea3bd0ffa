"""Adaptive mode: what the planner asks to see before it plans, and how it judges its own reply. Both by rule, its
confidence too: it says how the rule was met, and nothing of how right the reply is."""

from __future__ import annotations

import json
from typing import Any

from language.effects import asks_for_change
from language.policies import is_question
from language.small_talk import small_talk
from sandbox.model import venue_words
from sandbox.model.clear import cancels
from sandbox.model.open_request import Chat
from sandbox.model.plan import plan
from sandbox.model.prompt import Brief
from sandbox.model.protocol import ASK, REFUSE, RESOLVE_WHEN, Message, Reply
from sandbox.model.tools import FAMILIES, Toolbox, may_do

_SCHEMA = "tool_schema:"
_BEST = 9


def adaptive(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """The next reply of a planning turn, with its assessment."""
    chat = Chat.of(messages, brief)
    asked = _to_see(chat, brief, toolbox)
    first = _of_a_cancellation(chat, brief, asked)
    if first or (asked and not _only_cancels(chat, brief)):
        return _assessed(Reply(), asked=first or asked)
    reply = venue_words.answered(chat.last, brief) or plan(messages, brief, toolbox)
    if asked and not any(call.name not in (ASK, REFUSE) for call in reply.calls):
        # What it is not sure of by these alone it decides by all of them.
        return _assessed(Reply(), asked=asked)
    return _assessed(reply, confidence=_confidence(reply, chat, messages), toolbox=toolbox)


def _only_cancels(chat: Chat, brief: Brief) -> bool:
    """Whether all that is said is to cancel something, of which no plan waits yet."""
    return not brief.pending and bool(chat.orders) and all(cancels(o) and not o.claims for o in chat.orders)


def _of_a_cancellation(chat: Chat, brief: Brief, asked: list[str]) -> list[str]:
    """What of the schemas is to be seen for a mere cancellation: the look-ups, tools that cancel by their names, and
    those whose names say nothing that the planner knows, since their words may be meant."""
    names = [key.removeprefix(_SCHEMA) for key in asked if key.startswith(_SCHEMA)]
    if not names or not _only_cancels(chat, brief):
        return []
    return [f"{_SCHEMA}{n}" for n in names if n in brief.reads or may_do(n, "cancel") or not may_do(n, *FAMILIES)]


def _to_see(chat: Chat, brief: Brief, toolbox: Toolbox) -> list[str]:
    """What must be seen first: what the venue goes by where the words ask for that, else every tool that is named: of
    most a name tells the planner nothing (`_of_a_cancellation` has the exception)."""
    if small_talk(chat.last):
        return []
    about = venue_words.keys_for(chat.last, brief)
    if about:
        return [key for key in about if key in brief.more]
    if is_question(chat.last) and not asks_for_change(chat.last):
        # Guests' questions are short; the tools are seen only where none of them is what was asked.
        if "faqs" in brief.more:
            return ["faqs"]
        if venue_words.answered(chat.last, brief) is not None:
            return []
    named = sorted({*brief.reads, *brief.tools} - {RESOLVE_WHEN})
    return [f"{_SCHEMA}{name}" for name in named if toolbox.get(name) is None]


def _confidence(reply: Reply, chat: Chat, messages: list[Message]) -> int:
    """One less where the request is spread over several messages, and where a booking was not looked up in this
    turn."""
    spread = chat.open_since < len(chat.said) - 1
    last = max((n for n, m in enumerate(messages) if m.role == "user"), default=0)
    looked = any(m.role == "tool" for m in messages[last:])
    plans = any(call.name not in (ASK, REFUSE) for call in reply.calls)
    return _BEST - (spread and plans) - (plans and not looked)


def _assessed(
    reply: Reply, *, confidence: int = _BEST, toolbox: Toolbox | None = None, asked: list[str] | None = None
) -> Reply:
    made = [call for call in reply.calls if call.name not in (ASK, REFUSE)]
    tools = [toolbox.get(call.name) for call in made] if toolbox is not None else []
    judged: dict[str, Any] = {
        "confidence": confidence,
        "tool_call": made[0].name if made else None,
        "tool_params": dict(made[0].arguments) if made else {},
        "missing_params": [],
        "is_destructive": any(tool is not None and tool.ends for tool in tools),
        "needs_confirmation": False,
        "needs_more_context": asked or [],
    }
    block = f"<assessment>\n{json.dumps(judged, ensure_ascii=False)}\n</assessment>"
    return Reply(text=f"{reply.text}\n\n{block}".strip(), calls=reply.calls)
